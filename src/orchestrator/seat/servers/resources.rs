//! MCP resources that a prompt mentions as `@server:uri`. Commands and mentions in their text are ignored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use crate::seat::prompt::mention_kind::{Meant, Target};
use crate::seat::prompt::waits::Waits;
use benchdog_base::id::BlobId;
use benchdog_context::neutral::neutral;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::image::Picture;
use benchdog_domain::mention::{Found, Mention, MentionKind, Unreadable, WhyUnreadable};
use benchdog_domain::permission::{Action, Subject, ToolRules};
use benchdog_domain::server::{OfferedResource, Part, ResourceKind, ServerName, ServerTrouble};
use benchdog_files::fuzzy::ranked;
use benchdog_mcp::Servers;
use benchdog_protocol::{FoundKind, FoundResource, FoundResources};
use benchdog_tools::{ToolContext, served};

#[derive(Clone)]
pub(in crate::seat) struct Sources {
    servers: Servers,
    off: BTreeSet<ServerName>,
    /// Whether a mention counts as approval, because a person typed it.
    pub(in crate::seat) consents: bool,
}

pub(in crate::seat) struct Read {
    pub(in crate::seat) text: String,
    pub(in crate::seat) truncated: bool,
    pub(in crate::seat) images: Vec<Picture>,
}

impl Sources {
    pub(in crate::seat) fn of(servers: &Servers, off: BTreeSet<ServerName>, consents: bool) -> Self {
        Self {
            servers: servers.clone(),
            off,
            consents,
        }
    }

    /// Interprets a word as a resource. Prefers a resource that a server lists. Otherwise takes the word without
    /// punctuation at its end.
    ///
    /// A complete URL after an unknown server name is unreadable. Other words without a server name return `None`.
    pub(in crate::seat) fn means(&self, found: &Found) -> Option<Meant> {
        let paths = || found.candidates.iter().map(|candidate| candidate.path.as_str());
        let known = self.servers.resources();
        let is_listed = |path: &&str| {
            let (server, uri) = path.split_once(':').unwrap_or_default();
            let of = known.iter().find(|(name, _)| name.0 == server);
            of.is_some_and(|(_, offered)| offered.iter().any(|one| one.uri == uri))
        };
        let bare = |path: &&str| !path.ends_with(['.', ',', ';', ':', '!', '?', ')', ']', '>', '\'', '"']);
        let path = paths()
            .find(is_listed)
            .or_else(|| paths().filter(bare).max_by_key(|path| path.len()))?;
        let (server, uri) = path.split_once(':').filter(|(_, uri)| !uri.is_empty())?;
        if self.servers.names().any(|name| name.0 == server) {
            return Some(Meant::Target(Target {
                kind: MentionKind::Resource,
                path: path.to_owned(),
                lines: None,
            }));
        }
        // Only a resource has the form of a name, a colon and a complete URL.
        let is_meant = !server.is_empty() && !self.servers.is_empty() && uri.contains("://") && !uri.starts_with("//");
        is_meant.then(|| {
            let known = self.servers.names().map(|name| name.0.clone()).collect();
            Meant::Unreadable(Unreadable {
                path: path.to_owned(),
                why: WhyUnreadable::NoServer { known },
            })
        })
    }

    /// Returns the permission rules for a resource, and the subject to which these rules are applied. The policy treats
    /// a resource like a tool of the server.
    pub(in crate::seat) fn asks(path: &str) -> (ToolRules, [Subject; 1]) {
        let (server, _) = path.split_once(':').unwrap_or_default();
        let rules = ToolRules {
            name: format!("{server}__resources").into(),
            group: None,
            aliases: &[],
            defaults: vec![("*".into(), Action::Ask)],
            settable: Settable::default(),
        };
        let server = ServerName(server.to_owned());
        (rules, [Subject::Served { server }])
    }

    /// Reads a resource. `until` is the deadline for all mentions of the prompt.
    pub(in crate::seat) async fn read(
        &self,
        path: &str,
        cx: &ToolContext,
        (waits, until): (&Waits, Instant),
    ) -> Result<Read, WhyUnreadable> {
        let (server, uri) = path.split_once(':').unwrap_or_default();
        let server = ServerName(server.to_owned());
        if self.off.contains(&server) {
            return Err(WhyUnreadable::Resource(ServerTrouble::Off));
        }
        let left = until.saturating_duration_since(Instant::now());
        let most = left.min(self.servers.timeout(&server));
        let parts = waits.on(&server, most, self.servers.read(&server, uri, until)).await;
        // `None` means that the person stopped waiting. In this case, nobody sees the reason.
        let parts = parts.unwrap_or(Err(ServerTrouble::Off));
        read_of(uri, parts.map_err(WhyUnreadable::Resource)?, cx)
    }
}

