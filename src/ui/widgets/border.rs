//! The lines between panes, with titles. The window's edge has no lines.
//!
//! The layout contains the inner area of each pane. The title is in the row above that area. Each cell stores the
//! directions of its lines. They determine the glyph of a junction.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::brush::{Brush, columns};
use crate::number;
use benchdog_app::State;
use benchdog_app::focus::{self, Holder};
use benchdog_app::layout::Pane;
use benchdog_base::text::{reveal, truncate, truncate_start};
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;
/// A bit for a cell with a line, even if the line does not continue in any direction.
const LINE: u8 = 16;

/// Box-drawing characters. The index is the sum of the directions in which lines leave the cell.
const GLYPHS: [&str; 16] = [
    "─", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼",
];

struct Framed {
    pane: Pane,
    area: Rect,
    /// The first column of the title row, after the border line.
    from: u16,
    to: u16,
    title: Cow<'static, str>,
    note: String,
}

/// The columns of the middle pane, including its margins, but not the border lines.
#[derive(Debug, Clone, Copy)]
struct Middle {
    from: u16,
    to: u16,
}

pub(crate) fn panes(state: &State, brush: &mut Brush) {
    let layout = &state.layout;
    let Some(prompt) = layout.prompt.filter(|_| !layout.small) else {
        return;
    };
    let middle = Middle {
        from: prompt.x.saturating_sub(1),
        to: (prompt.right() + 1).min(layout.width),
    };
    let framed = framed(state, middle);
    // A request over the full width covers the vertical lines, so they end above the request.
    let floor = layout.approval.filter(|request| request.width == layout.width);
    let floor = floor.map_or(layout.height, |request| request.y);
    let bottom = layout.height.saturating_sub(2).min(floor.saturating_sub(1));
    let mut lines = Lines::over(layout.width, layout.height);
    lines.horizontal(0, 0, layout.width);
    for pane in framed.iter().filter(|pane| pane.area.y > 1) {
        let (from, to) = if pane.area.y > floor {
            (0, layout.width)
        } else {
            (pane.from.saturating_sub(1), pane.to + 1)
        };
        lines.horizontal(pane.area.y - 1, from, to);
    }
    for x in [
        middle.from.checked_sub(1),
        Some(middle.to).filter(|x| *x < layout.width),
    ]
    .into_iter()
    .flatten()
    {
        lines.vertical(x, bottom);
    }
    let focused = match focus::keyboard(state) {
        // An open diff is shown in place of the conversation, so the frame of the conversation is highlighted.
        Holder::Pane(Pane::Changes) if state.screen.changes.open.is_some() => {
            framed.iter().find(|framed| framed.pane == Pane::Conversation)
        }
        Holder::Pane(pane) => framed.iter().find(|framed| framed.pane == pane),
        // The find line belongs to the request. The request draws a frame of its own.
        Holder::Find if state.screen.approvals.has_focus() => None,
        Holder::Find => framed.iter().find(|framed| framed.pane == Pane::Conversation),
        Holder::Filter => framed.iter().find(|framed| framed.pane == Pane::Files),
        Holder::Dialog | Holder::Approval | Holder::Question => None,
    };
    lines.draw(focused, brush);
    for pane in &framed {
        title(pane, focused.is_some_and(|focused| focused.pane == pane.pane), brush);
    }
}

fn framed(state: &State, middle: Middle) -> Vec<Framed> {
    let layout = &state.layout;
    let progress = state.screen.todo.progress();
    let todo = progress.map_or_else(String::new, |(done, total)| format!("{done}/{total}"));
    let context = state.screen.filled().unwrap_or_default();
    let changes = match state.screen.changes.rows.len() {
        0 => String::new(),
        count => count.to_string(),
    };
    let conversation = benchdog_app::view::status::folded(state);
    // While a subagent's conversation or a diff is shown, its title replaces the title of the conversation pane.
    let diff = state.screen.changes.open.as_ref().map(|open| &open.title);
    let title = diff.or(state.screen.watched.as_ref().map(|watched| &watched.title));
    let of_conversation = match title {
        Some(title) => Cow::Owned(fitting(title, middle, &conversation)),
        None => with_folder(state, middle, &conversation),
    };
    [
        (Pane::Files, layout.files, word(Word::PaneFiles).into(), String::new()),
        (Pane::Conversation, layout.conversation, of_conversation, conversation),
        (Pane::Prompt, layout.prompt, "".into(), prompt_note(state)),
        (Pane::Todo, layout.todo, word(Word::PaneTodo).into(), todo),
        (Pane::Context, layout.context, word(Word::PaneContext).into(), context),
        (Pane::Changes, layout.changes, word(Word::PaneChanges).into(), changes),
    ]
    .into_iter()
    .filter_map(|(pane, area, title, note)| {
        let area = area?;
        let (from, to) = if area.x < middle.from {
            (0, middle.from.saturating_sub(1))
        } else if area.x < middle.to {
            (middle.from, middle.to)
        } else {
            (middle.to + 1, state.layout.width)
        };
        Some(Framed {
            pane,
            area,
            from,
            to,
            title,
            note,
        })
    })
    .collect()
}

