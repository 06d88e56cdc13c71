//! What a row of THE table of configuration keys is. Errors and their suggestions, the JSON Schema and the book's table
//! come from the rows in `table`.

mod book;
mod elsewhere;
mod table;

use crate::base::spelling::nearest;
pub(crate) use book::{json_schema, markdown};
#[cfg(test)]
pub(crate) use elsewhere::ELSEWHERE;
pub(crate) use table::KEYS;

/// One key. `*` in a path stands for any name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    /// As JSON text; empty where there is none.
    pub(crate) default: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) effect: Effect,
    pub(crate) setter: Setter,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    TextOrNull,
    /// An `http://` or `https://` address.
    Address,
    Texts,
    Switch,
    /// How long something stays: seconds, a time with its unit, or a negative number for always.
    Stay,
    /// A whole number within the bounds.
    Whole {
        min: u64,
        max: u64,
    },
    /// Any number within the bounds.
    Number {
        min: f64,
        max: f64,
    },
    /// The same, or null for what is said elsewhere.
    WholeOrNull {
        min: u64,
        max: u64,
    },
    NumberOrNull {
        min: f64,
        max: f64,
    },
    /// A list of numbers from 0 to 1.
    Shares,
    Choice(&'static [&'static str]),
    /// The address of a model server; scheme and path may be left out.
    Server,
    /// What is logged: a level, or parts of the program with levels of their own.
    LogFilter,
    /// An object whose keys are rows of this table.
    Table,
    /// An object whose names the person chooses; the row `path.*` says what each is.
    Names,
    /// Permission rules: `allow`, `ask` or `deny`, or an object of patterns with these.
    Rules,
    /// One text or a list of texts.
    TextOrTexts,
    /// A list of hooks.
    Hooks,
    /// An object that is handed on as it is.
    Open,
}

/// Whether this version acts on a key. A value that nothing acts on is refused, so none is accepted in silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// On every value it may have.
    Now,
    /// On none: only the default is accepted, which says what happens anyway.
    NotYet,
}

/// Who may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setter {
    Anyone,
    /// Only a person; a project must not, trusted or not, for this reason.
    Person(&'static str),
    /// A project only to one of these values, and only where they are stricter than what the person chose. The values of such a row stand
    /// from the widest to the strictest.
    Tightened {
        to: &'static [&'static str],
        why: &'static str,
    },
}

/// The row of a path; a name the person chose matches `*`.
pub(crate) fn find(path: &[impl AsRef<str>]) -> Option<&'static Key> {
    KEYS.iter().find(|key| {
        let mut parts = key.path.split('.');
        path.iter()
            .all(|name| parts.next().is_some_and(|part| part == "*" || part == name.as_ref()))
            && parts.next().is_none()
    })
}

/// The names that may stand directly under `path`, as the table has them.
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

/// What was probably meant by a name that is not known under `path`.
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
    // A known key in the wrong place, such as `theme` at the top.
    let elsewhere = KEYS
        .iter()
        .find(|key| !key.path.contains('*') && key.path.rsplit('.').next() == Some(name))?;
    Some(format!("did you mean `{}`?", elsewhere.path))
}

impl Key {
    /// A value it may have, as it is written: the default, where that shows its form.
    pub(crate) fn example(&self) -> Option<String> {
        let name = self.path.rsplit('.').next().unwrap_or_default();
        let shows_nothing = ["", "null", "\"\"", "[]", "{}"].contains(&self.default);
        let value = match self.kind {
            // What they may be is its own example.
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
    /// As an error says it after `must be`.
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

    /// Whether a nearer layer adds to this object instead of replacing it.
    pub(crate) fn is_merged(self) -> bool {
        matches!(self, Self::Table | Self::Names | Self::Rules)
    }
}
