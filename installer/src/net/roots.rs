//! The authorities that this system trusts, with those that SSL_CERT_FILE names in their place.

use ureq::tls::{Certificate, RootCerts};

/// They, or why there are none.
pub(super) fn roots() -> Result<RootCerts, String> {
    let certificates = system::certificates()?;
    if certificates.is_empty() {
        return Err(
            "this system names no authority that it trusts (on Linux they come with the package \
             ca-certificates)"
                .to_owned(),
        );
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

#[cfg(not(target_vendor = "apple"))]
mod system {
    use super::Certificate;

    /// It reads SSL_CERT_FILE and SSL_CERT_DIR too.
    pub(super) fn certificates() -> Result<Vec<Certificate<'static>>, String> {
        let found = rustls_native_certs::load_native_certs();
        if let (true, Some(why)) = (found.certs.is_empty(), found.errors.first()) {
            return Err(why.to_string());
        }
        Ok(found
            .certs
            .iter()
            .map(|certificate| Certificate::from_der(certificate).to_owned())
            .collect())
    }
}

/// The library that asks the system for them is linked to on Apple's own machines only, and hookkit
/// is made elsewhere; so the program that macOS has for it is asked. What a user distrusts in the
/// keychain is not told by it.
#[cfg(target_vendor = "apple")]
mod system {
    use super::Certificate;
    use hookkit_dispatch::env::Env;
    use std::process::{Command, Stdio};
    use ureq::tls::{PemItem, parse_pem};

    const KEYCHAINS: [&str; 2] = [
        "/System/Library/Keychains/SystemRootCertificates.keychain",
        "/Library/Keychains/System.keychain",
    ];

    pub(super) fn certificates() -> Result<Vec<Certificate<'static>>, String> {
        let pem = match Env::of_process().get("SSL_CERT_FILE") {
            Some(file) => {
                fs_err::read(std::path::Path::new(&file)).map_err(|why| why.to_string())?
            }
            None => {
                Command::new("/usr/bin/security")
                    .args(["find-certificate", "-a", "-p"])
                    .args(KEYCHAINS)
                    .stdin(Stdio::null())
                    .output()
                    .map_err(|why| format!("/usr/bin/security does not start: {why}"))?
                    .stdout
            }
        };
        Ok(parse_pem(&pem)
            .filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            })
            .collect())
    }
}
