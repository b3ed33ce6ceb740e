//! https: an authority of one test, and servers with a certificate by it.

use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Signs certificates for 127.0.0.1.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// One that nobody trusts yet.
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut about = CertificateParams::new(Vec::new()).unwrap();
        about.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = about.self_signed(&key).unwrap().pem();
        Self {
            issuer: Issuer::new(about, key),
            pem,
        }
    }

    /// Its own certificate, as a file.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let file = folder.join("authority.pem");
        fs::write(&file, &self.pem).unwrap();
        file
    }

    /// Turns connections into encrypted ones.
    pub(super) fn acceptor(
        &self,
    ) -> impl Fn(TcpStream) -> io::Result<StreamOwned<ServerConnection, TcpStream>> + use<> {
        let key = KeyPair::generate().unwrap();
        let about = CertificateParams::new(vec!["127.0.0.1".into(), "localhost".into()]).unwrap();
        let certificate = about.signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let config = Arc::new(config);
        move |connection| {
            let session = ServerConnection::new(Arc::clone(&config)).map_err(io::Error::other)?;
            Ok(StreamOwned::new(session, connection))
        }
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}
