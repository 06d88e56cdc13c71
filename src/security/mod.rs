//! What may happen: confined paths, command analysis, verdicts, trust. It judges; it never acts.

pub(crate) mod git_folder;
pub(crate) mod hidden;
pub(crate) mod pins;
pub(crate) mod policy;
pub(crate) mod redact;
pub(crate) mod sandbox;
pub(crate) mod secrets;
pub(crate) mod shell;
pub(crate) mod standing;
pub(crate) mod steering;
pub(crate) mod trust;
pub(crate) mod workspace;
