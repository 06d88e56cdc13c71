//! `doctor`: everything that is looked at, in the order it is needed, and how it is printed. Every wait has an end.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{endpoint, programs, storage, surroundings};
use crate::base::environment::{Environment, Folders};
use crate::config::Settings;
use crate::domain::agent::ModelRef;
use crate::domain::checkup::{Check, CheckState};
use crate::lang::{self, Finding, finding};

/// What is looked at.
#[derive(Clone)]
pub(crate) struct Patient {
    /// What is wrong with the configuration, in sentences, where it cannot be used.
    pub(crate) settings: Result<Arc<Settings>, String>,
    /// `None`: none is configured, or the servers are to be asked.
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

/// Whether nothing failed.
pub(crate) fn is_well(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.state != CheckState::Fail)
}

/// For people: a line a check, and what helps below it.
pub(crate) fn text(checks: &[Check]) -> String {
    checks.iter().map(lang::check).collect()
}

pub(crate) fn json(checks: &[Check]) -> Value {
    json!(checks)
}
