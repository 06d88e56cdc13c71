//! Checks the tool names in rules. A rule for an unknown tool would protect nothing.

use serde_json::Value;

use super::read::action;
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::Problem;
use benchdog_base::spelling::nearest;
use benchdog_domain::permission::{Action, CATASTROPHIC, CONFINED, DANGEROUS, Layer, ToolRules};
use benchdog_domain::server::server_of;
use benchdog_domain::tool_list;

/// Keys of `permission` that are not tool names.
pub(super) const OTHERS: [&str; 5] = ["*", "external_directory", CATASTROPHIC, DANGEROUS, CONFINED];

pub(super) fn check(layer: Layer, root: &Node, tools: &[ToolRules]) -> Vec<Problem> {
    let of_all = root.property("permission").map(|permission| (layer, permission));
    let of_agents = agents(root).filter_map(|agent| Some((Layer::Agent, agent.value.property("permission")?)));
    let mut problems = Vec::new();
    for (layer, permission) in of_all.into_iter().chain(of_agents) {
        if let Data::Object(rules) = &permission.value.data {
            let problem = |rule| {
                problem(rule, tools)
                    .or_else(|| catastrophic(layer, rule))
                    .or_else(|| confined(layer, rule))
                    .or_else(|| network(layer, rule))
                    .or_else(|| host(rule, tools))
                    .or_else(|| dangerous(rule))
            };
            problems.extend(rules.iter().filter_map(problem));
        }
    }
    let lists = agents(root).filter_map(|agent| agent.value.property("tools"));
    problems.extend(lists.flat_map(|list| unknown_tools(list, tools)));
    problems
}

fn agents(root: &Node) -> impl Iterator<Item = &Property> {
    let agents = root.property("agent").map(|agents| &agents.value.data);
    match agents {
        Some(Data::Object(agents)) => agents.iter(),
        _ => [].iter(),
    }
}

/// Reports names in a list of tools that match no tool, because such a list would not work as intended.
fn unknown_tools(list: &Property, tools: &[ToolRules]) -> Vec<Problem> {
    let Data::List(items) = &list.value.data else {
        return Vec::new();
    };
    let problem = |item: &Node| {
        let Data::Scalar(Value::String(text)) = &item.data else {
            return None;
        };
        let (text, suggestion) = unknown_tool(text, tools)?;
        Some(Problem::new(item.place.clone(), text).with(suggestion))
    };
    items.iter().filter_map(problem).collect()
}

pub fn unknown_tool(text: &str, tools: &[ToolRules]) -> Option<(String, Option<String>)> {
    let name = tool_list::name(text);
    if let Some(Err(error)) = tool_list::expression(name) {
        let error = error.to_string();
        let why = error.lines().last().unwrap_or_default();
        let text = format!(
            "`{name}` is not a regular expression: {}",
            why.trim_start_matches("error: ")
        );
        return Some((text, None));
    }
    if tools.iter().any(|tool| tool_list::is_meant(name, tool)) {
        return None;
    }
    // The tools of an MCP server are unknown before its first start.
    if server_of(name).is_some() {
        return None;
    }
    if name.starts_with("re:") {
        return Some((format!("no tool's name matches `{name}`"), None));
    }
    let near = nearest(name, tools.iter().map(|tool| &*tool.name));
    let sign = text.get(..text.len() - name.len()).unwrap_or_default();
    Some((
        format!("no tool is called `{name}`"),
        near.map(|near| format!("did you mean `{sign}{near}`?")),
    ))
}

/// Renames tools in rules to Benchdog's names, such as `Bash` to `bash`.
pub(super) fn with_own_names(root: &Node, tools: &[ToolRules]) -> Node {
    let mut root = root.clone();
    rename(&mut root, "permission", tools);
    rename(&mut root, "tools", tools);
    if let Data::Object(properties) = &mut root.data {
        let agents = properties.iter_mut().find(|property| property.name == "agent");
        if let Some(Data::Object(agents)) = agents.map(|agents| &mut agents.value.data) {
            agents
                .iter_mut()
                .for_each(|agent| rename(&mut agent.value, "permission", tools));
        }
    }
    root
}

fn rename(node: &mut Node, key: &str, tools: &[ToolRules]) {
    if let Data::Object(properties) = &mut node.data {
        let named = properties.iter_mut().find(|property| property.name == key);
        if let Some(Data::Object(rules)) = named.map(|named| &mut named.value.data) {
            for rule in rules {
                if let Some(name) = own_name(&rule.name, tools) {
                    rule.name = name;
                }
            }
        }
    }
}

