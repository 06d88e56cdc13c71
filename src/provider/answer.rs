//! Accumulates one answer: text, reasoning, tool calls, token counts, and whether the answer is complete.

use std::sync::Arc;

use super::bounds::Bound;
use super::calls::Calls;
use super::cause;
use super::chunk::Chunk;
use super::failure::{Curable, Kind, ProviderError};
use super::textcalls::{CallError, MalformedCall, ParsedCalls, Recogniser, ThoughtUpdate};
use super::think::{Side, Think};
use benchdog_base::id::CallId;
use benchdog_domain::budget::Usage;
use benchdog_domain::message::{
    Arguments, Delta, Finish, Seal, Sealed, ThoughtField, ToolCall, ToolDeclaration, Written,
};

#[derive(Debug, Clone, Copy)]
struct ReceivedParts {
    text: bool,
    reasoning: bool,
    seals: bool,
    calls: bool,
}

#[derive(Debug, Default)]
pub(super) struct Answer {
    think: Think,
    recogniser: Recogniser,
    /// The tools of the request. Set only if the reasoning must also be searched for calls.
    tools: Option<Arc<[ToolDeclaration]>>,
    written: Written,
    text: String,
    text_came: bool,
    /// Kinds of parts received before the server began to repeat the answer. `None` as long as nothing was repeated.
    came: Option<ReceivedParts>,
    shown: String,
    reasoning: String,
    field: Option<ThoughtField>,
    seals: Vec<Seal>,
    sealed: usize,
    calls: Calls,
    pub(super) finish: Option<String>,
    pub(super) read: Option<(u64, u64)>,
    usage: Option<Usage>,
    pub(super) error: Option<ProviderError>,
    pub(super) done: bool,
    pub(super) begun: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decoded {
    pub text: String,
    pub reasoning: String,
    pub seals: Vec<Seal>,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Usage>,
    pub calls_itself: bool,
    pub written: Written,
    pub finish: Option<String>,
    pub complete: bool,
    pub error: Option<ProviderError>,
}

impl Answer {
    fn say(&mut self, side: Side, text: &str, deltas: &mut Vec<Delta>) {
        if text.is_empty() {
            return;
        }
        if side == Side::Reasoning {
            self.recogniser.note_thought();
            return self.add(side, text, deltas);
        }
        let mut shown = std::mem::take(&mut self.shown);
        self.recogniser.push(text, &mut shown);
        self.add_text(&shown, deltas);
        shown.clear();
        self.shown = shown;
    }

    /// Adds text. If a closing reasoning tag has no opening tag, all earlier text becomes reasoning.
    fn add_text(&mut self, shown: &str, deltas: &mut Vec<Delta>) {
        let ThoughtUpdate { thought, thought_until } = self.recogniser.take_thought_update();
        let text = match thought_until {
            Some(end) if self.seals.is_empty() => {
                let (before, text) = shown.split_at_checked(end).unwrap_or((shown, ""));
                let mut thought = std::mem::take(&mut self.text);
                thought.push_str(before);
                self.add(Side::Reasoning, thought.trim(), deltas);
                text
            }
            _ => shown,
        };
        self.add(Side::Reasoning, &thought, deltas);
        self.add(Side::Text, text, deltas);
    }

    fn add(&mut self, side: Side, text: &str, deltas: &mut Vec<Delta>) {
        if text.is_empty() {
            return;
        }
        let (whole, delta) = match side {
            Side::Text => (&mut self.text, Delta::Text(text.to_owned())),
            Side::Reasoning => (&mut self.reasoning, Delta::Reasoning(text.to_owned())),
        };
        whole.push_str(text);
        Delta::merge(deltas, delta);
    }

    pub(super) fn reading_calls(&mut self, recogniser: Recogniser, in_thoughts: Option<Arc<[ToolDeclaration]>>) {
        self.recogniser = recogniser;
        self.tools = in_thoughts;
    }

