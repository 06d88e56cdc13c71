//! Keys, colours and mouse from `ui` of the configuration. Pure, so that they can be made again when a folder is trusted.

use crate::base::problem::{Location, Problem};
use crate::config::settings::UiSettings;
use crate::config::{ConfigError, Loaded};
use crate::domain::permission::Layer;
use crate::keys::keymap::Conflict;
use crate::keys::{Action, Keymap};
use crate::lang;
use crate::theme::{Choice, Shelf};

/// How the workbench looks and listens.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) keymap: Keymap,
    pub(super) theme: Choice,
    pub(super) mouse: bool,
    pub(super) vim: bool,
    pub(super) confirm_exit: bool,
}

/// The settings were checked before: a key that is bound twice or unknown is an error there.
pub(super) fn of(ui: &UiSettings) -> Look {
    Look {
        keymap: Keymap::with(&ui.keys).0,
        theme: Choice::of(&ui.theme),
        mouse: ui.mouse,
        vim: ui.vim,
        confirm_exit: ui.confirm_exit,
    }
}

/// A binding that would do nothing is an error where it stands, and so are one that a project must not choose and a theme that is
/// not there; what is wrong with a theme of the person's own is an error of its file.
pub(super) fn check(loaded: &Loaded, shelf: &Shelf) -> Result<(), ConfigError> {
    let (_, conflicts) = Keymap::with(&loaded.settings.ui.keys);
    let mut problems = of_a_project(loaded);
    problems.extend(of_theme(loaded, shelf));
    problems.extend(conflicts.iter().map(|conflict| problem(loaded, conflict)));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ConfigError { problems })
    }
}

/// The keys that answer a request stay where the person's hands know them: no project moves them, trusted or not, even
/// where a nearer layer says the same again.
fn of_a_project(loaded: &Loaded) -> Vec<Problem> {
    let answers = |id: &str| Action::by_id(id).is_some_and(Action::answers);
    let mut problems = Vec::new();
    for given in loaded.layers.all() {
        let [ui, keys, id] = given.path.as_slice() else {
            continue;
        };
        if *ui != "ui" || *keys != "keys" || !answers(id) {
            continue;
        }
        let theirs = given.origins.iter().filter(|origin| origin.layer == Layer::Project);
        problems.extend(theirs.map(|origin| Problem::new(origin.location(), lang::key_of_a_project(&given.name()))));
    }
    problems
}

fn of_theme(loaded: &Loaded, shelf: &Shelf) -> Vec<Problem> {
    let origin = loaded.layers.nearest(&["ui", "theme"]);
    let place = origin.map_or_else(|| Location::file("ui.theme"), |origin| origin.location());
    shelf.check(&loaded.settings.ui.theme, &place)
}

fn problem(loaded: &Loaded, conflict: &Conflict) -> Problem {
    let origin = conflict
        .actions()
        .into_iter()
        .find_map(|action| loaded.layers.nearest(&["ui", "keys", action]));
    let place = origin.map_or_else(|| Location::file("ui.keys"), |origin| origin.location());
    Problem::new(place, conflict.to_string())
}
