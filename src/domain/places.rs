//! Files and lines that a session read or changed. Evidence in answers is verified against them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::entry::Body;
use super::mention::MentionKind;

const MOST: usize = 4_096;

/// A range of lines, including the last line. Counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub u64, pub u64);

/// A file that a call used, and the lines that the call showed. `lines` is empty if the call only mentioned the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub path: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Lines>,
}

/// A replaced range of lines: its start, and the numbers of removed and added lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// First removed line, counted from 1. For a pure insertion, the old number of the line after the inserted text.
    pub at: u64,
    pub went: u64,
    pub came: u64,
}

/// All files that the session read or changed, by workspace path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Witnessed {
    files: BTreeMap<String, Known>,
    ran: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    lines: Vec<Lines>,
    changed: bool,
}

impl Known {
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    pub fn holds(&self, line: u64) -> bool {
        self.lines.iter().any(|known| (known.0..=known.1).contains(&line))
    }

    pub fn lines(&self) -> &[Lines] {
        &self.lines
    }

    fn add(&mut self, more: impl IntoIterator<Item = Lines>) {
        self.lines.extend(more.into_iter().filter(|lines| lines.0 <= lines.1));
        self.lines.sort_by_key(|lines| lines.0);
        let mut joined: Vec<Lines> = Vec::with_capacity(self.lines.len());
        for lines in std::mem::take(&mut self.lines) {
            match joined.last_mut() {
                Some(last) if lines.0 <= last.1.saturating_add(1) => last.1 = last.1.max(lines.1),
                _ => joined.push(lines),
            }
        }
        joined.truncate(MOST);
        self.lines = joined;
    }

    /// Adds the new numbers of the lines below a change. The old numbers stay valid, because the model saw them.
    fn shift(&mut self, moved: &[Moved]) {
        let shifted: Vec<Lines> = self.lines.iter().flat_map(|lines| shifted(*lines, moved)).collect();
        let new = came(moved);
        self.changed = true;
        self.add(shifted.into_iter().chain(new));
    }
}

fn shifted(lines: Lines, moved: &[Moved]) -> Vec<Lines> {
    let mut out = Vec::new();
    let (mut from, mut by) = (lines.0, 0i64);
    let put = |out: &mut Vec<Lines>, first: u64, last: u64, by: i64| {
        if first <= last {
            out.push(Lines(first.saturating_add_signed(by), last.saturating_add_signed(by)));
        }
    };
    for change in moved {
        if change.at > lines.1 {
            break;
        }
        if change.at > from {
            put(&mut out, from, change.at - 1, by);
        }
        from = from.max(change.at + change.went);
        by += i64::try_from(change.came).unwrap_or(i64::MAX) - i64::try_from(change.went).unwrap_or(i64::MAX);
    }
    put(&mut out, from, lines.1, by);
    out
}

fn came(moved: &[Moved]) -> Vec<Lines> {
    let mut by = 0i64;
    let mut out = Vec::new();
    for change in moved {
        let at = change.at.saturating_add_signed(by);
        out.push(match change.came {
            0 => Lines(at.saturating_sub(1).max(1), at),
            came => Lines(at, at + came - 1),
        });
        by += i64::try_from(change.came).unwrap_or(i64::MAX) - i64::try_from(change.went).unwrap_or(i64::MAX);
    }
    out
}

impl Witnessed {
    pub(crate) fn take(&mut self, body: &Body) {
        match body {
            Body::ToolResult { places, .. } => {
                for Place { path, lines } in places {
                    self.files.entry(path.clone()).or_default().add(lines.iter().copied());
                }
            }
            Body::Change { path, moved, .. } => self.files.entry(path.clone()).or_default().shift(moved),
            Body::User { mentions, .. } => {
                for file in mentions.iter().filter(|mention| mention.kind == MentionKind::File) {
                    let known = self.files.entry(file.path.clone()).or_default();
                    known.add(file.lines.map(|part| Lines(part.first, part.last)));
                }
            }
            // Calls that list their files log all of their changes. Any other call may have changed more files.
            Body::CallStarted { files, .. } if files.is_empty() => self.ran = true,
            Body::Shell { .. } => self.ran = true,
            _ => {}
        }
    }

    pub fn file(&self, path: &str) -> Option<&Known> {
        self.files.get(path)
    }

    pub fn ran(&self) -> bool {
        self.ran
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub fn changed(&self) -> impl Iterator<Item = &str> {
        let changed = self.files.iter().filter(|(_, known)| known.changed);
        changed.map(|(path, _)| path.as_str())
    }
}

#[cfg(test)]
mod tests;
