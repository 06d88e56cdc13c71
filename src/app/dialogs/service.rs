//! The card that offers to start a model server on this machine. The card takes no keys.

use benchdog_base::text::reveal;
use benchdog_lang::{self as lang, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceCard {
    pub place: String,
    pub command: String,
}

impl ServiceCard {
    pub fn rows(&self) -> Vec<String> {
        let offered = lang::message::service_offered(&reveal(&self.command), &reveal(&self.place));
        vec![offered, word(Word::ServiceHow).to_owned()]
    }
}
