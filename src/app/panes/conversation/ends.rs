//! The end of a turn, or an error. Each is shown only once, even if several messages report it.

use std::sync::Arc;

use super::Conversation;
use super::block::{ErrorOf, Source, ToolState};
use benchdog_base::text::clean;
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::notice::Notice;
use benchdog_domain::tool::CallStatus;
use benchdog_lang as lang;

/// Number of newest messages that are searched for a report of the turn's end.
const NEAR: usize = 2;

impl Conversation {
    /// Shows why a turn failed.
    pub(crate) fn error(&mut self, text: &str, hint: &str) {
        self.push_error(text, hint, ErrorOf::Turn);
    }

    /// Shows why a request of the user outside a turn was refused.
    pub(crate) fn refuse(&mut self, text: &str, hint: &str) {
        self.push_error(text, hint, ErrorOf::Screen);
    }

    fn push_error(&mut self, text: &str, hint: &str, of: ErrorOf) {
        let text = clean(text);
        // An incomplete answer may already show this error.
        let told = self.has_told_error(&text);
        if told && hint.is_empty() {
            return;
        }
        self.push(Source::Error {
            text: if told { String::new() } else { text.into_owned() },
            hint: clean(hint).into_owned(),
            of,
        });
    }

    /// Shows the result of the user's own command when the command ends, without waiting for its hooks.
    pub(super) fn call_ended(&mut self, entry: &Entry) {
        let is_own = matches!(&entry.body, Body::CallEnded { tool, .. } if tool == SHELL);
        if let Some(body) = entry.body.as_shell().filter(|_| is_own) {
            self.entry(&Arc::new(Entry { body, ..*entry }));
        }
    }

    pub(super) fn has_told_end(&self, outcome: TurnOutcome) -> bool {
        // Ignore remarks, which may follow the message that reports the end.
        let telling = self.of_turn().filter(|source| !matches!(source, Source::Remark(_)));
        telling.take(NEAR).any(|source| tells(source, outcome))
    }

    fn has_told_error(&self, text: &str) -> bool {
        self.of_turn().next().is_some_and(|source| match source {
            Source::Entry(entry) => match &entry.body {
                Body::Assistant { error: Some(cut), .. } => clean(&lang::cut_short(cut)).ends_with(text),
                _ => false,
            },
            _ => false,
        })
    }

    fn of_turn(&self) -> impl Iterator<Item = &Source> {
        let is_prompt =
            |source: &&Source| matches!(source, Source::Entry(entry) if matches!(entry.body, Body::User { .. }));
        let sources = self.blocks.iter().rev().map(|block| &block.source);
        let seen = sources.filter(|source| !matches!(source, Source::Gone));
        seen.take_while(move |source| !is_prompt(source))
    }
}

fn tells(source: &Source, outcome: TurnOutcome) -> bool {
    match source {
        Source::Error { .. } => outcome == TurnOutcome::Error,
        Source::Tool(tool) => match &tool.state {
            ToolState::Finished(entry) => tells_of(&entry.body, outcome),
            ToolState::Waiting | ToolState::Running | ToolState::Unknown => false,
        },
        Source::Entry(entry) => tells_of(&entry.body, outcome),
        Source::Thought(_)
        | Source::Finding { .. }
        | Source::Live { .. }
        | Source::LiveThought { .. }
        | Source::Earlier { .. }
        | Source::Remark(_)
        | Source::Gone => false,
    }
}

fn tells_of(body: &Body, outcome: TurnOutcome) -> bool {
    let stopped = |status: &CallStatus| *status == CallStatus::Cancelled && outcome == TurnOutcome::Interrupted;
    match body {
        Body::Assistant { error, .. } => error.is_some(),
        Body::ToolResult { status, .. } | Body::Shell { status, .. } => stopped(status),
        Body::Validation { unfinished, .. } => unfinished.as_ref().is_some_and(stopped),
        Body::Notice(notice) => matches!(
            notice,
            Notice::Limit(_) | Notice::Loop { .. } | Notice::Denials { .. } | Notice::Filtered
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
