//! The todo list. The engine stores the list, and the user can change the state of items.

use crate::cursor::Cursor;
use benchdog_base::text::wrap;
use benchdog_domain::todo::{TodoEdit, TodoItem, TodoList, TodoStatus};

#[derive(Default)]
pub struct TodoPane {
    pub items: TodoList,
    pub cursor: Cursor,
    /// The number of the newest turn, and its prompt.
    prompt: (u32, String),
    /// Whether the only item is the prompt itself. The engine creates such a list.
    is_task: bool,
    /// Whether the user has just changed an item. The cursor then stays on that item.
    changing: bool,
    /// The text of an item that the user has just added. The cursor moves to the new item.
    added: Option<String>,
    pub whole: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bar {
    /// The cursor moves to the item in progress.
    Follows,
    /// The cursor stays on its item, because the user is editing the list.
    Stays,
}

fn named(item: &TodoItem) -> (u32, &str) {
    (item.id, &item.text)
}

/// Number of columns of `[x] ` before an item.
const MARK: u16 = 4;

impl TodoPane {
    pub(crate) fn is_task(&self) -> bool {
        self.is_task
    }

    pub(crate) fn said(&mut self, turn: u32, text: &str) {
        if self.prompt.0 != turn {
            self.prompt = (turn, text.to_owned());
            self.is_task |= self.items.is_task(text);
        }
    }

    /// Returns the number of completed items and the number of all items. `None` if the list has nothing to count.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let (done, total) = self.items.progress();
        (total > 0 && !self.is_task()).then_some((done, total))
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        let rows = self.items.0.len();
        let room = usize::from(width.saturating_sub(self.mark()).max(1));
        let wrapped = self.items.0.iter().map(|item| wrap(&item.text, room).len());
        self.whole = wrapped.sum::<usize>() <= usize::from(height);
        self.cursor.arrange(rows, height);
    }

    pub fn mark(&self) -> u16 {
        if self.is_task() { 0 } else { MARK }
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.items.0.len());
    }

    pub(crate) fn adds(&mut self, text: &str) {
        self.added = Some(text.to_owned());
    }

    pub(crate) fn set(&mut self, items: TodoList, bar: Bar) {
        let stays = std::mem::take(&mut self.changing) || bar == Bar::Stays;
        let added = self.added_item(&items);
        if added.is_some() {
            self.added = None;
        }
        let place = if stays {
            added.or_else(|| self.same_item(&items))
        } else {
            let is_worked_on = |item: &TodoItem| item.status == TodoStatus::InProgress;
            items.0.iter().position(is_worked_on)
        };
        self.cursor.at = place.unwrap_or(self.cursor.at);
        // If the items are unchanged, keep `is_task`, even if a later turn has another prompt. After a crash, the
        // engine may close the list of an earlier turn late.
        let is_same = self.items.0.iter().map(named).eq(items.0.iter().map(named));
        self.is_task = items.is_task(&self.prompt.1) || self.is_task && is_same;
        self.items = items;
    }

    fn added_item(&self, items: &TodoList) -> Option<usize> {
        let text = self.added.as_ref()?;
        let is_new = |item: &TodoItem| !self.items.0.iter().any(|old| old.id == item.id);
        items.0.iter().rposition(|item| item.text == *text && is_new(item))
    }

    /// Returns the position of the current item in another list, or else of the next item that is in both lists.
    fn same_item(&self, items: &TodoList) -> Option<usize> {
        let from = self.items.0.iter().skip(self.cursor.at);
        from.filter_map(|old| items.0.iter().position(|item| item.id == old.id))
            .next()
    }

    pub(crate) fn current(&self) -> Option<&TodoItem> {
        self.items.0.get(self.cursor.at)
    }

    /// Returns the request to move the current item up (`-1`) or down (`1`). The cursor follows the item.
    pub(crate) fn shifted(&mut self, by: isize) -> Option<TodoEdit> {
        let id = self.current()?.id;
        let to = self.cursor.at.checked_add_signed(by)?;
        if to >= self.items.0.len() {
            return None;
        }
        self.changing = true;
        Some(TodoEdit::Move { id, by })
    }

    pub(crate) fn removed(&mut self) -> Option<TodoEdit> {
        let id = self.current()?.id;
        self.changing = true;
        Some(TodoEdit::Remove { id })
    }

    pub(crate) fn next_state(&mut self) -> Option<TodoEdit> {
        self.changing = true;
        let item = self.current()?;
        let status = match item.status {
            TodoStatus::Pending => TodoStatus::InProgress,
            TodoStatus::InProgress => TodoStatus::Completed,
            TodoStatus::Completed => TodoStatus::Cancelled,
            TodoStatus::Cancelled => TodoStatus::Pending,
        };
        Some(TodoEdit::Set {
            id: item.id,
            status: Some(status),
            text: None,
        })
    }
}
