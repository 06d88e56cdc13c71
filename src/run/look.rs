//! Keys, colours and mouse from `ui` of the configuration. Pure, so that they can be made again when a folder is trusted.

use crate::base::problem::{Location, Problem};
use crate::config::settings::UiSettings;
use crate::config::{ConfigError, Loaded};
use crate::domain::notice::ConfigNotice;
use crate::domain::permission::Layer;
use crate::keys::keymap::Conflict;
use crate::keys::{Action, Keymap};
use crate::lang;
use crate::theme::{AUTO, Choice, Shelf};

/// How the workbench looks and listens.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) keymap: Keymap,
    pub(super) theme: Choice,
    pub(super) mouse: bool,
    pub(super) vim: bool,
    pub(super) confirm_exit: bool,
    pub(super) alt_decides: bool,
}

/// The settings were checked before: a key that is bound twice or unknown is an error there.
pub(super) fn of(ui: &UiSettings) -> Look {
    Look {
        keymap: Keymap::with(&ui.keys).0,
        theme: Choice::of(&ui.theme),
        mouse: ui.mouse,
        vim: ui.vim,
        confirm_exit: ui.confirm_exit,
        alt_decides: ui.alt_decides,
    }
}

/// A binding that would do nothing is an error where it stands, and so is one that a project must not choose. A theme that is wrong
/// keeps nobody from working: the default one is drawn with, and a remark says why.
pub(super) fn checked(mut loaded: Loaded, shelf: &Shelf) -> Result<Loaded, ConfigError> {
    let (_, conflicts) = Keymap::with(&loaded.settings.ui.keys);
    let mut problems = of_a_project(&loaded);
    problems.extend(conflicts.iter().map(|conflict| problem(&loaded, conflict)));
    let of_theme = of_theme(&loaded, shelf);
    if !problems.is_empty() {
        // Who has something to mend anyway reads all of it.
        problems.extend(of_theme);
        return Err(ConfigError { problems });
    }
    if let Some(first) = of_theme.first() {
        let theme = std::mem::replace(&mut loaded.settings.ui.theme, AUTO.to_owned());
        let wrong = first.to_string();
        loaded.settings.remarks.push(ConfigNotice::Theme { theme, wrong });
    }
    Ok(loaded)
}

/// For who asks whether all is well: a theme that is not there is an error where it is named, and what is wrong with one of the
/// person's own is an error of its file.
pub(super) fn check_theme(loaded: &Loaded, shelf: &Shelf) -> Result<(), ConfigError> {
    let problems = of_theme(loaded, shelf);
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

/// Of the theme that is written, whatever is drawn with instead. The default is sound, which a test holds.
fn of_theme(loaded: &Loaded, shelf: &Shelf) -> Vec<Problem> {
    let Some(origin) = loaded.layers.nearest(&["ui", "theme"]) else {
        return Vec::new();
    };
    shelf.check(origin.value.as_str().unwrap_or_default(), &origin.location())
}

fn problem(loaded: &Loaded, conflict: &Conflict) -> Problem {
    let origin = conflict
        .actions()
        .into_iter()
        .find_map(|action| loaded.layers.nearest(&["ui", "keys", action]));
    let place = origin.map_or_else(|| Location::file("ui.keys"), |origin| origin.location());
    Problem::new(place, conflict.to_string())
}
