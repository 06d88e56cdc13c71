//! The configuration: JSONC files, environment and flags in layers, with the source of each value.
//!
//! The table in `schema` defines all keys. Errors, suggestions, the JSON Schema and the book are derived from it.

mod agent_files;
mod agents;
mod check;
mod earlier;
pub(crate) mod explain;
mod hooks;
mod hosts;
pub(crate) mod import;
mod layers;
mod load;
mod log_filter;
pub(crate) mod mcp;
mod mcp_file;
mod models;
pub(crate) mod offered;
mod problem;
mod read;
mod rule_names;
pub(crate) mod schema;
mod secret;
pub(crate) mod settings;
pub(crate) mod stored_keys;
mod system_prompt;
mod tools;
mod unmet;
mod values;
mod variables;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use hosts::{complete_address, is_loopback_name, is_near, ollama_address, public_address, server};
pub(crate) use load::{Flags, Loaded, ProjectFile, ServerFlag, Sources, load, load_drafted, servers_of_folder};
pub(crate) use log_filter::{LogFilter, LogLevel};
pub(crate) use models::{AUTO, api_key, key_variable, key_variables, keys, resolve_model};
pub(crate) use problem::ConfigError;
pub(crate) use rule_names::{own_name, unknown_tool};
pub(crate) use secret::{is_secret_name, secret_wanted, secret_wanted_by_description, words_without_secrets};
pub(crate) use settings::Settings;
pub(crate) use tools::{PATHS, folders as tool_folders};
pub(crate) use unmet::unmet;
