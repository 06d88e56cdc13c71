//! `doctor`: runs all checks in order and prints the results. Every wait has a time limit.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{endpoint, programs, storage, surroundings};
use benchdog_base::environment::{Environment, Folders};
use benchdog_config::Settings;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::checkup::{Check, CheckState};
use benchdog_lang::{self as lang, Finding, finding};

#[derive(Clone)]
pub(crate) struct Patient {
    /// The settings, or the errors of an invalid configuration as text.
    pub(crate) settings: Result<Arc<Settings>, String>,
    /// The model to check. `None` if no model is configured, or if Benchdog selects a model automatically.
    pub(crate) model: Option<ModelRef>,
    pub(crate) environment: Environment,
    pub(crate) folders: Folders,
}

impl Patient {
    pub(crate) fn new(
        settings: Result<Arc<Settings>, String>,
        model: Option<ModelRef>,
        environment: Environment,
        folders: Folders,
    ) -> Self {
        Self {
            settings,
            model,
            environment,
            folders,
        }
    }
}

pub(crate) async fn checkup(patient: &Patient) -> Vec<Check> {
    let mut checks = Vec::new();
    match &patient.settings {
        Ok(settings) => {
            checks.push(Check::ok("config", configured(patient)));
            checks.extend(endpoint::checks(patient, settings).await);
        }
        Err(sentences) => {
            let fix = finding(Finding::FixConfig);
            checks.push(Check::fail("config", sentences.clone(), fix));
        }
    }
    checks.extend(storage::checks(&patient.folders));
    checks.extend(surroundings::checks(patient));
    checks.extend(programs::checks(patient));
    checks
}

fn configured(patient: &Patient) -> String {
    let file = patient.folders.config_file.display().to_string();
    if patient.folders.config_file.exists() {
        finding(Finding::Config { file: &file })
    } else {
        finding(Finding::NoConfig { file: &file })
    }
}

pub(crate) fn is_well(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.state != CheckState::Fail)
}

pub(crate) fn text(checks: &[Check]) -> String {
    checks.iter().map(lang::check).collect()
}

pub(crate) fn json(checks: &[Check]) -> Value {
    json!(checks)
}
