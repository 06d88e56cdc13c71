//! The todo list of the engine. The person can step an item through its states; the engine keeps the list.

use crate::app::cursor::Cursor;
use crate::base::text::wrap;
use crate::domain::todo::{TodoEdit, TodoItem, TodoList, TodoStatus};

#[derive(Default)]
pub(crate) struct TodoPane {
    pub(crate) items: TodoList,
    pub(crate) cursor: Cursor,
    /// The prompt of the newest turn, and the turn.
    prompt: (u32, String),
    /// The only item is a prompt: the list that the engine opens by itself.
    is_task: bool,
    /// The person has just changed an item: the cursor stays with its item.
    changing: bool,
    /// The text of an item that they have just added: the cursor goes to it, so that the next key is for that one.
    added: Option<String>,
    /// There is room to show every item whole, on as many rows as it needs.
    pub(crate) whole: bool,
}

/// Where the cursor goes when the list is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bar {
    /// With the item that is worked on.
    Follows,
    /// With the item it is on: somebody works in the list.
    Stays,
}

/// An item whatever its status.
fn named(item: &TodoItem) -> (u32, &str) {
    (item.id, &item.text)
}

/// Columns of `[x] ` before an item.
const MARK: u16 = 4;

impl TodoPane {
    /// The list says nothing but what the task is.
    pub(crate) fn is_task(&self) -> bool {
        self.is_task
    }

    /// The person said something in a turn; what comes first is what it is about.
    pub(crate) fn said(&mut self, turn: u32, text: &str) {
        if self.prompt.0 != turn {
            self.prompt = (turn, text.to_owned());
            self.is_task |= self.items.is_task(text);
        }
    }

    /// Done and total, where there is anything to count.
    pub(crate) fn progress(&self) -> Option<(usize, usize)> {
        let (done, total) = self.items.progress();
        (total > 0 && !self.is_task()).then_some((done, total))
    }

    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
        let rows = self.items.0.len();
        let room = usize::from(width.saturating_sub(self.mark()).max(1));
        let wrapped = self.items.0.iter().map(|item| wrap(&item.text, room).len());
        self.whole = wrapped.sum::<usize>() <= usize::from(height);
        self.cursor.arrange(rows, height);
    }

    /// Columns before an item.
    pub(crate) fn mark(&self) -> u16 {
        if self.is_task() { 0 } else { MARK }
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.items.0.len());
    }

    /// An item of this text is asked for.
    pub(crate) fn adds(&mut self, text: &str) {
        self.added = Some(text.to_owned());
    }

    /// The list as it stands.
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
        // The engine ends its list with the turn or, after a sudden end, with a later one.
        let is_same = self.items.0.iter().map(named).eq(items.0.iter().map(named));
        self.is_task = items.is_task(&self.prompt.1) || self.is_task && is_same;
        self.items = items;
    }

    /// Where the item that was asked for is, once it is there.
    fn added_item(&self, items: &TodoList) -> Option<usize> {
        let text = self.added.as_ref()?;
        let is_new = |item: &TodoItem| !self.items.0.iter().any(|old| old.id == item.id);
        items.0.iter().rposition(|item| item.text == *text && is_new(item))
    }

    /// Where the item under the cursor is in another list; where it is gone, the next one that is there.
    fn same_item(&self, items: &TodoList) -> Option<usize> {
        let from = self.items.0.iter().skip(self.cursor.at);
        from.filter_map(|old| items.0.iter().position(|item| item.id == old.id))
            .next()
    }

    pub(crate) fn current(&self) -> Option<&TodoItem> {
        self.items.0.get(self.cursor.at)
    }

    /// What to ask the engine for so that the item under the cursor stands one place up (`-1`) or down (`1`); the cursor goes along.
    pub(crate) fn shifted(&mut self, by: isize) -> Option<TodoEdit> {
        let id = self.current()?.id;
        let to = self.cursor.at.checked_add_signed(by)?;
        if to >= self.items.0.len() {
            return None;
        }
        self.changing = true;
        Some(TodoEdit::Move { id, by })
    }

    /// What to ask the engine for so that the item under the cursor goes; the cursor is on the next one then.
    pub(crate) fn removed(&mut self) -> Option<TodoEdit> {
        let id = self.current()?.id;
        self.changing = true;
        Some(TodoEdit::Remove { id })
    }

    /// What to ask the engine for so that the item under the cursor takes its next state.
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
