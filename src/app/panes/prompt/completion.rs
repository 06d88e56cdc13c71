//! Completion of `@file`, `/command` and command arguments. Answers to an older query are ignored.

use super::Prompt;
use crate::{commands, fuzzy};
use benchdog_base::spelling::nearest;
use benchdog_domain::mention;
use benchdog_domain::server::{LeftUntold, ServerName};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Behind, FoundKind, FoundPath, FoundResource, FoundResources};

pub(crate) const LIMIT: usize = 20;

/// Number of files before the first MCP resources in the list, so that both kinds are visible.
const FILES_FIRST: usize = 7;
const RESOURCES_FIRST: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub kind: CompletionKind,
    pub query: String,
    /// The line range after a file name, including the colon before the range.
    lines: String,
    pub items: Vec<CompletionItem>,
    pub selected: usize,
    pub server: Option<ServerName>,
    pub scanning: bool,
    start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    File,
    Slash,
    Argument,
    Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lookup {
    Files { query: String },
    Values(Behind),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionItem {
    pub text: String,
    pub detail: String,
    /// The text to insert in place of `text`. Set if the user must continue to type after the inserted text.
    begins: Option<String>,
    is_file: bool,
}

impl Completion {
    pub fn top(&self, height: usize) -> usize {
        self.selected.saturating_sub(height.saturating_sub(1))
    }
}

impl Prompt {
    /// Updates the list for the text before the cursor. Returns the data to request.
    pub(crate) fn complete(&mut self) -> Option<Lookup> {
        let Some((kind, start, query)) = self.token() else {
            self.completion = None;
            self.closed = None;
            return None;
        };
        if self.closed == Some(start) {
            self.completion = None;
            return None;
        }
        let (query, lines) = self.without_lines(kind, start, query);
        let old = self.completion.take();
        if let Some(same) = old
            .as_ref()
            .filter(|old| (old.kind, old.start, old.query.as_str()) == (kind, start, query.as_str()))
        {
            self.completion = Some(Completion { lines, ..same.clone() });
            return None;
        }
        if kind == CompletionKind::Value {
            return self.complete_value(old, start, query);
        }
        let is_unclear = mention::unclear(&lines).is_some();
        let (items, scanning) = match kind {
            CompletionKind::Slash => (slash_items(&query, &self.skills), false),
            CompletionKind::Argument | CompletionKind::Value => {
                (argument_items(self.buffer.before_caret(), &query), false)
            }
            CompletionKind::File if is_unclear => (Vec::new(), false),
            // Keep the old items until the answer arrives, so that the list does not flicker.
            CompletionKind::File => (
                old.filter(|old| old.kind == kind)
                    .map(|old| old.items)
                    .unwrap_or_default(),
                true,
            ),
        };
        // An argument may also be free text, so hide the list if nothing matches.
        let shows = kind != CompletionKind::Argument || !items.is_empty();
        let lookup = (kind == CompletionKind::File && !is_unclear).then(|| Lookup::Files { query: query.clone() });
        self.completion = shows.then(|| Completion {
            kind,
            query: query.clone(),
            lines,
            items,
            selected: 0,
            server: None,
            scanning,
            start,
        });
        lookup
    }

    fn token(&self) -> Option<(CompletionKind, usize, String)> {
        let is_prompt = |name: &str| name.contains(':') && self.has_skill(name);
        token(self.buffer.before_caret(), is_prompt)
    }

    /// Splits the query into file name and line range. An invalid range stays part of the name.
    fn without_lines(&self, kind: CompletionKind, start: usize, query: String) -> (String, String) {
        let behind = self.buffer.before_caret().get(start + 1..).unwrap_or_default();
        if kind != CompletionKind::File || behind.starts_with('"') {
            return (query, String::new());
        }
        let (path, lines) = mention::with_lines(&query);
        let (path, lines) = (path.to_owned(), lines.to_owned());
        match mention::unclear(&lines) {
            Some(_) => (query, lines),
            None => (path, lines),
        }
    }

    pub(super) fn completes_value(&self) -> bool {
        self.token().is_some_and(|(kind, _, _)| kind == CompletionKind::Value)
    }

    /// Updates the list for an argument of an MCP prompt. Loaded values stay in the list as long as they match.
    fn complete_value(&mut self, old: Option<Completion>, start: usize, query: String) -> Option<Lookup> {
        let (called, written) = behind_name(self.buffer.before_caret())?;
        let lookup = Lookup::Values(Behind {
            called: called.to_owned(),
            written: written.to_owned(),
        });
        let mut items = old
            .filter(|old| (old.kind, old.start) == (CompletionKind::Value, start))
            .map_or_else(Vec::new, |old| old.items);
        items.retain(|item| item.text.starts_with(&query) && item.text != query);
        self.show_values(start, query, items);
        Some(lookup)
    }

    fn show_values(&mut self, start: usize, query: String, items: Vec<CompletionItem>) {
        self.completion = (!items.is_empty()).then_some(Completion {
            kind: CompletionKind::Value,
            query,
            lines: String::new(),
            items,
            selected: 0,
            server: None,
            scanning: false,
            start,
        });
    }

    pub(crate) fn found_values(&mut self, behind: &Behind, values: &[String], left_out: LeftUntold) {
        let (before, is_here) = (self.buffer.before_caret(), self.is_behind(behind));
        let Some((_, start, query)) = value(before).filter(|(_, start, _)| is_here && self.closed != Some(*start))
        else {
            return;
        };
        let item = |value: &String| CompletionItem {
            text: value.clone(),
            detail: String::new(),
            begins: None,
            is_file: false,
        };
        let mut items: Vec<CompletionItem> = values.iter().filter(|value| **value != query).map(item).collect();
        if let Some(first) = items.first_mut() {
            first.detail = lang::values_left_out(values.len(), left_out);
        }
        self.show_values(start, query, items);
    }

    pub(crate) fn is_behind(&self, behind: &Behind) -> bool {
        behind_name(self.buffer.before_caret()) == Some((behind.called.as_str(), behind.written.as_str()))
    }

    pub(crate) fn found(&mut self, query: &str, paths: &[FoundPath], resources: &FoundResources, scanning: bool) {
        let Some(completion) = self.completion.as_mut() else {
            return;
        };
        if completion.kind == CompletionKind::File && completion.query == query {
            let files = paths.iter().map(|found| CompletionItem {
                text: found.path.clone(),
                detail: match found.ignored {
                    true => word(Word::IgnoredByGit).to_owned(),
                    false => String::new(),
                },
                begins: None,
                is_file: true,
            });
            completion.items = files.collect();
            let behind = completion.items.split_off(completion.items.len().min(FILES_FIRST));
            let mut rows = resources.rows.iter().map(resource_item);
            completion.items.extend(rows.by_ref().take(RESOURCES_FIRST));
            completion.items.extend(behind);
            completion.items.extend(rows);
            completion.server.clone_from(&resources.of);
            completion.selected = completion.selected.min(completion.items.len().saturating_sub(1));
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

    /// Whether the selected command starts with the typed text. If so, Enter may run the command.
    pub(crate) fn completion_is_sure(&self) -> bool {
        let list = self.completion.as_ref();
        list.is_some_and(|list| {
            let chosen = list.items.get(list.selected);
            chosen.is_none_or(|item| item.text.starts_with(&list.query))
        })
    }

    pub(crate) fn meant(&self, name: &str) -> Option<&str> {
        let commands = commands::TABLE.iter().map(|row| row.name);
        nearest(
            name,
            commands.chain(self.skills.iter().map(|(skill, _)| skill.as_str())),
        )
    }

    pub(crate) fn completion_accept(&mut self) -> bool {
        let Some(completion) = self.completion.take() else {
            return false;
        };
        let Some(item) = completion.items.get(completion.selected) else {
            self.completion = Some(completion);
            return false;
        };
        let with = match completion.kind {
            // After a folder, completion continues with the next part of the path.
            CompletionKind::File if item.begins.is_some() => mention_open(item.begins.as_deref().unwrap_or_default()),
            CompletionKind::File if item.text.ends_with('/') => mention_open(&item.text),
            // The user still types line numbers after the colon. Do not add lines to a file name that ends with them.
            CompletionKind::File => {
                let lines = completion.lines.as_str();
                let has_lines = item.is_file && !item.text.ends_with(lines);
                let lines = if has_lines { lines } else { "" };
                let end = if lines.ends_with([':', '：']) { "" } else { " " };
                format!("{}{lines}{end}", mention::written(&item.text))
            }
            CompletionKind::Slash => format!("/{} ", item.text),
            CompletionKind::Argument => item.text.clone(),
            CompletionKind::Value if item.text.contains(char::is_whitespace) => format!("\"{}\"", item.text),
            CompletionKind::Value => item.text.clone(),
        };
        let end = self.buffer.caret();
        self.buffer.seal();
        self.buffer.replace(completion.start..end, &with);
        self.buffer.seal();
        true
    }
}

fn resource_item(found: &FoundResource) -> CompletionItem {
    let (detail, goes_on) = match &found.kind {
        FoundKind::Resource { title } => (title.clone(), false),
        FoundKind::Template { title } => (lang::message::resource_template(title), true),
        FoundKind::Server { count } => (lang::resources_of_server(*count), true),
    };
    CompletionItem {
        text: found.name.clone(),
        detail,
        begins: goes_on.then(|| found.begins.clone()),
        is_file: false,
    }
}

impl Completion {
    pub fn missed(&self) -> String {
        if self.scanning {
            return word(Word::Looking).to_owned();
        }
        if let Some(range) = mention::unclear(&self.lines) {
            return lang::message::unread_unclear(range);
        }
        match (self.kind, &self.server) {
            (CompletionKind::File, Some(server)) => {
                let wanted = self.query.split_once(':').map_or("", |(_, wanted)| wanted);
                lang::no_resource(server, wanted)
            }
            (CompletionKind::File, None) => word(Word::NoSuchFile).to_owned(),
            (CompletionKind::Slash | CompletionKind::Argument | CompletionKind::Value, _) => {
                word(Word::NoSuchCommand).to_owned()
            }
        }
    }
}

fn mention_open(path: &str) -> String {
    let written = mention::written(path);
    written.strip_suffix('"').map_or(written.clone(), str::to_owned)
}

const LONGEST_TOKEN: usize = 4 * 1024;

fn behind_name(before: &str) -> Option<(&str, &str)> {
    before.strip_prefix('/')?.split_once(' ')
}

/// Finds an argument of an MCP prompt to complete. Quoted arguments are not completed.
fn value(before: &str) -> Option<(CompletionKind, usize, String)> {
    let (_, written) = behind_name(before)?;
    let word = written.rsplit(char::is_whitespace).next().unwrap_or_default();
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    let quotes = written.matches('"').count() + written.matches('\'').count();
    (quotes % 2 == 0 && !value.contains(['"', '\'']) && !written.contains('@'))
        .then(|| (CompletionKind::Value, before.len() - value.len(), value.to_owned()))
}

fn token(before: &str, is_prompt: impl Fn(&str) -> bool) -> Option<(CompletionKind, usize, String)> {
    let near = before.floor_char_boundary(before.len().saturating_sub(LONGEST_TOKEN));
    if let Some(name) = before.strip_prefix('/').filter(|_| near == 0) {
        if let Some((_, argument)) = name.split_once(' ').filter(|(name, _)| commands::is_command(name)) {
            let word = argument.chars().all(char::is_alphanumeric);
            return word.then(|| {
                (
                    CompletionKind::Argument,
                    before.len() - argument.len(),
                    argument.to_owned(),
                )
            });
        }
        if name.split_once(' ').is_some_and(|(name, _)| is_prompt(name)) {
            return value(before);
        }
        // Only names are completed, because arguments of custom commands are free text.
        if !name.contains(char::is_whitespace) {
            // These are the characters that names of commands, MCP servers and prompts may have.
            let plain = name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
            return plain.then(|| (CompletionKind::Slash, 0, name.to_owned()));
        }
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
    let skills = skills.iter().map(|(name, description)| CompletionItem {
        text: name.clone(),
        detail: description.clone(),
        begins: None,
        is_file: false,
    });
    let commands = commands::TABLE.iter().map(|row| CompletionItem {
        text: row.name.to_owned(),
        detail: row.told(),
        begins: None,
        is_file: false,
    });
    let all: Vec<CompletionItem> = commands.chain(skills).collect();
    let found = fuzzy::filter(all.iter().map(|item| item.text.as_str()), query);
    let (begin, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .filter_map(|(index, _)| all.get(index).cloned())
        .partition(|item| item.text.starts_with(query));
    begin.into_iter().chain(others).collect()
}

fn argument_items(before: &str, query: &str) -> Vec<CompletionItem> {
    let name = before.strip_prefix('/').and_then(|rest| rest.split_once(' '));
    let row = name.and_then(|(name, _)| commands::find(name));
    let words = row.into_iter().flat_map(commands::SlashRow::words);
    let fitting = words.filter(|word| word.starts_with(query) && *word != query);
    let item = |word: &str| CompletionItem {
        text: word.to_owned(),
        detail: String::new(),
        begins: None,
        is_file: false,
    };
    fitting.map(item).collect()
}
