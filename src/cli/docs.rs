//! The tables that `benchdog docs` prints.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocsTable {
    /// Keys and their actions.
    Keys,
    /// Slash commands.
    Commands,
    /// Tools of the model.
    Tools,
    /// Configuration keys.
    Config,
    /// Error codes and their remedies.
    Errors,
    /// Limits of sizes and times.
    Limits,
    /// The forms in which models write tool calls.
    Toolcalls,
    /// Theme scopes.
    Themes,
}

impl DocsTable {
    /// Lists the tables, one per line: name and content.
    pub(crate) fn list() -> String {
        let row = |table: &Self| {
            let value = table.to_possible_value()?;
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            Some(format!("{:<10} {help}\n", value.get_name()))
        };
        Self::value_variants().iter().filter_map(row).collect()
    }
}
