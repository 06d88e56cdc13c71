//! Separates prose from calls in an arriving answer. Passes prose on, and holds back text that may be a call.

mod message;
mod prose;

use std::sync::Arc;

use super::candidate::{Candidate, Verdict};
use super::families::{Family, Form, ValueEncoding};
use super::offered::OfferedTools;
use super::place::{Place, next_special};
use super::value::RawArguments;
use super::{CallError, MalformedCall, ParsedCalls, Repair, UnknownCall, WrittenCall, spent};
use benchdog_domain::message::ToolDeclaration;
use message::{HeadKind, Message, message_in};

/// Maximum number of calls in an answer. More calls are probably a repetition loop of the model.
const MOST_CALLS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Open,
    /// The server supports native calls, but its parser may miss a call, which then arrives as text. Only complete
    /// calls with marks at the start of a line are accepted.
    Native,
    /// The request has no tools, so no text is a call.
    Plain,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct ThoughtUpdate {
    pub thought: String,
    /// Set when reasoning without an opening tag ends. All earlier text is reasoning, and also this number of bytes of
    /// the current text.
    pub thought_until: Option<usize>,
}

#[derive(Debug)]
pub struct Recogniser {
    offered: OfferedTools,
    mode: Mode,
    text: String,
    /// Position in `text` before which everything was shown or dropped.
    done: usize,
    at: usize,
    /// Position before which no call can begin, because a candidate before this position was rejected.
    read: usize,
    place: Place,
    candidate: Option<(usize, Candidate)>,
    space: String,
    /// Whitespace and marks, shown only if they do not belong to a call.
    marks: String,
    first: bool,
    shown: bool,
    /// Whether there is no visible text between the last call and the position.
    behind_call: bool,
    text_read: bool,
    /// Index of the first call in the last group. A group is a row of calls without text between them.
    last_calls: usize,
    begins_line: bool,
    /// Whether the beginning or end of reasoning was found. Later closing tags are plain text.
    thought_known: bool,
    thought_update: ThoughtUpdate,
    message: Message,
    /// Whether an end-of-answer token was found. Later text does not belong to the answer.
    ended: bool,
    /// Text of calls to unknown tools. Shown to the user only if the answer has no call to a known tool.
    held: String,
    found: ParsedCalls,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self::new(Arc::new([]), Mode::Plain)
    }
}

impl Recogniser {
    pub fn new(tools: Arc<[ToolDeclaration]>, mode: Mode) -> Self {
        Self {
            offered: OfferedTools(tools),
            mode,
            text: String::new(),
            done: 0,
            at: 0,
            read: 0,
            place: Place::new(),
            candidate: None,
            space: String::new(),
            marks: String::new(),
            first: true,
            shown: false,
            behind_call: false,
            text_read: false,
            last_calls: 0,
            begins_line: false,
            thought_known: false,
            thought_update: ThoughtUpdate::default(),
            message: Message::None,
            ended: false,
            held: String::new(),
            found: ParsedCalls::default(),
        }
    }

    /// Processes the next text of the answer. Appends visible text to `shown`, and holds back text that may be a call.
    pub fn push(&mut self, text: &str, shown: &mut String) {
        if self.ended {
            return;
        }
        let waits = self.first || self.candidate.is_some() || !self.text.is_empty();
        if !waits && next_special(text.as_bytes()).is_none() {
            self.pass(text);
            self.tell_text(text, shown);
            return;
        }
        self.text.push_str(text);
        self.go_on(false, shown);
        let gone = match &self.candidate {
            Some((from, _)) => self.done.min(*from),
            None => self.done,
        };
        if gone == 0 {
            return;
        }
        self.text.drain(..gone);
        spent(self.text.len());
        self.done -= gone;
        self.at -= gone;
        self.read = self.read.saturating_sub(gone);
        if let Some((from, _)) = &mut self.candidate {
            *from -= gone;
        }
    }

    pub(crate) fn note_native_call(&mut self) {
        if self.mode == Mode::Open {
            self.mode = Mode::Native;
        }
    }

    pub(crate) fn note_thought(&mut self) {
        self.thought_known = true;
    }

    pub fn take_thought_update(&mut self) -> ThoughtUpdate {
        std::mem::take(&mut self.thought_update)
    }

    /// Processes the end of the answer, and returns its calls. An incomplete answer has no calls.
    pub fn finish(&mut self, complete: bool, shown: &mut String) -> ParsedCalls {
        self.end(complete, shown);
        std::mem::take(&mut self.found)
    }

