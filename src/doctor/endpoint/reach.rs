//! Checks the connection to the server: proxy, host name and port.

use std::time::Instant;

use tokio::net::{TcpStream, lookup_host};

use super::super::checkup::Patient;
use super::{EACH, millis};
use benchdog_config::settings::ProviderSettings;
use benchdog_config::{Settings, public_address, server};
use benchdog_domain::checkup::Check;
use benchdog_lang::{Finding, advice, finding};

/// Checks the host name and port of the server, or of its proxy. Returns `false` if further checks are pointless.
pub(super) async fn reach(
    patient: &Patient,
    settings: &Settings,
    configured: &ProviderSettings,
    checks: &mut Vec<Check>,
) -> bool {
    let proxy = proxy(patient, settings, configured);
    checks.push(Check::ok(
        "proxy",
        match &proxy {
            None => finding(Finding::NoProxy),
            Some((address, by)) => {
                let address = &public_address(address);
                finding(Finding::Proxy { address, by })
            }
        },
    ));
    let asked = proxy.map_or_else(|| configured.base_url.clone(), |(address, _)| address);
    let Some((host, port)) = server(&asked).and_then(|server| Some((server.host().to_owned(), server.port()?))) else {
        let address = &public_address(&asked);
        checks.push(Check::fail(
            "dns",
            finding(Finding::NoServerIn { address }),
            finding(Finding::FixAddress),
        ));
        return false;
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let found = tokio::time::timeout(EACH, lookup_host((bare.as_str(), port))).await;
    let addresses: Vec<_> = match found {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(error)) => {
            let error = &error.to_string();
            let detail = finding(Finding::NameUnknown { host: &host, error });
            checks.push(Check::fail("dns", detail, finding(Finding::FixName)));
            return false;
        }
        Err(_) => {
            let detail = finding(Finding::NameSilent {
                host: &host,
                seconds: EACH.as_secs(),
            });
            checks.push(Check::fail("dns", detail, finding(Finding::FixName)));
            return false;
        }
    };
    let Some(first) = addresses.first() else { return false };
    let shown = &first.ip().to_string();
    checks.push(Check::ok(
        "dns",
        finding(Finding::Name {
            host: &host,
            address: shown,
        }),
    ));
    let began = Instant::now();
    let connected = tokio::time::timeout(EACH, TcpStream::connect(addresses.as_slice())).await;
    let place = &format!("{host}:{port}");
    let why = match connected {
        Ok(Ok(_)) => {
            let ms = millis(began);
            checks.push(Check::ok("tcp", finding(Finding::Connected { place, ms })));
            return true;
        }
        Ok(Err(error)) => error.to_string(),
        Err(_) => finding(Finding::Silent {
            seconds: EACH.as_secs(),
        }),
    };
    let detail = finding(Finding::NotConnected { place, why: &why });
    checks.push(Check::fail("tcp", detail, advice("unreachable")));
    false
}

pub(super) fn proxy(patient: &Patient, settings: &Settings, configured: &ProviderSettings) -> Option<(String, String)> {
    let asked = server(&configured.base_url)?;
    if benchdog_config::is_loopback_name(asked.host()) {
        return None;
    }
    match settings.network.proxy.as_deref() {
        Some("none") => return None,
        Some(address) => return Some((address.to_owned(), "network.proxy".to_owned())),
        None => {}
    }
    let own = if configured.base_url.starts_with("https") {
        ["HTTPS_PROXY", "https_proxy"]
    } else {
        ["http_proxy", "HTTP_PROXY"]
    };
    let names = own.into_iter().chain(["ALL_PROXY", "all_proxy"]);
    let excluded = ["NO_PROXY", "no_proxy"]
        .into_iter()
        .find_map(|name| patient.environment.get(name));
    let is_excluded = excluded.is_some_and(|list| {
        list.split(',')
            .map(|part| part.trim().trim_start_matches('.'))
            .any(|part| {
                part == "*"
                    || (!part.is_empty() && (asked.host() == part || asked.host().ends_with(&format!(".{part}"))))
            })
    });
    if is_excluded {
        return None;
    }
    let mut named = names.filter_map(|name| Some((patient.environment.get(name)?.to_owned(), name.to_owned())));
    named.next()
}
