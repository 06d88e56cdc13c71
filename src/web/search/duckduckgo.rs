//! Searches with DuckDuckGo's result page for browsers without scripts. The page is not an API, so requests are kept
//! rare.

use benchdog_base::text::one_line;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Hit, encode};
use crate::address::Address;
use crate::page::parse;
use crate::trouble::Trouble;

pub(super) const HOST: &str = "html.duckduckgo.com";

const GAP: Duration = Duration::from_secs(2);
static LAST: Mutex<Option<Instant>> = Mutex::const_new(None);

pub(super) async fn pause() {
    let mut last = LAST.lock().await;
    if let Some(last) = *last {
        tokio::time::sleep_until(last + GAP).await;
    }
    *last = Some(Instant::now());
}

pub(super) fn address(query: &str, locale: Option<&str>) -> Result<Address, Trouble> {
    let region = locale
        .and_then(region)
        .map(|region| format!("&kl={region}"))
        .unwrap_or_default();
    Address::parse(&format!("https://{HOST}/html/?q={}{region}", encode(query)))
}

/// Converts a locale to DuckDuckGo's region code, such as `de-AT` to `at-de`.
fn region(locale: &str) -> Option<String> {
    let (language, country) = locale.split_once(['-', '_'])?;
    let (language, country) = (language.to_ascii_lowercase(), country.to_ascii_lowercase());
    let country = country.split('.').next().unwrap_or_default();
    let is_code = |code: &str| code.len() == 2 && code.chars().all(|letter| letter.is_ascii_lowercase());
    if !is_code(&language) || !is_code(country) {
        return None;
    }
    Some(match (language.as_str(), country) {
        ("ja", "jp") => "jp-jp".to_owned(),
        ("ko", "kr") => "kr-kr".to_owned(),
        ("zh", "tw" | "hk") => format!("{country}-tzh"),
        (_, "gb") => format!("uk-{language}"),
        _ => format!("{country}-{language}"),
    })
}

pub(super) fn hits(status: u16, html: &str) -> Result<Vec<Hit>, String> {
    if status == 202 || html.contains("anomaly-modal") {
        return Err("it asks for a CAPTCHA. Try again later, or tell the user to configure another engine".to_owned());
    }
    if !(200..300).contains(&status) {
        return Err(format!("it answered with HTTP status {status}"));
    }
    let (document, _) = parse(html)?;
    let mut hits = Vec::new();
    for result in document.select(".result").nodes() {
        if result.has_class("result--ad") {
            continue;
        }
        let find = |class: &str| result.descendants_it().find(|node| node.has_class(class));
        let Some(link) = find("result__a") else { continue };
        let Some(url) = link.attr("href").and_then(|href| target(&href)) else {
            continue;
        };
        hits.push(Hit {
            title: one_line(&link.text()),
            url,
            text: find("result__snippet")
                .map(|text| one_line(&text.text()))
                .unwrap_or_default(),
        });
    }
    if hits.is_empty() && !html.contains("no-results") {
        return Err("its page has an unexpected format".to_owned());
    }
    Ok(hits)
}

/// Returns the address of a result. The link contains it as a parameter, as in `//duckduckgo.com/l/?uddg=…`.
fn target(href: &str) -> Option<String> {
    let address = match href.strip_prefix("//") {
        Some(rest) => format!("https://{rest}"),
        None => href.to_owned(),
    };
    let address = Address::parse(&address).ok()?;
    let behind = address.url().query_pairs().find(|(name, _)| name == "uddg");
    match behind {
        Some((_, target)) => Some(Address::parse(&target).ok()?.to_string()),
        None if address.host().ends_with("duckduckgo.com") => None,
        None => Some(address.to_string()),
    }
}
