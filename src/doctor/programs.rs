//! Programs beside ours: none is needed, some are of use.

use std::path::PathBuf;

use super::checkup::Patient;
use crate::children::find_program;
use crate::domain::checkup::Check;
use crate::lang::{Finding, finding};

pub(super) fn checks(patient: &Patient) -> Vec<Check> {
    let path = |name| find(patient, name).map(|path| path.display().to_string());
    let git = match path("git") {
        Some(path) => Check::ok("git", path),
        None => Check::warn("git", finding(Finding::NoGit), finding(Finding::FixGit)),
    };
    let rg = path("rg").unwrap_or_else(|| finding(Finding::NoRipgrep));
    vec![git, Check::ok("rg", rg)]
}

/// The first program of this name that may be started.
pub(super) fn find(patient: &Patient, name: &str) -> Option<PathBuf> {
    find_program(name, patient.environment.get("PATH").unwrap_or_default())
}
