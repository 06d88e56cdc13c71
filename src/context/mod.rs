//! What the model is told: the system prompt, the rules of the folder, the log as messages, and how much of the window that takes.

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
