//! The todo list. The engine stores it, and the model edits single items.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoItem {
    pub id: u32,
    pub text: String,
    pub status: TodoStatus,
}

/// A list of items with unique, stable ids.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TodoList(pub Vec<TodoItem>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TodoEdit {
    Replace(Vec<TodoDraft>),
    Set {
        id: u32,
        status: Option<TodoStatus>,
        text: Option<String>,
    },
    Add {
        text: String,
    },
    Move {
        id: u32,
        by: isize,
    },
    Remove {
        id: u32,
    },
}

/// A todo item as the model wrote it. A missing or duplicate id is replaced by the next unused one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TodoDraft {
    pub id: Option<u32>,
    pub text: String,
    pub status: TodoStatus,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodoError {
    #[error("there is no item {id}; the list has {}", known.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))]
    UnknownItem { id: u32, known: Vec<u32> },
}

fn task(prompt: &str) -> &str {
    prompt.lines().next().unwrap_or_default().trim()
}

impl TodoList {
    /// Creates the default list of a turn. Its only item is the task.
    pub fn of_task(prompt: &str) -> Self {
        Self(vec![TodoItem {
            id: 1,
            text: task(prompt).to_owned(),
            status: TodoStatus::InProgress,
        }])
    }

    pub fn is_task(&self, prompt: &str) -> bool {
        matches!(self.0.as_slice(), [item] if item.id == 1 && item.text == task(prompt))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of completed items and the total, without cancelled items.
    pub fn progress(&self) -> (usize, usize) {
        let done = self
            .0
            .iter()
            .filter(|item| item.status == TodoStatus::Completed)
            .count();
        let total = self
            .0
            .iter()
            .filter(|item| item.status != TodoStatus::Cancelled)
            .count();
        (done, total)
    }

    pub fn edited(&self, edit: &TodoEdit) -> Result<Self, TodoError> {
        match edit {
            TodoEdit::Replace(drafts) => Ok(Self::from_drafts(drafts)),
            TodoEdit::Set { id, status, text } => {
                let mut list = self.clone();
                let at = list.place_of(*id)?;
                if let Some(item) = list.0.get_mut(at) {
                    item.status = status.unwrap_or(item.status);
                    item.text = text.clone().unwrap_or_else(|| item.text.clone());
                }
                Ok(list)
            }
            TodoEdit::Add { text } => {
                let mut list = self.clone();
                let last = self.0.iter().map(|item| item.id).max().unwrap_or(0);
                list.0.push(TodoItem {
                    id: last + 1,
                    text: text.clone(),
                    status: TodoStatus::Pending,
                });
                Ok(list)
            }
            TodoEdit::Move { id, by } => {
                let mut list = self.clone();
                let item = list.0.remove(list.place_of(*id)?);
                let to = self.place_of(*id)?.saturating_add_signed(*by).min(list.0.len());
                list.0.insert(to, item);
                Ok(list)
            }
            TodoEdit::Remove { id } => {
                let mut list = self.clone();
                list.0.remove(self.place_of(*id)?);
                Ok(list)
            }
        }
    }

    fn place_of(&self, id: u32) -> Result<usize, TodoError> {
        let place = self.0.iter().position(|item| item.id == id);
        place.ok_or_else(|| TodoError::UnknownItem {
            id,
            known: self.0.iter().map(|item| item.id).collect(),
        })
    }

    fn from_drafts(drafts: &[TodoDraft]) -> Self {
        let mut items: Vec<TodoItem> = Vec::with_capacity(drafts.len());
        let mut next = drafts.iter().filter_map(|draft| draft.id).max().unwrap_or(0);
        for draft in drafts {
            let wanted = draft.id.filter(|id| items.iter().all(|item| item.id != *id));
            let id = wanted.unwrap_or_else(|| {
                next += 1;
                next
            });
            items.push(TodoItem {
                id,
                text: draft.text.clone(),
                status: draft.status,
            });
        }
        Self(items)
    }

    pub fn lines(&self) -> String {
        self.0
            .iter()
            .map(|item| format!("{} {} {}\n", item.id, item.status.mark(), item.text))
            .collect()
    }
}

impl TodoStatus {
    pub fn mark(self) -> &'static str {
        match self {
            Self::Pending => "[ ]",
            Self::InProgress => "[~]",
            Self::Completed => "[x]",
            Self::Cancelled => "[-]",
        }
    }
}
