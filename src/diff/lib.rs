//! Compares texts, and parses and applies patches. Pure.
//!
//! Works on bytes, so that files in any encoding are preserved. Two texts always give the same hunks, because decisions
//! refer to hunks by position.

mod alike;
mod carried;
mod chosen;
mod hunks;
mod lines;
mod nearest;
mod numbers;
pub mod patch;
mod regained;
mod rows;
mod search;
mod sides;
mod text;
mod unified;
mod words;
mod work;

pub use carried::{carried, carried_over};
pub use chosen::Line;
pub use hunks::{Hunk, counts, hunks, keep_bytes, new_lines};
pub use lines::{LineEnd, dominant_end, split, split_end};
pub use nearest::nearest;
pub use rows::DiffRow;
pub use sides::Sides;
pub use text::{BOM, Encoding, Text, TextId};
pub use unified::{hunk_text, unified_text};
pub use words::word_changes;
