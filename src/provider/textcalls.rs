//! Tool calls that a model wrote as text, because its server has no parser for them or the parser failed.
//!
//! Text goes in as it arrives; what may be shown comes out at once, and calls come out at the end. Nothing is read twice from its
//! beginning, nothing is guessed, and a call counts only where the model makes one: not in code, not in a quotation, not in a cut answer.

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

/// What was found in one answer.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// In the order the model wrote them. Empty unless the answer ended properly.
    pub(crate) calls: Vec<WrittenCall>,
    /// How many calls stand beside calls that the server understands by itself, whether they count or not.
    pub(crate) leaks: usize,
    /// How many calls were left out because they repeat the call before them.
    pub(crate) repeated: usize,
    /// Calls that were meant and cannot be used.
    pub(crate) malformed: Vec<Malformed>,
    /// Calls of tools that were not offered, where others were made beside them.
    pub(crate) unknown: Vec<UnknownCall>,
}

/// A call of a tool that was not offered, to be answered as such.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnknownCall {
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrittenCall {
    /// As the tool is declared.
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
    /// The family's name.
    pub(crate) family: &'static str,
    /// A mark, and not only its shape, says that it is a call.
    pub(crate) marked: bool,
    /// It stands at the start of a line.
    pub(crate) begins_line: bool,
    pub(crate) repairs: Vec<Repair>,
}

impl Found {
    /// Leaves only what counts beside `native` calls of the server's own: complete calls in marks at the start of a line that are not
    /// among these.
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

/// What had to be forgiven to understand a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repair {
    PythonQuotes,
    PythonLiterals,
    TrailingComma,
    /// The last brace was missing before the closing mark.
    MissingBrace,
    ExtraBrace,
    /// A line break or another control character stood in a JSON text.
    RawNewline,
    /// A code fence stood inside the marks.
    Fence,
    /// `parameters` or another word stood for `arguments`.
    ArgumentsKey,
    /// The arguments came as a JSON text.
    ArgumentsText,
    /// There were no arguments at all.
    NoArguments,
    /// The opening mark was missing before a call that is the whole answer.
    MissingOpen,
    /// The closing mark was missing behind a complete call at the end of the answer.
    MissingClose,
    /// A token that ends answers stood behind the call.
    LeakedEnd,
    /// The tool was called by another name.
    Alias,
}

/// A call that was meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Malformed {
    /// The family's name.
    pub(crate) family: &'static str,
    pub(crate) why: Unusable,
}

/// Why a call cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unusable {
    Unknown(String),
    /// The answer ended inside the call of this tool, where as much of it was read, or was cut behind it.
    Cut(Option<String>),
    /// Its JSON or its tags cannot be read.
    Unreadable,
    /// Its arguments are no object.
    Unfit,
    /// There is no name in it.
    NoCall,
    /// Other text stands where its closing mark should.
    Unclosed,
    TooLong,
    /// More calls than one answer may make.
    TooMany,
}

/// Adds a repair once.
fn note(repairs: &mut Vec<Repair>, repair: Repair) {
    if !repairs.contains(&repair) {
        repairs.push(repair);
    }
}

/// So many bytes were looked at; tests hold that it stays linear.
fn spent(_bytes: usize) {
    #[cfg(test)]
    tests::linear::SPENT.with(|spent| spent.set(spent.get() + _bytes));
}

#[cfg(test)]
mod tests;
