//! Completion of `@file` and `/command`: a list over the prompt that Tab takes from. It takes no keys but Tab,
//! Up, Down and Esc, and an answer to an older query is dropped.

use super::Prompt;
use crate::app::commands;
use crate::domain::mention;

/// How many paths are asked for.
pub(crate) const LIMIT: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Completion {
    pub(crate) kind: CompletionKind,
    /// What stands after `@` or `/`.
    pub(crate) query: String,
    pub(crate) items: Vec<CompletionItem>,
    pub(crate) selected: usize,
    /// The index is still being built, or the answer is on its way.
    pub(crate) scanning: bool,
    /// The byte of the `@` or `/`.
    start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompletionKind {
    File,
    Slash,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CompletionItem {
    pub(crate) text: String,
    pub(crate) detail: String,
}

impl Prompt {
    /// Looks at what stands before the caret. Returns a query to ask files for.
    pub(crate) fn complete(&mut self) -> Option<String> {
        let Some((kind, start, query)) = token(self.buffer.before_caret()) else {
            self.completion = None;
            self.closed = None;
            return None;
        };
        if self.closed == Some(start) {
            self.completion = None;
            return None;
        }
        let old = self.completion.take();
        if let Some(same) = old
            .as_ref()
            .filter(|old| (old.kind, old.start, old.query.as_str()) == (kind, start, query.as_str()))
        {
            self.completion = Some(same.clone());
            return None;
        }
        let (items, scanning) = match kind {
            CompletionKind::Slash => (slash_items(&query, &self.skills), false),
            // What is known stays on screen until the answer comes, so that nothing flickers.
            CompletionKind::File => (
                old.filter(|old| old.kind == kind)
                    .map(|old| old.items)
                    .unwrap_or_default(),
                true,
            ),
        };
        let shows = kind == CompletionKind::File || !items.is_empty();
        self.completion = shows.then(|| Completion {
            kind,
            query: query.clone(),
            items,
            selected: 0,
            scanning,
            start,
        });
        (kind == CompletionKind::File).then_some(query)
    }

    /// Paths arrived for a query; they count only for the query that is still there.
    pub(crate) fn found(&mut self, query: &str, paths: &[String], scanning: bool) {
        let Some(completion) = self.completion.as_mut() else {
            return;
        };
        if completion.kind == CompletionKind::File && completion.query == query {
            completion.items = paths
                .iter()
                .map(|path| CompletionItem {
                    text: path.clone(),
                    detail: String::new(),
                })
                .collect();
            completion.selected = completion.selected.min(paths.len().saturating_sub(1));
            completion.scanning = scanning;
        }
    }

    pub(crate) fn completion_step(&mut self, by: isize) {
        if let Some(completion) = self.completion.as_mut() {
            let count = completion.items.len().max(1);
            let at = completion.selected + count;
            completion.selected = at.saturating_add_signed(by) % count;
        }
    }

    pub(crate) fn completion_close(&mut self) {
        self.closed = self.completion.take().map(|completion| completion.start);
    }

    /// Puts the chosen item in place of what was typed of it. `false`: there was nothing to take.
    pub(crate) fn completion_accept(&mut self) -> bool {
        let Some(completion) = self.completion.take() else {
            return false;
        };
        let Some(item) = completion.items.get(completion.selected) else {
            self.completion = Some(completion);
            return false;
        };
        let with = match completion.kind {
            // A folder stays open for the next part of the path.
            CompletionKind::File if item.text.ends_with('/') => mention_open(&item.text),
            CompletionKind::File => format!("{} ", mention::written(&item.text)),
            CompletionKind::Slash => format!("/{} ", item.text),
        };
        let end = self.buffer.caret();
        self.buffer.seal();
        self.buffer.replace(completion.start..end, &with);
        self.buffer.seal();
        true
    }
}

/// A folder as it is mentioned, without the quote that would close it.
fn mention_open(path: &str) -> String {
    let written = mention::written(path);
    written.strip_suffix('"').map_or(written.clone(), str::to_owned)
}

/// No path and no command is longer, so no key looks further back.
const LONGEST_TOKEN: usize = 4 * 1024;

/// The token the caret is in, where it is one that completes: its kind, where it begins, what was typed of it.
fn token(before: &str) -> Option<(CompletionKind, usize, String)> {
    let near = before.floor_char_boundary(before.len().saturating_sub(LONGEST_TOKEN));
    if let Some(name) = before.strip_prefix('/').filter(|_| near == 0) {
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '-');
        return plain.then(|| (CompletionKind::Slash, 0, name.to_owned()));
    }
    let start = near + before.get(near..)?.rfind('@')?;
    let (left, token) = before.split_at_checked(start)?;
    let begins = mention::begins(left.chars().next_back());
    let query = token.strip_prefix('@')?;
    let quoted = query.strip_prefix('"');
    let ends = match quoted {
        Some(query) => query.contains(['"', '\n']),
        None => query.contains(char::is_whitespace),
    };
    (begins && !ends).then(|| (CompletionKind::File, start, quoted.unwrap_or(query).to_owned()))
}

fn slash_items(query: &str, skills: &[(String, String)]) -> Vec<CompletionItem> {
    let skills = skills.iter().filter(|(name, _)| name.starts_with(query));
    let skills = skills.map(|(name, description)| CompletionItem {
        text: name.clone(),
        detail: description.clone(),
    });
    let commands = commands::TABLE
        .iter()
        .filter(|row| row.name.starts_with(query))
        .map(|row| CompletionItem {
            text: row.name.to_owned(),
            detail: if row.arguments.is_empty() {
                row.title.to_owned()
            } else {
                format!("{}  {}", row.arguments, row.title)
            },
        });
    commands.chain(skills).collect()
}
