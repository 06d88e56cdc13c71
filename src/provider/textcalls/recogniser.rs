//! The machine that reads an answer as it arrives: lets prose through, holds back what may be a call, and settles what was one.

mod message;
mod prose;

use std::sync::Arc;

use super::candidate::{Candidate, Verdict};
use super::families::{Family, Form, Spelled};
use super::offered::Offered;
use super::place::{Place, next_special};
use super::value::RawArguments;
use super::{Found, Malformed, Repair, UnknownCall, Unusable, WrittenCall, spent};
use crate::domain::message::ToolDeclaration;
use message::{Message, Said, message_in};

/// More calls than this are no plan but a loop.
const MOST_CALLS: usize = 64;

/// What of an answer may be a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// No call of the server's own was seen in this session.
    Open,
    /// The server understands calls by itself: only a complete call in marks at the start of a line counts, as a leak.
    Native,
    /// No tool was offered: nothing is a call.
    Plain,
}

/// What was learned of the text beside its calls, since it was asked last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Aside {
    /// Text of messages that are thoughts.
    pub(crate) thought: String,
    /// A thought ended here that nothing opened: all that was shown before, and so many bytes of what was shown now, belongs to it.
    pub(crate) thought_until: Option<usize>,
}

/// Reads tool calls out of the text of one answer as it arrives.
#[derive(Debug)]
pub(crate) struct Recogniser {
    offered: Offered,
    mode: Mode,
    /// Text that came and is neither shown nor dropped yet.
    text: String,
    /// Up to here it is shown or dropped.
    done: usize,
    /// Up to here it is read.
    at: usize,
    /// Up to here no call can begin, because a candidate was read and was none.
    read: usize,
    place: Place,
    candidate: Option<(usize, Candidate)>,
    /// White space that is shown only when text follows.
    space: String,
    /// The same with the marks that stand in it, for when they belong to no call.
    marks: String,
    /// Nothing but white space came so far.
    first: bool,
    /// Something was shown.
    shown: bool,
    /// What was shown last stands before the last call.
    behind_call: bool,
    /// Text was read since the last call.
    text_read: bool,
    /// The calls from this one on have no text between them or behind them.
    last_calls: usize,
    /// The candidate begins a line.
    begins_line: bool,
    /// A thought was opened or is known from elsewhere: a tag that closes one is text.
    thought_known: bool,
    aside: Aside,
    /// Where text goes that is in a message of its own.
    message: Message,
    /// The model ended its answer: what follows is not its own.
    ended: bool,
    /// Text of calls of unknown tools that is shown only where no call of a known one stands beside it.
    held: String,
    found: Found,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self::new(Arc::new([]), Mode::Plain)
    }
}

impl Recogniser {
    pub(crate) fn new(tools: Arc<[ToolDeclaration]>, mode: Mode) -> Self {
        Self {
            offered: Offered(tools),
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
            aside: Aside::default(),
            message: Message::None,
            ended: false,
            held: String::new(),
            found: Found::default(),
        }
    }

    /// What of `text` may be shown now is appended to `shown`; what may be the beginning of a call is held back.
    pub(crate) fn push(&mut self, text: &str, shown: &mut String) {
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

    /// The server sent a call of its own: from now on only what [`Mode::Native`] says counts.
    pub(crate) fn native_call_seen(&mut self) {
        if self.mode == Mode::Open {
            self.mode = Mode::Native;
        }
    }

    /// The answer has a thought that ended, or a field for thoughts.
    pub(crate) fn thought_seen(&mut self) {
        self.thought_known = true;
    }

    pub(crate) fn take_aside(&mut self) -> Aside {
        std::mem::take(&mut self.aside)
    }

    /// `complete`: the answer ended properly. Calls of a cut answer never count.
    pub(crate) fn finish(&mut self, complete: bool, shown: &mut String) -> Found {
        self.end(complete, shown);
        std::mem::take(&mut self.found)
    }

    fn end(&mut self, complete: bool, shown: &mut String) {
        if !complete && let Some((from, candidate)) = self.candidate.take() {
            let name = candidate.tool(self.text.get(from..).unwrap_or_default());
            let tool = name.and_then(|name| Some(self.offered.find(&name)?.0.name.clone()));
            self.malformed(candidate.family, Some(Unusable::Cut(tool)));
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
                self.found.malformed.push(Malformed {
                    family: call.family,
                    why: Unusable::Cut(Some(call.name)),
                });
            }
        }
        if self.mode == Mode::Native {
            self.found.keep_leaks(&[]);
        }
    }

