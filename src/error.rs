//! Errors for people: message, causes, advice, and exit code. Modules return plain errors, and this module adds the
//! rest.

use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, advice};
use benchdog_storage::StorageError;

/// An error. The dialog, stderr and JSON all show the same values.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// The stable code for scripts.
    pub(crate) code: &'static str,
    pub(crate) text: String,
    pub(crate) causes: Vec<String>,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

impl Trouble {
    pub(crate) fn new(exit: Exit, text: impl Into<String>) -> Self {
        Self {
            code: code_of(exit),
            text: text.into(),
            causes: Vec::new(),
            hint: None,
            exit,
        }
    }

    pub(crate) fn obstacle(exit: Exit, obstacle: Obstacle<'_>) -> Self {
        let words = lang::obstacle(obstacle);
        Self::new(exit, words.text).with_hint(words.hint)
    }

    pub(crate) fn from_error(exit: Exit, error: &dyn std::error::Error) -> Self {
        let mut causes = Vec::new();
        let mut source = error.source();
        while let Some(cause) = source {
            causes.push(cause.to_string());
            source = cause.source();
        }
        Self {
            code: code_of(exit),
            text: error.to_string(),
            causes,
            hint: None,
            exit,
        }
    }

    /// Converts a storage error. A missing session is a wrong argument, and other errors are internal.
    pub(crate) fn of_storage(error: &StorageError) -> Self {
        let exit = match error {
            StorageError::NotFound(_) | StorageError::NoEntry { .. } | StorageError::Several { .. } => Exit::Usage,
            StorageError::NotOpen(_)
            | StorageError::Held { .. }
            | StorageError::OutOfOrder { .. }
            | StorageError::Busy { .. }
            | StorageError::Damaged { .. }
            | StorageError::OtherVersion { .. }
            | StorageError::Io { .. }
            | StorageError::Stopped => Exit::Internal,
        };
        Self::from_error(exit, error)
            .coded(error.code())
            .with_hint(advice(error.code()))
    }

    pub(crate) fn coded(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    pub(crate) fn whole_text(&self) -> String {
        let causes = self.causes.iter().filter(|cause| !self.text.contains(cause.as_str()));
        let parts: Vec<&str> = std::iter::once(self.text.as_str())
            .chain(causes.map(String::as_str))
            .collect();
        parts.join(": ")
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|hint| !hint.is_empty());
        self
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "benchdog: {}", self.text)?;
        for cause in self.causes.iter().filter(|cause| !self.text.contains(cause.as_str())) {
            write!(f, "\n  because: {cause}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  {hint}")?;
        }
        Ok(())
    }
}

fn code_of(exit: Exit) -> &'static str {
    match exit {
        Exit::Usage => "usage",
        Exit::Done
        | Exit::Internal
        | Exit::Denied
        | Exit::Limit
        | Exit::Endpoint
        | Exit::Validation
        | Exit::Loop
        | Exit::Findings
        | Exit::Interrupted => "internal",
    }
}
