//! The question dialog: options, free text, tabs for several questions, and the overview of answers.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::highlight::{Cache, Key};
use crate::widgets::scroll::{self, Extent};
use crate::widgets::{code, input, text};
use benchdog_app::dialogs::question::{
    InView, MARKS, NUMBERED, Page, QuestionRow, QuestionView, answers_column, own_indent, rows,
};
use benchdog_base::text::{reveal, truncate};
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;

pub(super) fn draw(view: &QuestionView, area: Rect, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    let bar_rows = view.bar_rows().min(area.height);
    if bar_rows > 0 {
        bar(view, area, brush);
    }
    let area = Rect {
        y: area.y + bar_rows,
        height: area.height - bar_rows,
        ..area
    };
    let rows = rows(view, area.width);
    let in_view = InView::of(&rows, view, area.height);
    let InView { shown, top, .. } = in_view;
    let room = area.height.saturating_sub(u16::try_from(shown).unwrap_or(u16::MAX));
    let seen = in_view.places(rows.len());
    let first_own = rows.iter().position(|row| *row == QuestionRow::Own);
    let seen = seen.filter_map(|place| Some((place, rows.get(place)?)));
    for (y, (place, row)) in (area.y..area.bottom()).zip(seen) {
        let row_area = Rect { y, ..area };
        match row {
            QuestionRow::Text(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::TextBright);
            }
            QuestionRow::Read(line) => {
                text::line(line, row_area, y, brush);
                if let Some(source) = line.code.and_then(|place| view.page()?.code(place.fence)) {
                    let fence = line.code.map_or(0, |place| place.fence);
                    code::colour(source, Key::Asked { fence }, line, row_area, brush, cache);
                }
            }
            QuestionRow::Option { place, first, text } => {
                if let Some(page) = view.page() {
                    option(page, *place, *first, text, row_area, brush);
                }
            }
            QuestionRow::Description { text, .. } => {
                brush.scoped(
                    area.x + MARKS,
                    y,
                    area.width.saturating_sub(MARKS),
                    text,
                    Scope::TextDim,
                );
            }
            QuestionRow::Wrong(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::StateError);
            }
            QuestionRow::Note(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::TextDim);
            }
            QuestionRow::Answered { place, name, answer } => {
                answered(view, *place, name, answer, row_area, brush);
            }
            QuestionRow::Own if first_own == Some(place) => own_row(view, row_area, brush),
            QuestionRow::Own => {}
        }
    }
    bars(&in_view, rows.len(), area, room, brush);
    let at = shown + first_own?.saturating_sub(top);
    own(view.page()?, at, area, brush).filter(|_| view.on_own())
}

fn own_row(view: &QuestionView, row: Rect, brush: &mut Brush) {
    let sign = if view.on_own() { "› " } else { "  " };
    let mark = view.page().map_or("", own_mark);
    let number = if mark.is_empty() { "" } else { "  " };
    let pieces = [
        (sign, Scope::TextAccent),
        (number, Scope::Text),
        (mark, Scope::TextAccent),
    ];
    brush.run(row.x, row.y, row.right(), &pieces);
}

fn bars(in_view: &InView, all: usize, area: Rect, room: u16, brush: &mut Brush) {
    let InView { scroll, asked, top, .. } = *in_view;
    let of = |first, all, height: u16| Extent {
        first,
        shown: usize::from(height),
        all,
    };
    let place = Rect {
        height: area.height - room,
        ..area
    };
    let answers = Rect {
        y: place.bottom(),
        height: room,
        ..area
    };
    // The scroll bar is drawn on the border, to the right of the padding.
    scroll::bar(of(scroll, asked, place.height), place, area.right() + 1, brush);
    scroll::bar(of(top - asked, all - asked, room), answers, area.right() + 1, brush);
}

/// Draws the tabs: `1 Database ✓ │ 2 Tests │ send`. If not all tabs fit, shows the tabs around the current tab.
fn bar(view: &QuestionView, area: Rect, brush: &mut Brush) {
    const RULE: &str = " │ ";
    const MORE: [&str; 2] = ["‹ ", " ›"];
    let label = |place: usize| match view.pages.get(place) {
        None => word(Word::SendAnswers).to_owned(),
        Some(page) => {
            let mark = if page.is_answered() { " ✓" } else { "" };
            format!("{} {}{mark}", place + 1, reveal(&page.name))
        }
    };
    let labels: Vec<String> = (0..=view.pages.len()).map(label).collect();
    let widths: Vec<u16> = labels.iter().map(|label| columns(label)).collect();
    let shown = tabs_around(
        view.at,
        &widths,
        columns(RULE),
        area.width,
        columns(MORE[0]) + columns(MORE[1]),
    );
    let mut x = area.x;
    let put = |brush: &mut Brush, x: &mut u16, text: &str, scope: Scope| {
        let room = area.right().saturating_sub(*x);
        *x += brush.scoped(*x, area.y, room, &truncate(text, usize::from(room)), scope);
    };
    if shown.start > 0 {
        put(brush, &mut x, MORE[0], Scope::Border);
    }
    for (place, label) in labels.iter().enumerate().take(shown.end).skip(shown.start) {
        if place > shown.start {
            put(brush, &mut x, RULE, Scope::Border);
        }
        let here = place == view.at;
        let scope = if here { Scope::TextHeading } else { Scope::TextDim };
        put(brush, &mut x, label, scope);
    }
    if shown.end < labels.len() {
        put(brush, &mut x, MORE[1], Scope::Border);
    }
}

