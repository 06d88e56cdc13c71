//! Reads log entries without their long outputs, which are the largest part of a log. A second pass reads the outputs
//! that must be in memory.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::decoding::Decode;
use super::rows::Row;
use benchdog_base::json::decoded_len;
use benchdog_domain::entry::{Body, Entry};

/// Size in bytes below which a row is decoded completely. For such a row, a second pass would take longer.
const LONG_ROW: usize = 4 << 10;

/// File size in bytes below which entries are read completely. Most outputs of a small file are needed in memory.
const LARGE_FILE: u64 = 24 << 20;

pub(super) struct Outline {
    pub(super) entry: Arc<Entry>,
    pub(super) left_out: usize,
}

#[derive(Deserialize)]
struct Long<'a> {
    #[serde(borrow)]
    output: &'a RawValue,
}

pub(super) fn reading(path: &Path) -> Decode<Outline> {
    if path.metadata().is_ok_and(|file| file.len() >= LARGE_FILE) {
        |row| row.outline()
    } else {
        |row| {
            row.check()?;
            row.whole()
        }
    }
}

impl Row<'_> {
    fn outline(&self) -> Result<Outline, String> {
        self.check()?;
        let outline = outline(self.bytes).filter(|outline| outline.entry.id.0 == self.id);
        outline.map_or_else(|| self.whole(), Ok)
    }

    fn whole(&self) -> Result<Outline, String> {
        Ok(Outline {
            entry: Arc::new(self.decode()?),
            left_out: 0,
        })
    }
}

/// Decodes a row without its output. Returns `None` for a row without a long output or in another format.
fn outline(bytes: &[u8]) -> Option<Outline> {
    if bytes.len() < LONG_ROW {
        return None;
    }
    let long: Long<'_> = serde_json::from_slice(bytes).ok()?;
    let quoted = long.output.get();
    let left_out = decoded_len(quoted)?;
    let from = (quoted.as_ptr() as usize).checked_sub(bytes.as_ptr() as usize)?;
    let (before, after) = (bytes.get(..from)?, bytes.get(from + quoted.len()..)?);
    let entry = Entry::of_json(&[before, b"\"\"", after].concat()).ok()?;
    matches!(&entry.body, Body::ToolResult { output, .. } if output.is_empty()).then(|| Outline {
        entry: Arc::new(entry),
        left_out,
    })
}

#[cfg(test)]
mod tests;
