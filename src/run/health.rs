//! `doctor`: tests the sandbox for commands, and lists the variables that are hidden from commands.

use std::sync::Arc;

use futures::FutureExt;
use serde_json::json;

use super::engine::{self, Base};
use super::small::say;
use super::threads;
use crate::doctor::checkup::{self, Patient};
use crate::doctor::health::Health;
use crate::error::Trouble;
use benchdog_config::key_variables;
use benchdog_config::settings::{SandboxSettings, Settings};
use benchdog_domain::confinement::{AskedBy, Level, Network, View};
use benchdog_headless::exit::Exit;
use benchdog_orchestrator::engine::Examiner;
use benchdog_security::sandbox::Wanted;
use benchdog_security::secrets::is_withheld;
use benchdog_security::workspace::Workspace;
use benchdog_tools::confinement::Confines;

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

fn confined(base: &Base, settings: &Settings) -> Result<Health, Trouble> {
    let workspace = Workspace::open(&base.root, &[], &[]).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    // Test every part of the sandbox, so that the person sees which settings are possible.
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
        also: Arc::default(),
    };
    let (withheld, passed) = variables(base, settings);
    let standing = everything.standing(&workspace);
    Ok(Health::of(&settings.sandbox, standing, withheld, passed))
}

/// Returns the function that `/doctor` calls. It makes the same checks as `benchdog doctor`.
pub(super) fn examiner(base: &Base) -> Examiner {
    let (environment, folders) = (base.environment.clone(), base.folders.clone());
    Box::new(move |settings, model| {
        let patient = Patient::new(Ok(settings), model, environment.clone(), folders.clone());
        async move { checkup::checkup(&patient).await }.boxed()
    })
}

/// Returns the names of variables that commands do not inherit, and of sensitive variables that commands inherit
/// because of the configuration.
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
