//! How full the model's window is, and with what.

use crate::domain::budget::{Ledger, LedgerKind};
use crate::lang::{self, Word, word};

#[derive(Default)]
pub(crate) struct ContextPane {
    pub(crate) ledger: Option<Ledger>,
    /// The first row shown: a gauge, the numbers, then what the tokens went to.
    pub(crate) top: usize,
}

impl ContextPane {
    /// `41 %`, `~41 %` where it is an estimate, nothing before the first count.
    pub(crate) fn percent(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = if ledger.estimated { "~" } else { "" };
        Some(format!("{about}{} %", ledger.percent()))
    }

    pub(crate) fn row_count(&self) -> usize {
        2 + self.ledger.as_ref().map_or(0, |ledger| ledger.items.len())
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by).min(self.row_count());
    }

    pub(crate) fn arrange(&mut self, height: u16) {
        self.top = self.top.min(self.row_count().saturating_sub(usize::from(height)));
    }

    /// All of it in tokens, a line each.
    pub(crate) fn text(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = if ledger.estimated { "~" } else { "" };
        let mut lines = vec![format!("{about}{}", lang::tokens(ledger.used, ledger.limit))];
        let items = ledger.items.iter();
        lines.extend(items.map(|item| format!("{} {}", name(item.kind), item.tokens)));
        Some(lines.join("\n"))
    }
}

pub(crate) fn name(kind: LedgerKind) -> &'static str {
    word(match kind {
        LedgerKind::System => Word::LedgerSystem,
        LedgerKind::Rules => Word::LedgerRules,
        LedgerKind::Tools => Word::LedgerTools,
        LedgerKind::Files => Word::LedgerFiles,
        LedgerKind::History => Word::LedgerHistory,
    })
}
