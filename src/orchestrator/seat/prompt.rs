//! Builds the content of a prompt, and the fixed text at the beginning of every request.

pub(super) mod custom_command;
pub(super) mod mention_kind;
pub(super) mod mention_reader;
pub(super) mod mentions;
pub(super) mod nested_rules;
pub(super) mod pastes;
pub(super) mod pictures;
pub(super) mod prefix;
pub(super) mod read_failure;
pub(super) mod repository;
pub(super) mod skills;
pub(super) mod temporary_agent;
pub(super) mod waits;