    /// The calls with which a thought ends: it was meant to be closed before them. Only complete calls in marks count.
    pub(crate) fn of_thought(text: &str, tools: Arc<[ToolDeclaration]>) -> Found {
        let mut recogniser = Self::new(tools, Mode::Open);
        let mut shown = String::new();
        recogniser.push(text, &mut shown);
        recogniser.end(true, &mut shown);
        let mut found = recogniser.found;
        found.calls.drain(..recogniser.last_calls);
        found.calls.retain(|call| call.marked && call.is_whole());
        // A thought speaks of calls without making them.
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

    /// Gives a candidate what there is of text. False when it needs more.
    fn decide(&mut self, from: usize, mut candidate: Candidate, ended: bool, shown: &mut String) -> bool {
        let text = self.text.get(from..).unwrap_or_default();
        let verdict = candidate.read(text, ended);
        if candidate.is_harmony() && verdict != Verdict::More {
            match message_in(text, &verdict) {
                Some(Said::Foreign) => {
                    self.end_answer(from);
                    return false;
                }
                Some(Said::Message(message)) => {
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
                Settled::Called => self.call_ended(from + end),
                Settled::Unknown => self.hold_back(from, from + end),
                Settled::No => self.rejected(from, from + end, shown),
            },
            Verdict::None(end, why) => {
                self.malformed(candidate.family, why);
                self.rejected(from, from + end, shown);
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

    /// A call of a tool that was not offered: text, unless a call of one that was stands beside it.
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
        self.place.behind_call();
    }

    /// The model ended its answer before `at`.
    fn end_answer(&mut self, at: usize) {
        self.done = at;
        self.ended = true;
        self.text.clear();
        (self.done, self.at, self.read) = (0, 0, 0);
        self.candidate = None;
        self.space.clear();
        self.marks.clear();
    }

    /// What came so far was a thought, which ended with so many bytes of the text. Calls in it were none.
    fn end_thought(&mut self, to: usize, shown: &str) {
        self.aside.thought_until = Some(shown.len());
        self.thought_known = true;
        self.found = Found::default();
        self.held.clear();
        self.space.clear();
        self.marks.clear();
        self.place = Place::new();
        (self.done, self.at) = (to, to);
        self.read = self.read.min(to);
        (self.first, self.shown, self.text_read) = (true, false, false);
        // White space in front of the answer goes.
        self.behind_call = true;
        self.last_calls = 0;
    }

    fn call_ended(&mut self, at: usize) {
        self.held.clear();
        self.space.clear();
        self.marks.clear();
        self.done = at;
        self.at = at;
        self.first = false;
        self.behind_call = true;
        self.text_read = false;
        self.place.behind_call();
    }

    /// It is no call: what was held back is text after all, up to where it was read.
    fn rejected(&mut self, from: usize, to: usize, shown: &mut String) {
        shown.push_str(&self.marks);
        self.shown |= !self.marks.is_empty();
        self.space.clear();
        self.marks.clear();
        self.at = from;
        self.done = from;
        self.read = to.max(from + 1);
        self.first = false;
    }

    fn malformed(&mut self, family: &'static Family, why: Option<Unusable>) {
        if let Some(why) = why
            && family.is_marked()
            && self.mode == Mode::Open
            && self.found.malformed.len() < MOST_CALLS
        {
            let family = family.name;
            self.found.malformed.push(Malformed { family, why });
        }
    }

    /// Looks the calls of a candidate up.
    fn settle(&mut self, candidate: Candidate) -> Settled {
        let family = candidate.family;
        let nameless = candidate.repairs.contains(&Repair::NoArguments);
        let mut usable = Vec::new();
        let mut problems = Vec::new();
        let mut unknown = Vec::new();
        for call in candidate.calls {
            let mut repairs = candidate.repairs.clone();
            let word = matches!(&call.arguments, RawArguments::Tagged(list, Spelled::Pairs) if list.is_empty());
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
                Ok(_) => problems.push(Unusable::Unfit),
                // `<tool_call> and </tool_call>` in a sentence.
                Err(Unusable::Unknown(_)) if word => {}
                Err(Unusable::Unknown(name)) => {
                    unknown.push(UnknownCall {
                        name: name.clone(),
                        arguments,
                    });
                    problems.push(Unusable::Unknown(name));
                }
                Err(why) => problems.push(why),
            }
        }
        // Without marks all of it is a call, or none of it.
        if !family.is_marked() && (nameless || !problems.is_empty()) {
            return Settled::No;
        }
        let only_unknown = !problems.is_empty() && problems.len() == unknown.len();
        for why in problems {
            self.malformed(family, Some(why));
        }
        if self.mode == Mode::Open && self.found.unknown.len() < MOST_CALLS {
            self.found.unknown.extend(unknown);
        }
        let settled = match (usable.is_empty(), only_unknown && self.mode == Mode::Open) {
            (false, _) => Settled::Called,
            (true, true) => Settled::Unknown,
            (true, false) => Settled::No,
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
            self.malformed(family, Some(Unusable::TooMany));
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

    /// Lets text out, up to here, but for white space at its end.
    fn tell(&mut self, to: usize, shown: &mut String) {
        let all = std::mem::take(&mut self.text);
        self.tell_text(all.get(self.done..to).unwrap_or_default(), shown);
        self.text = all;
        self.done = to;
    }

    fn tell_text(&mut self, text: &str, shown: &mut String) {
        match self.message {
            Message::Thought => {
                self.aside.thought.push_str(text);
                return;
            }
            // The role of the next message, whose mark was lost.
            Message::Between if text.trim().is_empty() || text.trim() == "assistant" => return,
            Message::Between | Message::None | Message::Answer => {}
        }
        if self.mode == Mode::Plain {
            // Nothing is held back where no call can follow, but for white space behind a thought.
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

/// What became of the calls of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settled {
    Called,
    /// Their tools were not offered.
    Unknown,
    No,
}
