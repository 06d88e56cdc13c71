//! Reads theme files: a palette of names, scopes that use them, and one theme to inherit from.
//!
//! The shipped themes are embedded, so drawing the first frame opens no file.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use super::scope::Scope;
use super::style::Ground;

/// The shipped themes by name.
pub(super) const SHIPPED: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.jsonc")),
    ("light", include_str!("../../themes/light.jsonc")),
    ("sixteen", include_str!("../../themes/sixteen.jsonc")),
    ("plain", include_str!("../../themes/plain.jsonc")),
];

/// A chain of themes that inherit from each other is at most this long.
const DEEPEST: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ThemeError {
    #[error("there is no theme `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error("theme `{name}`: {reason}")]
    Malformed { name: String, reason: String },
    #[error("theme `{name}`: themes inherit from each other in a circle")]
    Circle { name: String },
    #[error("theme `{name}`: scope `{scope}` is not one of ours")]
    UnknownScope { name: String, scope: String },
    #[error("theme `{name}`: colour `{colour}` is neither in its palette, nor `#rrggbb`, nor a terminal colour")]
    UnknownColour { name: String, colour: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    inherits: Option<String>,
    ground: Option<GroundName>,
    #[serde(default)]
    palette: BTreeMap<String, String>,
    #[serde(default)]
    scopes: BTreeMap<String, Look>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GroundName {
    Dark,
    Light,
    Terminal,
}

/// How one scope looks: only a text colour, or everything.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Look {
    Colour(String),
    Full(FullLook),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FullLook {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
    strike: bool,
}

/// A theme read whole, its inheritance flattened.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) ground: Ground,
    /// One style a scope, in the order of `Scope::ALL`.
    pub(super) styles: Vec<Style>,
}

/// Reads a shipped theme.
pub(super) fn load(name: &str) -> Result<Loaded, ThemeError> {
    let mut chain = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(name) = next.take() {
        if chain.len() == DEEPEST {
            return Err(ThemeError::Circle { name });
        }
        let file = parse(&name, shipped(&name)?)?;
        next.clone_from(&file.inherits);
        chain.push((name, file));
    }
    flatten(chain)
}

fn shipped(name: &str) -> Result<&'static str, ThemeError> {
    let found = SHIPPED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| ThemeError::Unknown {
        name: name.to_owned(),
        known: SHIPPED.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", "),
    })
}

fn parse(name: &str, text: &str) -> Result<File, ThemeError> {
    jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default())
        .map_err(|error| malformed(name, &error.to_string()))
}

fn malformed(name: &str, reason: &str) -> ThemeError {
    ThemeError::Malformed {
        name: name.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The nearer file of the chain wins, in the palette too: `light` is `dark` with other colours behind the same names.
fn flatten(chain: Vec<(String, File)>) -> Result<Loaded, ThemeError> {
    let name = chain.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let mut palette = BTreeMap::new();
    let mut looks: BTreeMap<String, Look> = BTreeMap::new();
    let mut ground = Ground::Terminal;
    for (_, file) in chain.into_iter().rev() {
        palette.extend(file.palette);
        looks.extend(file.scopes);
        ground = match file.ground {
            Some(GroundName::Dark) => Ground::Dark,
            Some(GroundName::Light) => Ground::Light,
            Some(GroundName::Terminal) => Ground::Terminal,
            None => ground,
        };
    }
    let known = |scope: &str| Scope::ALL.iter().any(|s| s.lineage().any(|n| n == scope));
    if let Some(scope) = looks.keys().find(|scope| !known(scope)) {
        return Err(ThemeError::UnknownScope {
            name,
            scope: scope.clone(),
        });
    }
    let reader = Palette { name: &name, palette };
    let styles = Scope::ALL
        .iter()
        .map(|scope| match scope.lineage().find_map(|name| looks.get(name)) {
            Some(look) => reader.style(look),
            None => Ok(Style::new()),
        })
        .collect::<Result<_, _>>()?;
    Ok(Loaded { ground, styles })
}

struct Palette<'a> {
    name: &'a str,
    palette: BTreeMap<String, String>,
}

impl Palette<'_> {
    fn style(&self, look: &Look) -> Result<Style, ThemeError> {
        let look = match look {
            Look::Colour(fg) => &FullLook {
                fg: Some(fg.clone()),
                ..FullLook::default()
            },
            Look::Full(look) => look,
        };
        let mut style = Style::new();
        style.fg = look.fg.as_deref().map(|colour| self.colour(colour)).transpose()?;
        style.bg = look.bg.as_deref().map(|colour| self.colour(colour)).transpose()?;
        let modifiers = [
            (look.bold, Modifier::BOLD),
            (look.italic, Modifier::ITALIC),
            (look.underline, Modifier::UNDERLINED),
            (look.reverse, Modifier::REVERSED),
            (look.strike, Modifier::CROSSED_OUT),
        ];
        for (_, modifier) in modifiers.into_iter().filter(|(set, _)| *set) {
            style = style.add_modifier(modifier);
        }
        Ok(style)
    }

    fn colour(&self, text: &str) -> Result<Color, ThemeError> {
        let value = self.palette.get(text).map_or(text, String::as_str);
        let found = match value.strip_prefix('#') {
            Some(hex) => rgb(hex),
            None => terminal_colour(value),
        };
        found.ok_or_else(|| ThemeError::UnknownColour {
            name: self.name.to_owned(),
            colour: text.to_owned(),
        })
    }
}

fn rgb(hex: &str) -> Option<Color> {
    if hex.len() != 6 {
        return None;
    }
    let value = u32::from_str_radix(hex, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some(Color::Rgb(red, green, blue))
}

/// The eight colours every terminal has, and `default`.
fn terminal_colour(name: &str) -> Option<Color> {
    Some(match name {
        "default" => Color::Reset,
        "black" => Color::Black,
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "white" => Color::Gray,
        _ => return None,
    })
}
