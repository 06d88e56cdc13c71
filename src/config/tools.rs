//! Configured tools: descriptions, limits, and disabled tools. Settings without effect are errors.

use std::path::Path;

use serde_json::Value;

use super::agent_files::{object, text_for_name};
use super::layers::Layers;
use super::read::{switch, text, whole};
use super::settings::ServerSettings;
use benchdog_base::document::{self, Data, Form, Node, Property};
use benchdog_base::problem::Problem;
use benchdog_base::spelling::nearest;
use benchdog_domain::adjustment::{Adjustment, Settable, Switched};
use benchdog_domain::permission::{Layer, ToolRules};
use benchdog_domain::server::server_of;

pub(super) const FORM: Form = Form {
    name: "prompt",
    most_kb: 64,
};

pub(super) const FOLDER: &str = "prompts";

const TEXTS: [&str; 2] = ["description", "note"];

/// The key `paths` of `tools`, which is not the name of a tool.
pub const PATHS: &str = "paths";

/// Maximum length of a description in characters. Every request contains the descriptions.
const LONGEST: usize = 2_000;

pub(super) fn check(layer: Layer, root: &Node, tools: &[ToolRules]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for of_tool in of_tools(root) {
        if of_tool.name == PATHS {
            problems.extend(misplaced(&of_tool.value));
            continue;
        }
        let known = tools.iter().find(|tool| *tool.name == *of_tool.name);
        let settable = match (known, server_of(&of_tool.name)) {
            (Some(known), _) => known.settable,
            // The tools of an MCP server are unknown until the server starts.
            (None, Some(_)) => Settable::SERVED,
            (None, None) => {
                problems.push(unknown(of_tool, tools));
                continue;
            }
        };
        if let Data::Object(fields) = &of_tool.value.data {
            let of = (of_tool.name.as_str(), settable);
            problems.extend(fields.iter().filter_map(|field| wrong(layer, of, field)));
        }
    }
    problems
}

fn of_tools(root: &Node) -> &[Property] {
    match root.property("tools").map(|tools| &tools.value.data) {
        Some(Data::Object(tools)) => tools,
        _ => &[],
    }
}

/// Reports relative folders, which would depend on the working directory.
fn misplaced(paths: &Node) -> Vec<Problem> {
    let Data::List(items) = &paths.data else {
        return Vec::new();
    };
    let is_placed = |item: &Node| match &item.data {
        Data::Scalar(Value::String(path)) => path.starts_with('/') || path.starts_with("~/"),
        // The check of types reports any other value.
        _ => true,
    };
    let odd = items.iter().filter(|item| !is_placed(item));
    let told = |item: &Node| {
        let text = "a folder of `tools.paths` begins with `/` or `~/`";
        Problem::new(item.place.clone(), text).with(Some("write its whole path".to_owned()))
    };
    odd.map(told).collect()
}

/// Reads `tools.paths` before the other settings, because the tools in these folders determine the valid names. The
/// highest layer applies. Errors are reported later.
pub fn folders(files: &[&Path]) -> Vec<String> {
    let said = |file: &&Path| {
        let shown = file.display().to_string();
        let bytes = document::read(file, super::load::FORM).ok()??;
        let root = document::parse(&shown, &document::text(&shown, bytes).ok()?).ok()??;
        let paths = root.property("tools")?.value.property(PATHS)?;
        paths.value.to_value().as_array().cloned()
    };
    let named = files.iter().find_map(said).unwrap_or_default();
    named
        .iter()
        .filter_map(|path| path.as_str().map(str::to_owned))
        .collect()
}

fn unknown(of_tool: &Property, tools: &[ToolRules]) -> Problem {
    let name = &of_tool.name;
    let text = format!("no tool is called `{name}`");
    let instead = match nearest(name, tools.iter().map(|tool| &*tool.name)) {
        Some(near) => format!("did you mean `tools.{near}`?"),
        None => {
            "a tool that a folder brings along is changed in the `.benchdog/config.jsonc` of that folder".to_owned()
        }
    };
    Problem::new(of_tool.place.clone(), text).with(Some(instead))
}

