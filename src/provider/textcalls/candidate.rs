//! One call that may have begun: reads on as text arrives until it is a call, or is none. Every byte is looked at a bounded number of times.

use super::families::{Closing, Family, Fenced, Form, Naming, PAIRS, Spelled, Tags};
use super::span::{Notation, Reached, Span};
use super::value::{self, RawCall};
use super::{Repair, Unusable, note};

/// A head or a tag is no longer than this.
const MOST_HEAD: usize = 512;

/// The first line of a fence is no longer.
const MOST_LABEL: usize = 40;

/// All arguments of a call together.
const MOST_BYTES: usize = 8 << 20;

/// Tokens that end an answer, which servers let slip into the text.
const LEAKED: &[&str] = &[
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
    "<|end|>",
];

#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) family: &'static Family,
    state: State,
    /// Read up to here, counted from the opening mark.
    at: usize,
    /// Behind the last whole value.
    end: usize,
    tags: Option<Tags>,
    name: Option<String>,
    arguments: Vec<(String, Option<bool>, String)>,
    pub(super) calls: Vec<RawCall>,
    pub(super) repairs: Vec<Repair>,
    fence: bool,
    /// What was read is meant as a call but cannot be used.
    unusable: Option<Unusable>,
}

#[derive(Debug)]
enum State {
    /// Behind the opening mark.
    Open,
    /// In the name, from here on, before a JSON object.
    Head(usize),
    /// In the opening tag, from here on.
    Tag(usize),
    Value {
        from: usize,
        span: Span,
        notation: Notation,
    },
    /// Behind a value, before a mark that closes the call or another value.
    Behind,
    /// Between the arguments of a tagged call.
    Arguments,
    /// In the name of an argument.
    Key(usize),
    /// Between the key and the value of a pair.
    Pair,
    Argument(Argument),
    /// In a form that ends at a mark.
    Until {
        from: usize,
        scan: usize,
    },
    /// In a tag with the name of a tool, which ends where the tag is closed.
    ToolTag {
        from: usize,
        scan: usize,
    },
    /// Behind a call that counts only as the last thing of the answer.
    Tail,
}

/// A value between tags. It ends at the closing tag that is followed by another argument or by the end of the call.
#[derive(Debug)]
struct Argument {
    key: String,
    text: Option<bool>,
    from: usize,
    scan: usize,
    /// Where a closing tag begins, and how far what follows was looked at.
    closing: Option<(usize, usize)>,
}

/// What has become of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It needs more text.
    More,
    /// It is a call, or several, up to here.
    Calls(usize),
    /// The mark was only a wrapper; what follows is read on its own.
    Wrapper(usize),
    /// It is no call; all up to here was read. With a reason where one was meant.
    None(usize, Option<Unusable>),
}

/// One step: to be gone on with, or decided.
type Step = Option<Verdict>;

impl Candidate {
    /// `at` is behind the opening mark.
    pub(super) fn new(family: &'static Family, at: usize) -> Self {
        let state = match family.form {
            Form::Named(_) => State::Head(at),
            Form::Tagged(_) => State::Tag(at),
            Form::Braced(_) => State::Until { from: at, scan: at },
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
            unusable: None,
        }
    }

