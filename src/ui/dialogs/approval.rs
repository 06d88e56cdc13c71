//! The approval dialog: the request, the reason for it, its effect, and the keys. Without focus, the row of keys shows
//! only the key that focuses the dialog. Temporarily disabled keys are dimmed.

mod editor;
mod files;
mod keys;
mod rows;

use ratatui::layout::{Position, Rect};

use super::{paragraph, question};
use crate::brush::Brush;
use crate::highlight::Cache;
use crate::number;
use crate::widgets::frame::{self, Head};
use crate::widgets::scroll::{self, Extent};
use crate::widgets::{diff, input};
use benchdog_app::State;
use benchdog_app::dialogs::approval::{Laid, Place, RequestView, Step, Waiting};
use benchdog_app::dialogs::why::{beside_title, is_moved};
use benchdog_app::layout::padded;
use benchdog_base::text::{reveal, truncate, truncate_start, width, wrap};
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::{Question, Review};
use benchdog_keys::Action;
use benchdog_keys::action::ApprovalAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

/// Minimum height at which the dialog has a border.
const BORDER_FROM: u16 = 5;
const BETWEEN: &str = " ─ ";
/// Minimum width at which the title has space for both the note and the reason.
const NOTE_BESIDE_REASON: u16 = 60;
/// Minimum width of the reason in a title.
const REASON_FROM: usize = 12;

pub(crate) fn draw(
    state: &State,
    waiting: &Waiting,
    area: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) -> Option<Position> {
    let inside = state.screen.approvals.has_focus();
    // A pane's title stays highlighted while the dialog has no focus, so do not highlight this title too.
    let (line, lead) = if inside {
        (Scope::BorderFocused, Scope::BorderTitleFocused)
    } else {
        (Scope::Border, Scope::TextAccent)
    };
    let title = title(state, waiting);
    // In narrow windows, the reason is shown instead of the position among the requests.
    let note = match title.because_first && area.width < NOTE_BESIDE_REASON {
        true => String::new(),
        false => note(state, waiting),
    };
    let title = fitted(title, area.width.saturating_sub(frame::beside_title(&note, area.width)));
    if area.height >= BORDER_FROM {
        frame::draw(
            &Head {
                title: &pieces(&title, lead),
                note: &note,
                line,
            },
            area,
            brush,
        );
    } else {
        brush.clear(area, Scope::Dialog);
    }
    let body = state.layout.approval_body?;
    let keys_row = state.layout.approval_keys?;
    if keys_row.y > body.bottom() {
        frame::divider(area, body.bottom(), line, brush);
        hunks(waiting, lead, area, body.bottom(), brush);
    } else if area.height >= BORDER_FROM {
        hunks(waiting, lead, area, area.bottom() - 1, brush);
    }
    let caret = content(waiting, inside, body, brush, cache);
    keys::draw(state, waiting, keys_row, brush);
    caret.filter(|_| inside)
}

pub(crate) fn draw_empty(state: &State, area: Rect, brush: &mut Brush) {
    if area.height >= BORDER_FROM {
        let head = Head {
            title: &[(word(Word::KeyReview), Scope::BorderTitleFocused)],
            note: "",
            line: Scope::BorderFocused,
        };
        frame::draw(&head, area, brush);
    } else {
        brush.clear(area, Scope::Dialog);
    }
    if let Some(body) = state.layout.approval_body {
        paragraph(word(Word::ReviewIsEmpty), padded(body), Scope::TextDim, brush);
    }
}

