//! What `ui` of the configuration comes to: keys, colours, mouse. Pure, so that it can be made again when a folder is trusted.

use crate::config::settings::UiSettings;
use crate::config::{ConfigError, Loaded, Location, Problem};
use crate::keys::Keymap;
use crate::keys::keymap::Conflict;
use crate::theme::Choice;

/// How the workbench looks and listens.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) keymap: Keymap,
    pub(super) theme: Choice,
    pub(super) mouse: bool,
}

/// The settings were checked: a key that is bound twice or not known does not come so far.
pub(super) fn of(ui: &UiSettings) -> Look {
    Look {
        keymap: Keymap::with(&ui.keys).0,
        theme: Choice::of(&ui.theme),
        mouse: ui.mouse,
    }
}

/// A binding that would do nothing is an error where it stands.
pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let (_, conflicts) = Keymap::with(&loaded.settings.ui.keys);
    let problems: Vec<Problem> = conflicts.iter().map(|conflict| problem(loaded, conflict)).collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ConfigError { problems })
    }
}

fn problem(loaded: &Loaded, conflict: &Conflict) -> Problem {
    let origin = conflict
        .actions()
        .into_iter()
        .find_map(|action| loaded.layers.nearest(&["ui", "keys", action]));
    let place = origin.map_or("ui.keys", |origin| origin.place.as_str());
    Problem::new(Location::file(place), conflict.to_string())
}
