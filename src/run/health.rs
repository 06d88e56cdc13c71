//! `doctor`: tries what commands can be held in with, and says which variables they do not get.

use std::sync::Arc;

use super::engine::{self, Base};
use super::small::say;
use crate::config::key_variables;
use crate::config::settings::{SandboxSettings, Settings};
use crate::doctor::health::Health;
use crate::domain::confinement::{AskedBy, Level, Network};
use crate::error::Trouble;
use crate::headless::exit::Exit;
use crate::security::sandbox::Wanted;
use crate::security::secrets::is_withheld;
use crate::security::workspace::Workspace;
use crate::tools::confinement::Confines;

pub(super) fn doctor(base: &Base, json: bool) -> Result<Exit, Trouble> {
    let settings = base.try_load_here()?.told()?.settings;
    let workspace = Workspace::open(&base.root, &[], &[]).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    // Every part, so that a person sees what they could ask for.
    let everything = Confines {
        wanted: Wanted {
            level: Level::Workspace,
            network: Network::None,
            asked_by: AskedBy::Default,
        },
        writable: Arc::new([]),
        passed: Arc::new([]),
        sandbox: Arc::new(engine::sandbox(base)),
    };
    let (withheld, passed) = variables(base, &settings);
    let health = Health::of(&settings.sandbox, everything.standing(&workspace), withheld, passed);
    if json {
        say(&format!("{}\n", health.json()))?;
    } else {
        say(&health.text())?;
    }
    Ok(if health.is_well() { Exit::Done } else { Exit::Internal })
}

/// Of what is set here: what commands do not get, and what they get because it was said so.
fn variables(base: &Base, settings: &Settings) -> (Vec<String>, Vec<String>) {
    let SandboxSettings { pass_env, .. } = &settings.sandbox;
    let keys = key_variables(settings, &base.environment);
    let named = |names: &[String], name: &str| names.iter().any(|other| other == name);
    let hidden = base
        .environment
        .iter()
        .filter(|(name, value)| named(&keys, name) || is_withheld(name, value));
    hidden
        .map(|(name, _)| name.to_owned())
        .partition(|name| named(&keys, name) || !named(pass_env, name))
}
