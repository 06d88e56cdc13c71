//! The machine that reads an answer as it arrives: lets prose through, holds back what may be a call, and settles what was one.

use std::sync::Arc;

use super::candidate::{Candidate, Verdict};
use super::families::{FAMILIES, Family, Fenced, Form, QUOTES, RESIDUE, RESIDUE_BEHIND_CALLS, of};
use super::marks::{Opens, Start, starts};
use super::offered::Offered;
use super::place::{Place, next_special};
use super::{Found, Malformed, Repair, Unusable, WrittenCall, spent};
use crate::domain::message::ToolDeclaration;

/// More calls than this are no plan but a loop.
const MOST_CALLS: usize = 64;

/// A longer run of backticks is only text.
const MOST_RUN: usize = 64;

/// What of an answer may be a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// No call of the server's own was seen in this session.
    Open,
    /// The server understands calls by itself: only a complete call in marks at the start of a line counts, as a leak.
    Native,
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
    found: Found,
}

/// What stands at a special byte.
enum There {
    Text(usize),
    Residue(usize),
    Begins(&'static Family, usize),
    /// What follows decides.
    Hold,
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
            found: Found::default(),
        }
    }

    /// What of `text` may be shown now is appended to `shown`; what may be the beginning of a call is held back.
    pub(crate) fn push(&mut self, text: &str, shown: &mut String) {
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
        self.mode = Mode::Native;
    }

    /// `complete`: the answer ended properly. Calls of a cut answer never count.
    pub(crate) fn finish(mut self, complete: bool, shown: &mut String) -> Found {
        if !complete && let Some((from, candidate)) = self.candidate.take() {
            self.malformed(candidate.family, Some(Unusable::Cut));
            self.at = from;
            self.read = self.text.len();
        }
        self.go_on(true, shown);
        if !self.behind_call {
            shown.push_str(&self.space);
        }
        if !complete {
            for call in std::mem::take(&mut self.found.calls) {
                let family = call.family;
                self.found.malformed.push(Malformed {
                    family,
                    why: Unusable::Cut,
                });
            }
            self.found.leaks = 0;
        }
        self.found
    }

    /// The calls in a text that is already whole, such as a thought. Only complete calls in marks count.
    pub(crate) fn of_whole(text: &str, tools: Arc<[ToolDeclaration]>) -> Found {
        let mut recogniser = Self::new(tools, Mode::Open);
        let mut shown = String::new();
        recogniser.push(text, &mut shown);
        let mut found = recogniser.finish(true, &mut shown);
        let whole = |call: &WrittenCall| !call.repairs.contains(&Repair::MissingClose);
        let marked = |call: &WrittenCall| {
            let mut families = FAMILIES.iter();
            families.any(|family| family.name == call.family && family.is_marked())
        };
        found.calls.retain(|call| whole(call) && marked(call));
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
        match verdict {
            Verdict::More => {
                self.candidate = Some((from, candidate));
                return false;
            }
            Verdict::Wrapper(end) => self.residue(from, from + end),
            Verdict::Calls(end) => {
                if self.settle(candidate) {
                    self.call_ended(from + end);
                } else {
                    self.rejected(from, from + end, shown);
                }
            }
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

    fn call_ended(&mut self, at: usize) {
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

    /// Looks the calls of a candidate up. False when none of them can be used.
    fn settle(&mut self, candidate: Candidate) -> bool {
        let family = candidate.family;
        let nameless = candidate.repairs.contains(&Repair::NoArguments);
        let mut usable = Vec::new();
        let mut problems = Vec::new();
        for call in candidate.calls {
            let mut repairs = candidate.repairs.clone();
            match self.offered.understand(call, &mut repairs) {
                Ok(call) if call.fits || family.is_marked() => usable.push(WrittenCall {
                    name: call.name,
                    arguments: call.arguments,
                    family: family.name,
                    repairs,
                }),
                Ok(_) => problems.push(Unusable::Unfit),
                Err(why) => problems.push(why),
            }
        }
        // Without marks all of it is a call, or none of it.
        if !family.is_marked() && (nameless || !problems.is_empty()) {
            return false;
        }
        for why in problems {
            self.malformed(family, Some(why));
        }
        let some = !usable.is_empty();
        for call in usable {
            self.add(call, family);
        }
        some
    }

    fn add(&mut self, call: WrittenCall, family: &'static Family) {
        let same = |other: &WrittenCall| other.name == call.name && other.arguments == call.arguments;
        if self.behind_call && self.found.calls.last().is_some_and(same) {
            self.found.repeated += 1;
        } else if self.found.calls.len() == MOST_CALLS {
            self.malformed(family, Some(Unusable::TooMany));
        } else {
            self.found.leaks += usize::from(self.mode == Mode::Native);
            self.found.calls.push(call);
        }
        self.behind_call = true;
    }

    /// Reads prose. False when all there is was read.
    fn prose(&mut self, ended: bool, shown: &mut String) -> bool {
        if self.first && !self.beginning(ended, shown) {
            return self.candidate.is_some();
        }
        loop {
            let bytes = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let Some(length) = next_special(bytes) else {
                let passed = self.text.get(self.at..).unwrap_or_default();
                self.text_read |= !passed.trim_ascii_start().is_empty();
                self.place.pass(passed);
                self.at = self.text.len();
                self.tell(self.at, shown);
                return false;
            };
            let special = self.at + length;
            spent(length + 1);
            let passed = self.text.get(self.at..special).unwrap_or_default();
            self.text_read |= !passed.trim_ascii_start().is_empty();
            self.place.pass(passed);
            self.at = special;
            match self.there() {
                There::Text(length) => self.at += length,
                There::Residue(length) => {
                    self.tell(special, shown);
                    self.residue(special, special + length);
                }
                There::Begins(family, length) => {
                    self.tell(special, shown);
                    self.begin(family, length);
                    return true;
                }
                There::Hold if ended => {
                    self.place.pass("<");
                    self.at += 1;
                }
                There::Hold => {
                    self.tell(special, shown);
                    return false;
                }
            }
        }
    }

    fn begin(&mut self, family: &'static Family, length: usize) {
        let candidate = if family.form == Form::ToolTag {
            let name = self.text.get(self.at + 1..self.at + length - 1).unwrap_or_default();
            Candidate::of_tool(family, name, length)
        } else {
            Candidate::new(family, length)
        };
        self.candidate = Some((self.at, candidate));
    }

    /// The first thing in the answer decides whether the whole of it may be a call. False when that is to be gone on with.
    fn beginning(&mut self, ended: bool, shown: &mut String) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let inside = rest.trim_ascii_start();
        let blank = rest.len() - inside.len();
        let Some(&byte) = inside.as_bytes().first() else {
            // White space alone: nothing is decided yet.
            self.at = self.text.len();
            self.tell(self.at, shown);
            return false;
        };
        let whole = match byte {
            b'{' => true,
            b'[' => match starts(inside, &["[TOOL_CALLS]"]) {
                Start::With(_) => false,
                Start::Partly if !ended => return false,
                Start::Partly | Start::No => true,
            },
            _ if self.mode == Mode::Native => false,
            _ => match word_mark(inside, ended) {
                Some(There::Begins(family, length)) => {
                    self.at += blank;
                    self.tell(self.at, shown);
                    self.begin(family, length);
                    return false;
                }
                Some(_) => return false,
                None => false,
            },
        };
        if whole
            && self.mode == Mode::Open
            && let Some(family) = of(|form| form == Form::Whole)
        {
            self.at += blank;
            self.tell(self.at, shown);
            self.begin(family, 0);
            return false;
        }
        if byte != b'`' && byte != b'<' {
            self.first = false;
        }
        true
    }

    fn there(&mut self) -> There {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(&byte) = rest.as_bytes().first() else {
            return There::Hold;
        };
        match byte {
            b'\n' => self.place.newline(),
            b'>' => self.place.angle(),
            b'`' | b'~' => return self.run(byte),
            _ => return self.mark(),
        }
        There::Text(1)
    }

    /// A run of backticks or tildes.
    fn run(&mut self, byte: u8) -> There {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let count = rest.bytes().take_while(|other| *other == byte).count();
        let behind = rest.as_bytes().get(count).copied();
        if behind.is_none() && count < MOST_RUN {
            return There::Hold;
        }
        if let Some(there) = self.fence_of_calls(rest) {
            return there;
        }
        self.place.run(byte, count, behind);
        self.first = false;
        self.text_read = true;
        There::Text(count)
    }

    fn fence_of_calls(&self, rest: &str) -> Option<There> {
        let may = self.at >= self.read && self.mode == Mode::Open && self.place.is_open() && self.place.at_line_start();
        if !may {
            return None;
        }
        let kinds = [Fenced::Call, Fenced::Code, Fenced::Json];
        let kinds = kinds.into_iter().filter(|kind| self.first || *kind != Fenced::Json);
        let mut partly = false;
        for kind in kinds {
            match kind.opens(rest) {
                Opens::With(length) => return Some(There::Begins(of(|form| form == Form::Fence(kind))?, length)),
                Opens::Partly => partly = true,
                Opens::No => {}
            }
        }
        partly.then_some(There::Hold)
    }

    /// A `<` or `[`.
    fn mark(&mut self) -> There {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if let Some(close) = self.place.repeating() {
            return match starts(rest, &[close]) {
                Start::With(_) => {
                    self.place.repeat_until(None);
                    self.text_of(close.len())
                }
                Start::Partly => There::Hold,
                Start::No => self.text_of(1),
            };
        }
        let own = self.place.is_own();
        let there = if own { self.known_mark(rest) } else { None };
        match there {
            Some(There::Hold) => There::Hold,
            Some(There::Text(length)) => {
                let opened = QUOTES.iter().find(|(open, _)| rest.starts_with(open));
                self.place.repeat_until(opened.map(|(_, close)| *close));
                self.text_of(length)
            }
            Some(_) if !self.place.is_open() => {
                self.place.quote_line();
                self.text_of(1)
            }
            Some(there) => there,
            None => self.text_of(1),
        }
    }

    fn text_of(&mut self, length: usize) -> There {
        let text = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.place.pass(text);
        self.first = false;
        self.text_read = true;
        There::Text(length)
    }

    fn known_mark(&self, rest: &str) -> Option<There> {
        let mut partly = false;
        let mut is = |mark: &str| {
            partly |= mark.len() > rest.len() && mark.starts_with(rest);
            rest.starts_with(mark)
        };
        if let Some((open, _)) = QUOTES.iter().find(|(open, _)| is(open)) {
            return Some(There::Text(open.len()));
        }
        let unread = self.at >= self.read;
        let may = unread && (self.mode == Mode::Open || self.place.at_line_start());
        if may {
            for family in FAMILIES {
                if let Some(open) = family.opens.iter().find(|open| is(open)) {
                    return Some(There::Begins(family, open.len()));
                }
            }
        }
        if unread && let Some(there) = self.tool_tag(rest) {
            return Some(there);
        }
        let behind = if self.behind_call && !self.text_read {
            RESIDUE_BEHIND_CALLS
        } else {
            &[]
        };
        if unread && let Some(mark) = RESIDUE.iter().chain(behind).find(|mark| is(mark)) {
            return Some(There::Residue(mark.len()));
        }
        partly.then_some(There::Hold)
    }

    /// `<bash>`: the name of an offered tool as a tag at the start of a line.
    fn tool_tag(&self, rest: &str) -> Option<There> {
        if self.mode == Mode::Native || !self.place.at_line_start() {
            return None;
        }
        let name = rest.strip_prefix('<')?;
        let letters = name
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let (name, behind) = name.split_at_checked(letters.take(MOST_RUN).count())?;
        match behind.as_bytes().first() {
            Some(b'>') if self.offered.find(name).is_some() => {
                Some(There::Begins(of(|form| form == Form::ToolTag)?, name.len() + 2))
            }
            None if !name.is_empty() && self.offered.may_begin(name) => Some(There::Hold),
            _ => None,
        }
    }

    /// Lets text out, up to here, but for white space at its end.
    fn tell(&mut self, to: usize, shown: &mut String) {
        let text = self.text.get(self.done..to).unwrap_or_default();
        self.done = to;
        if text.is_empty() {
            return;
        }
        let body = text.trim_ascii_end();
        let space = text.get(body.len()..).unwrap_or_default();
        if !body.is_empty() {
            let alone = self.behind_call && !self.shown;
            if !alone {
                shown.push_str(&self.space);
            }
            shown.push_str(if alone { body.trim_ascii_start() } else { body });
            self.space.clear();
            self.marks.clear();
            self.shown = true;
            self.behind_call = false;
        }
        self.space.push_str(space);
        self.marks.push_str(space);
    }
}

/// A mark that begins with a letter; such count only at the beginning of an answer.
fn word_mark(text: &str, ended: bool) -> Option<There> {
    let all = FAMILIES
        .iter()
        .flat_map(|family| family.opens.iter().map(move |open| (family, *open)));
    let mut partly = false;
    for (family, open) in all.filter(|(_, open)| open.starts_with(char::is_alphabetic)) {
        if text.starts_with(open) {
            return Some(There::Begins(family, open.len()));
        }
        partly |= !ended && open.starts_with(text);
    }
    partly.then_some(There::Hold)
}
