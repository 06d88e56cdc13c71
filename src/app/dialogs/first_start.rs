//! The card for a start without a model. Lists servers found on this machine, or explains how to add one.

use benchdog_config::public_address;
use benchdog_domain::agent::{Readiness, short_model};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{FoundModel, FoundServer};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstStartCard {
    pub found: Vec<FoundServer>,
}

impl FirstStartCard {
    pub(crate) fn offers(&self) -> Vec<(String, String)> {
        let of = |server: &FoundServer| {
            let url = server.base_url.clone();
            server
                .models
                .iter()
                .map(move |model| (url.clone(), model.id.clone()))
                .collect::<Vec<_>>()
        };
        self.found.iter().flat_map(of).collect()
    }

    pub fn rows(&self) -> Vec<String> {
        if self.found.is_empty() {
            return vec![
                word(Word::NoServerFound).to_owned(),
                word(Word::SetupHow).to_owned(),
                word(Word::TryDemo).to_owned(),
            ];
        }
        let mut rows = vec![word(Word::ServersFound).to_owned()];
        for server in &self.found {
            let models = match (server.readiness, server.models.as_slice()) {
                (Readiness::NeedsKey, _) => word(Word::ServerNeedsKey).to_owned(),
                (Readiness::Loading, _) => word(Word::ServerLoading).to_owned(),
                (Readiness::Ready, []) => word(Word::NoModels).to_owned(),
                (Readiness::Ready, [one]) => shown(one),
                (Readiness::Ready, [first, rest @ ..]) => lang::and_more(&shown(first), rest.len()),
            };
            rows.push(format!("  {}  {models}", public_address(&server.base_url)));
        }
        let next = match self.offers().is_empty() {
            true => Word::SetupHow,
            false => Word::ChooseModel,
        };
        rows.push(word(next).to_owned());
        rows
    }
}

fn shown(model: &FoundModel) -> String {
    let window = model.window.map(|tokens| format!(" ({})", lang::window(tokens)));
    format!("{}{}", short_model(&model.id), window.unwrap_or_default())
}

#[cfg(test)]
mod tests;
