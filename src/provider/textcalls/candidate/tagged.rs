//! Parses calls with one tag for each argument.

use super::{Argument, Candidate, MOST_HEAD, State, Step, Verdict, skip_blank};
use crate::textcalls::families::{Tags, ValueEncoding};
use crate::textcalls::marks::{MOST_LABEL, Start, beginning, starts};
use crate::textcalls::span::Notation;
use crate::textcalls::value::{self, RawCall};
use crate::textcalls::{CallError, Repair, note, spent};

fn outer(tags: Tags) -> &'static [&'static str] {
    match tags.encoding {
        ValueEncoding::Lines | ValueEncoding::Block => &[
            "</tool_call>",
            "</function_calls>",
            "</seed:tool_call>",
            "</minimax:tool_call>",
        ],
        ValueEncoding::Pairs => &["</tool_calls>", "</ifm|tool_calls>"],
        ValueEncoding::Plain => &[],
    }
}

impl Candidate {
    pub(super) fn tag(&mut self, text: &str, from: usize) -> Step {
        let end = match self.tag_end(text, from) {
            Ok(end) => end,
            Err(verdict) => return Some(verdict),
        };
        let inside = text.get(from..end).unwrap_or_default();
        let name = value::attribute(inside).0;
        if !value::is_tool_name(name) {
            self.at = end;
            return self.none();
        }
        self.name = Some(name.to_owned());
        self.at = end + 1;
        self.go(State::Arguments)
    }

    fn tag_end(&mut self, text: &str, from: usize) -> Result<usize, Verdict> {
        while let Some(&byte) = text.as_bytes().get(self.at) {
            match byte {
                b'>' => return Ok(self.at),
                b'\n' | b'<' => return Err(Verdict::None(self.at, None)),
                _ if self.at - from > MOST_HEAD => return Err(Verdict::None(self.at, None)),
                _ => self.at += 1,
            }
        }
        Err(Verdict::More)
    }

    pub(super) fn read_arguments(&mut self, text: &str, ended: bool) -> Step {
        let Some(tags) = self.tags else { return self.none() };
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        if rest.is_empty() && ended && self.separated {
            note(&mut self.repairs, Repair::MissingClose);
            return self.finish_call(tags);
        }
        if rest.starts_with('{') && self.arguments.is_empty() {
            return self.begin_value(Notation::Json);
        }
        match starts(rest, &[tags.argument, tags.call_close]) {
            Start::Partly => Some(Verdict::More),
            Start::No => self.close_outside(rest, tags),
            Start::With(mark) if mark == tags.argument => {
                self.at += mark.len();
                self.go(State::Key(self.at))
            }
            Start::With(mark) => {
                self.at += mark.len();
                self.finish_call(tags)
            }
        }
    }

    fn finish_call(&mut self, tags: Tags) -> Step {
        let name = self.name.take().unwrap_or_default();
        let arguments = std::mem::take(&mut self.arguments);
        self.calls.push(RawCall::tagged(name, arguments, tags.encoding));
        Some(Verdict::Calls(self.at))
    }

    fn close_outside(&mut self, rest: &str, tags: Tags) -> Step {
        match starts(rest, outer(tags)) {
            Start::With(mark) if !self.arguments.is_empty() || self.separated => {
                self.at += mark.len();
                note(&mut self.repairs, Repair::MissingClose);
                self.finish_call(tags)
            }
            Start::Partly => Some(Verdict::More),
            Start::With(_) | Start::No => Some(Verdict::None(self.at, Some(CallError::Unreadable))),
        }
    }

    pub(super) fn key(&mut self, text: &str, from: usize) -> Step {
        if self.tags.is_some_and(|tags| tags.encoding == ValueEncoding::Pairs) {
            return self.pair_key(text, from);
        }
        let end = match self.tag_end(text, from) {
            Ok(end) => end,
            Err(verdict) => return Some(verdict),
        };
        let (key, is_text) = value::attribute(text.get(from..end).unwrap_or_default());
        if key.is_empty() {
            return self.none();
        }
        self.at = end + 1;
        self.go_argument(key.to_owned(), is_text)
    }

    fn pair_key(&mut self, text: &str, from: usize) -> Step {
        let Some(marks) = self.tags.map(Tags::pair_marks) else {
            return self.none();
        };
        match self.word_until(text, from, marks.key_close) {
            Ok(key) => {
                let key = key.trim().to_owned();
                self.go(State::Pair(key))
            }
            Err(verdict) => Some(verdict),
        }
    }

    fn word_until<'t>(&mut self, text: &'t str, from: usize, close: &'static str) -> Result<&'t str, Verdict> {
        while let Some(&byte) = text.as_bytes().get(self.at) {
            if byte == b'<' {
                return match starts(text.get(self.at..).unwrap_or_default(), &[close]) {
                    Start::With(mark) => {
                        let word = text.get(from..self.at).unwrap_or_default();
                        self.at += mark.len();
                        Ok(word)
                    }
                    Start::Partly => Err(Verdict::More),
                    Start::No => Err(Verdict::None(self.at, None)),
                };
            }
            if self.at - from > MOST_HEAD {
                return Err(Verdict::None(self.at, None));
            }
            self.at += 1;
        }
        Err(Verdict::More)
    }