fn wrong(layer: Layer, (name, settable): (&str, Settable), field: &Property) -> Option<Problem> {
    let key = field.name.as_str();
    let told = |why: String, instead: String| {
        Some(Problem::new(field.value.place.clone(), format!("`tools.{name}.{key}` {why}")).with(Some(instead)))
    };
    let given = field.value.to_value();
    let beyond = |most: Option<u64>, has: &str| match (most, given.as_u64()) {
        (None, _) => told(format!("has no effect: {has}"), "remove it".to_owned()),
        (Some(most), Some(given)) if given > most => told(
            format!("can be {most} at the most, not {given}"),
            format!("write `{most}`"),
        ),
        _ => None,
    };
    match key {
        "timeout_ms" => beyond(settable.timeout_ms, "the tool has no time limit of its own"),
        "max_output_bytes" => beyond(settable.output_bytes, "its results are short"),
        "enabled" if layer == Layer::Project && given == Value::Bool(true) => told(
            "is not a project's to switch on".to_owned(),
            "remove it here".to_owned(),
        ),
        "enabled" if given == Value::Bool(false) => {
            let why = settable.needed?;
            told(format!("cannot be `false`: {why}"), "remove it".to_owned())
        }
        _ if TEXTS.contains(&key) => {
            let text = given.as_str()?;
            let letters = text.chars().count();
            if letters > LONGEST {
                let why = format!("has {letters} letters, and each request would carry them");
                return told(why, format!("write {LONGEST} at the most"));
            }
            if text.trim().is_empty() {
                return told("says nothing".to_owned(), "remove it".to_owned());
            }
            let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
            let why = "holds control characters".to_owned();
            text.contains(is_odd)
                .then(|| told(why, "write plain text".to_owned()))?
        }
        _ => None,
    }
}

pub(super) fn with_texts(
    root: &mut Node,
    folder: &Path,
    read: impl Fn(&str) -> Result<Option<Vec<u8>>, Problem>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Data::Object(properties) = &mut root.data else {
        return problems;
    };
    let missing = |name: &str| {
        format!(
            "there is no file `{name}` with a text for the model in `{}`",
            folder.display()
        )
    };
    let tools = properties.iter_mut().filter(|property| property.name == "tools");
    for tool in tools.filter_map(|tools| object(&mut tools.value)).flatten() {
        let fields = object(&mut tool.value).into_iter().flatten();
        for field in fields.filter(|field| TEXTS.contains(&field.name.as_str())) {
            problems.extend(text_for_name(field, &read, missing));
        }
    }
    problems
}

pub(super) fn without_server(layers: &Layers, servers: &[ServerSettings]) -> Vec<Problem> {
    let is_there = |named: &str| servers.iter().any(|server| server.name.0 == named);
    let names = layers.names(&["tools"]).into_iter();
    let lost = names.filter_map(|name| Some((name, server_of(name).filter(|server| !is_there(server))?)));
    let problem = |(name, server): (&str, &str)| {
        let near = nearest(server, servers.iter().map(|server| server.name.0.as_str()));
        let instead = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "what a folder's own server offers is changed in the `.benchdog/config.jsonc` of that folder".to_owned()
            }
        };
        let text = format!("`tools.{name}`: no server is called `{server}`");
        layers.problem(&["tools", name], text).with(Some(instead))
    };
    lost.map(problem).collect()
}

pub(super) fn read(layers: &Layers) -> Vec<Adjustment> {
    let names = layers.names(&["tools"]).into_iter().filter(|name| *name != PATHS);
    let of = |name: &str| {
        let at = |key: &'static str| ["tools", name, key];
        let said = |key| text(layers, &at(key)).map(|text| text.trim().to_owned());
        Adjustment {
            name: name.to_owned(),
            description: said("description"),
            note: said("note"),
            switched: if switch(layers, &at("enabled"), true) {
                Switched::On
            } else {
                Switched::Off
            },
            timeout_ms: whole(layers, &at("timeout_ms")),
            output_bytes: whole(layers, &at("max_output_bytes")).and_then(|most| usize::try_from(most).ok()),
        }
    };
    names.map(of).collect()
}