    pub(super) fn take(&mut self, chunk: Chunk<'_>, deltas: &mut Vec<Delta>) {
        if self.error.is_some() || chunk.is_empty() {
            return;
        }
        // Some servers repeat the whole message at the end of a stream.
        let repeated = chunk.whole && self.text_came;
        self.begun = true;
        let chunk = self.drop_repeated(chunk);
        if !repeated {
            if !chunk.reasoning.is_empty() {
                self.field = self.field.or(chunk.field);
                self.say(Side::Reasoning, &chunk.reasoning, deltas);
            }
            if let Some(sealed) = chunk.sealed {
                if let Sealed::Signature(seal) | Sealed::Withheld(seal) | Sealed::Encrypted { data: seal, .. } = &sealed
                {
                    self.sealed += seal.len();
                }
                self.seals.push(Seal {
                    upto: self.reasoning.len(),
                    text: self.text.len(),
                    calls: self.calls.len(),
                    sealed,
                });
            }
            if !chunk.text.is_empty() {
                self.text_came = true;
                let mut think = std::mem::take(&mut self.think);
                think.push(&chunk.text, &mut |side, text| self.say(side, text, deltas));
                self.think = think;
            }
        }
        if !chunk.calls.is_empty() {
            self.recogniser.note_native_call();
        }
        if !repeated || self.calls.is_empty() {
            self.calls.add(chunk.calls);
        }
        if let Some(counted) = chunk.usage {
            self.usage = Some(self.usage.map_or(counted, |before| before.then(counted)));
        }
        self.read = chunk.read.or(self.read);
        self.done |= chunk.done;
        if let Some(finish) = chunk.finish {
            self.finish = Some(finish.into_owned());
        }
        if let Some(error) = chunk.error {
            let plain = || ProviderError::new(Kind::Server(Curable::Perhaps), "");
            self.error = Some(cause::from_object(&error).unwrap_or_else(plain));
        } else if self.finish.as_deref() == Some("error") {
            self.error = Some(ProviderError::new(
                Kind::Server(Curable::Perhaps),
                "the finish reason is `error`",
            ));
        }
        if self.error.is_none() {
            self.error = self.limit_error();
        }
    }

