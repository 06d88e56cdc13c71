//! The rules a person or a project wrote for agents, as the prompt shows them. Which files count, and which of a folder may
//! be read at all, is decided elsewhere.

use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest rules file that is read; more would crowd out the work.
const MAX_BYTES: usize = 256 * 1024;

/// One rules file and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Whether the folder's own rules count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectRules {
    Counted,
    Ignored,
}

/// A file of the person's own, wherever it lies.
pub(crate) fn own(path: &Path) -> Option<RulesFile> {
    // The kind is checked first: opening a pipe that has no writer would block the start for ever.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = std::fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64).read_to_end(&mut bytes).ok()?;
    of_bytes(path.to_path_buf(), &bytes)
}

/// The same from bytes that were read already; `None` for a file without text.
pub(crate) fn of_bytes(path: PathBuf, bytes: &[u8]) -> Option<RulesFile> {
    let bytes = bytes.get(..MAX_BYTES).unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes)
        .trim_start_matches('\u{feff}')
        .trim()
        .to_owned();
    (!text.is_empty()).then_some(RulesFile { path, text })
}

/// The rules as the system prompt shows them; empty when there are none.
pub(crate) fn text(files: &[RulesFile]) -> String {
    files
        .iter()
        .map(|file| format!("\n## Rules from {}\n\n{}\n", file.path.display(), file.text))
        .collect()
}
