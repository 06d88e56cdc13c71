//! A filterable list.

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::widgets::address;
use crate::widgets::frame::{self, Head};
use crate::widgets::input;
use crate::widgets::scroll::{self, Extent};
use benchdog_app::dialogs::picker::{BOTH_FROM, Picker, PickerItem, PickerKind};
use benchdog_app::layout;
use benchdog_base::text::{reveal, truncate, truncate_middle, wrap};
use benchdog_domain::setting::Setting;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

pub(crate) fn draw(picker: &Picker, area: Rect, brush: &mut Brush) -> Option<Position> {
    let title = word(match picker.kind {
        PickerKind::Models => Word::Models,
        PickerKind::Agents => Word::Agents,
        PickerKind::Sessions => Word::Sessions,
        PickerKind::Found => Word::FoundSessions,
        PickerKind::Rename => Word::NewTitle,
        PickerKind::Closing => Word::ClosingSeat,
        PickerKind::Leaving => Word::Leaving,
        PickerKind::Worktrees => Word::Worktrees,
        PickerKind::Removing => Word::RemovingWorktree,
        PickerKind::Prompts => Word::EarlierPrompts,
        PickerKind::RewindPoints | PickerKind::Rewind => Word::RewindTitle,
        PickerKind::Permissions => Word::Permissions,
        PickerKind::Skills => Word::Skills,
        PickerKind::Thinking => Word::Thinking,
        PickerKind::Themes => Word::Themes,
        PickerKind::Languages => Word::Languages,
        PickerKind::Loops => Word::Loops,
        PickerKind::ServerTools => Word::ServerTools,
        PickerKind::Settings | PickerKind::Setting | PickerKind::Values => Word::Settings,
    });
    let note = match picker.items.len() {
        _ if matches!(picker.kind, PickerKind::Setting | PickerKind::Rename) => String::new(),
        0 => String::new(),
        all => lang::some_of(picker.shown.len(), all),
    };
    let name = match (&picker.setting, picker.kind) {
        (Some(setting), PickerKind::Values) => format!(" · {}", reveal(&setting.name())),
        _ => String::new(),
    };
    let head = Head {
        title: &[(title, Scope::BorderTitleFocused), (&name, Scope::BorderTitle)],
        note: &note,
        line: Scope::BorderFocused,
    };
    frame::draw(&head, area, brush);
    let (filter, mut list) = layout::filter_and_list(area);
    if filter.height == 0 {
        return None;
    }
    if let (PickerKind::Setting, Some(setting)) = (picker.kind, &picker.setting) {
        return Some(field(picker, setting, layout::inside(area), brush));
    }
    let caret = input::line(&picker.filter, filter, brush);
    let said = picker.said_rows(list.width, list.height);
    list.height -= u16::try_from(said.len()).unwrap_or(list.height);
    for (y, row) in (list.bottom()..).zip(&said) {
        brush.scoped(list.x, y, list.width, row, Scope::TextDim);
    }
    if picker.shown.is_empty() {
        let text = match picker.kind {
            _ if picker.loading => Word::Looking,
            PickerKind::Found if picker.filter.trim().is_empty() => Word::SearchTyping,
            PickerKind::Models if picker.items.is_empty() => Word::NothingOffered,
            PickerKind::ServerTools if picker.items.is_empty() => Word::NoServerTools,
            PickerKind::Skills if picker.items.is_empty() => Word::NoSkills,
            _ => Word::NothingMatches,
        };
        brush.scoped(list.x, list.y, list.width, word(text), Scope::TextDim);
    }
    for (y, (place, item)) in (list.y..list.bottom()).zip(picker.shown.iter().enumerate().skip(picker.cursor.top)) {
        if let Some(item) = picker.items.get(*item) {
            paint(item, picker, list, y, brush);
        }
        if place == picker.cursor.at {
            brush.tint(Rect { y, height: 1, ..list }, Scope::Selected);
        }
    }
    let extent = Extent {
        first: picker.cursor.top,
        shown: usize::from(list.height),
        all: picker.shown.len(),
    };
    scroll::bar(extent, list, area.right().saturating_sub(1), brush);
    Some(caret)
}

fn field(picker: &Picker, setting: &Setting, area: Rect, brush: &mut Brush) -> Position {
    let label = format!("{} = ", reveal(&setting.name()));
    let mut line = Rect { height: 1, ..area };
    // A long name gets its own row, so that the value has space.
    if columns(&label) > area.width / 2 && area.height > 1 {
        brush.scoped(line.x, line.y, line.width, &label, Scope::TextAccent);
        line.y += 1;
    } else {
        let width = columns(&label).min(area.width);
        brush.scoped(line.x, line.y, width, &label, Scope::TextAccent);
        line.x += width;
        line.width -= width;
    }
    let caret = input::line(&picker.filter, line, brush);
    let about = if picker.note.is_empty() { picker.said() } else { "" };
    let list = if setting.is_list { word(Word::SettingList) } else { "" };
    let below = [
        (picker.note.as_str(), Scope::StateError),
        (&lang::message::setting_wants(&setting.wants), Scope::TextDim),
        (list, Scope::TextDim),
        (word(Word::SettingHow), Scope::TextDim),
        (about, Scope::TextDim),
    ];
    let width = usize::from(area.width.max(1));
    let mut y = line.y + 1;
    for (text, scope) in below.into_iter().filter(|(text, _)| !text.is_empty()) {
        for row in wrap(text, width) {
            if y >= area.bottom() {
                return caret;
            }
            brush.scoped(area.x, y, area.width, text.get(row).unwrap_or_default(), scope);
            y += 1;
        }
    }
    caret
}

/// Minimum number of columns at which a detail is useful.
const TELLS_FROM: u16 = 6;

/// Returns the width of an item's detail. In a narrow list, the name takes precedence, so the detail may be omitted.
fn detail_columns(item: &PickerItem, room: u16, width: u16) -> u16 {
    let wanted = columns(&item.detail).min(width / 2);
    if width >= BOTH_FROM {
        return wanted;
    }
    let left = room.saturating_sub(columns(&item.text) + 2).min(wanted);
    if left < TELLS_FROM { 0 } else { left }
}

fn paint(item: &PickerItem, picker: &Picker, area: Rect, y: u16, brush: &mut Brush) {
    let mark = if item.current { "● " } else { "  " };
    let x = brush.run(area.x, y, area.right(), &[(mark, Scope::TextAccent)]);
    let detail = match picker.is_bare(area.width) {
        true => 0,
        false => detail_columns(item, area.right().saturating_sub(x), area.width),
    };
    let room = usize::from(area.right().saturating_sub(x + if detail > 0 { detail + 2 } else { 0 }));
    let text = match picker.kind {
        // Model names often differ only at their end, such as in size or quantisation.
        PickerKind::Models => truncate_middle(&item.text, room),
        _ => truncate(&item.text, room),
    };
    brush.scoped(x, y, area.right().saturating_sub(x), &text, Scope::Text);
    let shown = match picker.kind {
        PickerKind::Models => address::fit(&item.detail, detail),
        _ => truncate(&item.detail, usize::from(detail)),
    };
    brush.right(area.right(), y, detail, &shown, Scope::TextDim);
}
