//! The step that chooses the scope of "Always allow". Each scope is described exactly.

use std::sync::Arc;

use super::Seen;
use benchdog_base::text::{reveal, width as columns, wrap};
use benchdog_domain::permission::{Decision, Kept, Lasts, Scope};
use benchdog_domain::review::Review;
use benchdog_lang as lang;
use benchdog_protocol::ApprovalRequest;

const CHOSEN: &str = "▸ ";
const OTHER: &str = "  ";

pub struct Always {
    /// The offered scopes, from the narrowest to the widest. Never empty.
    pub scopes: Vec<Scope>,
    pub chosen: usize,
    pub lasts: Lasts,
    above: usize,
    seen: Seen,
    /// Whether the last frame showed the end of the scope, and the user has not scrolled since.
    at_end: bool,
    /// The rows with their width and scope. They are cached, because one frame needs them several times.
    list: Option<(Of, Arc<[ScopeRow]>)>,
    request: Arc<ApprovalRequest>,
}

type Of = (u16, usize);

pub struct Laid {
    pub heading: String,
    pub rows: Arc<[ScopeRow]>,
    pub first: usize,
    above: usize,
    to: usize,
    own: usize,
    pub(super) fits: bool,
    pub goes_on: bool,
    /// Whether every row of the scope has been visible, and at least one row is visible now.
    pub can_be_granted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRow {
    pub rule: String,
    pub covered: String,
    pub chosen: bool,
}

impl Always {
    pub(super) fn new(request: &Arc<ApprovalRequest>) -> Option<Self> {
        let scopes = &request.verdict.scopes;
        (!scopes.is_empty()).then(|| Self {
            scopes: scopes.clone(),
            chosen: 0,
            lasts: Lasts::Session,
            above: 0,
            seen: Seen::default(),
            at_end: false,
            list: None,
            request: Arc::clone(request),
        })
    }

    pub(crate) fn less(&mut self) {
        match self.above.checked_sub(1) {
            Some(above) => self.above = above,
            None => self.choose(self.chosen.saturating_sub(1)),
        }
    }

    /// Scrolls down by one row, or chooses the next scope. Never skips an undrawn row, even if the user holds down the
    /// key. Stops at the end of a scope, because the next scope allows more.
    pub(crate) fn more(&mut self, width: u16, height: u16) {
        let laid = self.laid(width, height);
        let at_end = std::mem::take(&mut self.at_end);
        if laid.goes_on {
            self.above = (laid.above + 1).min(self.seen.next(0));
        } else if laid.fits || at_end {
            self.choose((self.chosen + 1).min(self.scopes.len().saturating_sub(1)));
        }
    }

    fn choose(&mut self, chosen: usize) {
        if chosen != self.chosen {
            (self.chosen, self.above, self.at_end) = (chosen, 0, false);
            self.seen = Seen::default();
            if let Some(((width, _), _)) = self.list {
                self.lay(width);
            }
        }
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        if !self.seen.is_of(width) {
            self.above = 0;
        }
        self.lay(width);
        let laid = self.laid(width, height);
        self.above = laid.above;
        self.seen.note(laid.above..laid.to, laid.own, width);
        self.at_end = !laid.goes_on;
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

    pub(super) fn heading(&self) -> String {
        lang::allowed_while(self.lasts, self.child().as_deref())
    }

    fn child(&self) -> Option<String> {
        let child = self.request.child.as_ref();
        child.map(|child| reveal(&child.name()).into_owned())
    }

    pub(super) fn rows(&self, width: u16) -> Arc<[ScopeRow]> {
        if let Some((of, rows)) = &self.list
            && *of == (width, self.chosen)
        {
            return Arc::clone(rows);
        }
        let scopes = self.scopes.iter().enumerate();
        scopes
            .flat_map(|(n, scope)| rows_of((scope, &self.request.review), n == self.chosen, usize::from(width)))
            .collect()
    }

    fn lay(&mut self, width: u16) {
        self.list = Some(((width, self.chosen), self.rows(width)));
    }

    pub(super) fn least(&self, width: u16) -> u16 {
        let heading = lang::allowed_while_briefly(self.lasts, self.child().as_deref());
        let own = self.rows(width).iter().filter(|row| row.chosen).count();
        u16::try_from(wrap(&heading, usize::from(width.max(1))).len() + own).unwrap_or(u16::MAX)
    }

    /// Computes the visible part. In a low window the heading is short, so that the chosen scope stays visible.
    pub fn laid(&self, width: u16, height: u16) -> Laid {
        let (columns, height) = (usize::from(width.max(1)), usize::from(height));
        let rows = self.rows(width);
        let tall = |text: &str| wrap(text, columns).len();
        let mut heading = self.heading();
        if tall(&heading) + rows.len() > height {
            heading = lang::allowed_while_briefly(self.lasts, self.child().as_deref());
        }
        let room = height.saturating_sub(tall(&heading));
        let begins = rows.iter().position(|row| row.chosen).unwrap_or(0);
        let ends = rows.iter().rposition(|row| row.chosen).map_or(0, |last| last + 1);
        let own = ends - begins;
        let fits = room >= own;
        let above = self.above.min(own.saturating_sub(room));
        Laid {
            heading,
            rows,
            first: if fits {
                ends.saturating_sub(room).min(begins)
            } else {
                begins + above
            },
            above,
            to: own.min(above + room),
            own,
            fits,
            goes_on: room > 0 && above + room < own,
            can_be_granted: room > 0 && (fits || self.seen.is_of(width) && self.seen.is_whole()),
        }
    }
}

fn rows_of((scope, of): (&Scope, &Review), chosen: bool, width: usize) -> Vec<ScopeRow> {
    let parts = scope.parts().enumerate();
    let mut rows: Vec<ScopeRow> = parts
        .flat_map(|(n, part)| {
            let mark = if chosen && n == 0 { CHOSEN } else { OTHER };
            rows_of_part((&part, of), (mark, chosen), width)
        })
        .collect();
    if let Some(together) = lang::covered_together(scope, of) {
        let room = width.saturating_sub(columns(OTHER)).max(1);
        let parts = wrap(together, room).into_iter();
        rows.extend(parts.filter_map(|part| {
            Some(ScopeRow {
                rule: String::new(),
                covered: format!("{OTHER}{}", together.get(part)?),
                chosen,
            })
        }));
    }
    rows
}

fn rows_of_part((scope, of): (&Scope, &Review), (mark, chosen): (&str, bool), width: usize) -> Vec<ScopeRow> {
    let rule = reveal(&format!("{}: {}", scope.key, scope.pattern)).into_owned();
    let covered = reveal(&lang::covered(scope, of)).into_owned();
    let row = |rule: String, covered: String| ScopeRow { rule, covered, chosen };
    if columns(mark) + columns(&rule) + 2 + columns(&covered) <= width {
        return vec![row(format!("{mark}{rule}"), format!("  {covered}"))];
    }
    let room = width.saturating_sub(columns(mark)).max(1);
    let parts = |text: &str| -> Vec<String> {
        let parts = wrap(text, room).into_iter();
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