    fn end(&mut self, complete: bool, shown: &mut String) {
        if !complete && let Some((from, candidate)) = self.candidate.take() {
            let name = candidate.tool(self.text.get(from..).unwrap_or_default());
            let tool = name.and_then(|name| Some(self.offered.find(&name)?.0.name.clone()));
            self.malformed(candidate.family, Some(CallError::Cut(tool)));
            self.at = from;
            self.read = self.text.len();
            self.first = false;
        }
        self.go_on(true, shown);
        if self.found.calls.is_empty() {
            shown.push_str(&std::mem::take(&mut self.held));
            self.found.unknown.clear();
        }
        if !self.behind_call && self.message != Message::Thought {
            shown.push_str(&self.space);
        }
        if !complete {
            for call in std::mem::take(&mut self.found.calls) {
                self.found.malformed.push(MalformedCall {
                    family: call.family,
                    why: CallError::Cut(Some(call.name)),
                });
            }
        }
        if self.mode == Mode::Native {
            self.found.keep_leaks(&[]);
        }
    }

    /// Finds calls at the end of reasoning without a closing tag. Returns only complete calls with marks.
    pub(crate) fn find_in_thought(text: &str, tools: Arc<[ToolDeclaration]>) -> ParsedCalls {
        let mut recogniser = Self::new(tools, Mode::Open);
        let mut shown = String::new();
        recogniser.push(text, &mut shown);
        recogniser.end(true, &mut shown);
        let mut found = recogniser.found;
        found.calls.drain(..recogniser.last_calls);
        found.calls.retain(|call| call.marked && call.is_whole());
        // Ignore malformed calls in reasoning. The model probably only mentioned them.
        found.malformed.clear();
        found.unknown.clear();
        found
    }

    fn go_on(&mut self, ended: bool, shown: &mut String) {
        loop {
            let on = match self.candidate.take() {
                Some((from, candidate)) => self.decide(from, candidate, ended, shown),
                None => self.prose(ended, shown),
            };
            if !on {
                return;
            }
        }
    }

    fn decide(&mut self, from: usize, mut candidate: Candidate, ended: bool, shown: &mut String) -> bool {
        let text = self.text.get(from..).unwrap_or_default();
        let verdict = candidate.read(text, ended);
        if candidate.is_harmony() && verdict != Verdict::More {
            match message_in(text, &verdict) {
                Some(HeadKind::Foreign) => {
                    self.end_answer(from);
                    return false;
                }
                Some(HeadKind::Message(message)) => {
                    self.message = message;
                    self.place = Place::new();
                    if message == Message::Answer && self.shown {
                        self.space = "\n\n".to_owned();
                    }
                }
                None => {}
            }
        }
        match verdict {
            Verdict::More => {
                self.candidate = Some((from, candidate));
                return false;
            }
            Verdict::Wrapper(end) => self.residue(from, from + end),
            Verdict::Calls(end) => match self.settle(candidate) {
                CallOutcome::Called => self.end_call(from + end),
                CallOutcome::Unknown => self.hold_back(from, from + end),
                CallOutcome::No => self.reject(from, from + end, shown),
            },
            Verdict::None(end, why) => {
                self.malformed(candidate.family, why);
                self.reject(from, from + end, shown);
            }
        }
        true
    }

    fn residue(&mut self, from: usize, to: usize) {
        self.marks.push_str(self.text.get(from..to).unwrap_or_default());
        self.done = to;
        self.at = to;
        self.first = false;
    }

    fn hold_back(&mut self, from: usize, to: usize) {
        if self.found.calls.is_empty() || !self.behind_call {
            self.held.push_str(&std::mem::take(&mut self.marks));
            self.held.push_str(self.text.get(from..to).unwrap_or_default());
        }
        self.space.clear();
        self.marks.clear();
        self.done = to;
        self.at = to;
        self.first = false;
        self.place.end_call();
    }

    fn end_answer(&mut self, at: usize) {
        self.done = at;
        self.ended = true;
        self.text.clear();
        (self.done, self.at, self.read) = (0, 0, 0);
        self.candidate = None;
        self.space.clear();
        self.marks.clear();
    }

    /// Moves the text up to `to` to the reasoning, and removes the calls found in it.
    fn end_thought(&mut self, to: usize, shown: &str) {
        self.thought_update.thought_until = Some(shown.len());
        self.thought_known = true;
        self.found = ParsedCalls::default();
        self.held.clear();
        self.space.clear();
        self.marks.clear();
        self.place = Place::new();
        (self.done, self.at) = (to, to);
        self.read = self.read.min(to);
        (self.first, self.shown, self.text_read) = (true, false, false);
        // Omit whitespace before the following text, as after a call.
        self.behind_call = true;
        self.last_calls = 0;
    }

    fn end_call(&mut self, at: usize) {
        self.held.clear();
        self.space.clear();
        self.marks.clear();
        self.done = at;
        self.at = at;
        self.first = false;
        self.behind_call = true;
        self.text_read = false;
        self.place.end_call();
    }

    fn reject(&mut self, from: usize, to: usize, shown: &mut String) {
        shown.push_str(&self.marks);
        self.shown |= !self.marks.is_empty();
        self.space.clear();
        self.marks.clear();
        self.at = from;
        self.done = from;
        self.read = to.max(from + 1);
        self.first = false;
    }

