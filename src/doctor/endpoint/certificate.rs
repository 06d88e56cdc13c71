//! Checks the server's certificates, and suggests a fix for each problem.

use std::io;
use std::path::PathBuf;

use super::EACH;
use benchdog_base::clock::Time;
use benchdog_config::settings::ProviderSettings;
use benchdog_config::{Settings, server};
use benchdog_domain::checkup::Check;
use benchdog_lang::{Finding, advice, finding};
use benchdog_provider::certificates::{Certificate, PresentedChain, TlsTarget, Verdict, inspect, is_no_tls};

/// Checks the certificate chain of the endpoint. Returns `None` without TLS, or for a proxy that this check does not
/// support. The first request then reports certificate problems.
pub(super) async fn check(settings: &Settings, configured: &ProviderSettings, proxy: Option<&str>) -> Option<Check> {
    let target = tls_target(settings, configured, proxy)?;
    let place = Place {
        host: target.host.clone(),
        port: target.port,
    };
    Some(match inspect(target, EACH).await {
        Ok(shown) => judged(&place, &shown),
        Err(error) => no_certificate(&place, &error),
    })
}

fn tls_target(settings: &Settings, configured: &ProviderSettings, proxy: Option<&str>) -> Option<TlsTarget> {
    let asked = server(&configured.base_url).filter(|_| is_secure(&configured.base_url))?;
    let through = match proxy {
        None => None,
        // Requests support a proxy with a password, but this check does not.
        Some(address) if address.contains('@') || !address.starts_with("http://") => return None,
        Some(address) => Some(server(address)?),
    };
    let of_all = || settings.network.ca_file.as_ref();
    Some(TlsTarget {
        host: bare(asked.host()),
        port: asked.port()?,
        through: through.and_then(|proxy| Some((bare(proxy.host()), proxy.port()?))),
        ca_file: configured.ca_file.as_ref().or_else(of_all).map(PathBuf::from),
    })
}

fn is_secure(base_url: &str) -> bool {
    base_url.trim_start().to_ascii_lowercase().starts_with("https:")
}

fn bare(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').to_owned()
}

struct Place {
    host: String,
    port: u16,
}

fn judged(place: &Place, shown: &PresentedChain) -> Check {
    let chain = &chain(&shown.chain);
    let own = shown.chain.first();
    let fail = |detail, fix| Check::fail("tls", detail, fix);
    let host = place.host.as_str();
    match &shown.verdict {
        Verdict::Trusted => {
            let until = own.map_or("?", Certificate::last_day);
            Check::ok("tls", finding(Finding::Trusted { chain, until }))
        }
        Verdict::UnknownIssuer => fail(finding(Finding::UnknownIssuer { chain }), to_be_saved(place, shown)),
        Verdict::Expired => {
            let today = &today();
            let old = shown.chain.iter().find(|one| one.last_day() <= today.as_str());
            let (subject, until) = old.or(own).map_or(("?", "?"), |one| (&one.subject, one.last_day()));
            let detail = finding(Finding::Expired { chain, subject, until });
            fail(detail, finding(Finding::FixExpired { today }))
        }
        Verdict::NotYetValid => {
            let today = &today();
            let from = own.map_or("?", Certificate::first_day);
            let detail = finding(Finding::NotYetValid { chain, from });
            fail(detail, finding(Finding::FixExpired { today }))
        }
        Verdict::OtherName(names) => {
            let names = &names.join("`, `");
            let detail = finding(Finding::ForOthers { chain, names, host });
            fail(detail, finding(Finding::FixForOthers { host }))
        }
        Verdict::Refused(why) => fail(
            finding(Finding::NotAccepted { chain, why }),
            finding(Finding::FixNotAccepted),
        ),
    }
}

fn to_be_saved(place: &Place, shown: &PresentedChain) -> String {
    let (host, port) = (place.host.as_str(), place.port);
    match shown.chain.last() {
        Some(last) if last.is_own_issuer => {
            let subject = &last.subject;
            finding(Finding::FixSaveLast { subject, host, port })
        }
        last => {
            let issuer = last.map_or("?", |last| last.issuer.as_str());
            finding(Finding::FixSaveIssuer { issuer })
        }
    }
}

fn chain(certificates: &[Certificate]) -> String {
    let mut names: Vec<&str> = certificates.iter().map(|one| one.subject.as_str()).collect();
    names.extend(
        certificates
            .last()
            .filter(|last| !last.is_own_issuer)
            .map(|last| last.issuer.as_str()),
    );
    format!("`{}`", names.join("` ← `"))
}

fn today() -> String {
    let now = Time::now().rfc3339();
    now.split('T').next().unwrap_or_default().to_owned()
}

fn no_certificate(place: &Place, error: &io::Error) -> Check {
    let host = place.host.as_str();
    let is_silent = matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock);
    let seconds = EACH.as_secs();
    if is_no_tls(error) {
        Check::fail("tls", finding(Finding::NoTls { host }), advice("no_tls"))
    } else if is_silent {
        Check::fail("tls", finding(Finding::Silent { seconds }), advice("timeout"))
    } else {
        let why = &error.to_string();
        let detail = finding(Finding::NoHandshake { why });
        Check::fail("tls", detail, finding(Finding::FixNotAccepted))
    }
}

#[cfg(test)]
mod tests;
