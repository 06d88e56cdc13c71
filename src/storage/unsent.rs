//! Recovers prompts that were sent but not logged, from `<id>.unsent`. Prompts above the size limit are only in the
//! prompt history.

use serde::{Deserialize, Serialize};

use super::sidecar::{Content, Sidecar};
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    pub session: SessionId,
    pub after: EntryId,
    pub prompts: Vec<String>,
}

impl Content for Unsent {
    const EXTENSION: &'static str = "unsent";

    fn session(&self) -> &SessionId {
        &self.session
    }

    fn is_empty(&self) -> bool {
        self.prompts.is_empty()
    }
}

pub(super) fn read(sidecar: &Sidecar<Unsent>, history: &History) -> Vec<String> {
    let Some(unsent) = sidecar.read() else {
        return Vec::new();
    };
    let mut prompts = unsent.prompts;
    // Omit prompts that were logged after the last write of the file.
    let since = history.entries().iter().filter(|entry| entry.id > unsent.after);
    for logged in since.filter_map(|entry| typed(&entry.body)) {
        let same = |prompt: &String| *prompt == logged || prompt.strip_prefix("/steer ") == Some(&*logged);
        if let Some(place) = prompts.iter().position(same) {
            prompts.remove(place);
        }
    }
    prompts
}

fn typed(body: &Body) -> Option<String> {
    match body {
        Body::User { text, .. } => Some(text.clone()),
        Body::Shell { command, .. } => Some(format!("!{command}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