    fn malformed(&mut self, family: &'static Family, why: Option<CallError>) {
        if let Some(why) = why
            && family.is_marked()
            && self.mode == Mode::Open
            && self.found.malformed.len() < MOST_CALLS
        {
            let family = family.name;
            self.found.malformed.push(MalformedCall { family, why });
        }
    }

    fn settle(&mut self, candidate: Candidate) -> CallOutcome {
        let family = candidate.family;
        let nameless = candidate.repairs.contains(&Repair::NoArguments);
        let mut usable = Vec::new();
        let mut problems = Vec::new();
        let mut unknown = Vec::new();
        for call in candidate.calls {
            let mut repairs = candidate.repairs.clone();
            let word = matches!(&call.arguments, RawArguments::Tagged(list, ValueEncoding::Pairs) if list.is_empty());
            let arguments = call.arguments.plain();
            match self.offered.understand(call, &mut repairs) {
                Ok(call) if call.fits || family.is_marked() => usable.push(WrittenCall {
                    name: call.name,
                    arguments: call.arguments,
                    family: family.name,
                    marked: family.is_marked(),
                    begins_line: self.begins_line,
                    repairs,
                }),
                Ok(_) => problems.push(CallError::Unfit),
                // The text only mentions the marks of a call, as in "`<tool_call> and </tool_call>` are marks".
                Err(CallError::Unknown(_)) if word => {}
                Err(CallError::Unknown(name)) => {
                    unknown.push(UnknownCall {
                        name: name.clone(),
                        arguments,
                    });
                    problems.push(CallError::Unknown(name));
                }
                Err(why) => problems.push(why),
            }
        }
        // A format without marks is accepted only if the whole text consists of valid calls.
        if !family.is_marked() && (nameless || !problems.is_empty()) {
            return CallOutcome::No;
        }
        let only_unknown = !problems.is_empty() && problems.len() == unknown.len();
        for why in problems {
            self.malformed(family, Some(why));
        }
        if self.mode == Mode::Open && self.found.unknown.len() < MOST_CALLS {
            self.found.unknown.extend(unknown);
        }
        let settled = match (usable.is_empty(), only_unknown && self.mode == Mode::Open) {
            (false, _) => CallOutcome::Called,
            (true, true) => CallOutcome::Unknown,
            (true, false) => CallOutcome::No,
        };
        for call in usable {
            self.add(call, family);
        }
        settled
    }

    fn add(&mut self, call: WrittenCall, family: &'static Family) {
        let same = |other: &WrittenCall| other.name == call.name && other.arguments == call.arguments;
        if self.behind_call && self.found.calls.last().is_some_and(same) {
            self.found.repeated += 1;
        } else if self.found.calls.len() == MOST_CALLS {
            self.malformed(family, Some(CallError::TooMany));
        } else {
            self.found.calls.push(call);
        }
        self.behind_call = true;
    }

    fn begin(&mut self, family: &'static Family, length: usize) {
        let candidate = if family.form == Form::ToolTag {
            let name = self.text.get(self.at + 1..self.at + length - 1).unwrap_or_default();
            Candidate::of_tool(family, name, length)
        } else {
            Candidate::new(family, length)
        };
        self.begins_line = self.place.at_line_start();
        self.candidate = Some((self.at, candidate));
    }

    fn tell(&mut self, to: usize, shown: &mut String) {
        let all = std::mem::take(&mut self.text);
        self.tell_text(all.get(self.done..to).unwrap_or_default(), shown);
        self.text = all;
        self.done = to;
    }

    fn tell_text(&mut self, text: &str, shown: &mut String) {
        match self.message {
            Message::Thought => {
                self.thought_update.thought.push_str(text);
                return;
            }
            // This text is only the role of the next message. The mark before the role is missing.
            Message::Between if text.trim().is_empty() || text.trim() == "assistant" => return,
            Message::Between | Message::None | Message::Answer => {}
        }
        if self.mode == Mode::Plain {
            // Without tools, no text can become a call. Only remove whitespace between reasoning and answer.
            let begins = self.behind_call && !self.shown;
            let text = if begins { text.trim_ascii_start() } else { text };
            shown.push_str(&self.space);
            shown.push_str(text);
            self.space.clear();
            self.shown |= !text.is_empty();
            return;
        }
        let body = text.trim_ascii_end();
        let space = text.get(body.len()..).unwrap_or_default();
        if !body.is_empty() {
            if !self.held.is_empty() {
                shown.push_str(&std::mem::take(&mut self.held));
                (self.shown, self.behind_call) = (true, false);
            }
            let alone = self.behind_call && !self.shown;
            if !alone {
                shown.push_str(&self.space);
            }
            shown.push_str(if alone { body.trim_ascii_start() } else { body });
            self.space.clear();
            self.marks.clear();
            self.shown = true;
            self.behind_call = false;
            self.last_calls = self.found.calls.len();
        }
        self.space.push_str(space);
        self.marks.push_str(space);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallOutcome {
    Called,
    Unknown,
    No,
}
