//! Validates a document against the table of keys. Collects all problems. An invalid document is not used.

use serde_json::Value;

use super::agents;
use super::hooks;
use super::hosts::{complete_address, server};
use super::languages;
use super::log_filter::LogFilter;
use super::mcp;
use super::schema::{self, Key, Kind, Setter};
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::Problem;
use benchdog_base::spelling::nearest;
use benchdog_domain::permission::{Action, Layer};

pub(super) const ACTIONS: [(&str, Action); 5] = [
    ("allow", Action::Allow),
    ("ask", Action::Ask),
    ("deny", Action::Deny),
    // Names that other programs use.
    ("always", Action::Allow),
    ("never", Action::Deny),
];

pub(super) fn check(layer: Layer, root: &Node) -> Vec<Problem> {
    let mut problems = Vec::new();
    match &root.data {
        Data::Object(properties) => table(layer, &mut Vec::new(), properties, &mut problems),
        Data::Scalar(_) | Data::List(_) => problems.push(Problem::new(
            root.place.clone(),
            format!("a configuration is an object in braces, not {}", root.kind()),
        )),
    }
    problems
}

fn table(layer: Layer, path: &mut Vec<String>, properties: &[Property], problems: &mut Vec<Problem>) {
    for property in properties {
        path.push(property.name.clone());
        match schema::find(path) {
            Some(key) => match refused(layer, path, key, property) {
                Some(problem) => problems.push(problem),
                None => value(layer, path, key, property, problems),
            },
            None => {
                let parent = path.split_last().map_or(&[][..], |(_, parent)| parent);
                problems.push(
                    Problem::new(
                        property.place.clone(),
                        format!("`{}` is not a known key", path.join(".")),
                    )
                    .with(schema::suggestion(parent, &property.name)),
                );
            }
        }
        path.pop();
    }
}

/// Returns a problem if this layer may not set the key. A project may never set some keys. Other keys may only become
/// stricter by a project.
fn refused(layer: Layer, path: &[String], key: &Key, property: &Property) -> Option<Problem> {
    let name = path.join(".");
    if let (Layer::Project, Setter::Person(why)) = (layer, key.setter) {
        let text = format!("a project cannot set `{name}`: {why}");
        let instead = "remove it here, or set it in your own configuration".to_owned();
        return Some(Problem::new(property.place.clone(), text).with(Some(instead)));
    }
    let given = property.value.to_value();
    if let (Layer::Project, Setter::Tightened { to, why }) = (layer, key.setter)
        && let Some(text) = given.as_str().filter(|text| !to.contains(text))
    {
        let told = format!("a project cannot set `{name}` to `{text}`: {why}");
        let instead = format!("remove it, or write `{}`", to.join("` or `"));
        return Some(Problem::new(property.value.place.clone(), told).with(Some(instead)));
    }
    None
}

fn value(layer: Layer, path: &mut Vec<String>, key: &Key, property: &Property, problems: &mut Vec<Problem>) {
    let (kind, node) = (key.kind, &property.value);
    match (kind, &node.data) {
        (Kind::Table | Kind::Names, Data::Object(properties)) => {
            if path.len() == 1 && path[0] == "provider" {
                provider_names(properties, problems);
            }
            if path.len() == 1 && path[0] == "agent" {
                agents::check(properties, problems);
            }
            if path.len() == 1 && path[0] == "mcp" {
                mcp::check(properties, problems);
            }
            if path.len() == 1 && path[0] == "lsp" {
                languages::check(properties, problems);
            }
            table(layer, path, properties, problems);
        }
        (Kind::Rules, Data::Object(properties)) => rules(path, properties, problems),
        (Kind::Hooks, Data::List(items)) => hooks::check(path, items, problems),
        (Kind::Open, Data::Object(_)) => {}
        (Kind::Choice(options), Data::Scalar(Value::String(text))) if !options.contains(&text.as_str()) => {
            let near = nearest(text, options.iter().copied());
            problems.push(
                Problem::new(
                    node.place.clone(),
                    format!("`{}` must be {}, not `{text}`", path.join("."), kind.expected()),
                )
                .with(near.map(|near| format!("did you mean `{near}`?"))),
            );
        }
        (Kind::LogFilter, Data::Scalar(Value::String(text))) => {
            if let Err(wrong) = LogFilter::parse(text) {
                let told = format!("`{}` {wrong}", path.join("."));
                problems.push(Problem::new(node.place.clone(), told));
            }
        }
        (Kind::Texts | Kind::TextOrTexts, Data::List(items)) => {
            for item in items.iter().filter(|item| !is_text(item)) {
                let told = format!(
                    "`{}` must be {}, and one item is {}",
                    path.join("."),
                    kind.expected(),
                    item.kind()
                );
                problems.push(Problem::new(item.place.clone(), told).with(key.example()));
            }
        }
        (Kind::Shares, Data::List(items)) if items.iter().all(|item| fits(SHARE, item)) => {}
        _ if fits(kind, node) => {}
        _ => {
            let told = format!(
                "`{}` must be {}{}",
                path.join("."),
                kind.expected(),
                instead(kind, node)
            );
            problems.push(Problem::new(node.place.clone(), told).with(key.example()));
        }
    }
}

