//! Earlier prompts, walked with Up and Down. The draft is kept while one walks.

use super::buffer::Buffer;

#[derive(Default)]
pub(super) struct History {
    /// Oldest first.
    prompts: Vec<String>,
    /// Where the walk is, and the draft it began from.
    walk: Option<(usize, Box<Buffer>)>,
    /// Whether the prompts of earlier sessions have arrived.
    learned: bool,
    /// Steps back that were asked for before they arrived.
    owed: usize,
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
        if !text.trim().is_empty() && self.prompts.last() != Some(&text) {
            self.prompts.push(text);
        }
    }

    pub(super) fn leave(&mut self) {
        self.walk = None;
    }

    pub(super) fn older(&mut self, now: &Buffer) -> Option<String> {
        let at = self
            .walk
            .as_ref()
            .map_or(self.prompts.len(), |(at, _)| *at)
            .checked_sub(1);
        let Some(at) = at else {
            self.owed += usize::from(!self.learned);
            return None;
        };
        let text = self.prompts.get(at)?.clone();
        match self.walk.as_mut() {
            Some((place, _)) => *place = at,
            None => self.walk = Some((at, Box::new(now.clone()))),
        }
        Some(text)
    }

    pub(super) fn newer(&mut self) -> Option<Newer> {
        let (at, draft) = self.walk.take()?;
        match self.prompts.get(at + 1) {
            Some(text) => {
                self.walk = Some((at + 1, draft));
                Some(Newer::Prompt(text.clone()))
            }
            None => Some(Newer::Draft(draft)),
        }
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
