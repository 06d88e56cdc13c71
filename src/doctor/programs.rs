//! Checks optional external programs.

use std::path::PathBuf;

use super::checkup::Patient;
use benchdog_children::find_program;
use benchdog_domain::checkup::Check;
use benchdog_lang::{Finding, finding};

pub(super) fn checks(patient: &Patient) -> Vec<Check> {
    let path = |name| find(patient, name).map(|path| path.display().to_string());
    let git = match path("git") {
        Some(path) => Check::ok("git", path),
        None => Check::warn("git", finding(Finding::NoGit), finding(Finding::FixGit)),
    };
    let rg = path("rg").unwrap_or_else(|| finding(Finding::NoRipgrep));
    vec![git, Check::ok("rg", rg)]
}

pub(super) fn find(patient: &Patient, name: &str) -> Option<PathBuf> {
    find_program(name, patient.environment.get("PATH").unwrap_or_default())
}