/// Describes a wrong value for an error message. Omits addresses, because they may contain a password.
fn instead(kind: Kind, node: &Node) -> String {
    match (kind, &node.data) {
        (Kind::Address | Kind::Server, Data::Scalar(Value::String(_))) => String::new(),
        _ => format!(", not {}", shown(node)),
    }
}

const SHARE: Kind = Kind::Number { min: 0.0, max: 1.0 };

fn fits(kind: Kind, node: &Node) -> bool {
    let Data::Scalar(value) = &node.data else { return false };
    match kind {
        Kind::Text | Kind::TextOrTexts | Kind::Choice(_) | Kind::LogFilter => value.is_string(),
        Kind::TextOrNull => value.is_string() || value.is_null(),
        Kind::Address => value.as_str().is_some_and(is_address),
        Kind::Server => value.as_str().is_some_and(|text| is_address(&complete_address(text))),
        Kind::Switch => value.is_boolean(),
        Kind::Stay => value.is_i64() || value.as_str().is_some_and(is_time),
        Kind::Whole { min, max } => value.as_u64().is_some_and(|number| (min..=max).contains(&number)),
        Kind::Number { min, max } => value.as_f64().is_some_and(|number| (min..=max).contains(&number)),
        Kind::WholeOrNull { min, max } => value.is_null() || fits(Kind::Whole { min, max }, node),
        Kind::NumberOrNull { min, max } => value.is_null() || fits(Kind::Number { min, max }, node),
        Kind::Texts | Kind::Shares | Kind::Hooks | Kind::Table | Kind::Names | Kind::Rules | Kind::Open => false,
    }
}

pub fn is_address(text: &str) -> bool {
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    is_web
        && server(text).is_some_and(|server| !server.host().is_empty() && server.port().is_some())
        && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control())
}

/// Whether the text is a duration in Go's notation, such as `1h30m`.
fn is_time(text: &str) -> bool {
    const UNITS: [&str; 7] = ["ns", "us", "µs", "ms", "s", "m", "h"];
    let mut rest = text.strip_prefix('-').unwrap_or(text);
    let mut parts = 0;
    while !rest.is_empty() {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let unit_ends = behind.find(|c: char| c.is_ascii_digit()).unwrap_or(behind.len());
        let (unit, next) = behind.split_at(unit_ends);
        let number = rest.strip_suffix(behind).unwrap_or_default();
        if number.parse::<f64>().is_err() || !UNITS.contains(&unit) {
            return false;
        }
        (rest, parts) = (next, parts + 1);
    }
    parts > 0
}

fn is_text(node: &Node) -> bool {
    matches!(&node.data, Data::Scalar(Value::String(_)))
}

/// Formats a value for an error message. Omits texts, because a text may be a secret.
fn shown(node: &Node) -> String {
    match &node.data {
        Data::Scalar(value @ Value::Number(_)) => value.to_string(),
        _ => node.kind().to_owned(),
    }
}

fn provider_names(properties: &[Property], problems: &mut Vec<Problem>) {
    for property in properties {
        if property.name.is_empty() || property.name.contains('/') {
            problems.push(Problem::new(
                property.place.clone(),
                format!(
                    "the provider name `{}` must not be empty or contain a slash",
                    property.name
                ),
            ));
        }
    }
}

fn rules(path: &mut Vec<String>, properties: &[Property], problems: &mut Vec<Problem>) {
    for property in properties {
        path.push(property.name.clone());
        match &property.value.data {
            Data::Object(patterns) => {
                for pattern in patterns {
                    path.push(pattern.name.clone());
                    rule(path, &pattern.value, problems);
                    path.pop();
                }
            }
            Data::Scalar(_) | Data::List(_) => action(path, &property.value, problems),
        }
        path.pop();
    }
}

fn rule(path: &[String], node: &Node, problems: &mut Vec<Problem>) {
    let Data::Object(properties) = &node.data else {
        return action(path, node, problems);
    };
    let name = path.join(".");
    match node.property("action") {
        Some(given) => action(path, &given.value, problems),
        None => problems.push(Problem::new(
            node.place.clone(),
            format!("the rule `{name}` names no `action`"),
        )),
    }
    for property in properties {
        let told = match property.name.as_str() {
            "action" => continue,
            "network" if fits(Kind::Switch, &property.value) => continue,
            "network" => format!("`network` of the rule `{name}` must be `true` or `false`"),
            other => format!("`{other}` is not part of a rule: `{name}` has `action` and `network`"),
        };
        problems.push(Problem::new(property.place.clone(), told));
    }
}

fn action(path: &[String], node: &Node, problems: &mut Vec<Problem>) {
    let text = match &node.data {
        Data::Scalar(Value::String(text)) => text.as_str(),
        _ => "",
    };
    if ACTIONS.iter().any(|(word, _)| *word == text) {
        return;
    }
    let told = if text.is_empty() {
        node.kind().to_owned()
    } else {
        format!("`{text}`")
    };
    let near = nearest(text, ACTIONS.map(|(word, _)| word));
    problems.push(
        Problem::new(
            node.place.clone(),
            format!(
                "the rule `{}` must be `allow`, `ask` or `deny`, not {told}",
                path.join(".")
            ),
        )
        .with(near.map(|near| format!("did you mean `{near}`?"))),
    );
}
