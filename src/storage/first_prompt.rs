//! Recovers prompts sent to a session without a log, from `draft-<hash>.first`. Such a session cannot be opened again,
//! so the prompts return as the draft.

use std::fs;

use serde::{Deserialize, Serialize};

use super::folder::{FIRST_PROMPT, Folder};
use super::sidecar::{Content, Sidecar};
use benchdog_base::id::SessionId;

#[derive(Serialize, Deserialize)]
pub(super) struct FirstPrompt {
    /// Name of the draft, instead of a session id.
    pub draft: SessionId,
    pub text: String,
}

impl Content for FirstPrompt {
    const EXTENSION: &'static str = FIRST_PROMPT;

    fn session(&self) -> &SessionId {
        &self.draft
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl FirstPrompt {
    /// Combines the prompt with the saved draft. The draft is an earlier state of the prompt, or text that was typed
    /// after the prompt.
    pub(super) fn with(&self, draft: &str) -> String {
        match draft {
            _ if self.text.contains(draft.trim()) => self.text.clone(),
            _ if draft.contains(&self.text) => draft.to_owned(),
            _ => format!("{}\n\n{draft}", self.text),
        }
    }
}

pub(super) fn sidecar(folder: &Folder, draft: &str) -> Sidecar<FirstPrompt> {
    Sidecar::at(folder.first_prompt(draft), &SessionId(draft.to_owned()))
}

pub(super) fn all(folder: &Folder, beginning: &str) -> Vec<FirstPrompt> {
    let files = fs::read_dir(folder.data()).into_iter().flatten().flatten();
    files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == FIRST_PROMPT))
        .filter_map(|path| Sidecar::<FirstPrompt>::at(path, &SessionId(String::new())).read_any())
        .filter(|found| found.draft.0.starts_with(beginning))
        .collect()
}
