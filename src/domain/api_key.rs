//! API key entered by a person, before it is written to the credentials file.

use std::fmt;

/// `Debug` hides the value, so it never reaches a log.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(typed: &str) -> Self {
        Self(typed.trim().to_owned())
    }

    pub fn get(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|key| !key.is_empty())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}

#[cfg(test)]
mod tests;
