//! Finds the diagnostics that are new after an edit. Line numbers change, so diagnostics are compared by their message
//! and the text of their line.

use super::diagnostics::Diagnostic;
use benchdog_domain::finding::Severity;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Snapshot(Vec<SnapshotItem>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct SnapshotItem {
    severity: Severity,
    message: String,
    /// `None` if the text of the file is unknown.
    line: Option<String>,
}

impl Snapshot {
    /// Creates a snapshot of the diagnostics. `text` is the content of the file.
    pub(crate) fn of(found: &[Diagnostic], text: Option<&str>) -> Self {
        let lines: Option<Vec<&str>> = text.map(|text| text.lines().collect());
        let before = |found: &Diagnostic| SnapshotItem {
            severity: found.severity,
            message: found.message.clone(),
            line: lines.as_deref().map(|lines| line_of(lines, found).to_owned()),
        };
        Self(found.iter().map(before).collect())
    }

    /// Whether `now` has the same diagnostics. Their lines may differ.
    pub(crate) fn has_all(&self, now: &[Diagnostic]) -> bool {
        self.0.len() == now.len() && self.find_new(now.to_vec(), None).is_empty()
    }

    pub(crate) fn find_new(&self, now: Vec<Diagnostic>, text: Option<&str>) -> Vec<Diagnostic> {
        let lines: Option<Vec<&str>> = text.map(|text| text.lines().collect());
        let mut before: Vec<Option<&SnapshotItem>> = self.0.iter().map(Some).collect();
        let mut take = |found: &Diagnostic, line: Option<&str>| {
            let is_same = |known: &&SnapshotItem| {
                let (severity, message) = (known.severity, &known.message);
                severity == found.severity
                    && *message == found.message
                    && line.is_none_or(|line| known.line.as_deref().is_none_or(|known| known == line))
            };
            let same = before.iter_mut().find(|known| known.as_ref().is_some_and(is_same));
            same.and_then(Option::take).is_some()
        };
        // Match equal lines first. If several diagnostics have the same message, those on changed lines then count as
        // new.
        let rest: Vec<Diagnostic> = now
            .into_iter()
            .filter(|found| {
                let line = lines.as_deref().map(|lines| line_of(lines, found));
                !take(found, line)
            })
            .collect();
        rest.into_iter().filter(|found| !take(found, None)).collect()
    }
}

fn line_of<'t>(lines: &[&'t str], found: &Diagnostic) -> &'t str {
    let number = usize::try_from(found.line).unwrap_or(usize::MAX).saturating_sub(1);
    lines.get(number).map_or("", |line| line.trim())
}

#[cfg(test)]
mod tests;
