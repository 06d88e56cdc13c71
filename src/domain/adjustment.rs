//! Configuration of a single tool: the fields a configuration may set, and the values it set.

/// The fields of a tool that a configuration may change, besides the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Settable {
    /// Maximum size of a result in bytes. `None` for a tool whose results are short.
    pub(crate) output_bytes: Option<u64>,
    /// Maximum duration of one call in milliseconds. `None` for a tool without a limit of its own.
    pub(crate) timeout_ms: Option<u64>,
    /// The reason why the tool cannot be disabled. `None` if it can.
    pub(crate) needed: Option<&'static str>,
}

impl Settable {
    /// Settings of an MCP tool. It has no output limit because longer results are written to a file.
    pub(crate) const SERVED: Self = Self {
        output_bytes: Some(30_000),
        timeout_ms: Some(600_000),
        needed: None,
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Adjustment {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// Appended to the tool's description for the model.
    pub(crate) note: Option<String>,
    pub(crate) switched: Switched,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) output_bytes: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Switched {
    #[default]
    On,
    Off,
}

impl Adjustment {
    /// Returns the description for the model. `own` is the tool's built-in description.
    pub(crate) fn told(&self, own: &str) -> String {
        let said = self.description.as_deref().unwrap_or(own);
        match &self.note {
            Some(note) => format!("{said}\n{note}"),
            None => said.to_owned(),
        }
    }
}
