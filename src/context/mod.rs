//! Builds what the model receives: system prompt, rules, messages from the log, and their size.

pub(crate) mod assembly;
pub(crate) mod commands;
pub(crate) mod committing;
pub(crate) mod compaction;
pub(crate) mod initial;
pub(crate) mod ledger;
mod mentions;
pub(crate) mod neutral;
pub(crate) mod probe;
pub(crate) mod repository;
pub(crate) mod reviewing;
pub(crate) mod rules;
pub(crate) mod skills;
pub(crate) mod system;
pub(crate) mod tokens;
