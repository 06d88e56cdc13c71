//! Findings of a review, each at a file and line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::comparison::Comparison;

pub const FINDINGS: &str = "findings";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Some(match word.trim().to_ascii_lowercase().as_str() {
            "error" | "critical" | "blocker" | "high" | "major" | "bug" | "fatal" => Self::Error,
            "warning" | "warn" | "medium" | "moderate" => Self::Warning,
            "note" | "info" | "low" | "minor" | "nit" | "hint" | "suggestion" | "style" | "trivial" => Self::Note,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    pub path: String,
    pub line: u64,
    pub severity: Severity,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Finding {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.path == other.path && self.line == other.line && self.title == other.title
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity.word();
        write!(out, "{}:{}: {severity}: {}", self.path, self.line, self.title)
    }
}

/// Adds new findings without duplicates. Sorts all findings by severity, then by location.
pub fn gather(known: &mut Vec<Finding>, more: &[Finding]) {
    for finding in more {
        if !known.iter().any(|known| known.is_same(finding)) {
            known.push(finding.clone());
        }
    }
    known.sort_by(|one, other| {
        let place = |finding: &Finding| (finding.path.clone(), finding.line);
        (other.severity.cmp(&one.severity)).then_with(|| place(one).cmp(&place(other)))
    });
}

pub fn listed(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(&finding.to_string());
        text.push('\n');
        for line in finding.detail.lines() {
            text.push_str("    ");
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The reviewed files, each with its number of lines if known. A finding must refer to one of these lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviewed(Arc<BTreeMap<String, Option<u64>>>);

impl Reviewed {
    pub fn of(comparison: &Comparison) -> Self {
        let files = comparison.files.iter().map(|file| {
            let change = &file.change;
            let side = change.after.as_ref().or(change.before.as_ref());
            (change.path.clone(), side.map(|bytes| line_count(bytes)))
        });
        Self(Arc::new(files.collect()))
    }

    pub fn lines(&self, path: &str) -> Option<Option<u64>> {
        self.0.get(path).copied()
    }
}

pub fn line_count(bytes: &[u8]) -> u64 {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let open = usize::from(bytes.last().is_some_and(|last| *last != b'\n'));
    (ends + open) as u64
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToReview {
    pub prompt: String,
    pub files: Reviewed,
}

#[cfg(test)]
mod tests;