    /// Removes parts from a chunk that repeats the answer, if parts of the same kind were already received.
    fn drop_repeated<'a>(&mut self, mut chunk: Chunk<'a>) -> Chunk<'a> {
        if !chunk.repeats {
            return chunk;
        }
        let came = *self.came.get_or_insert(ReceivedParts {
            text: self.text_came,
            reasoning: !self.reasoning.is_empty(),
            seals: !self.seals.is_empty(),
            calls: !self.calls.is_empty(),
        });
        if came.text {
            chunk.text = "".into();
        }
        if came.reasoning {
            chunk.reasoning = "".into();
        }
        if came.seals {
            chunk.sealed = None;
        }
        if came.calls {
            chunk.calls.clear();
        }
        chunk
    }

    fn limit_error(&self) -> Option<ProviderError> {
        Bound::Text
            .check(self.text.len())
            .or_else(|| Bound::Thoughts.check(self.reasoning.len() + self.sealed))
            .or_else(|| Bound::Arguments.check(self.calls.bytes()))
            .or_else(|| Bound::Calls.check(self.calls.len()))
    }

    pub(super) fn into_decoded(mut self, stray: Option<&str>) -> Decoded {
        let mut think = std::mem::take(&mut self.think);
        think.finish(&mut |side, text| self.say(side, text, &mut Vec::new()));
        let mut calls = std::mem::take(&mut self.calls).finish();
        let mut error = self.error.take().or_else(|| self.fault(&calls, stray));
        let calls_itself = !calls.is_empty();
        let whole = error.is_none() && !self.is_cut();
        let mut found = self.find_calls(whole, !calls_itself);
        if calls_itself {
            found.keep_leaks(&calls);
        }
        let mut cut = found.malformed.iter().filter_map(|call| match &call.why {
            CallError::Cut(tool) => Some(tool.as_deref()),
            _ => None,
        });
        if error.is_none() && self.is_cut() {
            error = cut.next_back().map(|tool| self.cut_call_error(tool));
        }
        self.written = count_calls(&found);
        if whole && !found.calls.is_empty() {
            calls.extend(
                found
                    .unknown
                    .drain(..)
                    .map(|call| tool_call(call.name, Arguments::Object(call.arguments))),
            );
        }
        let written = found.calls.into_iter();
        calls.extend(written.map(|call| tool_call(call.name, Arguments::Object(call.arguments))));
        if calls.is_empty() && whole {
            calls.extend(found.malformed.first().map(malformed_call));
        }
        let complete = error.is_none();
        if self.seals.is_empty() && !self.reasoning.is_empty() {
            self.seals.push(Seal {
                upto: self.reasoning.len(),
                text: 0,
                calls: 0,
                sealed: Sealed::Open(self.field.unwrap_or(ThoughtField::Content)),
            });
        }
        Decoded {
            text: self.text,
            reasoning: self.reasoning,
            seals: self.seals,
            calls: if complete { calls } else { Vec::new() },
            usage: self.usage,
            calls_itself: complete && calls_itself,
            written: if complete { self.written } else { Written::default() },
            finish: self.finish,
            complete,
            error,
        }
    }

    fn is_cut(&self) -> bool {
        matches!(
            Finish::of(self.finish.as_deref()),
            Finish::Length | Finish::Window | Finish::Filtered
        )
    }

    fn cut_call_error(&self, tool: Option<&str>) -> ProviderError {
        let reason = self.finish.as_deref().unwrap_or_default();
        // The error names the tool only if a length limit stopped the answer. A content filter ignores the call's
        // length.
        let by_length = Finish::of(self.finish.as_deref()) != Finish::Filtered;
        ProviderError::new(Kind::CallCut, format!("the finish reason is `{reason}`"))
            .with_tool(tool.filter(|_| by_length))
    }

    fn find_calls(&mut self, whole: bool, no_call: bool) -> ParsedCalls {
        let mut shown = String::new();
        let found = self.recogniser.finish(whole, &mut shown);
        self.add_text(&shown, &mut Vec::new());
        self.split_bare_channels();
        // Some servers do not report a call that the model makes inside its reasoning. Search for it there.
        let said_nothing = no_call && found == ParsedCalls::default() && self.text.trim().is_empty();
        match self.tools.take().filter(|_| whole && said_nothing) {
            Some(tools) => Recogniser::find_in_thought(&self.reasoning, tools),
            None => found,
        }
    }

    /// Splits a gpt-oss answer whose special tokens were dropped by the server. Only the words `analysis` and
    /// `assistantfinal` still separate reasoning and answer.
    fn split_bare_channels(&mut self) {
        if !self.reasoning.is_empty() || !self.text.starts_with("analysis") {
            return;
        }
        if let Some((thought, answer)) = self.text.split_once("assistantfinal") {
            thought
                .trim_start_matches("analysis")
                .trim()
                .clone_into(&mut self.reasoning);
            self.text = answer.trim_start().to_owned();
        }
    }

    /// Returns an error if the answer is incomplete, but the server reported no error.
    fn fault(&self, calls: &[ToolCall], stray: Option<&str>) -> Option<ProviderError> {
        match self.finish.as_deref() {
            Some(_) if self.is_cut() && !calls.is_empty() => {
                Some(self.cut_call_error(calls.last().map(|call| call.name.as_str())))
            }
            Some(_) => None,
            None if self.done && calls.iter().all(|call| matches!(call.arguments, Arguments::Object(_))) => None,
            None if !self.begun && stray.is_some() => {
                let start: String = stray.unwrap_or_default().chars().take(80).collect();
                Some(ProviderError::new(Kind::NotAnApi, format!("it sent `{start}`")))
            }
            None if !self.begun => Some(ProviderError::new(Kind::NothingArrived, "")),
            None => Some(ProviderError::new(
                Kind::StreamEndedEarly,
                stray.map_or(String::new(), |line| format!("`{line}`")),
            )),
        }
    }
}

fn count_calls(found: &ParsedCalls) -> Written {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let repaired = found.calls.iter().filter(|call| !call.repairs.is_empty());
    Written {
        calls: count(found.calls.len()),
        repaired: count(repaired.count()),
        leaked: count(found.leaks),
        unusable: count(found.malformed.len()),
    }
}

fn tool_call(name: String, arguments: Arguments) -> ToolCall {
    ToolCall {
        id: CallId(String::new()),
        name,
        arguments,
    }
}

/// Converts a malformed call into a normal call, whose result tells the model about the mistake.
fn malformed_call(call: &MalformedCall) -> ToolCall {
    match &call.why {
        CallError::Unknown(name) => tool_call(name.clone(), Arguments::Object(serde_json::Map::new())),
        // Without a name, the result reports that the call cannot be parsed.
        _ => tool_call(String::new(), Arguments::Raw(String::new())),
    }
}

#[cfg(test)]
mod tests;
