//! Keys, colours and mouse from the `ui` settings. The functions are pure, so the look can be rebuilt when a folder
//! becomes trusted.

use benchdog_base::problem::{Location, Problem};
use benchdog_config::settings::UiSettings;
use benchdog_config::{ConfigError, Loaded};
use benchdog_domain::notice::ConfigNotice;
use benchdog_domain::permission::Layer;
use benchdog_keys::keymap::Conflict;
use benchdog_keys::{Action, Keymap};
use benchdog_lang as lang;
use benchdog_theme::{AUTO, Choice, Shelf};

#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) keymap: Keymap,
    pub(super) theme: Choice,
    pub(super) mouse: bool,
    pub(super) vim: bool,
    pub(super) confirm_exit: bool,
    pub(super) alt_decides: bool,
}

/// Builds the look from the settings. Ignores unknown and duplicate key bindings, because they were already reported.
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

/// Validates the key bindings. A theme error must not prevent work, so it only causes a warning, and the default theme
/// is used.
pub(super) fn checked(mut loaded: Loaded, shelf: &Shelf) -> Result<Loaded, ConfigError> {
    let (_, conflicts) = Keymap::with(&loaded.settings.ui.keys);
    let mut problems = of_a_project(&loaded);
    problems.extend(conflicts.iter().map(|conflict| problem(&loaded, conflict)));
    let of_theme = of_theme(&loaded, shelf);
    if !problems.is_empty() {
        // If there are other errors, report the theme error together with them.
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

/// Checks the theme as part of a configuration check. A missing or broken theme is then an error.
pub(super) fn check_theme(loaded: &Loaded, shelf: &Shelf) -> Result<(), ConfigError> {
    let problems = of_theme(loaded, shelf);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ConfigError { problems })
    }
}

/// Returns a problem for each key binding of an approval action that a project sets, even if another layer sets the
/// same key binding.
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
        problems.extend(theirs.map(|origin| {
            Problem::new(
                origin.location(),
                lang::message::trouble_key_of_a_project(&given.name()),
            )
        }));
    }
    problems
}

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
