//! Values of several layers. Objects are merged by key, and other values are replaced. Each key keeps the values and
//! sources of all layers.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::schema::{self, Kind, Setter};
use benchdog_base::document::{Data, Node};
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::permission::Layer;

#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    pub layer: Layer,
    /// Location of the value: `file:line`, a variable, or a flag.
    pub place: String,
    /// Column of the value. 0 for a source without lines.
    pub column: usize,
    pub value: Value,
}

impl Origin {
    pub fn location(&self) -> Location {
        match (self.layer, self.column) {
            // A variable has no line.
            (Layer::Environment, _) => Location::file(self.place.trim_end_matches(":1")),
            (_, 0) => Location::file(&self.place),
            (_, column) => Location::file(&format!("{}:{column}", self.place)),
        }
    }
}

/// A key with its values, from the lowest layer to the highest. The last value is effective.
#[derive(Debug, Clone, PartialEq)]
pub struct Given<'a> {
    pub path: Vec<&'a str>,
    pub origins: &'a [Origin],
}

impl<'a> Given<'a> {
    pub fn name(&self) -> String {
        self.path.join(".")
    }

    pub(crate) fn nearest(&self) -> Option<&'a Origin> {
        self.origins.last()
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layers {
    origins: Vec<Origin>,
    below: IndexMap<String, Layers>,
}

impl Layers {
    pub(super) fn give(&mut self, path: &[&str], origin: Origin) {
        match path {
            [] => self.origins.push(origin),
            [first, rest @ ..] => self.below.entry((*first).to_owned()).or_default().give(rest, origin),
        }
    }

    pub(super) fn add_document(&mut self, layer: Layer, root: &Node) {
        self.add_node(layer, &mut Vec::new(), root);
    }

    fn add_node<'a>(&mut self, layer: Layer, path: &mut Vec<&'a str>, node: &'a Node) {
        let merged = path.is_empty()
            || matches!(path.as_slice(), ["permission", ..] | ["agent", _, "permission", ..])
            || schema::find(path).is_some_and(|key| key.kind.is_merged());
        match &node.data {
            Data::Object(properties) if merged && (path.is_empty() || !properties.is_empty()) => {
                for property in properties {
                    path.push(&property.name);
                    self.add_node(layer, path, &property.value);
                    path.pop();
                }
            }
            _ => {
                let value = node.to_value();
                if self.is_stricter_already(layer, path, &value) {
                    return;
                }
                let origin = Origin {
                    layer,
                    place: node.place.short(),
                    column: node.place.column,
                    value,
                };
                self.give(path, origin);
            }
        }
    }

    /// Whether the person's value is at least as strict as the project's `value`. If so, the project's value is
    /// ignored.
    fn is_stricter_already(&self, layer: Layer, path: &[&str], value: &Value) -> bool {
        let Some(schema::Key {
            setter: Setter::Tightened { .. },
            kind: Kind::Choice(options),
            ..
        }) = schema::find(path)
        else {
            return false;
        };
        let rank = |value: &Value| options.iter().position(|option| value == option);
        layer == Layer::Project && self.value(path).is_some_and(|given| rank(given) >= rank(value))
    }

    pub(super) fn put_provider_first(&mut self, name: &str) {
        if let Some(providers) = self.below.get_mut("provider")
            && let Some(at) = providers.below.get_index_of(name)
        {
            providers.below.move_index(at, 0);
        }
    }

    fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |layers, name| layers.below.get(*name))
    }

    pub fn all(&self) -> Vec<Given<'_>> {
        self.under(&[])
    }

    pub(super) fn under<'a>(&'a self, path: &[&'a str]) -> Vec<Given<'a>> {
        let mut found = Vec::new();
        if let Some(layers) = self.at(path) {
            layers.collect(&mut path.to_vec(), &mut found);
        }
        found
    }

    fn collect<'a>(&'a self, path: &mut Vec<&'a str>, into: &mut Vec<Given<'a>>) {
        if !self.origins.is_empty() {
            into.push(Given {
                path: path.clone(),
                origins: &self.origins,
            });
        }
        for (name, layers) in &self.below {
            path.push(name);
            layers.collect(path, into);
            path.pop();
        }
    }

    pub(super) fn value(&self, path: &[&str]) -> Option<&Value> {
        self.nearest(path).map(|origin| &origin.value)
    }

    pub fn nearest(&self, path: &[&str]) -> Option<&Origin> {
        self.origins(path).last()
    }

    pub(super) fn origins(&self, path: &[&str]) -> &[Origin] {
        self.at(path).map_or(&[], |layers| &layers.origins)
    }

    pub(super) fn names(&self, path: &[&str]) -> Vec<&str> {
        let layers = self.at(path);
        layers
            .into_iter()
            .flat_map(|layers| layers.below.keys())
            .map(String::as_str)
            .collect()
    }

    /// Returns the texts below a key, by name.
    pub(super) fn pairs(&self, path: &[&str]) -> Vec<(String, String)> {
        let pair = |name: &str| {
            let value = self.value(&[path, &[name]].concat());
            Some((name.to_owned(), value.and_then(Value::as_str)?.to_owned()))
        };
        self.names(path).into_iter().filter_map(pair).collect()
    }

    /// Calls `read` for each row of a table. Returns all results, or the problems of all rows.
    pub(super) fn each<T>(
        &self,
        table: &'static str,
        read: impl Fn(&Self, &str) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Vec<Problem>> {
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for name in self.names(&[table]) {
            match read(self, name) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(rows) } else { Err(problems) }
    }

    /// Creates a problem that is located at the first value of this key or of a key below.
    pub(super) fn problem(&self, path: &[&str], text: impl Into<String>) -> Problem {
        let given = self.under(path);
        let place = given.iter().find_map(Given::nearest).map_or("", |origin| &origin.place);
        Problem::new(Location::file(place), text)
    }

    pub(super) fn merged(&self) -> Map<String, Value> {
        let mut whole = Map::new();
        for given in self.all() {
            if let Some(origin) = given.nearest() {
                place_value(&mut whole, &given.path, origin.value.clone());
            }
        }
        whole
    }
}

pub(super) fn place_value(into: &mut Map<String, Value>, path: &[&str], value: Value) {
    match path {
        [] => {}
        [last] => {
            // An empty object only declares a name.
            let empty = value.as_object().is_some_and(Map::is_empty);
            if !(empty && into.contains_key(*last)) {
                into.insert((*last).to_owned(), value);
            }
        }
        [first, rest @ ..] => {
            let child = into
                .entry((*first).to_owned())
                .or_insert_with(|| Value::Object(Map::new()));
            if !child.is_object() {
                *child = Value::Object(Map::new());
            }
            if let Value::Object(child) = child {
                place_value(child, rest, value);
            }
        }
    }
}