pub fn own_name(key: &str, tools: &[ToolRules]) -> Option<String> {
    if OTHERS.contains(&key) || tools.iter().any(|tool| tool.name == key) {
        return None;
    }
    let key = key.to_ascii_lowercase().replace('-', "_");
    let by_name = tools.iter().find(|tool| *tool.name == *key);
    let tool = by_name.or_else(|| tools.iter().find(|tool| tool.aliases.contains(&key.as_str())));
    Some(tool?.name.clone().into_owned())
}

/// Returns a problem for an invalid `catastrophic` rule. Only the person's configuration may set it to `ask`, and
/// `allow` is never valid.
fn catastrophic(layer: Layer, rule: &Property) -> Option<Problem> {
    if rule.name != CATASTROPHIC {
        return None;
    }
    let text = match (action(&rule.value), layer) {
        (Some(Action::Deny), _) | (Some(Action::Ask), Layer::User) => return None,
        (Some(Action::Ask), _) => "only your own configuration may let `permission.catastrophic` ask",
        _ => "`permission.catastrophic` must be `ask` or `deny`",
    };
    Some(Problem::new(rule.place.clone(), text))
}

/// Returns a problem for an invalid `confined` rule. Only the person's configuration may set it to `allow`.
fn confined(layer: Layer, rule: &Property) -> Option<Problem> {
    if rule.name != CONFINED {
        return None;
    }
    let text = match (action(&rule.value), layer) {
        (Some(Action::Ask), _) | (Some(Action::Allow), Layer::User) => return None,
        (Some(Action::Allow), _) => "only your own configuration may set `permission.confined` to `allow`",
        _ => "`permission.confined` must be `ask` or `allow`",
    };
    Some(Problem::new(rule.place.clone(), text))
}

/// Returns a problem if a project grants network access to its own commands.
fn network(layer: Layer, rule: &Property) -> Option<Problem> {
    let Data::Object(patterns) = &rule.value.data else {
        return None;
    };
    let granting = patterns
        .iter()
        .find(|pattern| pattern.value.property("network").is_some())?;
    let text = format!(
        "only your own configuration may set `network` in `permission.{}`",
        rule.name
    );
    (layer == Layer::Project).then(|| Problem::new(granting.place.clone(), text))
}

/// Reports a pattern that matches no host and so has no effect.
fn host(rule: &Property, tools: &[ToolRules]) -> Option<Problem> {
    let Data::Object(patterns) = &rule.value.data else {
        return None;
    };
    let tool = tools.iter().find(|tool| *tool.name == *rule.name)?;
    if !tool.settable.has_hosts {
        return None;
    }
    patterns.iter().find_map(|pattern| {
        let why = no_host(&pattern.name)?;
        let text = format!("`permission.{}.{}` matches no host: {why}", rule.name, pattern.name);
        Some(Problem::new(pattern.place.clone(), text))
    })
}

pub(super) fn no_host(pattern: &str) -> Option<&'static str> {
    let host = pattern.strip_prefix("http://").unwrap_or(pattern);
    if host.contains('/') {
        return Some("write the host alone, such as `docs.rs` or `http://docs.rs`");
    }
    if !host.is_ascii() {
        return Some("write it in ASCII, as requests show it (`xn--…`)");
    }
    let is_upper = host.bytes().any(|byte| byte.is_ascii_uppercase());
    is_upper.then_some("write it in lowercase")
}

/// Returns a problem if a rule for dangerous commands is neither `ask` nor `deny`.
fn dangerous(rule: &Property) -> Option<Problem> {
    if rule.name != DANGEROUS {
        return None;
    }
    let Data::Object(patterns) = &rule.value.data else {
        let text = "`permission.dangerous` must be an object of patterns";
        return Some(Problem::new(rule.place.clone(), text));
    };
    let wrong = patterns
        .iter()
        .find(|pattern| !matches!(action(&pattern.value), Some(Action::Ask | Action::Deny)))?;
    let text = format!("`permission.dangerous.{}` must be `ask` or `deny`", wrong.name);
    Some(Problem::new(wrong.place.clone(), text))
}

fn problem(rule: &Property, tools: &[ToolRules]) -> Option<Problem> {
    let name = rule.name.as_str();
    let own = tools.iter().flat_map(|tool| tool.group.iter().chain([&tool.name]));
    let known: Vec<&str> = own.map(|key| &**key).chain(OTHERS).collect();
    if known.contains(&name) {
        return None;
    }
    // The tools of an MCP server are unknown before its first start.
    if server_of(name).is_some() {
        return None;
    }
    let near = nearest(name, known);
    let text = format!("no tool is called `{name}`, so its permission rule does nothing");
    Some(Problem::new(rule.place.clone(), text).with(near.map(|near| format!("did you mean `{near}`?"))))
}
