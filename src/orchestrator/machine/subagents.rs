//! The note to the model about configured subagents. The `task` tool describes only the built-in ones.

use super::{Machine, Rules, standing};
use benchdog_domain::agent::AgentName;
use benchdog_domain::history::History;
use benchdog_domain::note::Note;

/// The beginning of the note, used to find an earlier note in the log.
const BEGINS: &str = "Beside `explore` and `general`, `task` can give work to ";

const MOST: usize = 24;

const FOR: usize = 240;

pub(super) fn news(rules: &Rules, history: &History) -> Option<String> {
    let now = text(&rules.subagents);
    standing::news(BEGINS, now, &text(&[]), history).filter(|_| rules.delegates())
}

pub(super) fn standing(rules: &Rules) -> Option<String> {
    (rules.delegates() && !rules.subagents.is_empty()).then(|| text(&rules.subagents))
}

fn text(subagents: &[(AgentName, String)]) -> String {
    if subagents.is_empty() {
        return format!("{BEGINS}nobody else.");
    }
    let mut text = format!("{BEGINS}these agents:");
    for (name, what_for) in subagents.iter().take(MOST) {
        let line = what_for.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().take(FOR).collect();
        let colon = if line.is_empty() { "" } else { ": " };
        text.push_str(&format!("\n- `{name}`{colon}{line}"));
    }
    if let Some((name, _)) = subagents.get(MOST) {
        text.push_str(&format!("\n- and {} more, from `{name}` on", subagents.len() - MOST));
    }
    text
}

impl Machine {
    pub(super) fn on_subagents(&mut self, subagents: Vec<(AgentName, String)>) {
        if self.rules.subagents == subagents {
            return;
        }
        self.pending_notes.retain(|note| !note.text.starts_with(BEGINS));
        self.rules.subagents = subagents;
        if self.rules.delegates() {
            self.pending_notes.push(Note::from(text(&self.rules.subagents)));
        }
    }
}

#[cfg(test)]
mod tests;
