//! Sanitises resources of a server for mentions.

use std::collections::BTreeSet;

use rmcp::model::{Resource, ResourceTemplate};

use super::answered::line;
use super::limits::{MOST_ADDRESS, MOST_RESOURCE_WORDS, MOST_RESOURCES, More};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::mention;
use benchdog_domain::server::{OfferedResource, ResourceKind};

pub(super) fn add<T: Offer>(offered: &mut Vec<OfferedResource>, page: Vec<T>) -> More {
    let taken = page.into_iter().map(T::offer).filter(|one| is_address(&one.uri));
    offered.extend(taken.take(MOST_RESOURCES + 1 - offered.len()));
    More::beyond(MOST_RESOURCES, offered.len())
}

pub(super) fn joined(whole: Vec<OfferedResource>, templates: Vec<OfferedResource>) -> Vec<OfferedResource> {
    let mut known = BTreeSet::new();
    let taken = whole.into_iter().chain(templates);
    let mut offered: Vec<OfferedResource> = taken.filter(|one| known.insert(one.uri.clone())).collect();
    offered.truncate(MOST_RESOURCES);
    offered
}

/// Something a server lists as a resource.
pub(super) trait Offer {
    fn offer(self) -> OfferedResource;
}

impl Offer for Resource {
    fn offer(self) -> OfferedResource {
        OfferedResource {
            title: title(self.title.as_deref(), &self.name),
            uri: self.uri,
            kind: ResourceKind::Whole,
        }
    }
}

impl Offer for ResourceTemplate {
    fn offer(self) -> OfferedResource {
        OfferedResource {
            title: title(self.title.as_deref(), &self.name),
            uri: self.uri_template,
            kind: ResourceKind::Template,
        }
    }
}

/// Whether the URI is visible text without control characters or another mention.
fn is_address(uri: &str) -> bool {
    let is_plain = |uri: &str| !uri.contains(char::is_control) && clean(uri) == uri;
    let names = |uri: &str| !mention::find(uri).is_empty();
    !uri.trim().is_empty() && uri.len() <= MOST_ADDRESS && is_plain(uri) && !names(uri)
}

fn title(title: Option<&str>, name: &str) -> String {
    let words = line(title.unwrap_or(name));
    truncate(words.trim(), MOST_RESOURCE_WORDS).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offered(resources: &serde_json::Value, templates: &serde_json::Value) -> Vec<OfferedResource> {
        let (mut whole, mut behind) = (Vec::new(), Vec::new());
        let page: Vec<Resource> = serde_json::from_value(resources.clone()).unwrap();
        add(&mut whole, page);
        let page: Vec<ResourceTemplate> = serde_json::from_value(templates.clone()).unwrap();
        add(&mut behind, page);
        joined(whole, behind)
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
            {"uri": "note://a @notes.txt", "name": "another's"},
        ]);
        let templates = json!([
            {"uriTemplate": "note://{name}/x", "name": "any"},
            {"uriTemplate": "note://a @notes.txt {name}", "name": "another's"},
        ]);
        let offered = offered(&resources, &templates);
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
        let mut taken = Vec::new();
        for (number, more) in [(0, More::Wanted), (1, More::Enough), (2, More::Enough)] {
            let page =
                (0..MOST_RESOURCES).map(|at| Resource::new(format!("n://{number}-{at}"), "words ".repeat(1_000)));
            assert_eq!(add(&mut taken, page.collect()), more);
            assert!(
                taken.len() <= MOST_RESOURCES + 1 && taken.iter().all(|one| one.title.len() <= MOST_RESOURCE_WORDS + 4)
            );
        }
    }
}
