//! Plans: their text, the possible answers, and their steps.

use serde::{Deserialize, Serialize};

use super::agent::AgentName;
use super::todo::{TodoDraft, TodoEdit, TodoList, TodoStatus};

/// A plan, with the text exactly as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub text: String,
    pub accepted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub plan: Plan,
    pub next: Option<AgentName>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlanFile {
    NoSuch { named: String },
    Several { names: Vec<String> },
    Empty { path: String },
    Unread { said: String },
}

/// Stored form of the offered answers. Any other answer asks for changes to the plan.
pub const WITH_EDITS: &str = "carry it out, edits accepted";
pub const WITH_APPROVALS: &str = "carry it out, with approvals";
pub const LEAVE: &str = "leave it";

const MOST: usize = 50;
const LENGTH: usize = 160;

impl Plan {
    /// Returns the steps as a todo list whose first item is in progress. Uses numbered lines, or else bulleted lines.
    /// `None` without steps.
    pub fn steps(&self) -> Option<TodoList> {
        let mut numbered = self.items(|line| {
            let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_number = rest.len() < line.len();
            rest.strip_prefix(". ")
                .or_else(|| rest.strip_prefix(") "))
                .filter(|_| is_number)
        });
        if numbered.is_empty() {
            numbered = self.items(|line| {
                let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
                let unchecked = rest.strip_prefix("[ ] ");
                Some(unchecked.or_else(|| rest.strip_prefix("[x] ")).unwrap_or(rest))
            });
        }
        let first = numbered.first_mut()?;
        first.status = TodoStatus::InProgress;
        TodoList::default().edited(&TodoEdit::Replace(numbered)).ok()
    }

    fn items<'p>(&'p self, of: impl Fn(&'p str) -> Option<&'p str>) -> Vec<TodoDraft> {
        let mut in_code = false;
        let mut items = Vec::new();
        for line in self.text.lines() {
            let text = line.trim_start();
            in_code ^= text.starts_with("```");
            let is_deeper = line.len() - text.len() > 1;
            let item = of(text).map(str::trim).filter(|item| !item.is_empty());
            if let Some(item) = item.filter(|_| !in_code && !is_deeper) {
                items.push(TodoDraft {
                    id: None,
                    text: item
                        .replace("**", "")
                        .trim_end_matches('.')
                        .chars()
                        .take(LENGTH)
                        .collect(),
                    status: TodoStatus::Pending,
                });
            }
        }
        items.truncate(MOST);
        items
    }
}

#[cfg(test)]
mod tests;
