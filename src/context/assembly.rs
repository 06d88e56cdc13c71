//! The log as messages. Only ever appends: what was sent once is the beginning of everything sent later.

use std::sync::Arc;

use crate::base::id::{EntryId, TurnId};
use crate::domain::entry::{Body, Entry};
use crate::domain::history::History;
use crate::domain::message::{Calls, ChatMessage, Messages, Text};

/// The messages of a session so far, and the entry of the log up to which they go.
pub(crate) struct Assembly {
    messages: Messages,
    upto: EntryId,
    /// The turn of the newest message, to tell a remark in mid-turn from a new prompt.
    turn: TurnId,
}

impl Assembly {
    pub(crate) fn new(system: String) -> Self {
        Self {
            messages: vec![ChatMessage::System(system)].into(),
            upto: EntryId(0),
            turn: TurnId(0),
        }
    }

    /// Takes in the entries after the last one taken, up to `upto`.
    pub(crate) fn extend(&mut self, history: &History, upto: EntryId) -> &Messages {
        let news = history.after(self.upto).iter();
        for entry in news.take_while(|entry| entry.id <= upto) {
            self.add(entry);
        }
        self.upto = self.upto.max(upto);
        &self.messages
    }

    fn add(&mut self, entry: &Arc<Entry>) {
        match &entry.body {
            Body::User { text, notes } => self.add_user(entry, text, notes),
            Body::Assistant { text, calls, .. } => {
                if !text.is_empty() || !calls.is_empty() {
                    self.messages.push(ChatMessage::Assistant {
                        text: Text::Of(Arc::clone(entry)),
                        calls: Calls::Of(Arc::clone(entry)),
                    });
                }
            }
            Body::ToolResult {
                call,
                tool,
                output,
                notes,
                ..
            } => {
                self.messages.push(ChatMessage::Tool {
                    call: call.clone(),
                    name: tool.clone(),
                    text: noted(entry, output, notes),
                });
            }
            Body::Validation {
                command,
                summary,
                output,
                feedback: true,
                ..
            } => {
                let text = ours(&format!(
                    "The check `{command}` failed after your changes ({summary}). The end of its output:\n\n{output}\n\nMend the cause, then finish."
                ));
                self.messages.push(ChatMessage::User(text.into()));
            }
            Body::Shell {
                command,
                output,
                summary,
                ..
            } => {
                self.close_open_end();
                self.messages.push(ChatMessage::User(format!("!{command}").into()));
                let text = ours(&format!(
                    "The user ran this command ({summary}). Its output:\n\n{output}"
                ));
                self.messages.push(said(text));
            }
            Body::TurnEnded { .. } => self.close_open_end(),
            Body::CallStarted { .. }
            | Body::Approval { .. }
            | Body::Change { .. }
            | Body::Todo { .. }
            | Body::Validation { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Notice(_)
            | Body::Unknown(_) => {}
        }
        self.turn = entry.turn;
    }

    fn add_user(&mut self, entry: &Arc<Entry>, text: &str, notes: &[String]) {
        let text = noted(entry, text, notes);
        match self.messages.last() {
            // Said while the tools ran: strict templates allow no user message after a tool result.
            Some(ChatMessage::Tool {
                call,
                name,
                text: result,
            }) if entry.turn == self.turn => {
                let meanwhile = ours(&format!("The user says meanwhile:\n{}", &*text));
                let grown = ChatMessage::Tool {
                    call: call.clone(),
                    name: name.clone(),
                    text: format!("{}\n\n{meanwhile}", &**result).into(),
                };
                self.messages.replace_last(grown);
            }
            Some(_) | None => self.messages.push(ChatMessage::User(text)),
        }
    }

    /// A turn that ended without an answer gets one, so that roles alternate.
    fn close_open_end(&mut self) {
        let open = matches!(
            self.messages.last(),
            Some(ChatMessage::User(_) | ChatMessage::Tool { .. })
        );
        if open {
            self.messages.push(said("[interrupted]".to_owned()));
        }
    }
}

/// A message of the assistant that stands in no entry of the log.
fn said(text: String) -> ChatMessage {
    ChatMessage::Assistant {
        text: text.into(),
        calls: Vec::new().into(),
    }
}

/// The text of an entry, shared with it unless notes of ours were added.
fn noted(entry: &Arc<Entry>, text: &str, notes: &[String]) -> Text {
    if notes.is_empty() {
        Text::Of(Arc::clone(entry))
    } else {
        with_notes(text, notes).into()
    }
}

fn with_notes(text: &str, notes: &[String]) -> String {
    let mut whole = text.to_owned();
    for note in notes {
        if !whole.is_empty() {
            whole.push_str("\n\n");
        }
        whole.push_str(&ours(note));
    }
    whole
}

/// Marks words that come from Benchdog, not from the user or a tool.
fn ours(text: &str) -> String {
    format!("[benchdog] {text}")
}

#[cfg(test)]
mod tests;