fn read_of(uri: &str, parts: Vec<Part>, cx: &ToolContext) -> Result<Read, WhyUnreadable> {
    let (mut images, mut texts) = (Vec::new(), Vec::new());
    let mut other = None;
    for part in parts {
        match part {
            Part::Bytes { media, bytes } => match Picture::of(&bytes) {
                Some(picture) => images.push(picture.map_err(WhyUnreadable::Picture)?),
                None => {
                    let bytes = bytes.len() as u64;
                    other.get_or_insert(WhyUnreadable::NoReading { media, bytes });
                }
            },
            Part::Unreadable { media } => {
                other.get_or_insert(WhyUnreadable::NoReading { media, bytes: 0 });
            }
            // The text needs no heading with the URL, because the mention already contains the URL.
            Part::Resource { uri: of, text } if of == uri => texts.push(text),
            part => texts.push(served::text_of_part(&part)),
        }
    }
    if let Some(other) = other.filter(|_| texts.is_empty() && images.is_empty()) {
        return Err(other);
    }
    let (text, truncated) = served::shown(&texts.join("\n\n"), cx);
    Ok(Read {
        text: neutral(&text).into_owned(),
        truncated,
        images,
    })
}

impl Read {
    pub(in crate::seat) fn mention(&self, path: &str) -> Option<Mention> {
        if self.text.is_empty() && !self.images.is_empty() {
            return None;
        }
        Some(Mention {
            kind: MentionKind::Resource,
            path: path.to_owned(),
            lines: None,
            hash: Some(BlobId::of(self.text.as_bytes())),
            text: self.text.clone(),
            truncated: self.truncated,
            image: None,
        })
    }
}

/// Returns the resources whose URI or title contains the typed characters in order, matches at the start first.
///
/// After a server name, only resources of that server match. In other queries, server names match as well. An empty
/// query lists only servers.
pub(in crate::seat) fn fitting(
    known: &[(ServerName, Arc<[OfferedResource]>)],
    query: &str,
    limit: usize,
) -> FoundResources {
    let named = query.split_once(':').and_then(|(server, wanted)| {
        let (server, _) = known.iter().find(|(name, _)| name.0 == server)?;
        Some((server, wanted))
    });
    let (of, wanted) = named.map_or((None, query), |(server, wanted)| (Some(server), wanted));
    let wanted = wanted.to_lowercase();
    let servers = known.iter().filter(|(server, offered)| {
        of.is_none() && !offered.is_empty() && server.0.to_lowercase().starts_with(&wanted)
    });
    let servers = servers.map(|(server, offered)| FoundResource {
        name: server.resource(""),
        begins: server.resource(""),
        kind: FoundKind::Server { count: offered.len() },
    });
    let looks = of.is_some() || !wanted.is_empty();
    let all = known
        .iter()
        .filter(|(server, _)| looks && of.is_none_or(|of| of == server));
    let all: Vec<_> = all
        .flat_map(|(server, offered)| offered.iter().map(move |one| (server, one)))
        .collect();
    let texts: Vec<_> = all
        .iter()
        .map(|(_, one)| format!("{} {}", one.uri, one.title))
        .collect();
    let (begin, others): (Vec<_>, Vec<_>) = ranked(&texts, &wanted)
        .into_iter()
        .filter_map(|place| all.get(place))
        .partition(|(_, one)| one.uri.to_lowercase().starts_with(&wanted));
    let resources = begin.into_iter().chain(others).map(|(server, one)| found(server, one));
    FoundResources {
        of: of.cloned(),
        rows: servers.chain(resources).take(limit).collect(),
    }
}

fn found(server: &ServerName, one: &OfferedResource) -> FoundResource {
    let title = one.title.clone();
    FoundResource {
        name: server.resource(&one.uri),
        begins: server.resource(one.beginning()),
        kind: match one.kind {
            ResourceKind::Whole => FoundKind::Resource { title },
            ResourceKind::Template => FoundKind::Template { title },
        },
    }
}

#[cfg(test)]
mod tests;
