//! Comparing texts: lines, hunks, sides, words; and reading and applying patches. Pure: bytes in, plain data out.
//!
//! Everything works on bytes, so a file in any encoding comes back exactly; only what is shown is decoded. A list of
//! hunks depends on the two texts alone, never on a clock or a machine: a person decides over it by position, and the
//! same list is made again when the decision is carried out.

mod alike;
mod carried;
mod chosen;
mod hunks;
mod lines;
mod nearest;
mod numbers;
pub(crate) mod patch;
mod regained;
mod rows;
mod search;
mod sides;
mod text;
mod unified;
mod words;
mod work;

pub(crate) use carried::{carried, carried_over};
pub(crate) use chosen::Line;
pub(crate) use hunks::{Hunk, counts, hunks, keep_bytes, new_lines};
pub(crate) use lines::{LineEnd, dominant_end, split, split_end};
pub(crate) use nearest::nearest;
pub(crate) use rows::DiffRow;
pub(crate) use sides::Sides;
pub(crate) use text::{BOM, Encoding, Text, TextId};
pub(crate) use unified::{hunk_text, unified_text};
pub(crate) use words::word_changes;
