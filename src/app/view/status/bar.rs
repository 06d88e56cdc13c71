//! The layout of the status line, for rendering and for clicks.

use ratatui::layout::Rect;

use super::{Mode, Status, status};
use crate::state::State;
use benchdog_base::text::{truncate, width as columns};
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;

pub const BETWEEN: &str = " · ";
const TELLS_FROM: usize = 12;

pub struct Bar {
    pub badge: String,
    pub agent: String,
    pub mode: Mode,
    pub with: String,
    pub middle: String,
    pub middle_at: u16,
    pub middle_matters: bool,
    pub keys: Vec<Spot>,
    pub keys_at: u16,
    pub parted: bool,
}

pub struct Spot {
    pub x: u16,
    pub width: u16,
    pub key: String,
    pub text: String,
    pub action: Option<Action>,
}

impl Spot {
    fn of(key: String, text: String, action: Option<Action>) -> Self {
        let words = if text.is_empty() { 0 } else { 1 + columns(&text) };
        Self {
            x: 0,
            width: short(columns(&key) + words),
            key,
            text,
            action,
        }
    }
}

fn short(columns: usize) -> u16 {
    u16::try_from(columns).unwrap_or(u16::MAX)
}

pub fn bar(state: &State, area: Rect) -> Bar {
    let shown = status(state);
    let badge = format!(" {} ", shown.focus);
    let taken = short(columns(&badge)).min(area.width);
    let area = Rect {
        x: area.x + taken,
        width: area.width - taken,
        ..area
    };
    let all = spots(&shown);
    let width = usize::from(area.width);
    let first = all.first().map_or(0, |spot| usize::from(spot.width));
    let needed = columns(&shown.middle) + columns(&shown.left) + first + 5;
    let text = if needed > width {
        &shown.middle_short
    } else {
        &shown.middle
    };
    let (keys, keys_at) = right_aligned(all, room_for_keys(&shown, text, area), area);
    let room = usize::from(keys_at.saturating_sub(area.x + 2));
    // Keep one column free before the keys.
    let middle = truncate(text, room.saturating_sub(1)).into_owned();
    let taken = columns(&middle);
    let left = beside(&shown.left, room, taken);
    let (agent, with) = left.split_once(' ').unwrap_or((&left, ""));
    // Centre the activity in the window if it fits, so that it does not move when other texts change.
    let centre = area.x + short(width.saturating_sub(taken) / 2);
    let after = area.x + 2 + short(columns(&left));
    let between = short(columns(BETWEEN));
    let middle_at = centre.min(keys_at.saturating_sub(short(taken) + between)).max(after);
    let free = keys_at.saturating_sub(middle_at + short(taken));
    Bar {
        badge,
        agent: agent.to_owned(),
        mode: shown.mode,
        with: with.to_owned(),
        middle_at,
        middle,
        middle_matters: shown.middle_is_error || shown.waits,
        parted: taken > 0 && !keys.is_empty() && free == between,
        keys,
        keys_at,
    }
}

fn spots(shown: &Status) -> Vec<Spot> {
    let others = shown.others.iter().map(|(key, text)| {
        let sessions = Action::Global(GlobalAction::Sessions);
        Spot::of(key.clone(), text.clone(), Some(sessions))
    });
    let keys = shown.keys.iter();
    let keys = keys.map(|hint| Spot::of(hint.key.clone(), hint.text.to_owned(), hint.action));
    others.chain(keys).collect()
}

/// Returns the width for key hints. Narrow windows show two hints. If the second hint would truncate the activity, they
/// show only one. The agent is shown only if there is space left.
fn room_for_keys(shown: &Status, middle: &str, area: Rect) -> usize {
    let (width, middle) = (usize::from(area.width), columns(middle));
    let spots = spots(shown);
    let taken = |count: usize| {
        let widths = spots.iter().take(count).map(|spot| usize::from(spot.width));
        widths.sum::<usize>() + columns(BETWEEN) * count.min(spots.len()).saturating_sub(1)
    };
    let agent = shown.left.split_once(' ').map_or(0, |(agent, _)| columns(agent) + 1);
    // A permission mode other than the default mode is always shown.
    let mode = if shown.mode == Mode::Asks { 0 } else { agent };
    let two = 1 + taken(2);
    let least = if two + middle + 3 + mode <= width {
        two
    } else {
        1 + taken(1)
    };
    width.saturating_sub(middle.min(width / 2) + 3 + agent).max(least)
}

fn right_aligned(all: Vec<Spot>, room: usize, area: Rect) -> (Vec<Spot>, u16) {
    let mut taken = 1;
    let mut fitting: Vec<Spot> = Vec::new();
    for spot in all {
        let between = if fitting.is_empty() { 0 } else { columns(BETWEEN) };
        if taken + between + usize::from(spot.width) > room {
            break;
        }
        taken += between + usize::from(spot.width);
        fitting.push(spot);
    }
    let start = area.right().saturating_sub(short(taken));
    let mut x = start;
    for spot in &mut fitting {
        spot.x = x;
        x += spot.width + short(columns(BETWEEN));
    }
    (fitting, start)
}

/// Returns the text to the left of the activity, with space for a separator if this hides no part of the text.
fn beside(all: &str, room: usize, taken: usize) -> String {
    let with_room = |free: usize| left(all, room.saturating_sub(if taken > 0 { taken + free } else { 0 }));
    let (most, parted) = (with_room(1), with_room(columns(BETWEEN)));
    let parts = |shown: &str| shown.split(BETWEEN).filter(|part| !part.is_empty()).count();
    if parts(&parted) == parts(&most) { parted } else { most }
}

/// Returns as many parts of the text as fit. Only the last shown part may be truncated.
fn left(all: &str, room: usize) -> String {
    let mut shown = String::new();
    for part in all.split(BETWEEN) {
        let between = if shown.is_empty() { "" } else { BETWEEN };
        let left = room.saturating_sub(columns(&shown) + columns(between));
        let fits = columns(part) <= left;
        if !fits && (shown.is_empty() || left < TELLS_FROM) {
            break;
        }
        shown.push_str(between);
        shown.push_str(&truncate(part, left));
        if !fits {
            break;
        }
    }
    shown
}

impl Bar {
    pub(crate) fn action_at(&self, x: u16) -> Option<Action> {
        let spot = self.keys.iter().find(|spot| (spot.x..spot.x + spot.width).contains(&x));
        spot?.action
    }
}
