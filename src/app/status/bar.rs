//! Where everything of the bottom row stands. It is drawn there, and a click on a key finds it there.

use ratatui::layout::Rect;

use super::{Mode, Status, status};
use crate::app::state::State;
use crate::base::text::{truncate, width as columns};
use crate::keys::Action;
use crate::keys::action::GlobalAction;

/// Between two keys, and between two things about the session.
pub(crate) const BETWEEN: &str = " · ";
/// Fewer columns of a name tell nothing.
const TELLS_FROM: usize = 12;

/// The row, from left to right.
pub(crate) struct Bar {
    /// The name of the focused place, with a space at each side.
    pub(crate) badge: String,
    /// Who works, where there is room for that.
    pub(crate) agent: String,
    pub(crate) mode: Mode,
    /// With what.
    pub(crate) with: String,
    /// What happens now, and the column it begins in.
    pub(crate) middle: String,
    pub(crate) middle_at: u16,
    pub(crate) middle_matters: bool,
    pub(crate) keys: Vec<Spot>,
    /// The column the keys begin in.
    pub(crate) keys_at: u16,
    /// What happens stands so near the keys that a sign parts them.
    pub(crate) parted: bool,
}

/// A key that is shown.
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
    // A column stays free before the keys.
    let middle = truncate(text, room.saturating_sub(1)).into_owned();
    let taken = columns(&middle);
    let left = beside(&shown.left, room, taken);
    let (agent, with) = left.split_once(' ').unwrap_or((&left, ""));
    // In the middle of the window where it fits, so that it stays when an end changes.
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

/// The other seats first, then the keys.
fn spots(shown: &Status) -> Vec<Spot> {
    let others = shown.others.iter().map(|(key, text)| {
        let sessions = Action::Global(GlobalAction::Sessions);
        Spot::of(key.clone(), text.clone(), Some(sessions))
    });
    let keys = shown.keys.iter();
    let keys = keys.map(|hint| Spot::of(hint.key.clone(), hint.text.to_owned(), hint.action));
    others.chain(keys).collect()
}

/// The keys first, two of them even where little room is, unless what happens would be torn by the second; then what happens; then
/// who works.
fn room_for_keys(shown: &Status, middle: &str, area: Rect) -> usize {
    let (width, middle) = (usize::from(area.width), columns(middle));
    let spots = spots(shown);
    let taken = |count: usize| {
        let widths = spots.iter().take(count).map(|spot| usize::from(spot.width));
        widths.sum::<usize>() + columns(BETWEEN) * count.min(spots.len()).saturating_sub(1)
    };
    let agent = shown.left.split_once(' ').map_or(0, |(agent, _)| columns(agent) + 1);
    // That it does more or less than usual is always seen.
    let mode = if shown.mode == Mode::Asks { 0 } else { agent };
    let two = 1 + taken(2);
    let least = if two + middle + 3 + mode <= width {
        two
    } else {
        1 + taken(1)
    };
    width.saturating_sub(middle.min(width / 2) + 3 + agent).max(least)
}

/// As many keys as fit from the beginning of the list, at the right end; the column they begin in.
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

/// What stands at the left of what happens. What parts that from the keys has room where it costs none of these things.
fn beside(all: &str, room: usize, taken: usize) -> String {
    let with_room = |free: usize| left(all, room.saturating_sub(if taken > 0 { taken + free } else { 0 }));
    let (most, parted) = (with_room(1), with_room(columns(BETWEEN)));
    let parts = |shown: &str| shown.split(BETWEEN).filter(|part| !part.is_empty()).count();
    if parts(&parted) == parts(&most) { parted } else { most }
}

/// As many of the things about the session as fit whole. Only the last one that is shown may be shortened, and half a name tells little.
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
    /// What a click in a column does. `None`: no key is there.
    pub(crate) fn action_at(&self, x: u16) -> Option<Action> {
        let spot = self.keys.iter().find(|spot| (spot.x..spot.x + spot.width).contains(&x));
        spot?.action
    }
}
