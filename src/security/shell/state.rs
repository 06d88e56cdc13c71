//! State during the walk of a line: variables, functions, written files. Unknown values are marked, never assumed.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::texts::MAX_TEXT;
use super::writers::clean;

/// Placeholder for unknown text. Lines that contain this character are rejected before the analysis.
pub(super) const UNKNOWN: char = '\0';

/// Placeholder for an unknown rest of a path, below the preceding folder or below the folder in which the line starts.
pub(super) const INSIDE: char = '\u{1}';

pub(super) const HOME: char = '\u{3}';

pub(super) const NUMBER: char = '\u{2}';

pub(super) const MARKS: &[char] = &[UNKNOWN, INSIDE, NUMBER, HOME];

pub(super) fn is_open(text: &str) -> bool {
    text.contains(MARKS)
}

/// One word as a program receives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) text: String,
    /// Whether the word has an unquoted `*`, `?` or `[`, and so may expand to other names.
    pub(super) glob: bool,
    /// Whether the word may expand to no word or to several words.
    pub(super) elastic: bool,
    /// Whether the environment may override the text, as in `${X:-text}`.
    pub(super) doubtful: bool,
}

impl Field {
    pub(super) fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    pub(super) fn unknown() -> Self {
        Self {
            text: UNKNOWN.to_string(),
            elastic: true,
            ..Self::default()
        }
    }

    /// Returns the path in this word, if known. A home folder is `~`.
    pub(super) fn path(&self) -> Option<String> {
        match self.text.strip_prefix(HOME) {
            Some(rest) => (!is_open(rest)).then(|| format!("~{rest}")),
            None => self.known().map(str::to_owned),
        }
    }

    pub(super) fn known(&self) -> Option<&str> {
        (!is_open(&self.text)).then_some(self.text.as_str())
    }
}

pub(super) fn show(fields: &[Field]) -> String {
    let mut out = String::new();
    for field in fields {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(field.text.chars().map(shown).take(400));
        if out.len() > 400 {
            break;
        }
    }
    out
}

/// Quotes each word that contains blanks or shell characters.
pub(super) fn quoted(fields: &[Field]) -> String {
    let mut out = String::new();
    for field in fields {
        if !out.is_empty() {
            out.push(' ');
        }
        let text: String = field.text.chars().map(shown).take(400).collect();
        let quotes = !field.glob && text.contains(['*', '?', '[']) || text.contains(SPECIAL);
        match (quotes || text.is_empty(), text.contains('\'')) {
            (false, _) => out.push_str(&text),
            (true, false) => out.extend(["'", &text, "'"]),
            (true, true) => out.extend(["\"", &text, "\""]),
        }
        if out.len() > 400 {
            break;
        }
    }
    out
}

const SPECIAL: &[char] = &[
    ' ', '\t', '\n', '\'', '"', '\\', '$', '`', '|', '&', ';', '<', '>', '(', ')',
];

fn shown(c: char) -> char {
    match c {
        HOME => '~',
        c if MARKS.contains(&c) => '…',
        c => c,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    One(String),
    Many(Vec<String>),
}

impl Value {
    pub(super) fn unknown() -> Self {
        Self::One(UNKNOWN.to_string())
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::One(text) if is_number(text))
    }

    pub(super) fn first(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Many(all) => all.first().cloned().unwrap_or_default(),
        }
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | NUMBER))
}

/// Returns the words as values of a variable. A glob may expand to any number of values.
pub(super) fn values(fields: &[Field]) -> Vec<String> {
    if fields.iter().any(|field| field.glob || field.elastic) {
        return vec![UNKNOWN.to_string()];
    }
    fields.iter().map(|field| field.text.clone()).collect()
}

#[derive(Debug, Clone)]
pub(super) enum Input {
    Closed,
    Unknown,
    Text(Rc<str>),
    File(String),
}

/// The output of a command, which may contain `UNKNOWN`. `None` if nothing is known about the output.
pub(super) type Output = Option<Rc<str>>;

pub(super) fn nothing() -> Output {
    Some("".into())
}

pub(super) fn output(text: impl AsRef<str>) -> Output {
    let text = text.as_ref();
    (text.len() <= MAX_TEXT).then(|| text.into())
}

/// The reason why two paths may lead to the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OtherName {
    /// A file was written under its absolute path.
    WholePath,
    /// The copied file may be a link.
    Copied,
    Linked,
}

