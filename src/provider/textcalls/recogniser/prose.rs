//! Scans prose for marks. Holds back text that may be the start of a mark.

use super::{Message, Mode, Recogniser};
use crate::textcalls::families::{
    ENDS, FAMILIES, Family, Fenced, Form, HARMONY, HEADERS, Naming, QUOTES, RESIDUE, RESIDUE_BEHIND_CALLS,
    THOUGHT_BEGINS, THOUGHT_ENDS, find_family,
};
use crate::textcalls::marks::{Opens, Start, starts};
use crate::textcalls::place::next_special;
use crate::textcalls::spent;

/// Maximum length of a run of backticks or of a tool name. Longer runs are split, and longer names are plain text.
const MOST_RUN: usize = 64;

enum Match {
    Text(usize),
    Residue(usize),
    Begins(&'static Family, usize),
    End,
    /// A closing tag of reasoning without an opening tag. Contains the tag's length.
    ThoughtEnd(usize),
    Hold,
}

impl Recogniser {
    pub(super) fn prose(&mut self, ended: bool, shown: &mut String) -> bool {
        if self.first && !self.beginning(ended, shown) {
            return self.candidate.is_some();
        }
        loop {
            let bytes = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let Some(length) = next_special(bytes) else {
                self.pass_to(self.text.len());
                self.at = self.text.len();
                self.tell(self.at, shown);
                return false;
            };
            let special = self.at + length;
            spent(length + 1);
            self.pass_to(special);
            self.at = special;
            match self.match_mark(ended) {
                Match::Text(length) => self.at += length,
                Match::Residue(length) => {
                    self.tell(special, shown);
                    if self.message != Message::None
                        && self.text.get(special..).is_some_and(|rest| rest.starts_with("<|end|>"))
                    {
                        self.message = Message::Between;
                    }
                    self.residue(special, special + length);
                }
                Match::Begins(family, length) => {
                    self.tell(special, shown);
                    self.begin(family, length);
                    return true;
                }
                Match::End => {
                    self.tell(special, shown);
                    self.end_answer(special);
                    return false;
                }
                Match::ThoughtEnd(length) => {
                    self.tell(special, shown);
                    self.end_thought(special + length, shown);
                    // The text after the reasoning is parsed like the beginning of an answer.
                    return true;
                }
                Match::Hold if ended => {
                    self.place.pass("<");
                    self.at += 1;
                }
                Match::Hold => {
                    self.tell(special, shown);
                    return false;
                }
            }
        }
    }

    pub(super) fn pass(&mut self, text: &str) {
        self.text_read = self.text_read || !text.trim_ascii_start().is_empty();
        self.place.pass(text);
    }

    fn pass_to(&mut self, to: usize) {
        let all = std::mem::take(&mut self.text);
        self.pass(all.get(self.at..to).unwrap_or_default());
        self.text = all;
    }

