//! Recognises tool calls that a model wrote as text, because its server has no parser or the parser failed.
//!
//! Text arrives in chunks. Visible text is returned at once, calls at the end. Nothing is scanned twice. Calls in code, quotations and
//! truncated answers do not count.

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
    /// The calls in the order of the text. Empty if the answer did not end properly.
    pub calls: Vec<WrittenCall>,
    /// Number of calls in text beside native calls, including ignored ones.
    pub leaks: usize,
    /// Number of ignored calls that repeat the previous one.
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
    /// Whether a mark identifies the call. Otherwise only its shape does.
    pub marked: bool,
    pub begins_line: bool,
    pub repairs: Vec<Repair>,
}

impl ParsedCalls {
    /// Removes all calls except leaks beside the `native` ones. A leak is complete, marked, at the start of a line, and
    /// not equal to a native call.
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

/// A deviation from the format that was corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    PythonQuotes,
    PythonLiterals,
    TrailingComma,
    MissingBrace,
    ExtraBrace,
    RawNewline,
    Fence,
    /// Another word, like `parameters`, in place of `arguments`.
    ArgumentsKey,
    ArgumentsText,
    NoArguments,
    /// The opening mark was missing, and the call is the whole answer.
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

/// Counts scanned bytes for tests, which check that the total grows linearly.
fn spent(_bytes: usize) {
    #[cfg(test)]
    tests::linear::SPENT.with(|spent| spent.set(spent.get() + _bytes));
}

#[cfg(test)]
mod tests;