#[derive(Default)]
pub(super) struct State {
    variables: HashMap<String, Value>,
    /// For each open branch, the variables that it assigned, with their previous values.
    journal: Vec<Vec<(String, Option<Value>)>>,
    /// All bodies that the line defines for each function. A call may run any of them.
    pub(super) functions: HashMap<String, Vec<Rc<super::syntax::Node>>>,
    /// Variables that change or reject an assigned value: `readonly`, `declare -l`, references.
    pub(super) odd: HashSet<String>,
    pub(super) positional: Vec<String>,
    pub(super) zero: Option<String>,
    /// The current folder, relative to the folder in which the line starts. `None` after a `cd` to an unknown folder.
    pub(super) folder: Option<String>,
    /// Further possible current folders, because a `cd` may fail.
    pub(super) or_in: Vec<String>,
    /// The reason why paths may lead to unknown files.
    pub(super) other_name: Option<OtherName>,
    pub(super) fetched: bool,
    pub(super) exported: HashSet<String>,
    files: HashMap<String, Output>,
    /// Nesting depth of scripts.
    pub(super) depth: usize,
    /// Nesting depth of commands that run commands.
    pub(super) within: usize,
    pub(super) next_pipe: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The branch may not have run, so its changes are unknown.
    Maybe,
    /// The branch ran in a subshell, so its changes are lost.
    Lost,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            folder: Some(String::new()),
            ..Self::default()
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let value = if self.odd.contains(name) || name == "_" {
            Value::unknown()
        } else {
            value
        };
        let value = match value {
            Value::One(text) if text.len() > MAX_TEXT => Value::unknown(),
            Value::Many(all) if all.iter().map(String::len).sum::<usize>() > MAX_TEXT => Value::unknown(),
            value => value,
        };
        let old = self.variables.insert(name.to_owned(), value);
        if let Some(frame) = self.journal.last_mut() {
            frame.push((name.to_owned(), old));
        }
    }

    pub(super) fn unset(&mut self, name: &str) {
        let old = self.variables.remove(name);
        if let Some(frame) = self.journal.last_mut() {
            frame.push((name.to_owned(), old));
        }
    }

    /// Records a file's content. In a branch, a second write makes it unknown, because the branch may not run.
    pub(super) fn wrote(&mut self, path: &str, written: Output) {
        let path = clean(path);
        let uncertain = !self.journal.is_empty() && self.files.contains_key(&path);
        self.files.insert(path, if uncertain { None } else { written });
    }

    /// Returns the content that this line wrote to a file, or `Some(None)` if the content is unknown.
    pub(super) fn written(&self, path: &str) -> Option<&Output> {
        self.files.get(&clean(path))
    }

    pub(super) fn is_any_number(&self) -> bool {
        matches!(self.positional.as_slice(), [only] if only.chars().eq([UNKNOWN]))
    }

    pub(super) fn open_branch(&mut self) {
        self.journal.push(Vec::new());
    }

    pub(super) fn close_branch(&mut self, ending: Ending) {
        let frame = self.journal.pop().unwrap_or_default();
        match ending {
            Ending::Lost => {
                for (name, old) in frame.into_iter().rev() {
                    match old {
                        Some(value) => self.variables.insert(name, value),
                        None => self.variables.remove(&name),
                    };
                }
            }
            Ending::Maybe => {
                let mut first: HashMap<String, Option<Value>> = HashMap::new();
                for (name, old) in frame {
                    first.entry(name).or_insert(old);
                }
                for (name, old) in first {
                    if self.variables.get(&name) == old.as_ref() {
                        continue;
                    }
                    // Restore the value from before this branch, so that `set` records it for the enclosing branch.
                    let numbers = self.variables.get(&name).is_some_and(Value::is_number)
                        && old.as_ref().is_none_or(Value::is_number);
                    let merged = if numbers {
                        Value::One(NUMBER.to_string())
                    } else {
                        Value::unknown()
                    };
                    match old {
                        Some(value) => self.variables.insert(name.clone(), value),
                        None => self.variables.remove(&name),
                    };
                    self.set(&name, merged);
                }
            }
        }
    }

    /// Records that paths may lead to other files than their names say, from this point of the line on.
    pub(super) fn doubt_names(&mut self, name: OtherName) {
        self.other_name = self.other_name.max(Some(name));
    }

    pub(super) fn add_folder(&mut self, before: Option<String>) {
        match before {
            Some(before) if self.or_in.len() < 4 => {
                if !self.or_in.contains(&before) {
                    self.or_in.push(before);
                }
            }
            _ => self.folder = None,
        }
    }

    /// Returns every possible location of a path, for all possible current folders. Empty if the folder is unknown.
    pub(super) fn places(&self, path: &str) -> Vec<String> {
        if path.starts_with('/') {
            return vec![path.to_owned()];
        }
        let Some(first) = self.place(path) else {
            return Vec::new();
        };
        let others = self.or_in.iter().map(|folder| joined(folder, path));
        std::iter::once(first).chain(others).collect()
    }

    /// Returns a path relative to the folder in which the line starts. `None` if the current folder is unknown.
    pub(super) fn place(&self, path: &str) -> Option<String> {
        if path.starts_with('/') {
            return Some(path.to_owned());
        }
        let folder = self.folder.as_deref()?;
        Some(joined(folder, path))
    }
}

fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}
