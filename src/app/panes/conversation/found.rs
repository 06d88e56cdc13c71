//! Findings of a code review, one block each. The cursor moves through the findings and opens their file positions.

use std::sync::Arc;

use super::Conversation;
use super::block::{Block, Source};
use super::lay::lines;
use crate::line::{Line, Role};
use benchdog_base::spot::Spot;
use benchdog_base::text::{clean, fit, truncate_start, width as columns};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::finding::{Finding, Severity};
use benchdog_lang as lang;

const GAP: usize = 2;

impl Conversation {
    pub(super) fn found(&mut self, entry: &Arc<Entry>) {
        for at in 0..findings(&entry.body).len() {
            self.push(Source::Finding {
                entry: Arc::clone(entry),
                at,
            });
        }
    }

    pub(crate) fn read_found(&mut self, entry: &Entry) {
        let first = self.blocks.iter().position(|block| block.is_of(entry.id));
        if self.follows()
            && !findings(&entry.body).is_empty()
            && let Some(first) = first
        {
            self.show_at_top(first);
        }
    }

    pub(crate) fn chosen_finding(&self) -> Option<Spot> {
        self.blocks.get(self.selected?)?.finding().map(spot)
    }
}

impl Block {
    pub(super) fn finding(&self) -> Option<&Finding> {
        let Source::Finding { entry, at } = &self.source else {
            return None;
        };
        findings(&entry.body).get(*at)
    }

    pub(super) fn goes_on_with(&self, before: &Self) -> bool {
        match (&self.source, &before.source) {
            (Source::Finding { entry, .. }, Source::Finding { entry: before, .. }) => entry.id == before.id,
            _ => false,
        }
    }

    /// Returns the file positions in the block. If no finding is selected, returns the positions of the whole review.
    pub(super) fn spots(&self, chosen: bool) -> Vec<Spot> {
        match &self.source {
            Source::Finding { entry, .. } if !chosen => findings(&entry.body).iter().map(spot).collect(),
            Source::Finding { .. } => self.finding().map(spot).into_iter().collect(),
            _ => Spot::find(&self.text()),
        }
    }
}

pub(super) fn spot(finding: &Finding) -> Spot {
    Spot {
        path: finding.path.clone(),
        line: usize::try_from(finding.line).ok(),
    }
}

fn findings(body: &Body) -> &[Finding] {
    match body {
        Body::Findings { findings, .. } | Body::Shell { findings, .. } => findings,
        _ => &[],
    }
}

/// Renders a finding, such as `error    src/money.rs:2  divides by zero`, with its details below.
pub(super) fn rows(finding: &Finding, width: usize, rows: &mut Vec<Line>) {
    let word = lang::severity(finding.severity);
    let widest = Severity::ALL.map(|severity| columns(&lang::severity(severity)));
    let indent = (widest.into_iter().max().unwrap_or_default() + GAP).min(width / 3);
    let mut row = Line::of(role(finding.severity), fit(&word, indent));
    let place = clean(&finding.path);
    let place = format!("{place}:{}", finding.line);
    let room = width.saturating_sub(indent);
    row.push(Role::InlineCode, truncate_start(&place, room).into_owned());
    let title = clean(&finding.title);
    let beside = row.width() + GAP + columns(&title) <= width;
    if beside {
        row.push(Role::Text, " ".repeat(GAP));
        row.push(Role::Text, title.clone().into_owned());
    }
    rows.push(row);
    if !beside {
        indented(&title, Role::Text, indent, width, rows);
    }
    if !finding.detail.is_empty() {
        indented(&clean(&finding.detail), Role::Dim, indent, width, rows);
    }
}

fn indented(text: &str, role: Role, indent: usize, width: usize, rows: &mut Vec<Line>) {
    let mut wrapped = Vec::new();
    lines(text, role, width.saturating_sub(indent).max(1), &mut wrapped);
    rows.extend(wrapped.into_iter().map(|line| {
        let mut row = Line {
            lead: 1,
            goes_on: line.goes_on,
            ..Line::of(Role::Text, " ".repeat(indent))
        };
        row.spans.extend(line.spans);
        row
    }));
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Dim,
    }
}
