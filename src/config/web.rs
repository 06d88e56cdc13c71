//! Reads `web`: the enabled web tools and the allowed hosts.

use super::layers::Layers;
use super::read::{switch, text, texts};
use super::rule_names::no_host;
use super::settings::{SearchEngine, SearchSettings, WebSettings};
use benchdog_base::problem::Problem;

pub const QUERY: &str = "{query}";
pub const LOCALE: &str = "{locale}";

pub(super) fn read(layers: &Layers) -> Result<WebSettings, Problem> {
    let private_hosts = texts(layers, &["web", "private_hosts"]);
    if let Some((host, why)) = private_hosts.iter().find_map(|host| Some((host, no_host(host)?))) {
        let text = format!("`{host}` in `web.private_hosts` matches no host: {why}");
        return Err(layers.problem(&["web", "private_hosts"], text));
    }
    Ok(WebSettings {
        fetch: switch(layers, &["web", "fetch"], false),
        search: search(layers)?,
        private_hosts,
    })
}

fn search(layers: &Layers) -> Result<SearchSettings, Problem> {
    let at = |key: &'static str| ["web", "search", key];
    let wrong = |key: &'static str, text: String| layers.problem(&at(key), text);
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
    let headers = layers.pairs(&at("headers"));
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
