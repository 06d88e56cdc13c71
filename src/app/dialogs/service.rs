//! A server that could be started on this machine. A card: it blocks no typing, takes no letter, and doing nothing is a no.

use crate::base::text::reveal;
use crate::lang::{self, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServiceCard {
    pub(crate) place: String,
    /// What would be started, as it is typed.
    pub(crate) command: String,
}

impl ServiceCard {
    /// The sentences of the card, a row each.
    pub(crate) fn rows(&self) -> Vec<String> {
        let offered = lang::service_offered(&reveal(&self.place), &reveal(&self.command));
        vec![offered, word(Word::ServiceHow).to_owned()]
    }
}
