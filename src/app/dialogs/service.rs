//! The card that offers to start a model server on this machine. It takes no keys, and ignoring it starts nothing.

use crate::base::text::reveal;
use crate::lang::{self, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServiceCard {
    pub(crate) place: String,
    pub(crate) command: String,
}

impl ServiceCard {
    pub(crate) fn rows(&self) -> Vec<String> {
        let offered = lang::service_offered(&reveal(&self.place), &reveal(&self.command));
        vec![offered, word(Word::ServiceHow).to_owned()]
    }
}
