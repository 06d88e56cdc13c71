//! Nothing is configured: what was found on this machine, or how to point at a server. A card, it blocks no typing.

use crate::protocol::FoundServer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FirstStartCard {
    pub(crate) found: Vec<FoundServer>,
}

impl FirstStartCard {
    /// Each model with its server.
    pub(crate) fn offers(&self) -> Vec<(String, String)> {
        let of = |server: &FoundServer| {
            let url = server.base_url.clone();
            server
                .models
                .iter()
                .map(move |model| (url.clone(), model.clone()))
                .collect::<Vec<_>>()
        };
        self.found.iter().flat_map(of).collect()
    }

    /// The sentences of the card, a row each.
    pub(crate) fn rows(&self) -> Vec<String> {
        if self.found.is_empty() {
            return vec![
                "No model server is configured, and none answers on this machine.".to_owned(),
                "Set `BENCHDOG_BASE_URL` and `BENCHDOG_MODEL`, or a `provider` in `benchdog config path`.".to_owned(),
                "`benchdog demo` shows the workbench without a model.".to_owned(),
            ];
        }
        let mut rows = vec!["No model server is configured. On this machine:".to_owned()];
        for server in &self.found {
            let models = match server.models.as_slice() {
                [] => "no models".to_owned(),
                [one] => one.clone(),
                [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            };
            rows.push(format!("  {}  {models}", server.base_url));
        }
        rows.push("`/models` chooses one and keeps the choice.".to_owned());
        rows
    }
}
