//! Checks and repairs the message history before every request. Strict servers reject a whole request because of one
//! invalid message.
//!
//! A repair depends only on the message and on the results of its calls. A message that was sent therefore never
//! changes later.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::ModelRequest;
use benchdog_base::id::CallId;
use benchdog_base::repair::{self, Repaired};
use benchdog_base::token;
use benchdog_domain::agent::SendReasoning;
use benchdog_domain::message::{Arguments, Calls, ChatMessage, Messages, ThoughtField, Thoughts, ToolCall};

/// Maximum length of a tool name in bytes. All servers accept this length.
const LONGEST_NAME: usize = 64;
/// Maximum number of repairs to remember. A remembered repair is not logged again.
const MOST_LOGGED: usize = 10_000;

const NO_RESULT: &str = "[no result]";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reasoning<'m> {
    pub field: ThoughtField,
    pub text: Cow<'m, str>,
}

/// Returns the reasoning to send back with an answer. `own` is the API's usual field for reasoning. It is used if the
/// logged field is missing or unsuitable.
pub(crate) fn reasoning<'m>(
    request: &ModelRequest,
    thoughts: &'m Thoughts,
    calls: &[ToolCall],
    own: ThoughtField,
) -> Option<Reasoning<'m>> {
    let wanted = match request.reasoning {
        SendReasoning::Never => false,
        SendReasoning::Auto | SendReasoning::Turn | SendReasoning::Required => !calls.is_empty(),
        SendReasoning::Always => true,
    };
    let thought = thoughts.open().filter(|_| wanted);
    let required = request.reasoning == SendReasoning::Required;
    let (field, text) = match thought {
        Some(thought) if request.reasoning == SendReasoning::Auto => {
            let field = thought.field.filter(|field| *field != ThoughtField::Content)?;
            (thought.model == request.model).then_some((field, thought.text))?
        }
        Some(thought) => {
            let same = thought.field.filter(|_| thought.model == request.model);
            let same = same.filter(|field| !required || *field != ThoughtField::Content);
            (same.unwrap_or(own), thought.text)
        }
        None if required && wanted => (own, ""),
        None => return None,
    };
    let text = token::neutralize(text);
    Some(Reasoning { field, text })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Role,
    Name,
    Arguments,
    ControlToken,
    ResultMissing,
    ResultWithoutCall,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Name => "name",
            Self::Arguments => "arguments",
            Self::ControlToken => "control_token",
            Self::ResultMissing => "result_missing",
            Self::ResultWithoutCall => "result_without_call",
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Repairs(Mutex<BTreeSet<u64>>);

impl Repairs {
    pub(crate) fn repair(&self, mut request: ModelRequest) -> ModelRequest {
        let mut check = Check::default();
        for message in request.messages.iter() {
            check.add(message);
        }
        check.close();
        if check.repairs.is_empty() {
            return request;
        }
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (kind, place, hash) in check.repairs {
            if logged.len() < MOST_LOGGED && logged.insert(hash) {
                tracing::info!(kind = kind.word(), message = place, "history repaired");
            }
        }
        drop(logged);
        request.messages = Messages::from(check.messages);
        request
    }
}

#[derive(Default)]
struct Check {
    messages: Vec<ChatMessage>,
    open: Vec<(CallId, String)>,
    /// Repairs so far: kind, index of the message, and a hash that identifies the repair.
    repairs: Vec<(Kind, usize, u64)>,
}

impl Check {
    fn add(&mut self, message: &ChatMessage) {
        match message {
            ChatMessage::Tool { call, name, text } => {
                let Some(at) = self.open.iter().position(|(id, _)| id == call) else {
                    // The result has no call. All servers reject it, and the model cannot use it.
                    self.note(Kind::ResultWithoutCall, &call.0);
                    return;
                };
                let (_, sound) = self.open.remove(at);
                // Use the repaired name of the call, so that call and result have the same name.
                if matches!(self::name(name), Cow::Borrowed(_)) {
                    self.messages.push(message.clone());
                    return;
                }
                self.note(Kind::Name, name);
                self.messages.push(ChatMessage::Tool {
                    call: call.clone(),
                    name: sound,
                    text: text.clone(),
                });
            }
            ChatMessage::Assistant { text, calls, thoughts } => {
                self.close();
                self.messages.push(message.clone());
                let sealed = thoughts.open().is_none() && *thoughts != Thoughts::default();
                let text = match token::neutralize(text) {
                    // In an answer with signed reasoning, the text must not change, because positions of reasoning are
                    // byte offsets into the text.
                    Cow::Owned(harmless) if !sealed => {
                        self.note(Kind::ControlToken, &harmless);
                        harmless.into()
                    }
                    _ => text.clone(),
                };
                let calls = self.calls(calls);
                self.open = calls.iter().map(|call| (call.id.clone(), call.name.clone())).collect();
                if let Some(last) = self.messages.last_mut() {
                    *last = ChatMessage::Assistant {
                        text,
                        calls,
                        thoughts: thoughts.clone(),
                    };
                }
            }
            ChatMessage::System(text) if !self.messages.is_empty() => {
                self.close();
                self.note(Kind::Role, text);
                self.messages.push(ChatMessage::User(text.clone().into()));
            }
            ChatMessage::System(_) | ChatMessage::User(_) | ChatMessage::Pictured { .. } => {
                self.close();
                self.messages.push(message.clone());
            }
        }
    }

    /// Repairs the calls of an answer. Valid calls are shared with the log, not copied.
    fn calls(&mut self, calls: &Calls) -> Calls {
        let sound = |call: &ToolCall| {
            matches!(call.arguments, Arguments::Object(_)) && matches!(name(&call.name), Cow::Borrowed(_))
        };
        if calls.iter().all(sound) {
            return calls.clone();
        }
        let repaired = calls.iter().map(|call| {
            let mut call = call.clone();
            if let Cow::Owned(name) = name(&call.name) {
                self.note(Kind::Name, &call.name);
                call.name = name;
            }
            if let Arguments::Raw(text) = &call.arguments {
                self.note(Kind::Arguments, text);
                call.arguments = Arguments::Object(match repair::object(text) {
                    Repaired::Object(object) => object,
                    // The result of such a call says that the call was not run, so empty arguments do no harm.
                    Repaired::Cut | Repaired::Hopeless => serde_json::Map::new(),
                });
            }
            call
        });
        repaired.collect::<Vec<_>>().into()
    }

    fn close(&mut self) {
        for (call, name) in std::mem::take(&mut self.open) {
            self.note(Kind::ResultMissing, &call.0);
            self.messages.push(ChatMessage::Tool {
                call,
                name,
                text: NO_RESULT.to_owned().into(),
            });
        }
    }

    fn note(&mut self, kind: Kind, what: &str) {
        let place = self.messages.len();
        let mut hasher = DefaultHasher::new();
        (kind, place, what).hash(&mut hasher);
        self.repairs.push((kind, place, hasher.finish()));
    }
}

/// Converts a tool name to the form `[A-Za-z0-9_-]{1,64}`, which all servers accept.
fn name(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    let spoken = token::text_before(name);
    let bare = ["functions.", "function.", "tools."]
        .iter()
        .find_map(|space| spoken.strip_prefix(space));
    let letters = bare.unwrap_or(spoken).chars().map(|c| if fits(c) { c } else { '_' });
    let name: String = letters.take(LONGEST_NAME).collect();
    Cow::Owned(match name.trim_matches('_') {
        "" => "unknown".to_owned(),
        _ => name,
    })
}

#[cfg(test)]
mod tests;
