//! Errors in a user's file, with position and suggestion.

use std::fmt;

/// Position of a value. `line` and `column` (in characters) count from 1. They are 0 for the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl Location {
    pub fn file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            line: 0,
            column: 0,
        }
    }

    pub fn short(&self) -> String {
        if self.line == 0 {
            self.file.clone()
        } else {
            format!("{}:{}", self.file, self.line)
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            f.write_str(&self.file)
        } else {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub place: Location,
    pub text: String,
    pub suggestion: Option<String>,
}

impl Problem {
    pub fn new(place: Location, text: impl Into<String>) -> Self {
        Self {
            place,
            text: text.into(),
            suggestion: None,
        }
    }

    pub fn with(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; {suggestion}"),
            None => Ok(()),
        }
    }
}
