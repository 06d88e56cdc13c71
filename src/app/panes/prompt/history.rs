//! Earlier prompts, walked with Up and Down: those that begin with what stood before the caret. The draft is kept while one walks.

use super::buffer::{Buffer, typed};

#[derive(Default)]
pub(super) struct History {
    /// Oldest first.
    prompts: Vec<String>,
    walk: Option<Walk>,
    /// Whether the prompts of earlier sessions have arrived.
    learned: bool,
    /// Steps back that were asked for before they arrived.
    owed: usize,
    /// Prompts that came back and were not sent again, the newest last. While there are any, a walk shows every prompt, whatever
    /// stands before the caret.
    returned: Vec<String>,
    /// One came back into the prompt itself, and was not sent since.
    stands_in_prompt: bool,
}

struct Walk {
    /// The place of the prompt that is shown.
    at: usize,
    /// What the walk began from.
    draft: Box<Buffer>,
    /// What stood before the caret then: only prompts that begin with it are shown.
    beginning: String,
}

pub(super) enum Newer {
    Prompt(String),
    Draft(Box<Buffer>),
}

impl History {
    /// What earlier sessions left, before what this one added.
    pub(super) fn set(&mut self, prompts: Vec<String>) {
        let own = std::mem::replace(&mut self.prompts, prompts);
        let new: Vec<String> = own.into_iter().filter(|text| !self.prompts.contains(text)).collect();
        self.prompts.extend(new);
        self.walk = None;
        self.learned = true;
    }

    /// Takes the steps back that were asked for before there were prompts to go back to.
    pub(super) fn owed(&mut self) -> usize {
        std::mem::take(&mut self.owed)
    }

    pub(super) fn add(&mut self, text: String) {
        if text.trim().is_empty() || self.prompts.last() == Some(&text) && self.returned.is_empty() {
            return;
        }
        if !self.returned.is_empty() {
            // It may be one that came back as well, and was just sent.
            self.prompts.retain(|prompt| *prompt != text);
        }
        // Those that came back wait for the next steps back, whatever is sent meanwhile.
        let waiting = self.prompts.iter().position(|prompt| self.returned.contains(prompt));
        self.prompts.insert(waiting.unwrap_or(self.prompts.len()), text);
    }

    /// A prompt that was sent came back: it is the newest, and stands there once.
    pub(super) fn again(&mut self, text: &str) {
        // A step back may have shown one that moves.
        self.walk = None;
        let steered = steered(text);
        self.prompts
            .retain(|prompt| prompt != text && Some(prompt.as_str()) != steered);
        self.prompts.push(text.to_owned());
    }

    /// The prompt was cleared: one step back brings it, also where others came back before.
    pub(super) fn clears(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.again(text);
        }
    }

    /// The same of one that stands in the prompt again, to be mended and sent.
    pub(super) fn put_in_prompt(&mut self, text: &str) {
        self.again(text);
        self.stands_in_prompt = true;
    }

    /// The prompt that came back is to be seen until it is sent again, or another one is.
    pub(super) fn comes_back(&mut self, text: &str) {
        self.again(text);
        self.returned.push(text.to_owned());
    }

    pub(super) fn returned(&self) -> &[String] {
        &self.returned
    }

    /// Whoever sends another prompt goes on without those that came back; a command is no such prompt.
    pub(super) fn sent(&mut self, text: &str) {
        let text = text.trim();
        match self.returned.iter().position(|returned| returned.trim() == text) {
            Some(at) => {
                self.returned.remove(at);
            }
            None if text.is_empty() || text.starts_with(['/', '!']) => {}
            // It is that one, as it is or mended.
            None if std::mem::take(&mut self.stands_in_prompt) => {}
            None => self.returned.clear(),
        }
    }

    pub(super) fn leave(&mut self) {
        self.walk = None;
    }

    pub(super) fn older(&mut self, now: &Buffer) -> Option<String> {
        let shown = now.expanded();
        // What was written into a prompt of the walk is a draft of its own.
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

/// What was sent into a turn, where the text says so of itself.
fn steered(text: &str) -> Option<&str> {
    text.strip_prefix("/steer ")
}
