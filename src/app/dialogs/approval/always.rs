//! What "always" could cover, as a list of scopes, each said exactly.

use std::sync::Arc;

use crate::base::text::{reveal, truncate, width as columns, wrap_anywhere};
use crate::domain::permission::{Decision, Kept, Lasts, Scope};
use crate::domain::review::Review;
use crate::lang;
use crate::protocol::ApprovalRequest;

const CHOSEN: &str = "▸ ";
const OTHER: &str = "  ";

/// What "always" could cover, and what of it is chosen.
pub(crate) struct Always {
    /// From the least to the most; never empty.
    pub(crate) scopes: Vec<Scope>,
    pub(crate) chosen: usize,
    pub(crate) lasts: Lasts,
    request: Arc<ApprovalRequest>,
}

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScopeRow {
    pub(crate) rule: String,
    /// In words, behind the rule or below it.
    pub(crate) covered: String,
    pub(crate) chosen: bool,
}

impl Always {
    pub(super) fn new(request: &Arc<ApprovalRequest>) -> Option<Self> {
        let scopes = &request.verdict.scopes;
        (!scopes.is_empty()).then(|| Self {
            scopes: scopes.clone(),
            chosen: 0,
            lasts: Lasts::Session,
            request: Arc::clone(request),
        })
    }

    pub(crate) fn less(&mut self) {
        self.chosen = self.chosen.saturating_sub(1);
    }

    pub(crate) fn more(&mut self) {
        self.chosen = (self.chosen + 1).min(self.scopes.len().saturating_sub(1));
    }

    pub(crate) fn lasts_other(&mut self) {
        self.lasts = match self.lasts {
            Lasts::Session => Lasts::Project,
            Lasts::Project => Lasts::Session,
        };
    }

    pub(crate) fn decision(mut self, kept: Kept) -> Decision {
        if self.chosen >= self.scopes.len() {
            return Decision::Once { kept };
        }
        Decision::Always {
            scope: self.scopes.swap_remove(self.chosen),
            lasts: self.lasts,
            kept,
        }
    }

    /// The list in `width` columns. The chosen scope is whole, in as many rows as it takes; the end of another may be cut off.
    pub(crate) fn rows(&self, width: u16) -> Vec<ScopeRow> {
        let scopes = self.scopes.iter().enumerate();
        scopes
            .flat_map(|(n, scope)| rows_of((scope, &self.request.review), n == self.chosen, usize::from(width)))
            .collect()
    }
}

fn rows_of((scope, of): (&Scope, &Review), chosen: bool, width: usize) -> Vec<ScopeRow> {
    let mark = if chosen { CHOSEN } else { OTHER };
    let rule = reveal(&format!("{}: {}", scope.key, scope.pattern)).into_owned();
    let covered = reveal(&lang::covered(scope, of)).into_owned();
    let row = |rule: String, covered: String| ScopeRow { rule, covered, chosen };
    if columns(mark) + columns(&rule) + 2 + columns(&covered) <= width {
        return vec![row(format!("{mark}{rule}"), format!("  {covered}"))];
    }
    let room = width.saturating_sub(columns(mark)).max(1);
    if !chosen {
        return vec![row(format!("{mark}{}", truncate(&rule, room)), String::new())];
    }
    let parts = |text: &str| -> Vec<String> {
        let parts = wrap_anywhere(text, room).into_iter();
        parts.filter_map(|part| Some(text.get(part)?.to_owned())).collect()
    };
    let rule = parts(&rule).into_iter().enumerate().map(|(n, part)| {
        let before = if n == 0 { mark } else { OTHER };
        row(format!("{before}{part}"), String::new())
    });
    let covered = parts(&covered)
        .into_iter()
        .map(|part| row(String::new(), format!("{OTHER}{part}")));
    rule.chain(covered).collect()
}
