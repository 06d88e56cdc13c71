//! Reads `web`: which tools for web pages exist, and which hosts they may reach.

use super::layers::Layers;
use super::read::{switch, text, texts};
use super::rule_names::no_host;
use super::settings::{SearchEngine, SearchSettings, WebSettings};
use benchdog_base::problem::{Location, Problem};
use serde_json::Value;

/// The placeholders of `web.search.json`.
pub const QUERY: &str = "{query}";
pub const LOCALE: &str = "{locale}";

pub(super) fn read(layers: &Layers) -> Result<WebSettings, Problem> {
    let private_hosts = texts(layers, &["web", "private_hosts"]);
    if let Some((host, why)) = private_hosts.iter().find_map(|host| Some((host, no_host(host)?))) {
        let given = layers.under(&["web", "private_hosts"]);
        let place = given.iter().find_map(|given| given.nearest());
        let text = format!("`{host}` in `web.private_hosts` matches no host: {why}");
        return Err(Problem::new(
            Location::file(place.map_or("", |origin| &origin.place)),
            text,
        ));
    }
    Ok(WebSettings {
        fetch: switch(layers, &["web", "fetch"], false),
        search: search(layers)?,
        private_hosts,
    })
}

fn search(layers: &Layers) -> Result<SearchSettings, Problem> {
    let at = |key: &'static str| ["web", "search", key];
    let wrong = |key: &'static str, text: String| {
        let given = layers.under(&at(key));
        let place = given.iter().find_map(|given| given.nearest());
        Problem::new(Location::file(place.map_or("", |origin| &origin.place)), text)
    };
    let engine = match (text(layers, &at("searxng")), text(layers, &at("json"))) {
        (Some(_), Some(_)) => {
            let text = "`web.search.json` has no effect beside `web.search.searxng`; remove one of them";
            return Err(wrong("json", text.to_owned()));
        }
        (Some(address), None) => Some(SearchEngine::SearXng(address)),
        (None, Some(address)) if !address.contains(QUERY) => {
            let text =
                format!("`web.search.json` has no `{QUERY}`, so it would find nothing; write it into the address");
            return Err(wrong("json", text));
        }
        (None, Some(address)) => Some(SearchEngine::Json(address)),
        (None, None) => None,
    };
    let header = |name: &str| {
        let value = layers.value(&["web", "search", "headers", name]);
        Some((name.to_owned(), value.and_then(Value::as_str)?.to_owned()))
    };
    let headers: Vec<_> = layers.names(&at("headers")).into_iter().filter_map(header).collect();
    if engine.is_none() && !headers.is_empty() {
        let text = "`web.search.headers` has no effect without `web.search.searxng` or `web.search.json`";
        return Err(wrong("headers", text.to_owned()));
    }
    let duckduckgo = switch(layers, &at("duckduckgo"), false);
    let locale = text(layers, &at("locale")).filter(|locale| !locale.trim().is_empty());
    let takes_locale = match &engine {
        Some(SearchEngine::SearXng(_)) => true,
        Some(SearchEngine::Json(address)) => duckduckgo || address.contains(LOCALE),
        None => duckduckgo,
    };
    if locale.is_some() && !takes_locale {
        let text =
            format!("`web.search.locale` has no effect without an engine, or without `{LOCALE}` in `web.search.json`");
        return Err(wrong("locale", text));
    }
    Ok(SearchSettings {
        engine,
        headers,
        duckduckgo,
        locale,
    })
}
