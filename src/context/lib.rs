//! Builds the model's input: system prompt, rules, messages from the log, and their size.

pub mod assembly;
pub mod commands;
pub mod committing;
pub mod compaction;
pub mod initial;
pub mod ledger;
mod mentions;
pub mod neutral;
pub mod probe;
pub mod repository;
pub mod reviewing;
pub mod rules;
pub mod skills;
pub mod system;
pub mod titling;
pub mod tokens;
pub mod watching;
