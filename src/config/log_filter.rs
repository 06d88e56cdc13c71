//! The log filter: a default level, and levels for components of the program.

use std::fmt;

/// Names of the components. Any other name is an error, because a level for it would have no effect.
const PARTS: &[&str] = &[
    "orchestrator",
    "provider",
    "storage",
    "children",
    "files",
    "terminal",
    "traces",
    "acp",
];

const DEFAULT: LogLevel = LogLevel::Info;

/// The valid values, for the text after `must be` in errors and docs.
pub(super) const EXPECTED: &str =
    "`off`, `error`, `warn`, `info`, `debug`, `trace`, or a list such as `info,provider=debug`";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFilter {
    rest: LogLevel,
    /// Levels of single components. If a component has several entries, the last one applies.
    parts: Vec<(&'static str, LogLevel)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadFilter {
    Level(String),
    Part(String),
}

impl fmt::Display for BadFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(word) => write!(f, "must be {EXPECTED}, not `{word}`"),
            Self::Part(word) => write!(
                f,
                "names `{word}`, which logs nothing; what does is `{}`",
                PARTS.join("`, `")
            ),
        }
    }
}

impl Default for LogFilter {
    fn default() -> Self {
        Self {
            rest: DEFAULT,
            parts: Vec::new(),
        }
    }
}

impl LogFilter {
    pub fn parse(text: &str) -> Result<Self, BadFilter> {
        let mut filter = Self::default();
        for word in text.split(',').map(str::trim) {
            match word.split_once('=') {
                None => filter.rest = level(word)?,
                Some((part, named)) => filter.parts.push((known(part.trim())?, level(named.trim())?)),
            }
        }
        Ok(filter)
    }

    pub fn is_off(&self) -> bool {
        self.levels().all(|(_, level)| level == LogLevel::Off)
    }

    pub fn levels(&self) -> impl Iterator<Item = (&'static str, LogLevel)> {
        PARTS.iter().map(|part| {
            let named = self.parts.iter().rev().find(|(named, _)| named == part);
            (*part, named.map_or(self.rest, |(_, level)| *level))
        })
    }
}

impl fmt::Display for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(self.rest))?;
        for (part, level) in &self.parts {
            write!(f, ",{part}={}", name(*level))?;
        }
        Ok(())
    }
}

const LEVELS: [(&str, LogLevel); 6] = [
    ("off", LogLevel::Off),
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
    ("trace", LogLevel::Trace),
];

fn level(word: &str) -> Result<LogLevel, BadFilter> {
    let found = LEVELS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
    found
        .map(|(_, level)| *level)
        .ok_or_else(|| BadFilter::Level(word.to_owned()))
}

fn name(level: LogLevel) -> &'static str {
    LEVELS
        .iter()
        .find(|(_, known)| *known == level)
        .map_or("off", |(name, _)| name)
}

fn known(word: &str) -> Result<&'static str, BadFilter> {
    let bare = word.strip_prefix("benchdog_").unwrap_or(word);
    let found = PARTS.iter().find(|part| **part == bare);
    found.copied().ok_or_else(|| BadFilter::Part(word.to_owned()))
}

#[cfg(test)]
mod tests;