/// The minimum number of columns in which a folder is recognisable.
const FOLDER_FROM: u16 = 8;

/// Returns the title of the conversation pane, followed by the end of the folder's path if the path fits.
fn with_folder(state: &State, middle: Middle, note: &str) -> Cow<'static, str> {
    let (title, folder) = (word(Word::PaneConversation), benchdog_app::view::status::folder(state));
    let before = format!("{title} · ");
    let room = title_room(middle, note).saturating_sub(columns(&before));
    if folder.is_empty() || room < FOLDER_FROM.min(columns(&folder)) {
        return title.into();
    }
    let folder = reveal(&folder);
    format!("{before}{}", truncate_start(&folder, usize::from(room))).into()
}

fn title_room(middle: Middle, note: &str) -> u16 {
    let taken = 3 + if note.is_empty() { 0 } else { columns(note) + 2 };
    middle.to.saturating_sub(middle.from).saturating_sub(taken)
}

fn fitting(title: &str, middle: Middle, note: &str) -> String {
    truncate(&reveal(title), usize::from(title_room(middle, note))).into_owned()
}

fn prompt_note(state: &State) -> String {
    match state.screen.conversation.new_lines {
        None | Some(0) => String::new(),
        Some(count) => lang::message::count_new_lines(count, &number::tokens(count as u64)),
    }
}

fn title(pane: &Framed, focused: bool, brush: &mut Brush) {
    let Some(y) = pane.area.y.checked_sub(1) else { return };
    let (line, text) = if focused {
        (Scope::BorderFocused, Scope::BorderTitleFocused)
    } else {
        (Scope::Border, Scope::BorderTitle)
    };
    let mut end = pane.to;
    if !pane.note.is_empty() {
        let width = columns(&pane.note) + 2;
        if width < end.saturating_sub(pane.from) {
            let note = format!(" {} ", pane.note);
            end = brush.right(end, y, width, &note, text);
        }
    }
    // Show the title only if at least one column of the border line stays visible after the title.
    if !pane.title.is_empty() && columns(&pane.title) + 3 <= end.saturating_sub(pane.from) {
        brush.run(pane.from, y, end, &[(" ", line), (&pane.title, text), (" ", line)]);
    }
}

/// The directions of the lines in every cell, row by row. A map would slow down every key press.
struct Lines {
    width: u16,
    cells: Vec<u8>,
}

impl Lines {
    fn over(width: u16, height: u16) -> Self {
        Self {
            width,
            cells: vec![0; usize::from(width) * usize::from(height)],
        }
    }

    /// Draws a line over the columns `from..to`. Connects the line with vertical lines at its ends.
    fn horizontal(&mut self, y: u16, from: u16, to: u16) {
        for x in from..to {
            let left = if x > from { LEFT } else { 0 };
            let right = if x + 1 < to { RIGHT } else { 0 };
            self.join(x, y, left | right);
        }
    }

    fn vertical(&mut self, x: u16, bottom: u16) {
        self.join(x, 0, DOWN);
        for y in 1..=bottom {
            self.join(x, y, UP | DOWN);
        }
    }

    fn join(&mut self, x: u16, y: u16, bits: u8) {
        let at = usize::from(y) * usize::from(self.width) + usize::from(x);
        if x < self.width
            && let Some(cell) = self.cells.get_mut(at)
        {
            *cell |= LINE | bits;
        }
    }

    fn draw(&self, focused: Option<&Framed>, brush: &mut Brush) {
        let rows = self.cells.chunks(usize::from(self.width.max(1)));
        let (far, close) = (brush.over(Scope::Border), brush.over(Scope::BorderFocused));
        for (y, row) in (0..).zip(rows) {
            for (x, bits) in (0..).zip(row).filter(|(_, bits)| **bits != 0) {
                let near = focused.is_some_and(|pane| {
                    let columns = pane.from.saturating_sub(1)..=pane.to;
                    let rows = pane.area.y.saturating_sub(1)..=pane.area.bottom();
                    columns.contains(&x) && rows.contains(&y)
                });
                let glyph = GLYPHS.get(usize::from(*bits & !LINE)).copied().unwrap_or("─");
                brush.mark(x, y, glyph, if near { close } else { far });
            }
        }
    }
}
