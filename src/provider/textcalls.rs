//! Recognises tool calls that a model wrote as text. Models do so if the server's parser is missing or fails.
//!
//! Text arrives in chunks. Visible text is returned immediately, and calls are returned at the end. No byte is scanned
//! twice. Text in code, in quotations and in truncated answers is never a call.

mod candidate;
pub mod families;
mod marks;
mod offered;
mod place;
mod recogniser;
mod relaxed;
mod span;
mod tree;
mod value;

pub use recogniser::{Mode, Recogniser, ThoughtUpdate};

use serde_json::{Map, Value};

use benchdog_domain::message::{Arguments, ToolCall};

#[derive(Debug, Default, PartialEq)]
pub struct ParsedCalls {
    /// The calls in text order. Empty if the answer is incomplete.
    pub calls: Vec<WrittenCall>,
    /// Number of calls in the text of an answer that also has native calls. Includes ignored calls.
    pub leaks: usize,
    /// Number of calls that were ignored because they repeat the previous call.
    pub repeated: usize,
    pub malformed: Vec<MalformedCall>,
    pub unknown: Vec<UnknownCall>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct UnknownCall {
    pub name: String,
    pub arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WrittenCall {
    pub name: String,
    pub arguments: Map<String, Value>,
    pub family: &'static str,
    /// Whether the call had marks. A call without marks is recognised by its structure.
    pub marked: bool,
    pub begins_line: bool,
    pub repairs: Vec<Repair>,
}

impl ParsedCalls {
    /// Keeps only calls that the server's parser missed. Such a call is complete, has marks, starts a line, and differs
    /// from all `native` calls.
    pub(crate) fn keep_leaks(&mut self, native: &[ToolCall]) {
        self.leaks = self.leaks.max(self.calls.len());
        let same = |call: &WrittenCall, other: &ToolCall| {
            other.name == call.name && matches!(&other.arguments, Arguments::Object(map) if *map == call.arguments)
        };
        self.calls.retain(|call| {
            let leak = call.marked && call.begins_line && call.is_whole();
            leak && !native.iter().any(|other| same(call, other))
        });
    }
}

impl WrittenCall {
    fn is_whole(&self) -> bool {
        !self.repairs.contains(&Repair::MissingClose)
    }
}

/// A deviation from the expected format that the parser corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    PythonQuotes,
    PythonLiterals,
    TrailingComma,
    MissingBrace,
    ExtraBrace,
    RawNewline,
    Fence,
    /// A wrong key such as `parameters` instead of `arguments`.
    ArgumentsKey,
    ArgumentsText,
    NoArguments,
    /// The opening mark was missing. The call is the whole answer.
    MissingOpen,
    /// The closing mark was missing at the end of the answer.
    MissingClose,
    /// An end-of-answer token followed the call.
    LeakedEnd,
    Alias,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MalformedCall {
    pub family: &'static str,
    pub why: CallError,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    Unknown(String),
    /// The answer ended inside the call. Contains the tool name, if known.
    Cut(Option<String>),
    Unreadable,
    Unfit,
    NoCall,
    /// The closing mark is missing, and other text follows.
    Unclosed,
    TooLong,
    TooMany,
}

fn note(repairs: &mut Vec<Repair>, repair: Repair) {
    if !repairs.contains(&repair) {
        repairs.push(repair);
    }
}

/// Counts scanned bytes. Tests check that their number grows linearly.
fn spent(_bytes: usize) {
    #[cfg(test)]
    tests::linear::SPENT.with(|spent| spent.set(spent.get() + _bytes));
}

#[cfg(test)]
mod tests;
