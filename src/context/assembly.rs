//! The log as messages. Only ever appends: what was sent once is the beginning of everything sent later.

use std::sync::Arc;

use crate::base::id::{EntryId, TurnId};
use crate::domain::entry::{Body, Entry};
use crate::domain::message::{ChatMessage, Text};

/// The messages of a session so far, and up to where the log is in them.
pub(crate) struct Assembly {
    messages: Vec<ChatMessage>,
    upto: EntryId,
    /// The turn of the newest message, to tell a remark in mid-turn from a new prompt.
    turn: TurnId,
}

impl Assembly {
    pub(crate) fn new(system: String) -> Self {
        Self {
            messages: vec![ChatMessage::System(system)],
            upto: EntryId(0),
            turn: TurnId(0),
        }
    }

    /// Takes in the entries after the last one taken, up to `upto`.
    pub(crate) fn extend(&mut self, log: &[Arc<Entry>], upto: EntryId) -> &[ChatMessage] {
        let start = log.partition_point(|entry| entry.id <= self.upto);
        for entry in log.iter().skip(start).take_while(|entry| entry.id <= upto) {
            self.add(entry);
        }
        self.upto = self.upto.max(upto);
        &self.messages
    }

    fn add(&mut self, entry: &Arc<Entry>) {
        match &entry.body {
            Body::User { text, notes } => self.add_user(entry.turn, text, notes),
            Body::Assistant { text, calls, .. } => {
                if !text.is_empty() || !calls.is_empty() {
                    self.messages.push(ChatMessage::Assistant {
                        text: Text::Of(Arc::clone(entry)),
                        calls: calls.clone(),
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
                let text = if notes.is_empty() {
                    Text::Of(Arc::clone(entry))
                } else {
                    with_notes(output, notes).into()
                };
                self.messages.push(ChatMessage::Tool {
                    call: call.clone(),
                    name: tool.clone(),
                    text,
                });
            }
            Body::Validation {
                command,
                summary,
                output,
                feedback: true,
                ..
            } => {
                self.messages.push(ChatMessage::User(ours(&format!(
                    "The check `{command}` failed after your changes ({summary}). The end of its output:\n\n{output}\n\nMend the cause, then finish."
                ))));
            }
            Body::Shell {
                command,
                output,
                summary,
                ..
            } => {
                self.close_open_end();
                self.messages.push(ChatMessage::User(format!("!{command}")));
                let text = ours(&format!(
                    "The user ran this command ({summary}). Its output:\n\n{output}"
                ));
                self.messages.push(ChatMessage::Assistant {
                    text: text.into(),
                    calls: Vec::new(),
                });
            }
            Body::TurnEnded { .. } => self.close_open_end(),
            Body::CallStarted { .. }
            | Body::Approval { .. }
            | Body::Change { .. }
            | Body::Todo { .. }
            | Body::Validation { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Notice { .. }
            | Body::Unknown(_) => {}
        }
        self.turn = entry.turn;
    }

    fn add_user(&mut self, turn: TurnId, text: &str, notes: &[String]) {
        let text = with_notes(text, notes);
        match self.messages.last_mut() {
            // Said while the tools ran: strict templates allow no user message after a tool result.
            Some(ChatMessage::Tool { text: result, .. }) if turn == self.turn => {
                let meanwhile = ours(&format!("The user says meanwhile:\n{text}"));
                *result = format!("{}\n\n{meanwhile}", &**result).into();
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
            self.messages.push(ChatMessage::Assistant {
                text: "[interrupted]".to_owned().into(),
                calls: Vec::new(),
            });
        }
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
