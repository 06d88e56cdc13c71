//! Parses a possible call as its text arrives, until it is accepted or rejected. Scans no byte more than a few times.

mod closing;
mod tagged;

use super::families::{Family, Fenced, Form, IFM_PAIRS, NAME_SEP, Naming, PAIRS, Tags};
use super::marks::{MOST_LABEL, Start, beginning, blank, skip_blank, starts};
use super::span::{Notation, Span, SpanState};
use super::tree;
use super::value::{self, RawCall};
use super::{CallError, Repair, note, spent};

const MOST_HEAD: usize = 512;

const MOST_BYTES: usize = 8 << 20;

/// End-of-answer tokens that some servers do not remove from the text.
const LEAKED: &[&str] = &[
    "<|eom_id|>",
    "<|eot_id|>",
    "<|eom|>",
    "<|eot|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|end|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
];

#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) family: &'static Family,
    state: State,
    at: usize,
    end: usize,
    tags: Option<Tags>,
    name: Option<String>,
    arguments: Vec<(String, Option<bool>, String)>,
    pub(super) calls: Vec<RawCall>,
    pub(super) repairs: Vec<Repair>,
    fence: bool,
    /// Whether a separator follows the name. If so, closing tags may be missing at the end of the answer.
    separated: bool,
    notation: Notation,
    unusable: Option<CallError>,
}

#[derive(Debug)]
enum State {
    Open,
    Head(usize),
    Tag(usize),
    Value {
        from: usize,
        span: Span,
        notation: Notation,
    },
    Closing,
    Arguments,
    Key(usize),
    Pair(String),
    Argument(Argument),
    Until {
        from: usize,
        scan: usize,
    },
    ToolTag {
        from: usize,
        scan: usize,
    },
    /// State after a call that must be the last text of the answer.
    Tail,
}

/// A value between tags. A closing tag ends the value only if another argument or the end of the call follows.
/// Otherwise, the tag is a part of the value.
#[derive(Debug)]
struct Argument {
    key: String,
    text: Option<bool>,
    from: usize,
    scan: usize,
    /// Start of a possible closing tag, and the end of the text scanned after that tag.
    closing: Option<(usize, usize)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    More,
    Calls(usize),
    /// The mark encloses a call in another format. Parsing continues at this position.
    Wrapper(usize),
    /// Not a call. The scan of the answer continues at this position. Has an error if the model intended a call.
    None(usize, Option<CallError>),
}

/// Result of one parsing step. `None` means that parsing continues with the next step.
type Step = Option<Verdict>;

impl Candidate {
    /// Creates a candidate. `at` is the position after the opening mark.
    pub(super) fn new(family: &'static Family, at: usize) -> Self {
        let state = match family.form {
            Form::Named(_) => State::Head(at),
            Form::Tagged(_) => State::Tag(at),
            Form::Braced(_) | Form::Nested(_) => State::Until { from: at, scan: at },
            Form::Values | Form::Wrapper | Form::Python | Form::Fence(_) | Form::Whole => State::Open,
            Form::ToolTag => State::ToolTag { from: at, scan: at },
        };
        let tags = match family.form {
            Form::Tagged(tags) => Some(tags),
            _ => None,
        };
        Self {
            family,
            state,
            at,
            end: at,
            tags,
            name: None,
            arguments: Vec::new(),
            calls: Vec::new(),
            repairs: Vec::new(),
            fence: false,
            separated: false,
            notation: Notation::Json,
            unusable: None,
        }
    }

