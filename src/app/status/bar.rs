//! The layout of the status line, for rendering and clicks.

use ratatui::layout::Rect;

use super::{Mode, Status, status};
use crate::app::state::State;
use crate::base::text::{truncate, width as columns};
use crate::keys::Action;
use crate::keys::action::GlobalAction;

/// The separator between hints and between session facts.
pub(crate) const BETWEEN: &str = " · ";
/// Minimum useful width of a name.
const TELLS_FROM: usize = 12;

pub(crate) struct Bar {
    /// The name of the focused pane, with a space on each side.
    pub(crate) badge: String,
    pub(crate) agent: String,
    pub(crate) mode: Mode,
    pub(crate) with: String,
    /// The current activity, and its column.
    pub(crate) middle: String,
    pub(crate) middle_at: u16,
    pub(crate) middle_matters: bool,
    pub(crate) keys: Vec<Spot>,
    pub(crate) keys_at: u16,
    /// Whether a separator is needed between activity and key hints.
    pub(crate) parted: bool,
}

pub(crate) struct Spot {
    pub(crate) x: u16,
    pub(crate) width: u16,
    pub(crate) key: String,
    pub(crate) text: String,
    pub(crate) action: Option<Action>,
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

pub(crate) fn bar(state: &State, area: Rect) -> Bar {
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
    // One column stays free before the keys.
    let middle = truncate(text, room.saturating_sub(1)).into_owned();
    let taken = columns(&middle);
    let left = beside(&shown.left, room, taken);
    let (agent, with) = left.split_once(' ').unwrap_or((&left, ""));
    // Centred if it fits, so that it stays in place when the sides change.
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

/// Returns the width for key hints. Two are shown even in narrow windows, unless the second one would truncate the activity. The agent
/// comes last.
fn room_for_keys(shown: &Status, middle: &str, area: Rect) -> usize {
    let (width, middle) = (usize::from(area.width), columns(middle));
    let spots = spots(shown);
    let taken = |count: usize| {
        let widths = spots.iter().take(count).map(|spot| usize::from(spot.width));
        widths.sum::<usize>() + columns(BETWEEN) * count.min(spots.len()).saturating_sub(1)
    };
    let agent = shown.left.split_once(' ').map_or(0, |(agent, _)| columns(agent) + 1);
    // An unusual permission mode is always shown.
    let mode = if shown.mode == Mode::Asks { 0 } else { agent };
    let two = 1 + taken(2);
    let least = if two + middle + 3 + mode <= width {
        two
    } else {
        1 + taken(1)
    };
    width.saturating_sub(middle.min(width / 2) + 3 + agent).max(least)
}

/// Returns the key hints that fit, right-aligned, and their column.
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

/// Returns the text left of the activity. A separator is added only if nothing is lost.
fn beside(all: &str, room: usize, taken: usize) -> String {
    let with_room = |free: usize| left(all, room.saturating_sub(if taken > 0 { taken + free } else { 0 }));
    let (most, parted) = (with_room(1), with_room(columns(BETWEEN)));
    let parts = |shown: &str| shown.split(BETWEEN).filter(|part| !part.is_empty()).count();
    if parts(&parted) == parts(&most) { parted } else { most }
}

/// Returns as many session facts as fit. Only the last one may be truncated.
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