    /// One whose opening tag is the name of a tool.
    pub(super) fn of_tool(family: &'static Family, name: &str, at: usize) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..Self::new(family, at)
        }
    }

    /// Reads on. `text` begins at the opening mark and only ever grows; `ended` when no more of it comes.
    pub(super) fn read(&mut self, text: &str, ended: bool) -> Verdict {
        loop {
            if self.at.max(text.len()) > MOST_BYTES {
                return Verdict::None(self.at.min(text.len()), Some(Unusable::TooLong));
            }
            if let Some(verdict) = self.step(text, ended) {
                return match verdict {
                    Verdict::More if ended => Verdict::None(text.len(), Some(Unusable::Cut)),
                    Verdict::None(at, why) => Verdict::None(at.min(text.len()), self.unusable.take().or(why)),
                    verdict => verdict,
                };
            }
        }
    }

    fn step(&mut self, text: &str, ended: bool) -> Step {
        match self.state {
            State::Open => self.open(text),
            State::Head(from) => self.head(text, from),
            State::Tag(from) => self.tag(text, from),
            State::Value { .. } => self.value(text, ended),
            State::Behind => self.behind(text, ended),
            State::Arguments => self.between(text),
            State::Key(from) => self.key(text, from),
            State::Pair => self.pair(text),
            State::Argument(_) => self.argument(text),
            State::Until { from, scan } => self.until(text, from, scan),
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
            b'{' if self.family.form == Form::Whole => match value::object_begins(beginning(text, self.at, MOST_LABEL))
            {
                Some(true) => self.begin_value(Notation::Json),
                Some(false) => self.none(),
                None => Some(Verdict::More),
            },
            b'{' => self.begin_value(Notation::Json),
            b'[' => self.list(text),
            b'`' if !self.fence => self.fence(text),
            b'<' if wrapper => Some(Verdict::Wrapper(self.at)),
            b']' if wrapper && self.calls.is_empty() => Some(Verdict::Wrapper(self.at)),
            _ if self.is_python() && is_name(byte) => self.begin_value(Notation::Python),
            _ if wrapper && is_name(byte) => self.go(State::Head(self.at)),
            _ => self.none(),
        }
    }

    fn is_python(&self) -> bool {
        matches!(self.family.form, Form::Python | Form::Fence(Fenced::Code))
    }

    /// A list of JSON objects, or of calls as Python writes them.
    fn list(&mut self, text: &str) -> Step {
        let first = skip_blank(text, self.at + 1);
        match text.as_bytes().get(first) {
            None => Some(Verdict::More),
            Some(b'{' | b']') => self.begin_value(Notation::Json),
            Some(&byte) if is_name(byte) && self.family.form != Form::Named(Naming::Mistral) => {
                self.begin_value(Notation::Python)
            }
            Some(_) => {
                self.at = first;
                self.none()
            }
        }
    }

    /// A code fence around what is inside the marks.
    fn fence(&mut self, text: &str) -> Step {
        let rest = beginning(text, self.at, MOST_LABEL);
        match rest.find('\n') {
            Some(length) if rest.starts_with("```") => {
                self.at += length + 1;
                self.fence = true;
                note(&mut self.repairs, Repair::Fence);
                None
            }
            None if rest.len() < MOST_LABEL - 3 && "```".starts_with(rest.get(..3).unwrap_or(rest)) => {
                Some(Verdict::More)
            }
            _ => self.none(),
        }
    }

    /// The name in front of a JSON object.
    fn head(&mut self, text: &str, from: usize) -> Step {
        let wrapper = self.family.form == Form::Wrapper;
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'{' => return self.named(text, from),
                b'[' if self.family.form == Form::Named(Naming::Mistral) && blank(text, from, self.at) => {
                    return match self.list(text) {
                        Some(verdict @ Verdict::None(..)) => Some(verdict),
                        step => step,
                    };
                }
                b'<' if wrapper => return self.pairs_begin(text, from),
                b'<' if text.get(self.at..).is_some_and(|rest| rest.starts_with("<steptml:")) => {
                    return Some(Verdict::Wrapper(self.at));
                }
                b'(' if wrapper => {
                    self.at = from;
                    return self.begin_value(Notation::Python);
                }
                _ if wrapper && !is_name(byte) && !byte.is_ascii_whitespace() => return self.none(),
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

    /// A name was read and its JSON object begins.
    fn named(&mut self, text: &str, from: usize) -> Step {
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

    /// `<tool_call>NAME` and then pairs, or the end of a call without arguments.
    fn pairs_begin(&mut self, text: &str, from: usize) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        match starts(rest, &[PAIRS.argument, PAIRS.call_close]) {
            Start::Partly => Some(Verdict::More),
            Start::No => self.none(),
            Start::With(_) => {
                let name = text.get(from..self.at).unwrap_or_default().trim();
                if !value::is_tool_name(name) {
                    return self.none();
                }
                self.name = Some(name.to_owned());
                self.tags = Some(PAIRS);
                self.go(State::Arguments)
            }
        }
    }

    /// `<function=NAME>`, `<invoke name="NAME">`.
    fn tag(&mut self, text: &str, from: usize) -> Step {
        let Some(end) = self.tag_end(text, from) else {
            return if self.at - from > MOST_HEAD {
                self.none()
            } else {
                Some(Verdict::More)
            };
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

    /// Where the tag that began at `from` ends, as far as it is there.
    fn tag_end(&mut self, text: &str, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b'>' {
                return Some(self.at);
            }
            if byte == b'\n' || byte == b'<' {
                self.at = from + MOST_HEAD + 1;
                return None;
            }
            self.at += 1;
        }
        None
    }

    fn between(&mut self, text: &str) -> Step {
        let Some(tags) = self.tags else { return self.none() };
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        if rest.starts_with('{') && self.arguments.is_empty() {
            return self.begin_value(Notation::Json);
        }
        match starts(rest, &[tags.argument, tags.call_close]) {
            Start::Partly => Some(Verdict::More),
            Start::No => Some(Verdict::None(self.at, Some(Unusable::Unreadable))),
            Start::With(mark) if mark == tags.argument => {
                self.at += mark.len();
                self.go(State::Key(self.at))
            }
            Start::With(mark) => {
                self.at += mark.len();
                let name = self.name.take().unwrap_or_default();
                let arguments = std::mem::take(&mut self.arguments);
                self.calls.push(RawCall::tagged(name, arguments, tags.spelled));
                Some(Verdict::Calls(self.at))
            }
        }
    }

    fn key(&mut self, text: &str, from: usize) -> Step {
        let Some(tags) = self.tags else { return self.none() };
        let pairs = tags.spelled == Spelled::Pairs;
        let end = if pairs {
            let rest = beginning(text, from, MOST_HEAD);
            match rest.find("</arg_key>") {
                Some(length) => Some(from + length),
                None if rest.len() >= MOST_HEAD - 3 => return self.none(),
                None => None,
            }
        } else {
            self.tag_end(text, from)
        };
        let Some(end) = end else {
            return if self.at - from > MOST_HEAD {
                self.none()
            } else {
                Some(Verdict::More)
            };
        };
        let (key, text_value) = value::attribute(text.get(from..end).unwrap_or_default());
        if key.is_empty() {
            return self.none();
        }
        let key = key.to_owned();
        if pairs {
            self.at = end + "</arg_key>".len();
            self.arguments.push((key, None, String::new()));
            return self.go(State::Pair);
        }
        self.at = end + 1;
        self.go_argument(key, text_value)
    }

    fn go_argument(&mut self, key: String, text: Option<bool>) -> Step {
        let argument = Argument {
            key,
            text,
            from: self.at,
            scan: self.at,
            closing: None,
        };
        self.go(State::Argument(argument))
    }

    fn pair(&mut self, text: &str) -> Step {
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        match starts(rest, &["<arg_value>"]) {
            Start::Partly => Some(Verdict::More),
            Start::No => self.none(),
            Start::With(mark) => {
                self.at += mark.len();
                let key = self.arguments.pop().map(|(key, ..)| key).unwrap_or_default();
                self.go_argument(key, None)
            }
        }
    }

    fn argument(&mut self, text: &str) -> Step {
        let Some(tags) = self.tags else { return self.none() };
        let State::Argument(argument) = &mut self.state else {
            return None;
        };
        if let Some((close, looked)) = argument.closing {
            let looked = skip_blank(text, looked);
            argument.closing = Some((close, looked));
            let rest = text.get(looked..).unwrap_or_default();
            match starts(rest, &[tags.argument, tags.call_close]) {
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
        if let Some(length) = rest.find(tags.argument_close) {
            let close = argument.scan + length;
            argument.closing = Some((close, close + tags.argument_close.len()));
            return None;
        }
        let kept = text.len().saturating_sub(tags.argument_close.len());
        argument.scan = argument.scan.max(text.floor_char_boundary(kept));
        Some(Verdict::More)
    }

    fn value(&mut self, text: &str, ended: bool) -> Step {
        let State::Value { from, span, notation } = &mut self.state else {
            return None;
        };
        let (from, notation) = (*from, *notation);
        match span.read(text.as_bytes(), self.at) {
            Reached::More => {
                self.at = text.len();
                Some(Verdict::More)
            }
            Reached::End(end) => {
                self.at = end;
                self.take_value(text.get(from..end).unwrap_or_default(), notation, false)
            }
            Reached::Bad(at) => {
                let missing = span.missing();
                self.at = at;
                match self.closed_early(text, at) {
                    Start::Partly if !ended => Some(Verdict::More),
                    Start::With(_) if missing == Some(1) && notation == Notation::Json => {
                        self.take_value(text.get(from..at).unwrap_or_default(), notation, true)
                    }
                    Start::With(_) => Some(Verdict::None(at, Some(Unusable::Cut))),
                    _ => Some(Verdict::None(at, None)),
                }
            }
        }
    }

    /// Whether the call's closing mark stands inside its value.
    fn closed_early(&self, text: &str, at: usize) -> Start {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with('<') {
            starts(rest, self.closes())
        } else {
            Start::No
        }
    }

    fn closes(&self) -> &'static [&'static str] {
        self.family.closes
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
            (Some(name), _) => RawCall::named(name, text, &mut self.repairs).map(|call| vec![call]),
            (None, Notation::Json) => value::calls_in(text, &mut self.repairs),
            (None, Notation::Python) => value::python_calls(text),
        };
        match read {
            Ok(calls) => self.calls.extend(calls),
            Err(why) => self.unusable = Some(why),
        }
        self.end = self.at;
        self.go(State::Behind)
    }

    fn behind(&mut self, text: &str, ended: bool) -> Step {
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        let Some(&byte) = rest.as_bytes().first() else {
            return if ended {
                Some(self.at_end())
            } else {
                Some(Verdict::More)
            };
        };
        match starts(rest, self.closes()) {
            Start::With(mark) if mark == "```" => {
                self.at += mark.len();
                return self.go(State::Tail);
            }
            Start::With(mark) => return Some(self.decided(self.at + mark.len())),
            Start::Partly if !ended => return Some(Verdict::More),
            Start::Partly | Start::No => {}
        }
        if self.fence && byte == b'`' {
            return match starts(rest, &["```"]) {
                Start::With(mark) => {
                    self.at += mark.len();
                    self.fence = false;
                    None
                }
                Start::Partly => Some(Verdict::More),
                Start::No => self.none(),
            };
        }
        self.behind_value(rest, byte)
    }

    /// What may follow a value besides the closing mark.
    fn behind_value(&mut self, rest: &str, byte: u8) -> Step {
        let repeats = !matches!(self.family.form, Form::Named(_) | Form::Tagged(_));
        let python = self.is_python() || self.family.form == Form::Wrapper;
        match byte {
            b';' | b',' if repeats => {
                self.at += 1;
                None
            }
            b'}' if self.family.closing == Closing::Needed && !self.repairs.contains(&Repair::ExtraBrace) => {
                note(&mut self.repairs, Repair::ExtraBrace);
                self.at += 1;
                None
            }
            b'{' | b'[' if repeats && self.rest_is_value(rest) => self.begin_value(Notation::Json),
            _ if python && repeats && is_name(byte) => self.begin_value(Notation::Python),
            _ if self.family.form == Form::Whole => self.go(State::Tail),
            _ if self.family.closing == Closing::Free => Some(self.decided(self.end)),
            // The next call begins before this one was closed.
            b'<' if self.family.opens.iter().any(|open| rest.starts_with(open)) => {
                note(&mut self.repairs, Repair::MissingClose);
                Some(self.decided(self.end))
            }
            _ => Some(Verdict::None(self.at, Some(Unusable::Unclosed))),
        }
    }

    /// `[TOOL_CALLS]` also begins with a bracket.
    fn rest_is_value(&self, rest: &str) -> bool {
        let behind = rest.trim_start_matches('[').trim_start();
        self.family.form != Form::Values || behind.starts_with(['{', '"', ']'])
    }

    fn decided(&self, end: usize) -> Verdict {
        match self.unusable {
            Some(_) => Verdict::None(end, None),
            None => Verdict::Calls(end),
        }
    }

    /// The answer ended behind a whole value.
    fn at_end(&mut self) -> Verdict {
        if self.family.closing == Closing::Needed {
            note(&mut self.repairs, Repair::MissingClose);
        }
        self.decided(self.at)
    }

    fn until(&mut self, text: &str, from: usize, scan: usize) -> Step {
        let rest = text.get(scan..).unwrap_or_default();
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
        let Form::Braced(mark) = self.family.form else {
            return self.none();
        };
        match value::braced(text.get(from..end).unwrap_or_default(), mark) {
            Some(call) => {
                self.calls.push(call);
                Some(Verdict::Calls(self.at))
            }
            None => Some(Verdict::None(self.at, Some(Unusable::Unreadable))),
        }
    }

    fn tool_tag(&mut self, text: &str, from: usize, scan: usize) -> Step {
        let first = skip_blank(text, from);
        match text.as_bytes().get(first) {
            None => return Some(Verdict::More),
            Some(b'<') => {}
            Some(_) => {
                self.at = first;
                return self.none();
            }
        }
        let close = format!("</{}>", self.name.as_deref().unwrap_or_default());
        let rest = text.get(scan..).unwrap_or_default();
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
        self.calls.push(RawCall::tagged(name, arguments, Spelled::Block));
        self.go(State::Tail)
    }

    /// Another tag behind one with the name of a tool, which is then meant as one too.
    fn next_tool_tag(&mut self, rest: &str) -> Step {
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

    /// Only white space, tokens that end an answer and another fence of calls may follow.
    fn tail(&mut self, text: &str, ended: bool) -> Step {
        self.blank(text);
        let rest = text.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return if ended {
                Some(self.decided(self.at))
            } else {
                Some(Verdict::More)
            };
        }
        match starts(rest, LEAKED) {
            Start::With(mark) => {
                note(&mut self.repairs, Repair::LeakedEnd);
                self.at += mark.len();
                return None;
            }
            Start::Partly if !ended => return Some(Verdict::More),
            Start::Partly | Start::No => {}
        }
        if let Form::Fence(fenced) = self.family.form {
            match fenced.opens(rest) {
                Opens::With(length) => {
                    self.at += length;
                    return self.go(State::Open);
                }
                Opens::Partly if !ended => return Some(Verdict::More),
                Opens::Partly | Opens::No => {}
            }
        }
        if self.family.form == Form::ToolTag && rest.starts_with('<') {
            return self.next_tool_tag(rest);
        }
        self.none()
    }
}

/// Whether a text begins with one of some marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    With(&'static str),
    /// It is as yet too short to say.
    Partly,
    No,
}

