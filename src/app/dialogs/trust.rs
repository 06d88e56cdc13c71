//! The card that asks whether to trust a folder. It takes no keys: the palette, `/trust` or `/distrust` answer it.

use benchdog_base::text::reveal;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::RepositoryAsked;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustCard {
    pub files: Vec<String>,
    pub unbound: Vec<String>,
    pub repository: Option<RepositoryAsked>,
}

impl TrustCard {
    pub fn rows(&self) -> Vec<String> {
        let brought = lang::brought(&self.files);
        let mut rows = vec![lang::message::trust_brings(&reveal(&brought))];
        if !self.unbound.is_empty() {
            rows.push(lang::message::notice_unbound(&reveal(&self.unbound.join(", "))));
        }
        rows.push(word(Word::TrustHow).to_owned());
        if let Some(RepositoryAsked { top, files }) = &self.repository {
            let row = lang::message::trust_repository(&files.len().to_string(), top);
            rows.push(reveal(&row).into_owned());
        }
        if self.repository.is_some() || self.files.iter().any(|file| !brought.contains(file.as_str())) {
            rows.push(word(Word::TrustList).to_owned());
        }
        rows
    }

    pub fn list(&self) -> String {
        let files: Vec<_> = self.files.iter().map(|file| reveal(file).into_owned()).collect();
        let mut list = files.join("\n");
        if let Some(RepositoryAsked { top, files }) = &self.repository {
            list.push_str("\n\n");
            list.push_str(&reveal(&lang::message::trust_repository_files(top)));
            for file in files {
                list.push('\n');
                list.push_str(&reveal(file));
            }
        }
        list
    }
}
