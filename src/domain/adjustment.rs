//! What a configuration may say of a tool, and what it said. A tool's row says what something follows from; the rest is refused.

/// What may be said of a tool beside its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Settable {
    /// The most bytes that a result of it can have; `None`: its results are short.
    pub(crate) output_bytes: Option<u64>,
    /// The longest time of one call, in milliseconds; `None`: it has no limit of its own.
    pub(crate) timeout_ms: Option<u64>,
    /// Why it cannot be switched off; `None`: it can.
    pub(crate) needed: Option<&'static str>,
}

impl Settable {
    /// Of a tool of a server. What its results are longer than stands in a file anyway.
    pub(crate) const SERVED: Self = Self {
        output_bytes: Some(30_000),
        timeout_ms: Some(600_000),
        needed: None,
    };
}

/// What was said of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Adjustment {
    pub(crate) name: String,
    /// In the place of what the model is told of it.
    pub(crate) description: Option<String>,
    /// Behind what the model is told of it.
    pub(crate) note: Option<String>,
    pub(crate) switched: Switched,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) output_bytes: Option<usize>,
}

/// Whether a model has the tool at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Switched {
    #[default]
    On,
    Off,
}

impl Adjustment {
    /// What the model is told of a tool that says `own` of itself.
    pub(crate) fn told(&self, own: &str) -> String {
        let said = self.description.as_deref().unwrap_or(own);
        match &self.note {
            Some(note) => format!("{said}\n{note}"),
            None => said.to_owned(),
        }
    }
}
