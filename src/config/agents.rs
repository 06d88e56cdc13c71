//! Validates configured agents: their names, and the settings that may be changed for built-in agents.

use serde_json::Value;

use super::layers::Layers;
use super::read::{rules_of, switch, text, texts_of, whole};
use super::settings::{AgentSettings, RuleLayer};
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::Problem;
use benchdog_domain::agent::{
    ACCEPT_EDITS, AUTO, BUILD, CHAT, Completion, EXPLORE, GENERAL, Mode, PLAN, SUMMARY, TITLE, meant,
};
use benchdog_domain::permission::Layer;

/// Maximum length of an agent's name, in characters.
const LONGEST_NAME: usize = 64;

pub(super) type OfAgent = (String, RuleLayer);

pub(super) fn check(agents: &[Property], problems: &mut Vec<Problem>) {
    for agent in agents {
        let name = agent.name.as_str();
        if let Some((text, instead)) = misnamed(name) {
            problems.push(Problem::new(agent.place.clone(), text).with(instead));
            continue;
        }
        if name == TITLE && agent.value.property("model").is_none() {
            let text = "`agent.title` has no effect without `model`: the first prompt is the title";
            let problem = Problem::new(agent.place.clone(), text.to_owned());
            problems.push(problem.with(Some("add a model, or remove it".to_owned())));
        }
        let Data::Object(properties) = &agent.value.data else {
            continue;
        };
        for property in properties {
            if let Some(why) = closed(name, &property.name) {
                let text = format!("`agent.{name}.{}` has no effect: {why}", property.name);
                problems.push(Problem::new(property.place.clone(), text).with(Some("remove it".to_owned())));
            }
        }
    }
}

fn misnamed(name: &str) -> Option<(String, Option<String>)> {
    let other = |instead: &str| Some(format!("did you mean `agent.{instead}`?"));
    if name == "compaction" {
        let text = "`agent.compaction` has no effect: what a compaction carries is written by `summary`";
        return Some((text.to_owned(), other(SUMMARY)));
    }
    if meant(name) != name {
        let own = meant(name);
        return Some((format!("`{name}` is another name of the agent `{own}`"), other(own)));
    }
    let may = |c: char| c == '-' || c == '_' || (c.is_alphanumeric() && !c.is_uppercase());
    let fits = name.chars().all(may) && name.chars().next().is_some_and(char::is_alphanumeric);
    if fits && name.chars().count() <= LONGEST_NAME {
        return None;
    }
    let lower = name.to_lowercase().replace(' ', "-");
    let near = (lower != name && lower.chars().all(may)).then(|| format!("write `{lower}`"));
    let text = format!(
        "the name of an agent may have lower-case letters, digits, `-` and `_`, at most {LONGEST_NAME}, not `{name}`"
    );
    Some((text, near))
}

fn closed(agent: &str, key: &str) -> Option<&'static str> {
    let known = ["model", "temperature", "top_p", "prompt"];
    match (agent, key) {
        (BUILD | PLAN | ACCEPT_EDITS | AUTO | CHAT, "mode") => Some("a person works with it"),
        (GENERAL | EXPLORE, "mode") => Some("another agent gives it work"),
        (BUILD | PLAN | ACCEPT_EDITS | AUTO | CHAT | GENERAL | EXPLORE, "hidden") => Some("it is always there"),
        (TITLE, key) if key != "model" => Some("it only writes titles"),
        (SUMMARY, key) if !known.contains(&key) => Some("it only writes summaries"),
        _ => None,
    }
}

pub(super) fn rules(layer: Layer, root: &Node) -> Vec<OfAgent> {
    let Some(agents) = root.property("agent").map(|agents| &agents.value.data) else {
        return Vec::new();
    };
    let Data::Object(agents) = agents else {
        return Vec::new();
    };
    let of = |agent: &Property| {
        let permission = agent.value.property("permission")?;
        Some((agent.name.clone(), rules_of(layer, permission)?))
    };
    agents.iter().filter_map(of).collect()
}

pub(super) fn read(layers: &Layers, permission: Vec<OfAgent>) -> Vec<AgentSettings> {
    let names = layers.names(&["agent"]).into_iter();
    names
        .map(|name| {
            let at = |key: &'static str| ["agent", name, key];
            let number = |key| layers.value(&at(key)).and_then(Value::as_f64);
            let rules = permission.iter().filter(|(of, _)| of == name);
            AgentSettings {
                name: name.to_owned(),
                description: text(layers, &at("description")).unwrap_or_default(),
                mode: text(layers, &at("mode")).and_then(|word| Mode::of(&word)),
                hidden: switch(layers, &at("hidden"), false),
                model: text(layers, &at("model")),
                temperature: number("temperature"),
                top_p: number("top_p"),
                steps: whole(layers, &at("steps")).and_then(|steps| u32::try_from(steps).ok()),
                completion: text(layers, &at("completion")).and_then(|word| Completion::of(&word)),
                prompt: text(layers, &at("prompt")).map(|text| text.trim().to_owned()),
                tools: layers
                    .origins(&at("tools"))
                    .iter()
                    .map(|origin| texts_of(&origin.value))
                    .collect(),
                permission: rules.map(|(_, rules)| rules.clone()).collect(),
            }
        })
        .collect()
}
