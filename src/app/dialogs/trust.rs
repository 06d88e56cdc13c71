//! The card that asks whether to trust a folder's rules and settings. It takes no keys. The palette (`Trust …`), `/trust` and `/distrust`
//! answer it.

use crate::base::text::reveal;
use crate::lang::{self, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrustCard {
    pub(crate) files: Vec<String>,
}

impl TrustCard {
    pub(crate) fn rows(&self) -> Vec<String> {
        let brought = lang::brought(&self.files);
        let mut rows = vec![lang::brings(&reveal(&brought)), word(Word::TrustHow).to_owned()];
        if self.files.iter().any(|file| !brought.contains(file.as_str())) {
            rows.push(word(Word::TrustList).to_owned());
        }
        rows
    }

    pub(crate) fn list(&self) -> String {
        let files: Vec<_> = self.files.iter().map(|file| reveal(file).into_owned()).collect();
        files.join("\n")
    }
}
