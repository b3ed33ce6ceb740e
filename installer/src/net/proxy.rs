//! The proxies that the environment names, by the rules that curl and others follow.

use super::address::Address;
use hookkit_dispatch::env::Env;
use ureq::Proxy;

/// The proxy for an address: HTTPS_PROXY or HTTP_PROXY, else ALL_PROXY, in small letters too; none
/// for what NO_PROXY names. The error is the variable with a value that is no address.
pub(super) fn proxy(address: &Address, env: &Env) -> Result<Option<Proxy>, &'static str> {
    let names = if address.is_encrypted() {
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    } else {
        ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
    };
    let Some((name, value)) = names
        .into_iter()
        .find_map(|name| Some((name, env.get(name)?)))
    else {
        return Ok(None);
    };
    let plain = value
        .to_str()
        .and_then(|value| Proxy::new(value).ok())
        .ok_or(name)?;
    let mut proxy = Proxy::builder(plain.protocol())
        .host(plain.host())
        .port(plain.port());
    if let Some(user) = plain.username() {
        proxy = proxy.username(user);
    }
    if let Some(password) = plain.password() {
        proxy = proxy.password(password);
    }
    let excepted = ["no_proxy", "NO_PROXY"]
        .into_iter()
        .find_map(|name| env.get(name));
    let excepted = excepted.map(|list| list.to_string_lossy().into_owned());
    for host in excepted.iter().flat_map(|list| list.split([',', ' '])) {
        let host = host.trim();
        if host.is_empty() {
            continue;
        }
        // `example.org` also means the hosts below it.
        let bare = host.trim_start_matches("*.").trim_start_matches('.');
        proxy = proxy.no_proxy(bare).no_proxy(&format!(".{bare}"));
    }
    proxy.build().map(Some).map_err(|_| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn env(variables: &[(&str, &str)]) -> Env {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        Env::given(variables, PathBuf::new(), PathBuf::new())
    }

    /// The proxy's port, if the address is asked for by way of it.
    fn port(address: &str, variables: &[(&str, &str)]) -> Option<u16> {
        let address: Address = address.parse().expect("an address");
        let proxy = proxy(&address, &env(variables)).expect("a proxy's address")?;
        (!proxy.is_no_proxy(address.uri())).then(|| proxy.port())
    }

    #[test]
    fn each_scheme_has_its_proxy() {
        let both = [
            ("HTTPS_PROXY", "http://p:1"),
            ("http_proxy", "http://p:2"),
            ("ALL_PROXY", "http://p:3"),
        ];
        assert_eq!(port("https://example.org/", &both), Some(1));
        assert_eq!(port("http://example.org/", &both), Some(2));
        assert_eq!(port("http://example.org/", &both[..1]), None);
        assert_eq!(port("https://example.org/", &both[2..]), Some(3));
        let bad = env(&[("HTTPS_PROXY", "p p")]);
        let address: Address = "https://example.org/".parse().expect("an address");
        assert_eq!(proxy(&address, &bad).err(), Some("HTTPS_PROXY"));
    }

    #[test]
    fn what_is_excepted_goes_without() {
        for (list, is_excepted) in [
            ("example.org", true),
            (".example.org", true),
            ("*.example.org", true),
            ("other.net, a.example.org", true),
            ("*", true),
            ("other.net", false),
            ("ple.org", false),
        ] {
            let variables = [("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", list)];
            let port = port("https://a.example.org/", &variables);
            assert_eq!(port.is_none(), is_excepted, "{list}");
        }
    }
}
