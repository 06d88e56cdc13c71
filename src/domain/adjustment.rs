//! Configuration of a single tool: settable fields and their configured values.

/// Fields of a tool that the configuration may set, besides its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settable {
    /// Maximum size of a result in bytes. `None` for a tool with short results.
    pub output_bytes: Option<u64>,
    /// Maximum duration of one call in milliseconds. `None` for a tool without its own limit.
    pub timeout_ms: Option<u64>,
    pub needed: Option<&'static str>,
    /// Whether the patterns in the tool's permission rules are host names.
    pub has_hosts: bool,
}

impl Settable {
    /// Configurable fields of an MCP tool. Its output limit does not lose text, because longer results are written to a
    /// file.
    pub const SERVED: Self = Self {
        output_bytes: Some(30_000),
        timeout_ms: Some(600_000),
        needed: None,
        has_hosts: false,
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adjustment {
    pub name: String,
    pub description: Option<String>,
    pub note: Option<String>,
    pub switched: Switched,
    pub timeout_ms: Option<u64>,
    pub output_bytes: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Switched {
    #[default]
    On,
    Off,
}

impl Adjustment {
    pub fn told(&self, own: &str) -> String {
        let said = self.description.as_deref().unwrap_or(own);
        match &self.note {
            Some(note) => format!("{said}\n{note}"),
            None => said.to_owned(),
        }
    }
}
