//! Configured language servers: names and settings.

use serde_json::{Map, Value};

use super::layers::Layers;
use super::mcp::{is_name, is_on};
use super::read::{switch, texts};
use super::settings::LanguageSettings;
use benchdog_base::document::Property;
use benchdog_base::problem::Problem;
use benchdog_domain::permission::Layer;

/// Language servers with built-in defaults: names, commands and files.
const KNOWN: [(&str, &[&str], &[&str]); 4] = [
    ("rust-analyzer", &["rust-analyzer"], &["*.rs"]),
    ("pyright", &["pyright-langserver", "--stdio"], &["*.py", "*.pyi"]),
    ("gopls", &["gopls"], &["*.go"]),
    (
        "typescript-language-server",
        &["typescript-language-server", "--stdio"],
        &["*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}"],
    ),
];

pub(super) fn check(servers: &[Property], problems: &mut Vec<Problem>) {
    let misnamed = servers.iter().filter(|server| !is_name(&server.name));
    problems.extend(misnamed.map(|server| {
        let text = format!(
            "the name of a language server may have letters, digits, `-` and single `_`: `{}` is invalid",
            server.name
        );
        Problem::new(server.place.clone(), text)
    }));
}

pub(super) fn read(layers: &Layers) -> Result<Vec<LanguageSettings>, Vec<Problem>> {
    layers.each("lsp", one)
}

fn one(layers: &Layers, name: &str) -> Result<LanguageSettings, Problem> {
    let at = |key: &'static str| ["lsp", name, key];
    let wrong = |text: String| layers.problem(&["lsp", name], text);
    let known = KNOWN.iter().find(|(known, _, _)| *known == name);
    let given_or = |key: &'static str, preset: Option<&[&str]>| {
        let given = texts(layers, &at(key));
        match preset {
            Some(preset) if given.is_empty() => preset.iter().map(|word| (*word).to_owned()).collect(),
            _ => given,
        }
    };
    let command: Vec<String> = given_or("command", known.map(|known| known.1));
    let files: Vec<String> = given_or("files", known.map(|known| known.2));
    let Some((program, arguments)) = command.split_first().filter(|(program, _)| !program.trim().is_empty()) else {
        let names = KNOWN.map(|(name, _, _)| format!("`{name}`")).join(", ");
        return Err(wrong(format!(
            "the language server `{name}` has no `command`: the program and its arguments. Only {names} need none."
        )));
    };
    if files.iter().all(|pattern| pattern.trim().is_empty()) {
        return Err(wrong(format!(
            "the language server `{name}` has no `files`, such as `*.rs`"
        )));
    }
    if let Some((pattern, why)) = files.iter().find_map(|pattern| Some((pattern, broken(pattern)?))) {
        return Err(wrong(format!(
            "`lsp.{name}.files`: `{pattern}` is not a pattern: {why}"
        )));
    }
    Ok(LanguageSettings {
        name: name.to_owned(),
        enabled: is_on(layers.origins(&at("enabled"))),
        program: program.clone(),
        arguments: arguments.to_vec(),
        environment: layers.pairs(&at("environment")),
        files,
        settings: layers
            .value(&at("settings"))
            .cloned()
            .unwrap_or_else(|| Value::Object(Map::new())),
        warnings: switch(layers, &at("warnings"), false),
        writable: texts(layers, &at("writable")),
        layer: layer(layers, name).map_err(wrong)?,
        pinned: Vec::new(),
    })
}

fn broken(pattern: &str) -> Option<String> {
    // These options must equal those of the language servers' matchers.
    let glob = globset::GlobBuilder::new(pattern)
        .literal_separator(true)
        .empty_alternates(true)
        .build();
    glob.err().map(|error| error.kind().to_string())
}

/// Returns the layer that defines the server. Fails if project and person both define the server's program.
fn layer(layers: &Layers, name: &str) -> Result<Layer, String> {
    let given = layers.under(&["lsp", name]);
    let starts = given.iter().filter(|given| given.path.get(2) != Some(&"enabled"));
    let of: Vec<Layer> = starts
        .flat_map(|given| given.origins.iter().map(|origin| origin.layer))
        .collect();
    if of.contains(&Layer::Project) && of.iter().any(|layer| *layer != Layer::Project) {
        return Err(format!(
            "the language server `{name}` is set by the project, and elsewhere; rename one of them"
        ));
    }
    Ok(of.last().copied().unwrap_or(Layer::Default))
}
