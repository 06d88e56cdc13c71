//! Permissions: confined paths, command analysis, verdicts, trust. This crate judges and never acts.

pub mod git_folder;
pub mod hidden;
pub mod pins;
pub mod policy;
pub mod redact;
pub mod sandbox;
pub mod secrets;
pub mod shell;
pub mod standing;
pub(crate) mod steering;
pub mod trust;
pub mod workspace;
