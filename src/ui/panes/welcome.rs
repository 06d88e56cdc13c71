//! The start screen: program name, folder, example prompts, and the most important keys.

use ratatui::layout::Rect;

use crate::brush::Brush;
use benchdog_app::State;
use benchdog_app::panes::welcome::{EXAMPLES, keys};
use benchdog_app::view::status::folder;
use benchdog_base::text::{clean, reveal, truncate, truncate_start, width, wrap};
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang::{self as lang, word};
use benchdog_theme::Scope;

/// Maximum width of the title of the last session, in columns.
const TITLE: usize = 36;

struct Row {
    lead: String,
    text: String,
    scope: Scope,
}

impl Row {
    fn new(lead: &str, text: &str, scope: Scope) -> Self {
        Self {
            lead: lead.to_owned(),
            text: text.to_owned(),
            scope,
        }
    }

    fn blank() -> Self {
        Self::new("", "", Scope::Text)
    }

    fn room(&self, columns: u16) -> usize {
        usize::from(columns).saturating_sub(width(&self.lead)).max(1)
    }

    fn height(&self, columns: u16) -> usize {
        wrap(&self.text, self.room(columns)).len()
    }

    fn draw(&self, area: Rect, mut y: u16, brush: &mut Brush) -> u16 {
        let indent = u16::try_from(width(&self.lead)).unwrap_or(area.width);
        if y < area.bottom() {
            brush.scoped(area.x, y, area.width, &self.lead, Scope::TextAccent);
        }
        for line in wrap(&self.text, self.room(area.width)) {
            if y < area.bottom() {
                let text = self.text.get(line).unwrap_or_default();
                brush.scoped(area.x + indent, y, area.width.saturating_sub(indent), text, self.scope);
            }
            y += 1;
        }
        y
    }
}

/// Draws the start screen below `said` rows of notices. In a low pane, all key hints share one row.
pub(super) fn draw(state: &State, said: usize, area: Rect, brush: &mut Brush) {
    let columns = area.width;
    let said = u16::try_from(said).unwrap_or(u16::MAX);
    let free = usize::from(area.height.saturating_sub(said));
    let height = |rows: &[Row]| rows.iter().map(|row| row.height(columns)).sum::<usize>();
    let mut rows = examples(state, columns);
    let keys = keys(state);
    let list = list(&keys);
    if height(&rows) + height(&list) < free {
        rows.extend(list);
    } else {
        rows.push(in_one_line(&keys));
    }
    let above = free.saturating_sub(height(&rows)) / 3;
    let above = u16::try_from(above).unwrap_or(0).max(u16::from(said > 0));
    let mut y = area.y.saturating_add(said).saturating_add(above);
    for row in &rows {
        y = row.draw(area, y, brush);
    }
}

/// Names the folder's last session, so that a user whose terminal was closed finds the work again.
fn previous(state: &State) -> Option<String> {
    let (title, updated) = state
        .screen
        .session
        .previous
        .as_ref()
        .filter(|(title, _)| !title.is_empty())?;
    let title = truncate(&clean(title), TITLE).into_owned();
    let keys = state.keymap.hint(Action::Global(GlobalAction::Sessions));
    let key = if keys.is_empty() { "/resume" } else { &keys };
    Some(lang::last_session(&title, *updated, state.now, &state.zone, key))
}

fn examples(state: &State, columns: u16) -> Vec<Row> {
    let room = usize::from(columns).saturating_sub(width(&lang::here("")));
    let here = lang::here(&truncate_start(&reveal(&folder(state)), room));
    let mut rows = vec![Row::new("", &here, Scope::TextAccent)];
    rows.extend(previous(state).map(|text| Row::new("", &text, Scope::TextDim)));
    rows.push(Row::blank());
    let key = state.keymap.hint(Action::Global(GlobalAction::NextPane));
    if !key.is_empty() {
        rows.push(Row::new("", &lang::message::empty_conversation(&key), Scope::TextDim));
        rows.extend(EXAMPLES.map(|example| Row::new("  ", word(example), Scope::Text)));
        rows.push(Row::blank());
    }
    rows
}

fn list(keys: &[(String, &str)]) -> Vec<Row> {
    let widest = keys.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    let padded = |key: &str| format!("{key}{}", " ".repeat(widest + 2 - width(key)));
    let rows = keys.iter();
    rows.map(|(key, what)| Row::new(&padded(key), what, Scope::TextDim))
        .collect()
}

fn in_one_line(keys: &[(String, &str)]) -> Row {
    let keys: Vec<String> = keys.iter().map(|(key, what)| format!("{key} {what}")).collect();
    Row::new("", &keys.join(" · "), Scope::TextDim)
}
