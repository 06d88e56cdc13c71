//! Parses a command line into nodes: statements, loops, redirections. Reads the text once and backtracks only for `((`.
//! Text that cannot be parsed is an error, never a guess.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::syntax::{Assigned, Assignment, Joint, Kind, Node, Redirect, Simple, Word};
use benchdog_domain::command::BLANKS;

pub(super) const MAX_DEPTH: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreadable(pub(super) &'static str);

pub(super) type Read<T> = Result<T, Unreadable>;

/// Remaining parse budget. Limits the time for nested `((`, which may be parsed twice at each level.
#[derive(Clone)]
pub(super) struct Fuel(Rc<Cell<usize>>);

impl Fuel {
    pub(super) fn for_length(len: usize) -> Self {
        Self(Rc::new(Cell::new(len.saturating_mul(16).saturating_add(20_000))))
    }

    #[cfg(test)]
    pub(super) fn left(&self) -> usize {
        self.0.get()
    }

    fn burn(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

/// Words that end a list of commands and belong to the enclosing construct.
const CLOSERS: &[&str] = &["then", "do", "done", "fi", "else", "elif", "esac", "}"];

/// Redirection operators, longest first, so that `<` does not match the beginning of `<<`.
const REDIRECTS: &[&str] = &["<<-", "<<<", "&>>", "<<", ">>", ">|", "<>", ">&", "<&", "&>", "<", ">"];

pub(super) struct Reader<'a> {
    pub(super) source: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) fuel: Fuel,
    waiting: Vec<Waiting>,
}

/// A here-document whose lines start after the next newline.
struct Waiting {
    delimiter: String,
    quoted: bool,
    strip_tabs: bool,
    body: Rc<OnceCell<Word>>,
}

pub(super) fn read(source: &str, depth: usize, fuel: &Fuel) -> Read<Vec<Node>> {
    let mut reader = Reader::new(source, depth, fuel.clone());
    let nodes = reader.list()?;
    if !fuel.burn() {
        return Err(Unreadable("too complicated"));
    }
    if !reader.waiting.is_empty() {
        Err(Unreadable("a here-document without an end"))
    } else if reader.at < source.len() {
        Err(Unreadable("a closing word or bracket without its opening"))
    } else {
        Ok(nodes)
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str, depth: usize, fuel: Fuel) -> Self {
        Self {
            source,
            at: 0,
            depth,
            fuel,
            waiting: Vec::new(),
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// Returns the next byte, or `None` at the end or without fuel. Without fuel, `read` rejects the whole text.
    pub(super) fn peek(&self) -> Option<u8> {
        if !self.fuel.burn() {
            return None;
        }
        self.source.as_bytes().get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Read<()> {
        if self.take(text) {
            Ok(())
        } else {
            Err(Unreadable("an unfinished command"))
        }
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Unreadable("nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips blanks, comments and escaped newlines, but not other newlines.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines. Also reads the here-documents that begin after a newline.
    pub(super) fn lines(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if !self.take("\n") {
                return Ok(());
            }
            for waiting in std::mem::take(&mut self.waiting) {
                self.body(waiting)?;
            }
        }
    }

    fn body(&mut self, waiting: Waiting) -> Read<()> {
        let mut text = String::new();
        loop {
            if self.at >= self.source.len() {
                return Err(Unreadable("a here-document without an end"));
            }
            let rest = self.rest();
            let line = rest.split_inclusive('\n').next().unwrap_or(rest);
            self.at += line.len();
            let line = if waiting.strip_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            if line.strip_suffix('\n').unwrap_or(line) == waiting.delimiter {
                break;
            }
            text.push_str(line);
        }
        let word = if waiting.quoted {
            Word::quoted(text)
        } else {
            Word::in_double_quotes(&text, self.depth, &self.fuel)?
        };
        let _ = waiting.body.set(word);
        Ok(())
    }

    /// Parses commands up to the end of the text, a closing word or bracket, or `;;`.
    pub(super) fn list(&mut self) -> Read<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            self.lines()?;
            if self.at_end_of_list() {
                return Ok(nodes);
            }
            nodes.push(self.and_or()?);
            self.blanks();
            match self.peek() {
                Some(b';') if self.peek_at(1) == Some(b';') || self.peek_at(1) == Some(b'&') => return Ok(nodes),
                Some(b'&') => {
                    // A background command runs in a separate process.
                    self.at += 1;
                    if let Some(node) = nodes.pop() {
                        let text = std::rc::Rc::clone(&node.text);
                        nodes.push(Node {
                            kind: Kind::Subshell(vec![node]),
                            redirects: Vec::new(),
                            text,
                        });
                    }
                }
                Some(b';') => self.at += 1,
                Some(b'\n' | b')') | None => {}
                Some(_) if self.at_end_of_list() => {}
                Some(_) => return Err(Unreadable("two commands without anything between them")),
            }
        }
    }

    fn at_end_of_list(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek_at(1), Some(b';' | b'&')),
            _ => CLOSERS.iter().any(|word| self.at_word(word)),
        }
    }

    /// Whether the next word is this reserved word, unquoted and complete.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.rest().strip_prefix(word).is_some_and(|rest| {
            rest.bytes().next().is_none_or(|byte| b" \t\n;&|()<>".contains(&byte)) || rest.starts_with("\\\n")
        })
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn and_or(&mut self) -> Read<Node> {
        let start = self.at;
        let mut left = self.pipeline()?;
        loop {
            self.blanks();
            let joint = if self.take("&&") {
                Joint::And
            } else if self.take("||") {
                Joint::Or
            } else {
                return Ok(left);
            };
            self.lines()?;
            let right = self.pipeline()?;
            left = self.node(start, Kind::Both(joint, Box::new(left), Box::new(right)));
        }
    }

    fn pipeline(&mut self) -> Read<Node> {
        let start = self.at;
        let mut parts = vec![self.command()?];
        loop {
            self.blanks();
            if self.rest().starts_with("||") || !(self.take("|&") || self.take("|")) {
                break;
            }
            self.lines()?;
            parts.push(self.command()?);
        }
        match parts.pop() {
            Some(only) if parts.is_empty() => Ok(only),
            Some(last) => {
                parts.push(last);
                Ok(self.node(start, Kind::Pipeline(parts)))
            }
            None => Err(Unreadable("an empty command")),
        }
    }

    fn node(&self, start: usize, kind: Kind) -> Node {
        let text = self.source.get(start..self.at).unwrap_or("").trim_matches(BLANKS);
        Node {
            kind,
            redirects: Vec::new(),
            text: text.into(),
        }
    }

    pub(super) fn command(&mut self) -> Read<Node> {
        self.deeper(Self::command_here)
    }

    fn command_here(&mut self) -> Read<Node> {
        self.blanks();
        let start = self.at;
        let kind = match self.compound()? {
            Some(kind) => kind,
            None => return self.simple(),
        };
        let mut redirects = Vec::new();
        self.blanks();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.blanks();
        }
        let mut node = self.node(start, kind);
        node.redirects = redirects;
        Ok(node)
    }

    fn simple(&mut self) -> Read<Node> {
        let start = self.at;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        // After `export` and similar builtins, assignments are parsed as words.
        let mut declares = false;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    return self.function_after(&simple, start);
                }
                Some(_) => {}
            }
            if (simple.words.is_empty() || declares)
                && let Some(assignment) = self.assignment()?
            {
                if simple.words.is_empty() {
                    simple.assignments.push(assignment);
                } else {
                    simple.words.push(assignment.into_word());
                }
                continue;
            }
            let before = self.at;
            let word = self.word()?;
            if self.at == before {
                return Err(Unreadable("a sign that means nothing here"));
            }
            if simple.words.is_empty() {
                declares = word.literal().is_some_and(|name| is_declaration(&name));
            }
            simple.words.push(word);
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            return Err(Unreadable("an operator without a command"));
        }
        let mut node = self.node(start, Kind::Simple(simple));
        node.redirects = redirects;
        Ok(node)
    }

    /// Parses a function definition at the `(` after its name. Fails if the name is not a single literal word.
    fn function_after(&mut self, simple: &Simple, start: usize) -> Read<Node> {
        let name = match (simple.words.as_slice(), simple.assignments.is_empty()) {
            ([word], true) => word.literal(),
            _ => None,
        };
        let name = name.ok_or(Unreadable("a bracket where none can be"))?;
        self.at += 1;
        self.blanks();
        self.expect(")")?;
        let kind = self.function(name)?;
        Ok(self.node(start, kind))
    }

    fn redirect(&mut self) -> Read<Option<Redirect>> {
        let skip = self.descriptor();
        if skip > 0 && self.rest().starts_with('{') {
            return Err(Unreadable("a redirection that sets a variable"));
        }
        let after = self.rest().get(skip..).unwrap_or("");
        if !after.starts_with(['<', '>', '&']) {
            return Ok(None);
        }
        let Some(operator) = REDIRECTS.iter().find(|operator| after.starts_with(**operator)) else {
            return Ok(None);
        };
        let single = *operator == "<" || *operator == ">";
        if single && after.as_bytes().get(1) == Some(&b'(') {
            return Ok(None);
        }
        self.at += skip + operator.len();
        self.blanks();
        let before = self.at;
        let word = self.word()?;
        if self.at == before {
            return Err(Unreadable("a redirection without a target"));
        }
        let body = Rc::new(OnceCell::new());
        if *operator == "<<" || *operator == "<<-" {
            let delimiter = word
                .literal()
                .ok_or(Unreadable("a here-document with an unclear end"))?;
            let quoted = self
                .source
                .get(before..self.at)
                .is_some_and(|raw| raw.contains(['\'', '"', '\\']));
            self.waiting.push(Waiting {
                delimiter,
                quoted,
                strip_tabs: *operator == "<<-",
                body: Rc::clone(&body),
            });
        }
        Ok(Some(Redirect { operator, word, body }))
    }

    /// Returns the length of the file descriptor before a redirection, such as `2` in `2>x` or `{name}` in `{name}>x`.
    fn descriptor(&self) -> usize {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            return digits;
        }
        let Some(inner) = rest.strip_prefix('{') else { return 0 };
        let name = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let closed = inner.as_bytes().get(name) == Some(&b'}');
        let then = inner.as_bytes().get(name + 1);
        if name > 0 && closed && matches!(then, Some(b'<' | b'>')) {
            name + 2
        } else {
            0
        }
    }

    fn assignment(&mut self) -> Read<Option<Assignment>> {
        let start = self.at;
        let name: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        self.at += name.len();
        let mut index = None;
        if self.peek() == Some(b'[') {
            match self.try_arithmetic("]", 1)? {
                Some(word) => index = Some(word),
                None => {
                    self.at = start;
                    return Ok(None);
                }
            }
        }
        let append = self.take("+=");
        if !append && !self.take("=") {
            self.at = start;
            return Ok(None);
        }
        let value = if self.take("(") {
            Assigned::Array(self.array()?)
        } else {
            Assigned::Word(self.word()?)
        };
        Ok(Some(Assignment {
            name,
            index,
            append,
            value,
        }))
    }

    fn array(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.lines()?;
            if self.take(")") {
                return Ok(words);
            }
            let before = self.at;
            words.push(self.word()?);
            if self.at == before {
                return Err(Unreadable("an unfinished list of values"));
            }
        }
    }
}

fn is_declaration(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local" | "export" | "readonly" | "alias")
}