    pub(super) fn go_argument(&mut self, key: String, text: Option<bool>) -> Step {
        let argument = Argument {
            key,
            text,
            from: self.at,
            scan: self.at,
            closing: None,
        };
        self.go(State::Argument(argument))
    }

    /// Parses the text between the key and the value of an argument. The text may contain a type.
    pub(super) fn pair(&mut self, text: &str) -> Step {
        let Some(marks) = self.tags.map(Tags::pair_marks) else {
            return self.none();
        };
        self.blank(text);
        let begun = self.at;
        let rest = text.get(self.at..).unwrap_or_default();
        let mut is_text = None;
        match starts(rest, &[marks.value_open, marks.type_open]) {
            Start::Partly => return Some(Verdict::More),
            Start::No => return self.none(),
            Start::With(mark) => {
                self.at += mark.len();
                if mark == marks.type_open {
                    let typed = match self.word_until(text, self.at, marks.type_close) {
                        Ok(typed) => typed.trim(),
                        Err(verdict) => {
                            // If more text is needed, parsing later starts again at this mark.
                            self.at = if verdict == Verdict::More { begun } else { self.at };
                            return Some(verdict);
                        }
                    };
                    is_text = Some(typed == "string");
                    self.blank(text);
                    match starts(text.get(self.at..).unwrap_or_default(), &[marks.value_open]) {
                        Start::Partly => {
                            self.at = begun;
                            return Some(Verdict::More);
                        }
                        Start::No => return self.none(),
                        Start::With(mark) => self.at += mark.len(),
                    }
                }
            }
        }
        match std::mem::replace(&mut self.state, State::Arguments) {
            State::Pair(key) => self.go_argument(key, is_text),
            _ => None,
        }
    }

    pub(super) fn argument(&mut self, text: &str, ended: bool) -> Step {
        let Some(tags) = self.tags else { return self.none() };
        let State::Argument(argument) = &mut self.state else {
            return None;
        };
        if let Some((close, looked)) = argument.closing {
            let looked = skip_blank(text, looked);
            argument.closing = Some((close, looked));
            let rest = text.get(looked..).unwrap_or_default();
            let follows = match starts(rest, &[tags.argument, tags.call_close]) {
                Start::Partly if rest.is_empty() && ended && self.separated => Start::With(tags.call_close),
                Start::No => starts(rest, outer(tags)),
                follows => follows,
            };
            match follows {
                Start::Partly => return Some(Verdict::More),
                Start::No => {
                    argument.closing = None;
                    argument.scan = close + tags.argument_close.len();
                    return None;
                }
                Start::With(_) => {
                    let value = text.get(argument.from..close).unwrap_or_default().to_owned();
                    let key = std::mem::take(&mut argument.key);
                    self.arguments.push((key, argument.text, value));
                    self.at = looked;
                    return self.go(State::Arguments);
                }
            }
        }
        let rest = text.get(argument.scan..).unwrap_or_default();
        let found = rest.find(tags.argument_close);
        spent(found.unwrap_or(rest.len()));
        if let Some(length) = found {
            let close = argument.scan + length;
            argument.closing = Some((close, close + tags.argument_close.len()));
            return None;
        }
        let kept = text.len().saturating_sub(tags.argument_close.len());
        argument.scan = argument.scan.max(text.floor_char_boundary(kept));
        Some(Verdict::More)
    }

    pub(super) fn tool_tag(&mut self, text: &str, from: usize, scan: usize) -> Step {
        if scan == from {
            self.blank(text);
            match text.as_bytes().get(self.at) {
                None => return Some(Verdict::More),
                Some(b'<') => {}
                Some(_) => return self.none(),
            }
        }
        let close = format!("</{}>", self.name.as_deref().unwrap_or_default());
        let rest = text.get(scan..).unwrap_or_default();
        spent(rest.len());
        let Some(length) = rest.find(&close) else {
            let kept = text.floor_char_boundary(text.len().saturating_sub(close.len()));
            self.state = State::ToolTag {
                from,
                scan: scan.max(kept),
            };
            return Some(Verdict::More);
        };
        let end = scan + length;
        self.at = end + close.len();
        let inside = text.get(from..end).unwrap_or_default();
        let Some(arguments) = value::tag_arguments(inside).filter(|list| !list.is_empty()) else {
            return self.none();
        };
        let name = self.name.take().unwrap_or_default();
        self.calls.push(RawCall::tagged(name, arguments, ValueEncoding::Block));
        self.go(State::Tail)
    }

    pub(super) fn next_tool_tag(&mut self, rest: &str) -> Step {
        let inside = beginning(rest, 1, MOST_LABEL);
        let name: &str = inside
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .next()
            .unwrap_or_default();
        match inside.as_bytes().get(name.len()) {
            Some(b'>') if !name.is_empty() => {
                self.name = Some(name.to_owned());
                self.at += name.len() + 2;
                let from = self.at;
                self.go(State::ToolTag { from, scan: from })
            }
            None if inside.len() < MOST_LABEL - 3 => Some(Verdict::More),
            _ => self.none(),
        }
    }
}
