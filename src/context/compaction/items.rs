//! What the next request carries, thing by thing.

use super::Bench;
use crate::domain::budget::{CarriedAs, ContextItem, LedgerKind};
use crate::domain::entry::Body;
use crate::domain::history::Part;
use crate::domain::tool::{Success, ToolFacts};

/// Characters of a text that say which it is.
const LABEL: usize = 80;

impl Bench<'_> {
    /// Oldest first, behind what every request begins with.
    pub(crate) fn items(&self) -> Vec<ContextItem> {
        let parts = self.history.carried().parts();
        let standing = self.estimator.standing().into_iter();
        standing
            .chain(parts.iter().flat_map(|part| self.of_part(part)))
            .collect()
    }

    fn of_part(&self, part: &Part) -> Vec<ContextItem> {
        let Some((kind, label)) = self.named(part) else {
            return Vec::new();
        };
        let entry = part.entry().id;
        let own = ContextItem {
            kind,
            label,
            tokens: self.cost(part),
            entry: (!matches!(part, Part::Replaced(_))).then_some(entry),
            carried: match part {
                Part::Whole(_) | Part::Replaced(_) => CarriedAs::Whole,
                Part::Cut(..) => CarriedAs::Part,
                Part::Dropped(_) => CarriedAs::Line,
            },
            pinned: self.history.carried().is_pinned(entry),
        };
        let Part::Replaced(beginning) = part else {
            return vec![own];
        };
        let kept: Vec<ContextItem> = beginning.kept.iter().flat_map(|part| self.of_part(part)).collect();
        let within: u64 = kept.iter().map(|item| item.tokens).sum();
        let own = ContextItem {
            tokens: own.tokens.saturating_sub(within),
            ..own
        };
        std::iter::once(own).chain(kept).collect()
    }

    fn named(&self, part: &Part) -> Option<(LedgerKind, String)> {
        Some(match &part.entry().body {
            Body::User { text, .. } => (LedgerKind::Conversation, first_words(text)),
            Body::Assistant { text, calls, .. } if text.trim().is_empty() => {
                let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
                (LedgerKind::Conversation, format!("→ {}", names.join(", ")))
            }
            Body::Assistant { text, .. } => (LedgerKind::Conversation, first_words(text)),
            Body::ToolResult { tool, title, .. } => match ToolFacts::success_of(self.tools, tool) {
                Success::FileRead => (LedgerKind::Files, title.clone()),
                Success::Informed | Success::Instructed | Success::ListKept | Success::Acted => {
                    (LedgerKind::Results, first_words(&format!("{tool} {title}")))
                }
            },
            Body::Shell { command, .. } => (LedgerKind::Results, first_words(&format!("!{command}"))),
            Body::Validation { command, .. } => (LedgerKind::Results, first_words(command)),
            Body::Compaction(compaction) => {
                let summary = compaction
                    .replaced
                    .as_ref()
                    .and_then(|replaced| replaced.summary.as_deref());
                (LedgerKind::Summary, first_words(summary.unwrap_or_default()))
            }
            _ => return None,
        })
    }
}

fn first_words(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(LABEL).collect()
}
