//! Lists the items of the next request for the context pane.

use std::collections::HashMap;

use super::Bench;
use crate::assembly::{kind_of, named_in};
use benchdog_base::id::CallId;
use benchdog_domain::budget::{CarriedAs, ContextItem, LedgerKind};
use benchdog_domain::entry::Body;
use benchdog_domain::history::Part;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{Success, ToolFacts};
use benchdog_domain::undo::as_typed;

const LABEL: usize = 80;

impl Bench<'_> {
    pub fn items(&self) -> Vec<ContextItem> {
        let parts = self.history.carried().parts();
        let titles = titles(parts);
        let standing = self.estimator.standing().into_iter();
        standing
            .chain(parts.iter().flat_map(|part| self.of_part(part, &titles)))
            .collect()
    }

    fn of_part(&self, part: &Part, titles: &Titles<'_>) -> Vec<ContextItem> {
        let Some(own) = self.item(part, self.cost(part), titles) else {
            return Vec::new();
        };
        if let Part::Replaced(beginning) = part {
            let kept = beginning.kept.iter();
            let kept = kept.filter_map(|part| self.item(part, self.cost_kept(part), titles));
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

    fn item(&self, part: &Part, tokens: u64, titles: &Titles<'_>) -> Option<ContextItem> {
        let (kind, label) = self.named(part, titles)?;
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

    fn named(&self, part: &Part, titles: &Titles<'_>) -> Option<(LedgerKind, String)> {
        Some(match &part.entry().body {
            Body::User { text, .. } => (LedgerKind::Conversation, first_words(text)),
            Body::Assistant { text, calls, .. } if text.trim().is_empty() => {
                let calls = calls.iter().map(|call| match titles.get(&call.id) {
                    Some((title, summary)) => {
                        let title = with_lines(title, summary);
                        first_words(&format!("{} {title}", call.name))
                    }
                    None => call.name.clone(),
                });
                let calls: Vec<String> = calls.collect();
                (LedgerKind::Conversation, format!("→ {}", calls.join(", ")))
            }
            Body::Assistant { text, .. } => (LedgerKind::Conversation, first_words(text)),
            Body::ToolResult {
                tool, title, summary, ..
            } => match ToolFacts::success_of(self.tools, tool) {
                Success::FileRead => (LedgerKind::Files, with_lines(title, summary)),
                Success::Instructed => (LedgerKind::Skills, first_words(title)),
                Success::Informed | Success::ListKept | Success::Answered | Success::Acted => {
                    (LedgerKind::Results, first_words(&format!("{tool} {title}")))
                }
            },
            Body::Shell { command, .. } => (LedgerKind::Results, first_words(&as_typed(command))),
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

type Titles<'e> = HashMap<&'e CallId, (&'e str, &'e Summary)>;

fn titles(parts: &[Part]) -> Titles<'_> {
    let results = parts.iter().filter_map(|part| match &part.entry().body {
        Body::ToolResult {
            call, title, summary, ..
        } if !title.is_empty() => Some((call, (title.as_str(), summary))),
        _ => None,
    });
    results.collect()
}

/// Appends the line range of a partial read to a title, such as `src/a.rs:10-49`.
fn with_lines(title: &str, summary: &Summary) -> String {
    let Summary::SomeLines { shown: shown @ 1.., .. } = summary else {
        return title.to_owned();
    };
    let named = title.rsplit_once(':');
    let named = named.and_then(|(path, first)| Some((path, first.replace(',', "").parse::<u64>().ok()?)));
    let (path, first) = named.unwrap_or((title, 1));
    format!("{path}:{first}-{}", first + shown - 1)
}

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