    /// Begins a candidate if the whole answer may be a call. `false` if a candidate began or more text is needed.
    fn beginning(&mut self, ended: bool, shown: &mut String) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let inside = rest.trim_ascii_start();
        let blank = rest.len() - inside.len();
        let Some(&byte) = inside.as_bytes().first() else {
            // The text is only whitespace so far, so the decision must wait.
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
            _ if self.mode != Mode::Open => false,
            _ => match word_mark(inside, ended) {
                Some(Match::Begins(family, length)) => {
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
            && let Some(family) = find_family(|form| form == Form::Whole)
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

    fn match_mark(&mut self, ended: bool) -> Match {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(&byte) = rest.as_bytes().first() else {
            return Match::Hold;
        };
        match byte {
            b'\n' => self.place.newline(),
            b'>' => {
                self.place.angle();
                self.text_read = true;
            }
            b'`' | b'~' => return self.run(byte, ended),
            _ => return self.mark(ended),
        }
        Match::Text(1)
    }

    fn run(&mut self, byte: u8, ended: bool) -> Match {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let count = rest.bytes().take(MOST_RUN).take_while(|other| *other == byte).count();
        let behind = rest.as_bytes().get(count).copied();
        if behind.is_none() {
            return Match::Hold;
        }
        if let Some(there) = self.fence_of_calls(rest) {
            return there;
        }
        let line = rest.as_bytes().get(count..).unwrap_or_default();
        let next = line
            .iter()
            .take(MOST_RUN)
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        if next.is_none() && line.len() < MOST_RUN && !ended && self.place.may_close(byte, count) {
            return Match::Hold;
        }
        self.place.run(byte, count, next.is_none_or(|byte| *byte == b'\n'));
        self.first = false;
        self.text_read = true;
        Match::Text(count)
    }

    fn fence_of_calls(&self, rest: &str) -> Option<Match> {
        let may = self.at >= self.read && self.mode == Mode::Open && self.place.is_open() && self.place.at_line_start();
        if !may {
            return None;
        }
        let kinds = [Fenced::Call, Fenced::Code, Fenced::Json];
        let kinds = kinds.into_iter().filter(|kind| self.first || *kind != Fenced::Json);
        let mut partly = false;
        for kind in kinds {
            match kind.opens(rest) {
                Opens::With(length) => {
                    return Some(Match::Begins(find_family(|form| form == Form::Fence(kind))?, length));
                }
                Opens::Partly => partly = true,
                Opens::No => {}
            }
        }
        partly.then_some(Match::Hold)
    }

    fn mark(&mut self, ended: bool) -> Match {
        if !self.thought_known
            && let Some(there) = self.thought_tag(ended)
        {
            return there;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        if self.message != Message::None {
            // Inside a gpt-oss message, only these marks have a meaning.
            match starts(rest, HARMONY) {
                Start::With(mark) => return self.message_mark(mark),
                Start::Partly if !ended => return Match::Hold,
                Start::Partly | Start::No => {}
            }
        }
        if let Some(close) = self.place.repeating() {
            return match starts(rest, &[close]) {
                Start::With(_) => {
                    self.place.repeat_until(None);
                    self.take_text(close.len())
                }
                Start::Partly => Match::Hold,
                Start::No => self.take_text(1),
            };
        }
        let own = self.place.is_own();
        let there = if own { self.match_known_mark(rest, ended) } else { None };
        match there {
            Some(Match::Hold) => Match::Hold,
            Some(Match::Text(length)) => {
                // A mark within a sentence is only mentioned, and does not begin a quoted result.
                if self.place.at_line_start() {
                    let opened = QUOTES.iter().find(|(open, _)| rest.starts_with(open));
                    self.place.repeat_until(opened.map(|(_, close)| *close));
                }
                self.take_text(length)
            }
            Some(_) if !self.place.is_open() => {
                self.place.quote_line();
                self.take_text(1)
            }
            Some(there) => there,
            None => self.take_text(1),
        }
    }

    fn take_text(&mut self, length: usize) -> Match {
        let text = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.place.pass(text);
        self.first = false;
        self.text_read = true;
        Match::Text(length)
    }

    fn thought_tag(&mut self, ended: bool) -> Option<Match> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match starts(rest, THOUGHT_BEGINS) {
            Start::With(_) => {
                self.thought_known = true;
                return None;
            }
            Start::Partly if !ended => return Some(Match::Hold),
            Start::Partly | Start::No => {}
        }
        if self.message != Message::None {
            return None;
        }
        match starts(rest, THOUGHT_ENDS) {
            Start::With(tag) => {
                let behind = rest.get(tag.len()..).unwrap_or_default();
                if behind.is_empty() && !ended {
                    return Some(Match::Hold);
                }
                let ends_line = behind.is_empty() || behind.starts_with(['\n', '\r']);
                let alone = self.place.at_line_start() && ends_line;
                // A tag inside a sentence, code or a quotation is only mentioned, so it does not end the reasoning.
                let said = self.place.is_open() && (ends_line || !self.is_named_here(behind));
                (alone || said).then_some(Match::ThoughtEnd(tag.len()))
            }
            Start::Partly if !ended => Some(Match::Hold),
            Start::Partly | Start::No => None,
        }
    }

    fn is_named_here(&self, behind: &str) -> bool {
        !self.place.at_line_start() && self.place.is_behind_space() && !behind.starts_with(['\n', '\r', '<'])
    }

    fn message_mark(&self, mark: &'static str) -> Match {
        match (mark, harmony()) {
            ("<|return|>", _) => Match::End,
            ("<|channel|>" | "<|start|>", Some(family)) if self.at >= self.read => Match::Begins(family, mark.len()),
            _ => Match::Residue(mark.len()),
        }
    }

    fn turn_mark(&self, rest: &str, ended: bool) -> Option<Match> {
        if !self.shown && !self.text_read && self.found.calls.is_empty() {
            match starts(rest, HEADERS) {
                Start::With(mark) => return Some(Match::Residue(mark.len())),
                Start::Partly if !ended => return Some(Match::Hold),
                Start::Partly | Start::No => {}
            }
        }
        let Start::With(mark) = starts(rest, ENDS) else {
            return None;
        };
        let behind = rest.get(mark.len()..).unwrap_or_default();
        if behind.is_empty() && !ended {
            return Some(Match::Hold);
        }
        let said_anything = self.shown || self.text_read || !self.found.calls.is_empty();
        let named = !behind.is_empty() && self.is_named_here(behind);
        (said_anything && !named).then_some(Match::End)
    }

    fn match_known_mark(&self, rest: &str, ended: bool) -> Option<Match> {
        // Fast path: every mark begins with one of these bytes. Other uses of `<`, `[` and `]` are frequent.
        match rest.as_bytes() {
            [b'[', b'T', ..] | [b']', b'<', ..] | [_] | [b'<', b'/' | b'|' | b'a'..=b'z' | b'A'..=b'Z' | 0xef, ..] => {}
            _ => return None,
        }
        if self.place.is_open()
            && let Some(there) = self.turn_mark(rest, ended)
        {
            return Some(there);
        }
        let mut partly = [ENDS, HARMONY].iter().any(|marks| starts(rest, marks) == Start::Partly);
        if self.message == Message::Thought {
            // A call inside reasoning is not run.
            return partly.then_some(Match::Hold);
        }
        let mut is = |mark: &str| {
            partly |= mark.len() > rest.len() && mark.starts_with(rest);
            rest.starts_with(mark)
        };
        if let Some((open, _)) = QUOTES.iter().find(|(open, _)| is(open)) {
            return Some(Match::Text(open.len()));
        }
        let unread = self.at >= self.read;
        if unread && matches!(starts(rest, &["<|channel|>", "<|start|>"]), Start::With(_)) {
            return Some(Match::Begins(harmony()?, rest.find('>')? + 1));
        }
        if self.mode == Mode::Plain {
            return partly.then_some(Match::Hold);
        }
        let may = unread && (self.mode == Mode::Open || self.place.at_line_start());
        if may {
            for family in FAMILIES {
                if let Some(open) = family.opens.iter().find(|open| is(open)) {
                    return Some(Match::Begins(family, open.len()));
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
            return Some(Match::Residue(mark.len()));
        }
        partly.then_some(Match::Hold)
    }

    /// Matches a tag that has the name of a tool, such as `<bash>`, at the start of a line.
    fn tool_tag(&self, rest: &str) -> Option<Match> {
        if self.mode != Mode::Open || !self.place.at_line_start() {
            return None;
        }
        let name = rest.strip_prefix('<')?;
        let letters = name
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let (name, behind) = name.split_at_checked(letters.take(MOST_RUN).count())?;
        match behind.as_bytes().first() {
            Some(b'>') if self.offered.find(name).is_some() => Some(Match::Begins(
                find_family(|form| form == Form::ToolTag)?,
                name.len() + 2,
            )),
            None if !name.is_empty() && self.offered.may_begin(name) => Some(Match::Hold),
            _ => None,
        }
    }
}

fn harmony() -> Option<&'static Family> {
    find_family(|form| form == Form::Named(Naming::Harmony))
}

/// Matches a mark that begins with a letter. Such a mark is valid only at the beginning of an answer.
fn word_mark(text: &str, ended: bool) -> Option<Match> {
    let all = FAMILIES
        .iter()
        .flat_map(|family| family.opens.iter().map(move |open| (family, *open)));
    let mut partly = false;
    for (family, open) in all.filter(|(_, open)| open.starts_with(char::is_alphabetic)) {
        if text.starts_with(open) {
            return Some(Match::Begins(family, open.len()));
        }
        partly |= !ended && open.starts_with(text);
    }
    partly.then_some(Match::Hold)
}