fn content(waiting: &Waiting, inside: bool, body: Rect, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    let (about, step) = waiting.split(body);
    let caret = match &waiting.view {
        _ if about.height == 0 => None,
        RequestView::Files(view) => {
            let (list, about) = view.list_and_diff(about);
            if let Some(list) = list {
                files::draw(view, list, brush);
            }
            diff::draw(view, inside, about, brush, cache)
        }
        RequestView::Question(view) => question::draw(view, padded(about), brush, cache),
        RequestView::Rows { top, .. } => {
            rows::draw(&waiting.rows(padded(about).width), *top, padded(about), brush);
            None
        }
        RequestView::Unseen => None,
    };
    let area = padded(step);
    match &waiting.step {
        Step::Deciding => caret,
        Step::Reason(text) | Step::Comment { buffer: text, .. } => {
            // In a low window, keep one row for the text input.
            let heading = Rect {
                height: area.height.saturating_sub(1),
                ..area
            };
            let y = paragraph(&self::heading(waiting, heading), heading, Scope::TextHeading, brush);
            let below = below(area, y);
            input::arrows(text.view(), below, brush);
            Some(input::buffer(text.view(), below, brush))
        }
        Step::Edit(editor) => {
            let text = waiting.text_area(body)?;
            Some(editor::draw(editor, waiting, area, text, brush, cache))
        }
        Step::ConfirmAlways(always) => {
            let laid = always.laid(area.width, area.height);
            let y = paragraph(&laid.heading, area, Scope::TextHeading, brush);
            scopes(&laid, below(area, y), body.right().saturating_sub(1), brush);
            None
        }
        Step::Why => {
            paragraph(&waiting.heading(), area, Scope::Text, brush);
            None
        }
    }
}

/// Returns the heading above a text input. If a comment's heading does not fit, returns the end of `path:line`.
fn heading(waiting: &Waiting, area: Rect) -> String {
    let heading = waiting.heading();
    let columns = usize::from(area.width.max(1));
    let rows: usize = heading.lines().map(|line| wrap(line, columns).len()).sum();
    let place = match (&waiting.step, &waiting.view) {
        (Step::Comment { at, .. }, RequestView::Files(view)) if rows > usize::from(area.height) => view.place_of(*at),
        _ => None,
    };
    match place {
        Some((path, line)) => truncate_start(&format!("{path}:{line}"), columns).into_owned(),
        None => heading,
    }
}

fn scopes(laid: &Laid, area: Rect, x: u16, brush: &mut Brush) {
    for (y, row) in (area.y..area.bottom()).zip(laid.rows.iter().skip(laid.first)) {
        let rule = if row.chosen { Scope::TextBright } else { Scope::TextDim };
        brush.run(
            area.x,
            y,
            area.right(),
            &[(&row.rule, rule), (&row.covered, Scope::TextDim)],
        );
    }
    let extent = Extent {
        first: laid.first,
        shown: usize::from(area.height),
        all: laid.rows.len(),
    };
    scroll::bar(extent, area, x, brush);
}

fn below(area: Rect, y: u16) -> Rect {
    Rect {
        y,
        height: area.bottom().saturating_sub(y),
        ..area
    }
}

struct Title {
    whose: String,
    tool: String,
    about: String,
    because: String,
    /// Whether the reason takes precedence over the path.
    because_first: bool,
    danger: bool,
}

fn title(state: &State, waiting: &Waiting) -> Title {
    let request = &waiting.request;
    let danger = request.verdict.class.is_some_and(CommandClass::is_grave);
    let about = match &request.review {
        Review::Question(Question::Model { asked, .. }) => match asked.as_slice() {
            [one] => one.header.clone(),
            _ => String::new(),
        },
        Review::Command(_) | Review::Question(Question::GoOn(_) | Question::Plan { .. } | Question::Server { .. }) => {
            String::new()
        }
        Review::Files(_) | Review::Fields(_) => reveal(&request.title).into_owned(),
    };
    Title {
        whose: (request.child.as_ref()).map_or_else(String::new, |child| reveal(&child.name()).into_owned()),
        tool: request.tool.clone(),
        about,
        because: if state.screen.approvals.looks_ahead() {
            word(Word::LookedAhead).to_owned()
        } else {
            beside_title(request)
        },
        because_first: is_moved(request) && !state.screen.approvals.looks_ahead(),
        danger,
    }
}