    pub(super) fn of_tool(family: &'static Family, name: &str, at: usize) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..Self::new(family, at)
        }
    }

    pub(super) fn is_harmony(&self) -> bool {
        self.family.form == Form::Named(Naming::Harmony)
    }

    /// Continues parsing. `text` begins at the opening mark, and is longer at each call. `ended`: the answer has ended.
    pub(super) fn read(&mut self, text: &str, ended: bool) -> Verdict {
        loop {
            if self.scanned() > MOST_BYTES {
                return Verdict::None(text.floor_char_boundary(MOST_BYTES), Some(CallError::TooLong));
            }
            if let Some(verdict) = self.step(text, ended) {
                return match verdict {
                    Verdict::More if ended => Verdict::None(text.len(), Some(CallError::Cut(None))),
                    Verdict::None(at, why) => Verdict::None(at.min(text.len()), self.unusable.take().or(why)),
                    verdict => verdict,
                };
            }
        }
    }

    pub(super) fn tool(&self, text: &str) -> Option<String> {
        match &self.name {
            Some(name) => Some(name.clone()),
            None => value::name_begun(text).map(str::to_owned),
        }
    }

    fn scanned(&self) -> usize {
        match &self.state {
            State::Argument(argument) => argument.scan,
            State::Until { scan, .. } | State::ToolTag { scan, .. } => *scan,
            _ => self.at,
        }
    }

    fn step(&mut self, text: &str, ended: bool) -> Step {
        match self.state {
            State::Open => self.open(text),
            State::Head(from) => self.head(text, from),
            State::Tag(from) => self.tag(text, from),
            State::Value { .. } => self.value(text, ended),
            State::Closing => self.read_closing(text, ended),
            State::Arguments => self.read_arguments(text, ended),
            State::Key(from) => self.key(text, from),
            State::Pair(_) => self.pair(text),
            State::Argument(_) => self.argument(text, ended),
            State::Until { from, scan } => self.scan_until(text, from, scan),
            State::ToolTag { from, scan } => self.tool_tag(text, from, scan),
            State::Tail => self.tail(text, ended),
        }
    }

    fn blank(&mut self, text: &str) {
        self.at = skip_blank(text, self.at);
    }

    fn go(&mut self, state: State) -> Step {
        self.state = state;
        None
    }

    fn none(&self) -> Step {
        Some(Verdict::None(self.at, None))
    }

    fn begin_value(&mut self, notation: Notation) -> Step {
        let span = Span::new(notation);
        self.notation = notation;
        self.go(State::Value {
            from: self.at,
            span,
            notation,
        })
    }

    fn open(&mut self, text: &str) -> Step {
        self.blank(text);
        let Some(&byte) = text.as_bytes().get(self.at) else {
            return Some(Verdict::More);
        };
        let wrapper = self.family.form == Form::Wrapper;
        match byte {
            b'{' if self.family.form == Form::Whole => self.whole(text, self.at),
            b'{' => self.begin_value(Notation::Json),
            b'[' => self.list(text),
            b'`' if !self.fence => self.fence(text),
            b'<' if wrapper => Some(Verdict::Wrapper(self.at)),
            b']' if wrapper && self.calls.is_empty() => Some(Verdict::Wrapper(self.at)),
            _ if self.is_python() && begins_name(byte) => self.begin_value(Notation::Python),
            _ if wrapper && begins_name(byte) => self.go(State::Head(self.at)),
            _ => self.none(),
        }
    }

    fn is_python(&self) -> bool {
        matches!(self.family.form, Form::Python | Form::Fence(Fenced::Code))
    }

    /// Parses an answer that may be a call without marks. The first key of the JSON object decides.
    fn whole(&mut self, text: &str, object: usize) -> Step {
        match value::object_begins(beginning(text, object, MOST_LABEL)) {
            Some(true) => self.begin_value(Notation::Json),
            Some(false) => self.none(),
            None => Some(Verdict::More),
        }
    }

    fn list(&mut self, text: &str) -> Step {
        let rest = beginning(text, self.at + 1, MOST_LABEL);
        let first = self.at + 1 + skip_blank(rest, 0);
        match text.as_bytes().get(first) {
            None => Some(Verdict::More),
            Some(b'{') if self.family.form == Form::Whole => self.whole(text, first),
            Some(b'{' | b']') => self.begin_value(Notation::Json),
            Some(&byte) if begins_name(byte) && self.family.form != Form::Named(Naming::Mistral) => {
                self.begin_value(Notation::Python)
            }
            Some(_) => {
                self.at = first;
                self.none()
            }
        }
    }

    fn fence(&mut self, text: &str) -> Step {
        let rest = beginning(text, self.at, MOST_LABEL);
        match rest.find('\n') {
            Some(length) if rest.starts_with("```") => {
                self.at += length + 1;
                self.fence = true;
                note(&mut self.repairs, Repair::Fence);
                None
            }
            None if text.len() - self.at < MOST_LABEL && "```".starts_with(rest.get(..3).unwrap_or(rest)) => {
                Some(Verdict::More)
            }
            _ => self.none(),
        }
    }

    fn head(&mut self, text: &str, from: usize) -> Step {
        let wrapper = self.family.form == Form::Wrapper;
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'{' => return self.named_call(text, from),
                b'[' if self.family.form == Form::Named(Naming::Mistral) && blank(text, from, self.at) => {
                    return match self.list(text) {
                        Some(verdict @ Verdict::None(..)) => Some(verdict),
                        step => step,
                    };
                }
                b'<' if wrapper => return self.pairs_begin(text, from),
                b'<' if self.family.form == Form::Named(Naming::DeepSeek) => {
                    match starts(text.get(self.at..).unwrap_or_default(), &["<steptml:"]) {
                        Start::With(_) => return Some(Verdict::Wrapper(self.at)),
                        Start::Partly => return Some(Verdict::More),
                        Start::No => {}
                    }
                }
                b'(' if wrapper => {
                    self.at = from;
                    return self.begin_value(Notation::Python);
                }
                _ if wrapper && !is_name(byte) && !byte.is_ascii_whitespace() => return self.none(),
                // Two words after the mark are prose, not the name of a tool.
                _ if wrapper && is_name(byte) && self.at > from && blank(text, self.at - 1, self.at) => {
                    return self.none();
                }
                _ => {}
            }
            if self.at - from > MOST_HEAD {
                return self.none();
            }
            if byte == b'>'
                && self.family.form == Form::Named(Naming::Harmony)
                && text.get(from..=self.at).is_some_and(says_message)
            {
                return Some(Verdict::Wrapper(self.at + 1));
            }
            self.at += 1;
        }
        Some(Verdict::More)
    }

    fn named_call(&mut self, text: &str, from: usize) -> Step {
        let head = text.get(from..self.at).unwrap_or_default();
        if blank(text, from, self.at) && matches!(self.family.form, Form::Named(Naming::Mistral)) {
            return self.begin_value(Notation::Json);
        }
        let name = match self.family.form {
            Form::Named(naming) => value::name_in(naming, head),
            _ => Some(head.trim()),
        };
        match name.filter(|name| value::is_tool_name(name)) {
            Some(name) => {
                self.name = Some(name.to_owned());
                self.fence = head.contains("```");
                self.begin_value(Notation::Json)
            }
            None => self.none(),
        }
    }

    /// Parses the text after `<tool_call>NAME`: pairs of key and value, or the end of the call.
    fn pairs_begin(&mut self, text: &str, from: usize) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        let tags = if self.family.closes.contains(&IFM_PAIRS.call_close) {
            IFM_PAIRS
        } else {
            PAIRS
        };
        match starts(rest, &[tags.argument, tags.call_close, NAME_SEP]) {
            Start::Partly => Some(Verdict::More),
            Start::No => self.none(),
            Start::With(mark) => {
                let name = text.get(from..self.at).unwrap_or_default().trim();
                if !value::is_tool_name(name) {
                    return self.none();
                }
                self.name = Some(name.to_owned());
                self.tags = Some(tags);
                if mark == NAME_SEP {
                    self.at += mark.len();
                    self.separated = true;
                }
                self.go(State::Arguments)
            }
        }
    }

    fn value(&mut self, text: &str, ended: bool) -> Step {
        let State::Value { from, span, notation } = &mut self.state else {
            return None;
        };
        let (from, notation) = (*from, *notation);
        match span.read(text.as_bytes(), self.at) {
            SpanState::More => {
                self.at = text.len();
                Some(Verdict::More)
            }
            SpanState::End(end) => {
                self.at = end;
                self.take_value(text.get(from..end).unwrap_or_default(), notation, false)
            }
            SpanState::Bad(at) => {
                let missing = span.missing();
                self.at = at;
                match self.early_close(text, at) {
                    Start::Partly if !ended => Some(Verdict::More),
                    Start::With(_) if missing == Some(1) && notation == Notation::Json => {
                        self.take_value(text.get(from..at).unwrap_or_default(), notation, true)
                    }
                    Start::With(_) => Some(Verdict::None(at, Some(CallError::Cut(None)))),
                    // `<` begins a placeholder such as `<name of the tool>`, so the text only describes a call.
                    _ if text.as_bytes().get(at) == Some(&b'<') => Some(Verdict::None(at, None)),
                    _ => {
                        let value = text.get(from..at).unwrap_or_default();
                        let meant = value::object_begins(value) == Some(true);
                        Some(Verdict::None(at, meant.then_some(CallError::Unreadable)))
                    }
                }
            }
        }
    }

    fn take_value(&mut self, text: &str, notation: Notation, open: bool) -> Step {
        let closed;
        let text = if open {
            note(&mut self.repairs, Repair::MissingBrace);
            closed = format!("{}}}", text.trim_end());
            &closed
        } else {
            text
        };
        let read = match (self.name.take(), notation) {
            (Some(name), _) => RawCall::with_name(name, text, &mut self.repairs).map(|call| vec![call]),
            (None, Notation::Json) => value::calls_in(text, &mut self.repairs),
            (None, Notation::Python) => value::python_calls(text),
        };
        match read {
            Ok(calls) => self.calls.extend(calls),
            Err(why) => self.unusable = Some(why),
        }
        self.end = self.at;
        self.go(State::Closing)
    }

    fn scan_until(&mut self, text: &str, from: usize, scan: usize) -> Step {
        let rest = text.get(scan..).unwrap_or_default();
        spent(rest.len());
        let found = self
            .closes()
            .iter()
            .filter_map(|close| Some((rest.find(close)?, close.len())));
        let Some((length, close)) = found.min() else {
            let longest = self.closes().iter().map(|close| close.len()).max().unwrap_or_default();
            let scan = scan.max(text.floor_char_boundary(text.len().saturating_sub(longest)));
            self.state = State::Until { from, scan };
            return Some(Verdict::More);
        };
        let end = scan + length;
        self.at = end + close;
        let inside = text.get(from..end).unwrap_or_default();
        let call = match self.family.form {
            Form::Braced(mark) => value::braced(inside, mark),
            Form::Nested(mark) => tree::call(inside, mark),
            _ => return self.none(),
        };
        match call {
            Some(call) => {
                self.calls.push(call);
                Some(Verdict::Calls(self.at))
            }
            None => Some(Verdict::None(self.at, Some(CallError::Unreadable))),
        }
    }
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

fn says_message(head: &str) -> bool {
    head.ends_with("<|message|>") && !head.contains("to=")
}
