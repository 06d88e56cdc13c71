//! `doctor`: tries what commands can be held in with, and says which variables they do not get.

use std::sync::Arc;

use futures::FutureExt;
use serde_json::json;

use super::engine::{self, Base};
use super::small::say;
use super::threads;
use crate::config::key_variables;
use crate::config::settings::{SandboxSettings, Settings};
use crate::doctor::checkup::{self, Patient};
use crate::doctor::health::Health;
use crate::domain::confinement::{AskedBy, Level, Network, View};
use crate::error::Trouble;
use crate::headless::exit::Exit;
use crate::orchestrator::engine::Examiner;
use crate::security::sandbox::Wanted;
use crate::security::secrets::is_withheld;
use crate::security::workspace::Workspace;
use crate::tools::confinement::Confines;

pub(super) fn doctor(base: &Base, json: bool) -> Result<Exit, Trouble> {
    let here = base.try_load_here()?;
    here.tell();
    let settings = here
        .loaded
        .map(|loaded| Arc::new(loaded.settings))
        .map_err(|error| error.to_string());
    let model = settings
        .as_ref()
        .ok()
        .and_then(|settings| engine::chosen_model(settings).ok().flatten());
    let patient = Patient::new(settings.clone(), model, base.environment.clone(), base.folders.clone());
    let runtime = threads::runtime()?;
    let checks = runtime.block_on(checkup::checkup(&patient));
    threads::stop(runtime);
    let health = match &settings {
        Ok(settings) => Some(confined(base, settings)?),
        Err(_) => None,
    };
    let is_well = checkup::is_well(&checks) && health.as_ref().is_none_or(Health::is_well);
    if json {
        let mut told = health.as_ref().map_or_else(|| json!({}), Health::json);
        told["ok"] = is_well.into();
        told["checks"] = checkup::json(&checks);
        say(&format!("{told}\n"))?;
    } else {
        let held = health.as_ref().map(Health::text).unwrap_or_default();
        say(&format!("{}{held}", checkup::text(&checks)))?;
    }
    Ok(if is_well { Exit::Done } else { Exit::Internal })
}

/// What commands can be held in with, tried for real.
fn confined(base: &Base, settings: &Settings) -> Result<Health, Trouble> {
    let workspace = Workspace::open(&base.root, &[], &[]).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    // Every part, so that a person sees what they could ask for.
    let everything = Confines {
        wanted: Wanted {
            level: Level::Workspace,
            network: Network::None,
            view: View::Project,
            asked_by: AskedBy::Default,
        },
        writable: Arc::new([]),
        passed: Arc::new([]),
        sandbox: Arc::new(engine::sandbox(base)),
    };
    let (withheld, passed) = variables(base, settings);
    let standing = everything.standing(&workspace);
    Ok(Health::of(&settings.sandbox, standing, withheld, passed))
}

/// `/doctor`: the same that `benchdog doctor` looks at.
pub(super) fn examiner(base: &Base) -> Examiner {
    let (environment, folders) = (base.environment.clone(), base.folders.clone());
    Box::new(move |settings, model| {
        let patient = Patient::new(Ok(settings), model, environment.clone(), folders.clone());
        async move { checkup::checkup(&patient).await }.boxed()
    })
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
