//! The row type of the table of keys, from which errors, suggestions, the JSON Schema and the docs are generated.

mod book;
mod elsewhere;
mod table;

use benchdog_base::spelling::nearest;
pub use book::{json_schema, markdown};
#[cfg(test)]
pub(crate) use elsewhere::ELSEWHERE;
pub(crate) use table::KEYS;

/// One configuration key. `*` in its path matches any name.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub path: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub doc: &'static str,
    pub setter: Setter,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    TextOrNull,
    Address,
    Texts,
    Switch,
    /// A duration: a number of seconds, or a text with a unit. Negative for unlimited.
    Stay,
    Whole {
        min: u64,
        max: u64,
    },
    Number {
        min: f64,
        max: f64,
    },
    WholeOrNull {
        min: u64,
        max: u64,
    },
    NumberOrNull {
        min: f64,
        max: f64,
    },
    Shares,
    Choice(&'static [&'static str]),
    Server,
    LogFilter,
    Table,
    Names,
    /// Permission rules: `allow`, `ask`, `deny`, or an object of patterns.
    Rules,
    TextOrTexts,
    Hooks,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setter {
    Anyone,
    /// Only a person may set the key, for this reason.
    Person(&'static str),
    /// A project may choose only these values, and only if they are stricter. Sorted from loosest to strictest.
    Tightened {
        to: &'static [&'static str],
        why: &'static str,
    },
}

pub fn find(path: &[impl AsRef<str>]) -> Option<&'static Key> {
    KEYS.iter().find(|key| {
        let mut parts = key.path.split('.');
        path.iter()
            .all(|name| parts.next().is_some_and(|part| part == "*" || part == name.as_ref()))
            && parts.next().is_none()
    })
}

pub(crate) fn children(path: &[impl AsRef<str>]) -> Vec<&'static str> {
    let depth = path.len();
    KEYS.iter()
        .filter(|key| {
            let parts: Vec<_> = key.path.split('.').collect();
            parts.len() == depth + 1
                && parts
                    .iter()
                    .zip(path)
                    .all(|(part, name)| *part == "*" || *part == name.as_ref())
        })
        .filter_map(|key| key.path.rsplit('.').next())
        .collect()
}

pub(crate) fn suggestion(path: &[impl AsRef<str>], name: &str) -> Option<String> {
    if path.is_empty()
        && let Some(instead) = elsewhere::instead(name)
    {
        return Some(instead.to_owned());
    }
    if let [mcp, _] = path
        && mcp.as_ref() == "mcp"
        && let Some(instead) = elsewhere::of_server(name)
    {
        return Some(instead.to_owned());
    }
    let siblings = children(path);
    if let Some(near) = nearest(name, siblings.iter().copied()) {
        let mut whole: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
        whole.push(near);
        return Some(format!("did you mean `{}`?", whole.join(".")));
    }
    // The key may exist at another path.
    let elsewhere = KEYS
        .iter()
        .find(|key| !key.path.contains('*') && key.path.rsplit('.').next() == Some(name))?;
    Some(format!("did you mean `{}`?", elsewhere.path))
}

impl Key {
    pub(crate) fn example(&self) -> Option<String> {
        let name = self.path.rsplit('.').next().unwrap_or_default();
        let shows_nothing = ["", "null", "\"\"", "[]", "{}"].contains(&self.default);
        let value = match self.kind {
            // The expected values already serve as an example.
            Kind::Switch | Kind::Stay | Kind::Choice(_) | Kind::LogFilter | Kind::Address | Kind::Server => {
                return None;
            }
            _ if name == "*" => return None,
            _ if !shows_nothing => self.default.to_owned(),
            Kind::Text | Kind::TextOrNull => "\"…\"".to_owned(),
            Kind::Texts | Kind::TextOrTexts => "[\"…\", \"…\"]".to_owned(),
            Kind::Whole { min, max } | Kind::WholeOrNull { min, max } => 32_768.clamp(min, max).to_string(),
            Kind::Number { min, .. } | Kind::NumberOrNull { min, .. } => min.to_string(),
            Kind::Shares => "[0.5, 0.8]".to_owned(),
            Kind::Hooks => "[{ \"command\": [\"…\"] }]".to_owned(),
            Kind::Table | Kind::Names | Kind::Rules | Kind::Open => "{ … }".to_owned(),
        };
        Some(format!("for example `\"{name}\": {value}`"))
    }
}

impl Kind {
    pub(crate) fn expected(self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::TextOrNull => "a string or null".to_owned(),
            Self::Address => "an address of the form `http://HOST:PORT/PATH` or `https://HOST/PATH`".to_owned(),
            Self::Server => "an address such as `127.0.0.1:8000` or `https://HOST/v1`".to_owned(),
            Self::Texts => "a list of strings".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Stay => "a time such as `30m` or `2h`, a number of seconds, or -1 for always".to_owned(),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::WholeOrNull { min, max } => format!("a whole number from {min} to {max}, or null"),
            Self::NumberOrNull { min, max } => format!("a number from {min} to {max}, or null"),
            Self::Shares => "a list of numbers from 0 to 1".to_owned(),
            Self::Choice(options) => format!("one of `{}`", options.join("`, `")),
            Self::LogFilter => super::log_filter::EXPECTED.to_owned(),
            Self::Table | Self::Names | Self::Open | Self::Rules => "an object".to_owned(),
            Self::Hooks => "a list of hooks".to_owned(),
            Self::TextOrTexts => "a string or a list of strings".to_owned(),
        }
    }

    pub(crate) fn is_merged(self) -> bool {
        matches!(self, Self::Table | Self::Names | Self::Rules)
    }
}
