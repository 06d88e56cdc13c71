//! The configuration: layers of JSONC files, environment and flags, with the source of each value.
//!
//! The table in `schema` defines all keys. Errors, suggestions, the JSON Schema and the docs are derived from it.

mod agent_files;
mod agents;
mod check;
mod earlier;
pub mod explain;
mod hooks;
mod hosts;
pub mod import;
mod languages;
mod layers;
mod load;
mod log_filter;
pub mod mcp;
mod mcp_file;
mod models;
pub mod offered;
mod problem;
mod read;
mod rule_names;
pub mod schema;
mod secret;
pub mod settings;
pub mod stored_keys;
mod system_prompt;
mod tools;
mod unmet;
mod values;
mod variables;
pub mod voice;
pub mod web;

#[cfg(test)]
pub(crate) mod tests;

pub use check::is_address;
pub use hosts::{complete_address, is_loopback_name, is_near, ollama_address, public_address, server};
pub use load::{Flags, Loaded, ProjectFile, ServerFlag, Sources, load, load_drafted, servers_of_folder};
pub use log_filter::{LogFilter, LogLevel};
pub use models::{AUTO, api_key, key_variable, key_variables, keys, resolve_model};
pub use problem::ConfigError;
pub use rule_names::{own_name, unknown_tool};
pub use secret::{is_secret_name, secret_wanted, secret_wanted_by_description, words_without_secrets};
pub use settings::Settings;
pub use tools::{PATHS, folders as tool_folders};
pub use unmet::unmet;