/// Returns the range of tabs that fit, including the current tab. If only one neighbour fits, prefers the later one.
fn tabs_around(at: usize, widths: &[u16], rule: u16, room: u16, signs: u16) -> Range<usize> {
    let needs = |range: &Range<usize>| {
        let widths = widths.get(range.clone()).unwrap_or_default();
        let rules = rule.saturating_mul(u16::try_from(widths.len().saturating_sub(1)).unwrap_or(u16::MAX));
        widths.iter().sum::<u16>().saturating_add(rules)
    };
    let all = 0..widths.len();
    if needs(&all) <= room {
        return all;
    }
    let room = room.saturating_sub(signs);
    let mut shown = at..at + 1;
    loop {
        let later = shown.start..(shown.end + 1).min(all.end);
        let earlier = shown.start.saturating_sub(1)..shown.end;
        let next = [later, earlier]
            .into_iter()
            .find(|next| *next != shown && needs(next) <= room);
        match next {
            Some(next) => shown = next,
            None => return shown,
        }
    }
}

fn option(page: &Page, place: usize, first: bool, text: &str, row: Rect, brush: &mut Brush) {
    let under = place == page.selected;
    let sign = if under && first { "› " } else { "  " };
    let chosen = page.is_chosen(place);
    // Enter sends the chosen option even if the cursor is elsewhere, so the choice must be visible. If free text
    // replaces the option as the only answer, the option is not marked.
    let chosen = chosen && (page.multiple || !page.own_counts());
    let mark = match (page.multiple, chosen) {
        _ if !first => "    ",
        (true, true) => "[x] ",
        (true, false) => "[ ] ",
        (false, true) => "(x) ",
        (false, false) => "( ) ",
    };
    let number = match first && place < NUMBERED {
        true => format!("{} ", place + 1),
        false => "  ".to_owned(),
    };
    let scope = if under { Scope::TextBright } else { Scope::Text };
    let pieces = [
        (sign, Scope::TextAccent),
        (&*number, Scope::DialogKey),
        (mark, Scope::TextAccent),
        (text, scope),
    ];
    brush.run(row.x, row.y, row.right(), &pieces);
}

fn own_mark(page: &Page) -> &'static str {
    match (page.options.is_empty(), page.multiple, page.own_counts()) {
        (true, _, _) => "",
        (false, true, true) => "[x] ",
        (false, true, false) => "[ ] ",
        (false, false, true) => "(x) ",
        (false, false, false) => "( ) ",
    }
}

fn answered(view: &QuestionView, place: usize, name: &str, answer: &str, row: Rect, brush: &mut Brush) {
    let under = place == view.chosen;
    let sign = if under && !name.is_empty() { "› " } else { "  " };
    let column = answers_column(view, row.width);
    let end = (row.x + column).saturating_sub(2);
    let name_scope = if under { Scope::TextBright } else { Scope::Text };
    let room = usize::from(column.saturating_sub(4));
    let pieces = [(sign, Scope::TextAccent), (&*truncate(name, room), name_scope)];
    brush.run(row.x, row.y, end, &pieces);
    let open = view.pages.get(place).is_some_and(|page| page.answers().is_empty());
    let scope = if open { Scope::TextDim } else { Scope::TextAccent };
    brush.scoped(row.x + column, row.y, row.width.saturating_sub(column), answer, scope);
}

fn own(page: &Page, at: usize, area: Rect, brush: &mut Brush) -> Option<Position> {
    let y = area.y.saturating_add(u16::try_from(at).ok()?);
    if y >= area.bottom() {
        return None;
    }
    let rest = Rect {
        x: area.x + own_indent(page),
        y,
        width: area.width.saturating_sub(own_indent(page)),
        height: (area.bottom() - y).min(u16::try_from(page.own_shown).unwrap_or(u16::MAX)),
    };
    if page.own.is_empty() {
        let hint = match page.may_be_left_out() {
            true => Word::EnterLeavesOut,
            false => Word::InYourOwnWords,
        };
        brush.scoped(rest.x, y, rest.width, word(hint), Scope::TextDim);
    }
    Some(input::buffer(page.own.view(), rest, brush))
}

#[cfg(test)]
mod tests;
