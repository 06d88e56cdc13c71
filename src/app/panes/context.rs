//! How full the model's window is, and with what.

use crate::domain::budget::Ledger;

#[derive(Default)]
pub(crate) struct ContextPane {
    pub(crate) ledger: Option<Ledger>,
}

impl ContextPane {
    /// `41 %`, `~41 %` where it is an estimate, nothing before the first count.
    pub(crate) fn percent(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = if ledger.estimated { "~" } else { "" };
        Some(format!("{about}{} %", ledger.percent()))
    }
}