pub(super) fn starts(text: &str, marks: &[&'static str]) -> Start {
    if let Some(mark) = marks.iter().find(|mark| text.starts_with(**mark)) {
        return Start::With(mark);
    }
    if marks.iter().any(|mark| mark.starts_with(text)) {
        Start::Partly
    } else {
        Start::No
    }
}

/// Whether a fence of calls begins, and how long its first line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opens {
    With(usize),
    Partly,
    No,
}

impl Fenced {
    fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json", ""],
            Self::Call => &["tool_call", "tool_calls", "toolcall", "tool", "function_call"],
            Self::Code => &["tool_code"],
        }
    }

    pub(super) fn opens(self, text: &str) -> Opens {
        let Some(behind) = text.strip_prefix("```") else {
            return if "```".starts_with(text) {
                Opens::Partly
            } else {
                Opens::No
            };
        };
        let behind = beginning(behind, 0, MOST_LABEL);
        let Some((label, _)) = behind.split_once('\n') else {
            let label = behind.trim_end();
            let partly = self.labels().iter().any(|known| known.starts_with(label));
            return if partly && behind.len() < MOST_LABEL - 3 {
                Opens::Partly
            } else {
                Opens::No
            };
        };
        if self.labels().contains(&label.trim()) {
            Opens::With("```".len() + label.len() + 1)
        } else {
            Opens::No
        }
    }
}

/// At most so many bytes of a text, from a place on.
fn beginning(text: &str, from: usize, most: usize) -> &str {
    let to = text.floor_char_boundary(text.len().min(from + most));
    text.get(from..to).unwrap_or_default()
}

fn skip_blank(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn blank(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|text| text.trim().is_empty())
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

/// A message of another kind begins, for a reader and not for a tool.
fn says_message(head: &str) -> bool {
    head.ends_with("<|message|>") && !head.contains("to=")
}
