//! Pasted and folded parts of prompts. Text in them is never interpreted as a mention.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::seat::Seat;
use crate::seat::prompt::custom_command::Called;
use benchdog_base::id::BlobId;
use benchdog_domain::mention::{self, Found};

#[derive(Default)]
pub(in crate::seat) struct Pastes(BTreeMap<BlobId, Vec<Range<usize>>>);

impl Pastes {
    pub(in crate::seat) fn find(&self, prompt: &str) -> Vec<Found> {
        let known = (!self.0.is_empty()).then(|| self.0.get(&BlobId::of(prompt.as_bytes())));
        let Some(pasted) = known.flatten() else {
            return mention::find(prompt);
        };
        let (mut typed, mut from) = (String::new(), 0);
        for range in pasted {
            typed.push_str(prompt.get(from..range.start).unwrap_or_default());
            typed.push('\n');
            from = range.end;
        }
        typed.push_str(prompt.get(from..).unwrap_or_default());
        mention::find(&typed)
    }
}

impl Pastes {
    /// Whether the prompt begins with pasted text. A command at the start of pasted text is not executed.
    pub(in crate::seat) fn begin(&self, prompt: &str) -> bool {
        let known = (!self.0.is_empty()).then(|| self.0.get(&BlobId::of(prompt.as_bytes())));
        let mut pasted = known.flatten().into_iter().flatten();
        pasted.any(|range| range.start == 0 && range.end > 0)
    }

    pub(in crate::seat) fn find_in(&self, prompt: &str, called: &Called) -> Vec<Found> {
        if !self.0.contains_key(&BlobId::of(prompt.as_bytes())) {
            return mention::find(&called.expansion.text);
        }
        let mut found = mention::find(&called.command.expanded("").text);
        found.extend(self.find(prompt));
        found
    }
}

impl Seat {
    pub(crate) fn note_pasted(&mut self, prompt: &str, pasted: Vec<Range<usize>>) {
        if !pasted.is_empty() {
            self.pastes.0.insert(BlobId::of(prompt.as_bytes()), pasted);
        }
    }
}
