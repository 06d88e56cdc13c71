//! Cleans the resources of a server, so that the user can mention them.

use std::collections::BTreeSet;

use rmcp::model::{Resource, ResourceTemplate};

use super::content::single_line;
use super::limits::{MOST_ADDRESS, MOST_RESOURCE_WORDS, MOST_RESOURCES, PageResult};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::mention;
use benchdog_domain::server::{OfferedResource, ResourceKind};

pub(super) fn add<T: Offer>(offered: &mut Vec<OfferedResource>, page: Vec<T>) -> PageResult {
    let taken = page.into_iter().map(T::offer).filter(|one| is_address(&one.uri));
    offered.extend(taken.take(MOST_RESOURCES + 1 - offered.len()));
    PageResult::of_count(MOST_RESOURCES, offered.len())
}

pub(super) fn joined(whole: Vec<OfferedResource>, templates: Vec<OfferedResource>) -> Vec<OfferedResource> {
    let mut known = BTreeSet::new();
    let taken = whole.into_iter().chain(templates);
    let mut offered: Vec<OfferedResource> = taken.filter(|one| known.insert(one.uri.clone())).collect();
    offered.truncate(MOST_RESOURCES);
    offered
}

/// A resource or a resource template.
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

/// Whether a mention can contain the URI. The URI must be visible text, and must not contain a mention itself.
fn is_address(uri: &str) -> bool {
    let is_plain = |uri: &str| !uri.contains(char::is_control) && clean(uri) == uri;
    let names = |uri: &str| !mention::find(uri).is_empty();
    !uri.trim().is_empty() && uri.len() <= MOST_ADDRESS && is_plain(uri) && !names(uri)
}

fn title(title: Option<&str>, name: &str) -> String {
    let words = single_line(title.unwrap_or(name));
    truncate(words.trim(), MOST_RESOURCE_WORDS).into_owned()
}

#[cfg(test)]
mod tests;
