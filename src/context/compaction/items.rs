//! What the next request carries, thing by thing.

use super::Bench;
use crate::context::assembly::{kind_of, named_in, quoted};
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

    /// What stands for it, and what went along with it.
    fn of_part(&self, part: &Part) -> Vec<ContextItem> {
        let Some(own) = self.item(part, self.cost(part)) else {
            return Vec::new();
        };
        if let Part::Replaced(beginning) = part {
            let kept = beginning.kept.iter();
            let kept = kept.filter_map(|part| self.item(part, self.estimator.of_text(&quoted(part))));
            return with_shares(own, kept.collect());
        }
        let along = named_in(part).into_iter().map(|(mention, tokens)| ContextItem {
            kind: kind_of(mention),
            label: mention.path.clone(),
            tokens: self.estimator.calibrated(tokens),
            ..own.clone()
        });
        let along = along.collect();
        with_shares(own, along)
    }

    fn item(&self, part: &Part, tokens: u64) -> Option<ContextItem> {
        let (kind, label) = self.named(part)?;
        let entry = part.entry().id;
        Some(ContextItem {
            kind,
            label,
            tokens,
            entry: (!matches!(part, Part::Replaced(_))).then_some(entry),
            carried: match part {
                Part::Whole(_) | Part::Replaced(_) => CarriedAs::Whole,
                Part::Cut(..) | Part::Lean(..) | Part::Words(_) => CarriedAs::Part,
                Part::Dropped(_) => CarriedAs::Line,
            },
            pinned: self.history.carried().is_pinned(entry),
        })
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
                Success::Instructed => (LedgerKind::Skills, first_words(title)),
                Success::Informed | Success::ListKept | Success::Acted => {
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

/// What stands within it is taken out of its tokens.
fn with_shares(own: ContextItem, shares: Vec<ContextItem>) -> Vec<ContextItem> {
    let within: u64 = shares.iter().map(|item| item.tokens).sum();
    let own = ContextItem {
        tokens: own.tokens.saturating_sub(within),
        ..own
    };
    std::iter::once(own).chain(shares).collect()
}

fn first_words(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(LABEL).collect()
}
