//! Reasons why a configured binding is rejected: it would have no effect, or prevent typing.

use benchdog_base::spelling::nearest;

use super::action::{Action, ApprovalAction, GlobalAction, PromptAction, rows};
use super::key::{Key, KeyCode};
use super::keymap::Chord;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    #[error(
        "`{key}` cannot be both `{kept}` and `{dropped}`: give one of them another key in `ui.keys`, or `[]` for none"
    )]
    Twice {
        key: String,
        kept: &'static str,
        dropped: &'static str,
    },
    #[error(
        "`{shorter}` is the first stroke of `{longer}`, so `{kept}` and `{dropped}` cannot have both; choose another key for one of them"
    )]
    Half {
        shorter: String,
        longer: String,
        kept: &'static str,
        dropped: &'static str,
    },
    #[error("there is no action `{id}`{}", nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownAction { id: String, nearest: Option<&'static str> },
    #[error(
        "`{text}` for `{id}` is not a key; keys are written like `ctrl-p`, `alt-shift-left`, `pageup`, `f1`, `space`, `ctrl-x n`"
    )]
    BadKey { id: String, text: String },
    #[error(
        "`{key}` for `{id}` would do that where you type `{key}` as text; choose a key with Ctrl or Alt, or a function key"
    )]
    Letter { key: String, id: &'static str },
    #[error(
        "`{key}` for `{id}` would take `{key}` away from what sends or answers; choose a key with Ctrl or Alt, or a function key"
    )]
    Enter { key: String, id: &'static str },
    #[error(
        "`{key}` for `{id}` would decide by two strokes, or by what a terminal also sends for Esc and a letter; choose one key without Alt"
    )]
    Deciding { key: String, id: &'static str },
    #[error("`{key}` for `{id}` never arrives: terminals send it as Tab, Enter or Esc; choose another key")]
    Unsent { key: String, id: &'static str },
    #[error("`{id}` needs a key: without one a person could be locked in; give it another one instead of none")]
    Needed { id: &'static str },
}

pub(super) fn is_needed(action: Action) -> bool {
    matches!(
        action,
        Action::Global(GlobalAction::Clear) | Action::Approval(ApprovalAction::Deny)
    )
}

pub(super) fn refused(action: Action, chord: Chord) -> Option<Conflict> {
    let row = action.row();
    let (key, id) = (chord.shown(), row.id);
    let strokes = [Some(chord.first), chord.second];
    if strokes.into_iter().flatten().any(is_sent_as_another) {
        return Some(Conflict::Unsent { key, id });
    }
    let at_once = matches!(action, Action::Global(GlobalAction::OnceNow | GlobalAction::DenyNow));
    let typed = chord.first.printable().is_some();
    // After such a binding, the character could no longer be typed.
    if (typed && (row.scope.takes_text() || chord.second.is_some())) || (at_once && !is_deliberate(chord.first)) {
        return Some(Conflict::Letter { key, id });
    }
    let with_alt = chord.first.alt && matches!(chord.first.code, KeyCode::Char(_));
    if action.alters_request() && (chord.second.is_some() || with_alt) {
        return Some(Conflict::Deciding { key, id });
    }
    let enter = chord.first == Key::plain(KeyCode::Enter);
    let guarded = row.scope.takes_text() || row.scope.decides();
    (enter && guarded && !may_have_enter(action)).then_some(Conflict::Enter { key, id })
}

/// Whether the key is never pressed by accident while typing.
fn is_deliberate(key: Key) -> bool {
    matches!(key.code, KeyCode::F(_)) || (matches!(key.code, KeyCode::Char(_)) && (key.ctrl || key.alt))
}

/// Whether terminals send Ctrl with this letter as Tab, Enter or Esc.
fn is_sent_as_another(key: Key) -> bool {
    key.ctrl && matches!(key.code, KeyCode::Char('i' | 'm' | '['))
}

fn may_have_enter(action: Action) -> bool {
    let own = action.row().keys.contains(&"enter");
    own || matches!(action, Action::Prompt(PromptAction::Newline | PromptAction::Steer))
}

/// Returns the most similar action id, or an id with the same name in another group.
pub(super) fn nearest_id(id: &str) -> Option<&'static str> {
    let last = |id: &str| id.rsplit('.').next().map(str::to_owned);
    let same_name = || rows().map(|row| row.id).find(|known| last(known) == last(id));
    nearest(id, rows().map(|row| row.id)).or_else(same_name)
}

impl Conflict {
    pub fn actions(&self) -> Vec<&str> {
        match self {
            Self::Twice { kept, dropped, .. } | Self::Half { kept, dropped, .. } => vec![kept, dropped],
            Self::UnknownAction { id, .. } | Self::BadKey { id, .. } => vec![id],
            Self::Letter { id, .. }
            | Self::Enter { id, .. }
            | Self::Deciding { id, .. }
            | Self::Unsent { id, .. }
            | Self::Needed { id } => vec![id],
        }
    }
}

#[cfg(test)]
mod tests;
