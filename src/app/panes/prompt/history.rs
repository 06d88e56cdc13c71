//! The prompt history. Up and Down show the prompts that start with the text before the cursor, and the draft.

use super::buffer::{Buffer, typed};

#[derive(Default)]
pub(super) struct History {
    prompts: Vec<String>,
    walk: Option<Walk>,
    learned: bool,
    owed: usize,
    /// Prompts that came back without being sent, newest last. If there are any, navigation shows all prompts.
    returned: Vec<String>,
    /// Whether the input contains a prompt that came back and was not sent since.
    stands_in_prompt: bool,
}

struct Walk {
    at: usize,
    draft: Box<Buffer>,
    /// The text before the cursor when navigation began. Only prompts that start with this text are shown.
    beginning: String,
}

pub(super) enum Newer {
    Prompt(String),
    Draft(Box<Buffer>),
}

impl History {
    pub(super) fn set(&mut self, prompts: Vec<String>) {
        let own = std::mem::replace(&mut self.prompts, prompts);
        let new: Vec<String> = own.into_iter().filter(|text| !self.prompts.contains(text)).collect();
        self.prompts.extend(new);
        self.walk = None;
        self.learned = true;
    }

    pub(super) fn owed(&mut self) -> usize {
        std::mem::take(&mut self.owed)
    }

    pub(super) fn add(&mut self, text: String) {
        if text.trim().is_empty() || self.prompts.last() == Some(&text) && self.returned.is_empty() {
            return;
        }
        if !self.returned.is_empty() {
            // Remove an older copy. The text may be a prompt that came back and was now sent.
            self.prompts.retain(|prompt| *prompt != text);
        }
        // Insert before the prompts that came back, so that Up still shows those first.
        let waiting = self.prompts.iter().position(|prompt| self.returned.contains(prompt));
        self.prompts.insert(waiting.unwrap_or(self.prompts.len()), text);
    }

    pub(super) fn again(&mut self, text: &str) {
        // End the navigation, because the shown prompt may move in the list.
        self.walk = None;
        let steered = steered(text);
        self.prompts
            .retain(|prompt| prompt != text && Some(prompt.as_str()) != steered);
        self.prompts.push(text.to_owned());
    }

    pub(super) fn clears(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.again(text);
        }
    }

    pub(super) fn put_in_prompt(&mut self, text: &str) {
        self.again(text);
        self.stands_in_prompt = true;
    }

    pub(super) fn comes_back(&mut self, text: &str) {
        self.again(text);
        self.returned.push(text.to_owned());
    }

    pub(super) fn returned(&self) -> &[String] {
        &self.returned
    }

    /// Handles a sent prompt. Unless the sent text is a command, returned prompts are no longer shown first.
    pub(super) fn sent(&mut self, text: &str) {
        let text = text.trim();
        match self.returned.iter().position(|returned| returned.trim() == text) {
            Some(at) => {
                self.returned.remove(at);
            }
            None if text.is_empty() || text.starts_with(['/', '!']) => {}
            // The sent text is probably an edited version of the prompt that came back.
            None if std::mem::take(&mut self.stands_in_prompt) => {}
            None => self.returned.clear(),
        }
    }

    pub(super) fn leave(&mut self) {
        self.walk = None;
    }

    pub(super) fn older(&mut self, now: &Buffer) -> Option<String> {
        let shown = now.expanded();
        // If the user has edited a prompt from the history, the result is a new draft.
        let is_shown = |walk: &Walk| self.prompts.get(walk.at).is_some_and(|prompt| typed(prompt) == shown);
        if !self.walk.as_ref().is_some_and(is_shown) {
            self.walk = None;
        }
        let from = self.walk.as_ref().map_or(self.prompts.len(), |walk| walk.at);
        let typed_before = if self.returned.is_empty() {
            now.before_caret()
        } else {
            ""
        };
        let beginning = self.walk.as_ref().map_or(typed_before, |walk| walk.beginning.as_str());
        let beginning = beginning.to_owned();
        let older = self.prompts.get(..from)?;
        let Some(at) = older
            .iter()
            .rposition(|prompt| prompt.starts_with(&beginning) && *prompt != shown)
        else {
            self.owed += usize::from(!self.learned);
            return None;
        };
        match self.walk.as_mut() {
            Some(walk) => walk.at = at,
            None => {
                self.walk = Some(Walk {
                    at,
                    draft: Box::new(now.clone()),
                    beginning,
                });
            }
        }
        self.prompts.get(at).cloned()
    }

    pub(super) fn newer(&mut self) -> Option<Newer> {
        let mut walk = self.walk.take()?;
        let shown = self.prompts.get(walk.at);
        let goes_on = |at: &usize| {
            let prompt = self.prompts.get(*at);
            prompt != shown && prompt.is_some_and(|prompt| prompt.starts_with(&walk.beginning))
        };
        let Some(at) = (walk.at + 1..self.prompts.len()).find(goes_on) else {
            return Some(Newer::Draft(walk.draft));
        };
        walk.at = at;
        self.walk = Some(walk);
        self.prompts.get(at).cloned().map(Newer::Prompt)
    }

    pub(super) fn newest_first(&self) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        self.prompts
            .iter()
            .rev()
            .filter(|text| seen.insert(text.as_str()))
            .cloned()
            .collect()
    }
}

fn steered(text: &str) -> Option<&str> {
    text.strip_prefix("/steer ")
}
