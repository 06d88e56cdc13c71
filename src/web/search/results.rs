//! Finds the results in the JSON response of a search service: the first list of objects with an address.

use benchdog_base::text::one_line;
use serde_json::{Map, Value};

use super::Hit;

const URLS: &[&str] = &["url", "link", "href"];
const TITLES: &[&str] = &["title", "name"];
const TEXTS: &[&str] = &["content", "snippet", "description", "text", "body", "summary"];

/// Maximum depth at which a list is searched. Examples: `web.results` (Brave), `webPages.value` (Bing).
const DEEPEST: usize = 4;
const LONGEST_TITLE: usize = 200;
const LONGEST_TEXT: usize = 500;

/// Returns the results. `None` if the response has no list. An empty vector means that the search found nothing.
pub(super) fn find_hits(value: &Value) -> Option<Vec<Hit>> {
    let mut level = vec![value];
    let mut empty = None;
    for _ in 0..DEEPEST {
        for value in &level {
            match value.as_array() {
                Some(list) if list.is_empty() => empty = Some(Vec::new()),
                Some(list) => {
                    let hits: Vec<Hit> = list.iter().filter_map(hit).collect();
                    if !hits.is_empty() {
                        return Some(hits);
                    }
                }
                None => {}
            }
        }
        let below = level.iter().filter_map(|value| value.as_object());
        level = below.flat_map(Map::values).collect();
    }
    empty
}

fn hit(value: &Value) -> Option<Hit> {
    let fields = value.as_object()?;
    let text = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_str());
    let url = text(URLS).filter(|url| url.starts_with("https://") || url.starts_with("http://"))?;
    let short = |text: &str, most: usize| one_line(text).chars().take(most).collect();
    Some(Hit {
        title: short(text(TITLES)?, LONGEST_TITLE),
        url: one_line(url),
        text: short(text(TEXTS).unwrap_or_default(), LONGEST_TEXT),
    })
}
