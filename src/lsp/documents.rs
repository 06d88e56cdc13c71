//! The open files of a server, with their texts and versions.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::limits::MOST_OPEN;

#[derive(Default)]
pub(crate) struct Documents {
    open: BTreeMap<PathBuf, Document>,
    version: i32,
    used: u64,
}

struct Document {
    text: Arc<str>,
    stamp: Option<Stamp>,
    used: u64,
}

/// Inode, size, and modification time in seconds and nanoseconds. Every write to a file changes its stamp.
pub(crate) type Stamp = (u64, u64, i64, i64);

/// The way to send a text. `Same` means that the server already has the text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Same,
    Open(i32),
    Change(i32),
}

impl Documents {
    /// Returns how to send a text. The caller sends the text, then calls `record_sent`.
    pub(crate) fn step(&mut self, path: &Path, text: &str, stamp: Option<Stamp>) -> Step {
        self.used += 1;
        let used = self.used;
        match self.open.get_mut(path) {
            Some(document) if &*document.text == text => {
                (document.used, document.stamp) = (used, stamp);
                Step::Same
            }
            Some(_) => Step::Change(self.version + 1),
            None => Step::Open(self.version + 1),
        }
    }

    /// Records a sent text. Returns a file to close if too many files are open.
    pub(crate) fn record_sent(
        &mut self,
        path: &Path,
        text: &Arc<str>,
        version: i32,
        stamp: Option<Stamp>,
    ) -> Option<PathBuf> {
        self.version = version;
        let document = Document {
            text: Arc::clone(text),
            stamp,
            used: self.used,
        };
        self.open.insert(path.to_path_buf(), document);
        if self.open.len() <= MOST_OPEN {
            return None;
        }
        let oldest = self.open.iter().min_by_key(|(_, document)| document.used);
        let oldest = oldest.map(|(path, _)| path.clone())?;
        self.open.remove(&oldest);
        Some(oldest)
    }

    pub(crate) fn close(&mut self, path: &Path) -> bool {
        self.open.remove(path).is_some()
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.open.keys().cloned().collect()
    }

    pub(crate) fn text(&self, path: &Path) -> Option<&Arc<str>> {
        self.open.get(path).map(|document| &document.text)
    }

    pub(crate) fn stamps(&self) -> Vec<(PathBuf, Option<Stamp>)> {
        let open = self.open.iter();
        open.map(|(path, document)| (path.clone(), document.stamp)).collect()
    }
}

/// Returns the current stamp of a file. May block.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok()?;
    Some((found.ino(), found.len(), found.mtime(), found.mtime_nsec()))
}

pub(crate) fn language(path: &Path) -> &str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let known = LANGUAGES.iter().find(|(endings, _)| endings.contains(&ending));
    known.map_or(if ending.is_empty() { "plaintext" } else { ending }, |(_, name)| *name)
}

/// Language identifiers by file extension. Any other extension is its own identifier.
const LANGUAGES: &[(&[&str], &str)] = &[
    (&["rs"], "rust"),
    (&["py", "pyi"], "python"),
    (&["ts", "mts", "cts"], "typescript"),
    (&["tsx"], "typescriptreact"),
    (&["js", "mjs", "cjs"], "javascript"),
    (&["jsx"], "javascriptreact"),
    (&["h", "c"], "c"),
    (&["cc", "cpp", "cxx", "hh", "hpp", "hxx"], "cpp"),
    (&["cs"], "csharp"),
    (&["rb"], "ruby"),
    (&["kt", "kts"], "kotlin"),
    (&["hs"], "haskell"),
    (&["ex", "exs"], "elixir"),
    (&["erl"], "erlang"),
    (&["ml", "mli"], "ocaml"),
    (&["sh"], "shellscript"),
    (&["yml", "yaml"], "yaml"),
    (&["md"], "markdown"),
    (&["tex"], "latex"),
    (&["pl", "pm"], "perl"),
];
