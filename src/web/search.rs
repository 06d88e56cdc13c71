//! Searches with the configured engine. Falls back to DuckDuckGo if that is switched on.

mod duckduckgo;
mod results;

use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Web;
use crate::address::Address;
use crate::client::{self, RequestOptions};
use crate::page::run_on_large_stack;
use crate::trouble::Trouble;
use benchdog_config::settings::SearchEngine;
use benchdog_config::web::{LOCALE, QUERY};

const MOST_HITS: usize = 8;
/// Maximum length of a query in characters. A longer text is not a real query, and may be the content of a file.
const LONGEST_QUERY: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub title: String,
    pub url: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResults {
    /// Host of the engine that gave the results.
    pub engine: String,
    pub hits: Vec<Hit>,
    /// Error of the first engine, if the second engine gave the results.
    pub failed: Option<String>,
}

impl Web {
    /// Returns the addresses in the order in which they are tried.
    pub fn search_addresses(&self, query: &str) -> Result<Vec<Address>, Trouble> {
        let query = query.trim();
        if query.chars().count() > LONGEST_QUERY {
            let why = format!("The query is longer than {LONGEST_QUERY} characters. Shorten it.");
            return Err(Trouble::Query(why));
        }
        let search = self.search_settings();
        let locale = search.locale.as_deref();
        let engine = search.engine.as_ref().map(|engine| match engine {
            SearchEngine::SearXng(base) => searxng(base, query, locale),
            SearchEngine::Json(pattern) => Address::parse(
                &pattern
                    .replace(QUERY, &encode(query))
                    .replace(LOCALE, &encode(locale.unwrap_or_default())),
            ),
        });
        let duckduckgo = search.duckduckgo.then(|| duckduckgo::address(query, locale));
        engine.into_iter().chain(duckduckgo).collect()
    }

    pub async fn search(&self, query: &str) -> Result<SearchResults, Trouble> {
        let work = self.search_within(query);
        let done = tokio::time::timeout(self.patience, work).await;
        done.unwrap_or(Err(Trouble::Timeout(self.patience)))
    }

    async fn search_within(&self, query: &str) -> Result<SearchResults, Trouble> {
        let addresses = self.search_addresses(query)?;
        let mut failed = None;
        if self.search_settings().engine.is_some()
            && let Some(address) = addresses.first()
        {
            // Half of the time is reserved for the second engine.
            let part = match addresses.len() {
                1 => self.patience,
                _ => self.patience / 2,
            };
            match self.query_json(address, part).await {
                Ok(hits) => return Ok(results(address, hits, None)),
                Err(trouble) if addresses.len() == 1 => return Err(trouble),
                Err(trouble) => failed = Some(trouble.to_string()),
            }
        }
        let Some(address) = addresses.last() else {
            return Err(Trouble::Setting("No search engine is configured".to_owned()));
        };
        let hits = self.query_duckduckgo(address).await?;
        Ok(results(address, hits, failed))
    }

    async fn query_json(&self, address: &Address, patience: Duration) -> Result<Vec<Hit>, Trouble> {
        if let Some(name) = self.missing_variables.first() {
            let why = format!("The environment variable `{name}` of `web.search.headers` is not set");
            return Err(Trouble::Setting(why));
        }
        let options = RequestOptions {
            accept: "application/json",
            language: self.search_settings().locale.as_deref(),
            headers: &self.headers,
        };
        let engine = address.subject();
        let no_results = |why: String| Trouble::Engine {
            engine: engine.clone(),
            why,
        };
        let asked = async {
            let guard = self.guard().for_server(address);
            // A redirect to another server is refused, because the headers may contain a key.
            let (address, mut response) = self.get(&guard, address, &options).await?;
            let body = client::body(&mut response, &address.subject()).await?;
            Ok((response.status().as_u16(), body))
        };
        let asked = tokio::time::timeout(patience, asked).await;
        let (status, body) = asked.unwrap_or(Err(Trouble::Timeout(patience)))?;
        let is_searxng = matches!(self.search_settings().engine, Some(SearchEngine::SearXng(_)));
        match status {
            200..=299 => {}
            403 if is_searxng => {
                return Err(no_results(
                    "it refuses with HTTP status 403. SearXNG does so unless `search.formats` of its settings has `json`".to_owned(),
                ));
            }
            _ => return Err(no_results(format!("it answered with HTTP status {status}"))),
        }
        let value = serde_json::from_slice(&body.bytes).map_err(|_| no_results("its answer is not JSON".to_owned()))?;
        let hits =
            results::find_hits(&value).ok_or_else(|| no_results("its answer has no list of results".to_owned()))?;
        Ok(hits.into_iter().take(MOST_HITS).collect())
    }

    async fn query_duckduckgo(&self, address: &Address) -> Result<Vec<Hit>, Trouble> {
        duckduckgo::pause().await;
        let options = RequestOptions {
            accept: "text/html",
            language: self.search_settings().locale.as_deref(),
            headers: &[],
        };
        let (_, mut response) = self.get(&self.guard(), address, &options).await?;
        let (status, body) = (
            response.status().as_u16(),
            client::body(&mut response, duckduckgo::HOST).await?,
        );
        let read = run_on_large_stack(move || duckduckgo::hits(status, &String::from_utf8_lossy(&body.bytes))).await;
        let hits = read.map_err(|why| Trouble::Engine {
            engine: duckduckgo::HOST.to_owned(),
            why,
        })?;
        Ok(hits.into_iter().take(MOST_HITS).collect())
    }
}

fn results(address: &Address, hits: Vec<Hit>, failed: Option<String>) -> SearchResults {
    SearchResults {
        engine: address.subject(),
        hits,
        failed,
    }
}

fn searxng(base: &str, query: &str, locale: Option<&str>) -> Result<Address, Trouble> {
    let base = base.trim_end_matches('/');
    let base = base.strip_suffix("/search").unwrap_or(base);
    let language = locale
        .map(|locale| format!("&language={}", encode(locale)))
        .unwrap_or_default();
    Address::parse(&format!("{base}/search?q={}&format=json{language}", encode(query)))
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests;
