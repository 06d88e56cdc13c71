//! The folder brings rules or settings of its own: whether they count. A card, it blocks no typing and takes no letter:
//! it is answered from the palette (`Trust …`), or by `/trust` and `/distrust`.

use crate::base::text::reveal;
use crate::lang::{self, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrustCard {
    pub(crate) files: Vec<String>,
}

impl TrustCard {
    /// The sentences of the card, a row each.
    pub(crate) fn rows(&self) -> Vec<String> {
        let brought = lang::brought(&self.files);
        let mut rows = vec![lang::brings(&reveal(&brought)), word(Word::TrustHow).to_owned()];
        if self.files.iter().any(|file| !brought.contains(file.as_str())) {
            rows.push(word(Word::TrustList).to_owned());
        }
        rows
    }

    /// Every file, a line each.
    pub(crate) fn list(&self) -> String {
        let files: Vec<_> = self.files.iter().map(|file| reveal(file).into_owned()).collect();
        files.join("\n")
    }
}
