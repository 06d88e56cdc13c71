//! The card that offers to download a model that its server lacks. The card also shows the progress.

use benchdog_base::disk::bytes_text;
use benchdog_base::text::reveal;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::percent;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::PullState;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullCard {
    pub model: ModelRef,
    pub names: Vec<String>,
    /// The state of the download. `None` until the person starts the download.
    pub state: Option<PullState>,
}

impl PullCard {
    pub fn offer(model: ModelRef, names: Vec<String>) -> Self {
        Self {
            model,
            names,
            state: None,
        }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.state, Some(PullState::Running { .. }))
    }

    /// Returns the rows of the card. `key` is the key that starts the download, or empty if no key is bound.
    pub fn rows(&self, key: &str) -> Vec<String> {
        let model = &reveal(&self.model.id);
        let how = match key.is_empty() {
            true => word(Word::PullByCommand).to_owned(),
            false => lang::message::pull_by_key(key),
        };
        match &self.state {
            None => {
                let server = &reveal(&self.model.provider);
                let mut rows = vec![lang::message::pull_offered(model, server), how];
                if !self.names.is_empty() {
                    let names: Vec<String> = self.names.iter().map(|name| reveal(name).into_owned()).collect();
                    rows.push(lang::message::pull_similar(&names.join("`, `")));
                }
                rows
            }
            Some(PullState::Running { total: 0, .. }) => vec![lang::message::pull_begins(model)],
            Some(PullState::Running { done, total }) => {
                let share = percent(*done, *total).min(100).to_string();
                vec![lang::message::pull_running(model, &share, &bytes_text(*total))]
            }
            Some(PullState::Done) => vec![lang::message::pull_done(model)],
            Some(PullState::Unsupported) => vec![lang::message::pull_unsupported(&reveal(&self.model.provider))],
            Some(PullState::Offline) => vec![lang::message::pull_offline(model)],
            Some(PullState::Failed { why }) => {
                vec![
                    lang::message::pull_failed(model, &reveal(&lang::server_error(why))),
                    how,
                ]
            }
        }
    }
}

#[cfg(test)]
mod tests;
