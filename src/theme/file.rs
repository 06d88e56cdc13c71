//! Parses a theme file and collects all syntax errors. `load` resolves the colours, which may be inherited.

use std::collections::BTreeMap;

use ratatui::style::Modifier;
use serde_json::Value;

use super::scope::Scope;
use super::style::Ground;
use benchdog_base::document::{self, Data, Node, Property};
use benchdog_base::problem::{Location, Problem};
use benchdog_base::spelling::nearest;

const KEYS: [&str; 4] = ["inherits", "ground", "palette", "scopes"];
const GROUNDS: [(&str, Ground); 3] = [
    ("dark", Ground::Dark),
    ("light", Ground::Light),
    ("terminal", Ground::Terminal),
];
const COLOURS: [&str; 2] = ["fg", "bg"];
const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
    ("strike", Modifier::CROSSED_OUT),
];

pub(super) const MOST_PROBLEMS: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) place: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ThemeFile {
    pub(super) inherits: Option<Written>,
    pub(super) ground: Option<Ground>,
    pub(super) palette: BTreeMap<String, Written>,
    pub(super) scopes: BTreeMap<String, Look>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Look {
    pub(super) fg: Option<Written>,
    pub(super) bg: Option<Written>,
    pub(super) modifiers: Modifier,
}

/// Parses a theme. Continues after errors, to collect all of them. `place` is the file name for error messages.
pub(super) fn parse(place: &str, text: &str) -> ThemeRead {
    let mut reading = ThemeRead::default();
    match document::parse(place, text) {
        Ok(Some(root)) => reading.file(&root),
        Ok(None) => {
            let told = format!("says nothing; a theme has {}", listed(KEYS));
            reading.torn(vec![Problem::new(Location::file(place), told)]);
        }
        Err(problems) => reading.torn(problems),
    }
    reading
}

#[derive(Default)]
pub(super) struct ThemeRead {
    pub(super) file: ThemeFile,
    pub(super) problems: Vec<Problem>,
    /// Whether a top-level key is invalid. Colours may then be missing, so undefined colours are not reported.
    pub(super) lacks_a_key: bool,
}

impl ThemeRead {
    fn torn(&mut self, problems: Vec<Problem>) {
        self.problems = problems;
        self.lacks_a_key = true;
    }

    fn wrong(&mut self, place: &Location, text: String, suggestion: Option<String>) {
        if self.problems.len() == MOST_PROBLEMS {
            return;
        }
        self.problems.push(Problem::new(place.clone(), text).with(suggestion));
    }

    fn object<'n>(&mut self, what: &str, node: &'n Node) -> &'n [Property] {
        match &node.data {
            Data::Object(properties) => properties,
            Data::Scalar(_) | Data::List(_) => {
                let told = format!("{what} must be an object in braces, not {}", node.kind());
                self.wrong(&node.place, told, None);
                &[]
            }
        }
    }

    fn text(&mut self, what: &str, expected: &str, node: &Node) -> Option<Written> {
        if let Data::Scalar(Value::String(text)) = &node.data {
            return Some(Written {
                text: text.clone(),
                place: node.place.clone(),
            });
        }
        let told = format!("`{what}` must be {expected}, not {}", node.kind());
        self.wrong(&node.place, told, None);
        None
    }

    fn file(&mut self, root: &Node) {
        self.lacks_a_key = !matches!(root.data, Data::Object(_));
        for property in self.object("a theme", root) {
            let node = &property.value;
            self.lacks_a_key |= match property.name.as_str() {
                "inherits" => !matches!(node.data, Data::Scalar(Value::String(_))),
                "palette" => !matches!(node.data, Data::Object(_)),
                name => !KEYS.contains(&name),
            };
            match property.name.as_str() {
                "inherits" => self.file.inherits = self.text("inherits", "the name of a theme", node),
                "ground" => self.ground(node),
                "palette" => self.palette(node),
                "scopes" => self.scopes(node),
                unknown => {
                    let told = format!("`{unknown}` is not a key of a theme");
                    self.wrong(&property.place, told, Some(meant(unknown, KEYS)));
                }
            }
        }
    }

    fn ground(&mut self, node: &Node) {
        let names = GROUNDS.map(|(name, _)| name);
        let expected = format!("one of {}", listed(names));
        let Some(written) = self.text("ground", &expected, node) else {
            return;
        };
        self.file.ground = GROUNDS
            .iter()
            .find(|(name, _)| *name == written.text)
            .map(|found| found.1);
        if self.file.ground.is_none() {
            let told = format!("`ground` must be {expected}, not `{}`", written.text);
            let near = nearest(&written.text, names);
            self.wrong(&node.place, told, near.map(did_you_mean));
        }
    }

    fn palette(&mut self, node: &Node) {
        for property in self.object("`palette`", node) {
            if self.problems.len() == MOST_PROBLEMS {
                return;
            }
            // The replacement prevents a second error wherever the invalid palette entry is used.
            let colour = self.text(&property.name, COLOUR, &property.value).unwrap_or(Written {
                text: ANY_COLOUR.to_owned(),
                place: property.value.place.clone(),
            });
            self.file.palette.insert(property.name.clone(), colour);
        }
    }

    fn scopes(&mut self, node: &Node) {
        for property in self.object("`scopes`", node) {
            if self.problems.len() == MOST_PROBLEMS {
                return;
            }
            let names = || Scope::ALL.iter().flat_map(|scope| scope.lineage());
            if !names().any(|name| name == property.name) {
                let told = format!("there is no scope `{}`", property.name);
                let near = nearest(&property.name, names()).map(did_you_mean);
                let all = || "`benchdog docs themes` lists the scopes".to_owned();
                self.wrong(&property.place, told, Some(near.unwrap_or_else(all)));
                continue;
            }
            let look = self.look(&property.name, &property.value);
            self.file.scopes.insert(property.name.clone(), look);
        }
    }

    /// Parses the style of a scope: a text colour, or an object with several properties.
    fn look(&mut self, scope: &str, node: &Node) -> Look {
        let mut look = Look::default();
        let Data::Object(properties) = &node.data else {
            look.fg = self.text(scope, "a colour or an object in braces", node);
            return look;
        };
        for property in properties {
            let (name, node) = (property.name.as_str(), &property.value);
            let modifier = MODIFIERS.iter().find(|(known, _)| *known == name);
            match (name, modifier, &node.data) {
                ("fg", ..) => look.fg = self.text("fg", COLOUR, node),
                ("bg", ..) => look.bg = self.text("bg", COLOUR, node),
                (_, Some((_, modifier)), Data::Scalar(Value::Bool(set))) => look.modifiers.set(*modifier, *set),
                (_, Some(_), _) => {
                    let told = format!("`{name}` must be true or false, not {}", node.kind());
                    self.wrong(&node.place, told, None);
                }
                (_, None, _) => {
                    let keys: Vec<&str> = COLOURS.into_iter().chain(MODIFIERS.map(|(known, _)| known)).collect();
                    let told = format!("`{name}` is nothing that a scope can have");
                    self.wrong(&property.place, told, Some(meant(name, keys)));
                }
            }
        }
        look
    }
}

/// Replaces an invalid colour, so that parsing can continue.
const ANY_COLOUR: &str = "default";

const COLOUR: &str = "a colour such as `#e5b567`, `cyan` or a name of the palette";

fn did_you_mean(near: &str) -> String {
    format!("did you mean `{near}`?")
}

fn meant<'a>(written: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(written, known.clone()) {
        Some(near) => did_you_mean(near),
        None => format!("there are {}", listed(known)),
    }
}

fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    format!("`{}`", names.join("`, `"))
}
