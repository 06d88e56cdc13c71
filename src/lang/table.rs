//! The messages of one language. Each message is parsed on first use, because parsing the whole file takes about 1 MB
//! of memory, ten times the file's size.

use std::borrow::Cow;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use fluent_syntax::ast::{Entry, Pattern};

use super::language::Language;

pub(super) struct Table {
    messages: Vec<Message>,
    /// Bundle for the plural rules of the language. Contains no messages.
    language: FluentBundle<FluentResource>,
}

struct Message {
    id: &'static str,
    source: &'static str,
    read: OnceLock<FluentResource>,
}

impl Table {
    pub(super) fn new(language: Language) -> Self {
        let mut counting = FluentBundle::new_concurrent(vec![language.name().parse().unwrap_or_default()]);
        // The isolation marks that Fluent puts around values confuse terminals.
        counting.set_use_isolating(false);
        let mut messages = split_messages(language.table());
        messages.sort_unstable_by_key(|message| message.id);
        Self {
            messages,
            language: counting,
        }
    }

    pub(super) fn say(&self, id: &str, arguments: Option<&FluentArgs>) -> Option<Cow<'_, str>> {
        let mut errors = Vec::new();
        let text = self.language.format_pattern(self.pattern(id)?, arguments, &mut errors);
        debug_assert!(errors.is_empty(), "`{id}`: {errors:?}");
        Some(text)
    }

    fn pattern(&self, id: &str) -> Option<&Pattern<&str>> {
        let place = self.messages.binary_search_by_key(&id, |message| message.id).ok()?;
        self.messages.get(place)?.pattern()
    }
}

impl Message {
    fn pattern(&self) -> Option<&Pattern<&str>> {
        let read = self.read.get_or_init(|| {
            // A test ensures that the embedded tables have no errors.
            let (Ok(read) | Err((read, _))) = FluentResource::try_new(self.source.to_owned());
            read
        });
        match read.get_entry(0)? {
            Entry::Message(message) => message.value.as_ref(),
            _ => None,
        }
    }
}

/// Splits the table. A message begins with its id at the start of a line, and ends before the next
/// message or comment.
fn split_messages(table: &'static str) -> Vec<Message> {
    let starts = |line: &str| line.starts_with(|letter: char| letter == '#' || letter.is_ascii_alphabetic());
    let mut messages = Vec::new();
    let mut rest = table;
    while !rest.is_empty() {
        let first = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let more = rest.get(first..).unwrap_or_default().split_inclusive('\n');
        let length = first + more.take_while(|line| !starts(line)).map(str::len).sum::<usize>();
        let (source, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = after;
        if let Some((id, _)) = source.split_once('=').filter(|_| !source.starts_with('#')) {
            messages.push(Message {
                id: id.trim_end(),
                source,
                read: OnceLock::new(),
            });
        }
    }
    messages
}

#[cfg(test)]
mod tests;
