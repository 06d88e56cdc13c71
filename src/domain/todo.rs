//! The todo list: engine state, edited item by item, never transcript text.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TodoStatus {
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TodoItem {
    pub(crate) id: u32,
    pub(crate) text: String,
    pub(crate) status: TodoStatus,
}

/// A list whose ids are unique and stay with their items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TodoList(pub(crate) Vec<TodoItem>);

/// What `todowrite` or a person asks for: the whole list anew, or a change to one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TodoEdit {
    Replace(Vec<TodoDraft>),
    Set {
        id: u32,
        status: Option<TodoStatus>,
        text: Option<String>,
    },
    /// One more, at the end.
    Add {
        text: String,
    },
    /// So many places down, or up where it is negative.
    Move {
        id: u32,
        by: isize,
    },
    Remove {
        id: u32,
    },
}

/// An item as the model wrote it; without an id, or with one already taken, it gets the next free one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TodoDraft {
    pub(crate) id: Option<u32>,
    pub(crate) text: String,
    pub(crate) status: TodoStatus,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TodoError {
    #[error("there is no item {id}; the list has {}", known.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))]
    UnknownItem { id: u32, known: Vec<u32> },
}

/// What a prompt is about, in its own words.
fn task(prompt: &str) -> &str {
    prompt.lines().next().unwrap_or_default().trim()
}

impl TodoList {
    /// A task as its own only item: the list of a turn for which nobody made one.
    pub(crate) fn of_task(prompt: &str) -> Self {
        Self(vec![TodoItem {
            id: 1,
            text: task(prompt).to_owned(),
            status: TodoStatus::InProgress,
        }])
    }

    /// Whether it says nothing but what the task is.
    pub(crate) fn is_task(&self, prompt: &str) -> bool {
        matches!(self.0.as_slice(), [item] if item.id == 1 && item.text == task(prompt))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Done and total; a cancelled item counts as neither.
    pub(crate) fn progress(&self) -> (usize, usize) {
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

    /// The list after `edit`. Items the edit does not name stay as they are, byte for byte.
    pub(crate) fn edited(&self, edit: &TodoEdit) -> Result<Self, TodoError> {
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

    /// One line an item, as the model reads it: `1 [~] fix rounding`.
    pub(crate) fn lines(&self) -> String {
        self.0
            .iter()
            .map(|item| format!("{} {} {}\n", item.id, item.status.mark(), item.text))
            .collect()
    }
}

impl TodoStatus {
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Pending => "[ ]",
            Self::InProgress => "[~]",
            Self::Completed => "[x]",
            Self::Cancelled => "[-]",
        }
    }
}
