//! Recognises tool calls that a model wrote as text, because its server has no parser or the parser failed.
//!
//! Text arrives in chunks. Visible text is returned at once, calls at the end. Nothing is guessed or scanned twice. Calls in code,
//! quotations and truncated answers do not count.

mod candidate;
pub(crate) mod families;
mod marks;
mod offered;
mod place;
mod recogniser;
mod relaxed;
mod span;
mod tree;
mod value;

pub(crate) use recogniser::{Aside, Mode, Recogniser};

use serde_json::{Map, Value};

use crate::domain::message::{Arguments, ToolCall};

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// In written order. Empty unless the answer ended properly.
    pub(crate) calls: Vec<WrittenCall>,
    /// Number of text calls next to native calls, including ignored ones.
    pub(crate) leaks: usize,
    /// Number of calls that were ignored because they repeat the previous call.
    pub(crate) repeated: usize,
    pub(crate) malformed: Vec<Malformed>,
    /// Calls of unknown tools next to other calls.
    pub(crate) unknown: Vec<UnknownCall>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnknownCall {
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrittenCall {
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) family: &'static str,
    /// Whether a mark, rather than only its shape, identifies it as a call.
    pub(crate) marked: bool,
    pub(crate) begins_line: bool,
    pub(crate) repairs: Vec<Repair>,
}

impl Found {
    /// Keeps only leaked calls next to `native` ones: complete, marked, at the start of a line, and not among the native ones.
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

/// A deviation that was corrected in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repair {
    PythonQuotes,
    PythonLiterals,
    TrailingComma,
    MissingBrace,
    ExtraBrace,
    RawNewline,
    Fence,
    /// `parameters` or another word instead of `arguments`.
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
pub(crate) struct Malformed {
    pub(crate) family: &'static str,
    pub(crate) why: Unusable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unusable {
    Unknown(String),
    /// The answer ended inside the call. Contains the tool name, if known.
    Cut(Option<String>),
    Unreadable,
    Unfit,
    NoCall,
    /// Other text instead of the closing mark.
    Unclosed,
    TooLong,
    TooMany,
}

fn note(repairs: &mut Vec<Repair>, repair: Repair) {
    if !repairs.contains(&repair) {
        repairs.push(repair);
    }
}

/// Counts scanned bytes. Tests verify that the total is linear.
fn spent(_bytes: usize) {
    #[cfg(test)]
    tests::linear::SPENT.with(|spent| spent.set(spent.get() + _bytes));
}

#[cfg(test)]
mod tests;
