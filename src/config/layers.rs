//! Values in layers. Objects of the table are merged key by key; anything else of a nearer layer replaces what is under
//! it. Nothing is forgotten: each key keeps every value it was given and from where.

use serde_json::{Map, Value};

use super::schema::{self, Kind, Setter};
use crate::base::document::{Data, Node};
use crate::domain::permission::Layer;

/// One value of one key in one layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    pub(crate) layer: Layer,
    /// `file:line`, the variable, or the flag.
    pub(crate) place: String,
    pub(crate) value: Value,
}

/// A key with the values it was given, farthest layer first; the last one counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    pub(crate) path: Vec<String>,
    pub(crate) origins: Vec<Origin>,
}

impl Given {
    pub(crate) fn name(&self) -> String {
        self.path.join(".")
    }

    pub(crate) fn nearest(&self) -> Option<&Origin> {
        self.origins.last()
    }
}

/// Every key that any layer gave, in the order they were first given.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Layers(pub(crate) Vec<Given>);

impl Layers {
    /// Layers are added from the farthest to the nearest.
    pub(super) fn give(&mut self, path: Vec<String>, origin: Origin) {
        match self.0.iter_mut().find(|given| given.path == path) {
            Some(given) => given.origins.push(origin),
            None => self.0.push(Given {
                path,
                origins: vec![origin],
            }),
        }
    }

    pub(super) fn add_document(&mut self, layer: Layer, root: &Node) {
        self.add_node(layer, &mut Vec::new(), root);
    }

    fn add_node(&mut self, layer: Layer, path: &mut Vec<String>, node: &Node) {
        let merged = path.is_empty()
            || path.first().is_some_and(|name| name == "permission")
            || schema::find(path).is_some_and(|key| key.kind.is_merged());
        match &node.data {
            Data::Object(properties) if merged && (path.is_empty() || !properties.is_empty()) => {
                for property in properties {
                    path.push(property.name.clone());
                    self.add_node(layer, path, &property.value);
                    path.pop();
                }
            }
            _ => {
                let value = node.to_value();
                if self.is_stricter_already(layer, path, &value) {
                    return;
                }
                let place = node.place.short();
                self.give(path.clone(), Origin { layer, place, value });
            }
        }
    }

    /// Whether a project would widen what the person chose.
    fn is_stricter_already(&self, layer: Layer, path: &[String], value: &Value) -> bool {
        let Some(schema::Key {
            setter: Setter::Tightened { .. },
            kind: Kind::Choice(options),
            ..
        }) = schema::find(path)
        else {
            return false;
        };
        let rank = |value: &Value| options.iter().position(|option| value == option);
        let given = self.0.iter().find(|given| given.path == path).and_then(Given::nearest);
        layer == Layer::Project && given.is_some_and(|given| rank(&given.value) >= rank(value))
    }

    /// What was given for `path` and everything beneath it.
    pub(super) fn under<'a>(&'a self, path: &'a [&'a str]) -> impl Iterator<Item = &'a Given> {
        self.0.iter().filter(move |given| {
            given.path.len() >= path.len() && given.path.iter().zip(path).all(|(name, part)| name == part)
        })
    }

    pub(super) fn value(&self, path: &[&str]) -> Option<&Value> {
        self.nearest(path).map(|origin| &origin.value)
    }

    pub(crate) fn nearest(&self, path: &[&str]) -> Option<&Origin> {
        self.0
            .iter()
            .find(|given| given.path.iter().eq(path.iter()))
            .and_then(Given::nearest)
    }

    /// The names given directly under `path`, in the order they were first given.
    pub(super) fn names(&self, path: &[&str]) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for given in &self.0 {
            let under = given.path.iter().zip(path).all(|(name, part)| name == part);
            if let (true, Some(name)) = (under, given.path.get(path.len()))
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// The merged whole as one object.
    pub(super) fn merged(&self) -> Map<String, Value> {
        let mut whole = Map::new();
        for given in &self.0 {
            if let Some(origin) = given.nearest() {
                place_value(&mut whole, &given.path, origin.value.clone());
            }
        }
        whole
    }
}

pub(super) fn place_value(into: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [last] => {
            // An empty object only says that the name exists.
            let empty = value.as_object().is_some_and(Map::is_empty);
            if !(empty && into.contains_key(last)) {
                into.insert(last.clone(), value);
            }
        }
        [first, rest @ ..] => {
            let child = into.entry(first.clone()).or_insert_with(|| Value::Object(Map::new()));
            if !child.is_object() {
                *child = Value::Object(Map::new());
            }
            if let Value::Object(child) = child {
                place_value(child, rest, value);
            }
        }
    }
}
