//! What a server lists to be read, made fit to be offered behind an `@`.

use std::collections::BTreeSet;

use rmcp::model::{Resource, ResourceTemplate};

use super::answered::line;
use super::limits::{MOST_ADDRESS, MOST_RESOURCE_WORDS, MOST_RESOURCES};
use crate::base::text::{clean, truncate};
use crate::domain::server::{OfferedResource, ResourceKind};

/// Those that are taken, in the server's order, the templates behind the others. An address that a person could not read is left out,
/// and so is a second one of an address.
pub(super) fn cleaned(resources: Vec<Resource>, templates: Vec<ResourceTemplate>) -> Vec<OfferedResource> {
    let whole = resources.into_iter().map(|one| OfferedResource {
        title: title(one.title, &one.name),
        uri: one.uri,
        kind: ResourceKind::Whole,
    });
    let templates = templates.into_iter().map(|one| OfferedResource {
        title: title(one.title, &one.name),
        uri: one.uri_template,
        kind: ResourceKind::Template,
    });
    let mut known = BTreeSet::new();
    let taken = whole.chain(templates).filter(|one| is_address(&one.uri));
    let mut offered: Vec<OfferedResource> = taken.filter(|one| known.insert(one.uri.clone())).collect();
    offered.truncate(MOST_RESOURCES);
    offered
}

/// Whether a person can read and write it: nothing in it steers a terminal or is not seen.
fn is_address(uri: &str) -> bool {
    let is_plain = |uri: &str| !uri.contains(char::is_control) && clean(uri) == uri;
    !uri.trim().is_empty() && uri.len() <= MOST_ADDRESS && is_plain(uri)
}

fn title(title: Option<String>, name: &str) -> String {
    let words = line(title.as_deref().unwrap_or(name));
    truncate(words.trim(), MOST_RESOURCE_WORDS).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offered(resources: &serde_json::Value, templates: &serde_json::Value) -> Vec<OfferedResource> {
        let resources = serde_json::from_value(resources.clone()).unwrap();
        cleaned(resources, serde_json::from_value(templates.clone()).unwrap())
    }

    #[test]
    fn what_nobody_can_read_and_what_steers_is_not_offered() {
        let resources = json!([
            {"uri": "note://a", "name": "a\u{1b}[2J\nnote"},
            {"uri": "note://a", "name": "once more"},
            {"uri": "note://b\u{1b}[31m", "name": "red"},
            {"uri": "note://\u{202e}c", "name": "backwards"},
            {"uri": format!("note://{}", "x".repeat(3_000)), "name": "long"},
            {"uri": " ", "name": "nothing"},
        ]);
        let offered = offered(&resources, &json!([{"uriTemplate": "note://{name}/x", "name": "any"}]));
        let uris: Vec<&str> = offered.iter().map(|one| one.uri.as_str()).collect();
        assert_eq!(uris, ["note://a", "note://{name}/x"]);
        assert_eq!(offered[0].title, "a note");
        assert_eq!(offered[1].beginning(), "note://");
    }

    #[test]
    fn two_thousand_of_long_names_are_a_list_that_can_be_looked_at() {
        let many: Vec<_> = (0..2_000)
            .map(|at| json!({"uri": format!("n://{at}"), "name": "words ".repeat(1_000)}))
            .collect();
        let offered = offered(&json!(many), &json!([]));
        assert_eq!(offered.len(), MOST_RESOURCES);
        assert!(offered.iter().all(|one| one.title.len() <= MOST_RESOURCE_WORDS + 4));
    }
}