/// Shortens a title to `room` columns. The end of the path stays, and a reason with too few columns is omitted.
fn fitted(mut title: Title, room: u16) -> Title {
    let room = usize::from(room);
    if !title.whose.is_empty() {
        // The name of the subagent gets at least half of the width.
        let rest = width(&title.tool) + 1 + width(&title.about) + width(BETWEEN);
        let name = truncate(&title.whose, room.saturating_sub(rest).max(room / 2)).into_owned();
        title.whose = name + BETWEEN;
    }
    let mut used = width(&title.whose) + width(&title.tool);
    if !title.about.is_empty() {
        let left = room.saturating_sub(used + 1);
        let before = match title.because_first {
            true => (width(&title.because) + width(BETWEEN)).min(left * 2 / 3),
            false => 0,
        };
        title.about = truncate_start(&title.about, left - before).into_owned();
        used += 1 + width(&title.about);
    }
    let left = room.saturating_sub(used + 3);
    title.because = if left < REASON_FROM {
        String::new()
    } else {
        truncate(&title.because, left).into_owned()
    };
    title
}

fn pieces(title: &Title, lead: Scope) -> Vec<(&str, Scope)> {
    let because = if title.danger {
        Scope::DialogDanger
    } else {
        Scope::BorderTitle
    };
    let mut out = vec![(title.whose.as_str(), Scope::TextBright), (title.tool.as_str(), lead)];
    if !title.about.is_empty() {
        out.extend([(" ", Scope::Dialog), (title.about.as_str(), Scope::TextBright)]);
    }
    if !title.because.is_empty() {
        out.extend([(" ─ ", Scope::Border), (title.because.as_str(), because)]);
    }
    out
}

fn note(state: &State, waiting: &Waiting) -> String {
    let mut parts = Vec::new();
    if let Some(place) = state.screen.approvals.place() {
        parts.push(place_of(state, place));
    }
    if let RequestView::Files(view) = &waiting.view {
        if view.files.len() > 1 {
            parts.push(lang::at_file(view.file() + 1, view.files.len()));
        }
        if let Some((at, all)) = view.hunk_position() {
            parts.push(lang::at_hunk(at, all));
        }
        let (added, removed) = view.counts();
        parts.push(number::added_removed(added, removed));
    }
    parts.join(" ─ ")
}

fn place_of(state: &State, place: Place) -> String {
    let key = |action, there| Some(state.keymap.hint(Action::Approval(action))).filter(|key| there && !key.is_empty());
    let words = match place.all {
        Some(all) => lang::place_of(place.at, all),
        None => lang::place_alone(place.at),
    };
    let before = key(ApprovalAction::Previous, place.before);
    let behind = key(ApprovalAction::Next, place.behind);
    let parts: Vec<String> = before.into_iter().chain([words]).chain(behind).collect();
    parts.join(" ")
}

/// Draws the state of each hunk, such as `[x] hunk 1   [ ] hunk 2`. `lead` is the style of the current hunk.
fn hunks(waiting: &Waiting, lead: Scope, area: Rect, y: u16, brush: &mut Brush) {
    let RequestView::Files(view) = &waiting.view else {
        return;
    };
    let all = view.hunk_count();
    let at = view.hunk_position().map_or(0, |(at, _)| at - 1);
    // If not all hunks fit, only those around the cursor are shown.
    let room = usize::from(area.width.saturating_sub(4) / 14);
    // If hunks are omitted, reserve columns at both ends for the numbers of omitted hunks.
    let some = usize::from(area.width.saturating_sub(16) / 14);
    let fitting = if all <= room { room } else { some }.max(1);
    let first = at.saturating_sub(fitting / 2).min(all.saturating_sub(fitting));
    let mut x = area.x + 2;
    let more = |count: usize| {
        if count > 0 {
            format!(" +{count} ")
        } else {
            String::new()
        }
    };
    x += brush.scoped(
        x,
        y,
        area.right().saturating_sub(x + 1),
        &more(first),
        Scope::BorderTitle,
    );
    for (place, (file, hunk)) in view.hunks().enumerate().skip(first).take(fitting) {
        let Some(diff) = view.files.get(file) else { continue };
        let current = Some((file, hunk)) == view.current;
        let text = format!(" {} {} ", files::sign(diff.mark_of_hunk(hunk)), lang::hunk(place + 1));
        let scope = if current { lead } else { Scope::BorderTitle };
        x += brush.scoped(x, y, area.right().saturating_sub(x + 1), &text, scope) + 1;
    }
    let behind = more(all.saturating_sub(first + fitting));
    brush.scoped(x, y, area.right().saturating_sub(x + 1), &behind, Scope::BorderTitle);
}
