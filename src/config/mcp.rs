//! Configured MCP servers.

mod address;

use std::path::{Component, Path};

use super::layers::{Layers, Origin};
use super::read::{text, texts, whole};
use super::settings::{ServerPlace, ServerSettings, Settings};
use benchdog_base::document::Property;
use benchdog_base::problem::Problem;
use benchdog_domain::permission::Layer;
use benchdog_domain::server::{JOINT, LONGEST_NAME, LeftOut, Offered, ServerName, server_of};

/// Default timeout for the start, for lists, and for the wait for an answer or progress message.
const TIMEOUT_MS: u64 = 30_000;

const OF_PROGRAM: [&str; 2] = ["environment", "cwd"];
const RESOURCES: &str = "__resources";

pub(super) fn check(servers: &[Property], problems: &mut Vec<Problem>) {
    let misnamed = servers.iter().filter(|server| !is_name(&server.name));
    problems.extend(misnamed.map(|server| {
        let text = format!(
            "a server is called by letters, digits, `-` and single `_`, at most {LONGEST_NAME}, not `{}`",
            server.name
        );
        Problem::new(server.place.clone(), text)
    }));
}

/// Whether the name is valid for a server, whose tools are named `SERVER__TOOL`.
pub fn is_name(name: &str) -> bool {
    let may = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=LONGEST_NAME).contains(&name.len())
        && name.chars().all(may)
        && !name.contains(JOINT)
        && !name.starts_with(['_', '-'])
        && !name.ends_with('_')
}

pub fn missing(settings: &Settings, name: &ServerName, offered: &[Offered], left_out: &[LeftOut]) -> Vec<String> {
    let server = settings.servers.iter().find(|server| server.name == *name);
    let has = |tool: &str| {
        let mut known = offered.iter().map(|tool| &tool.name);
        known.any(|known| known == tool) || left_out.iter().any(|one| one.tool == tool)
    };
    let listed = server.into_iter().flat_map(|server| &server.disabled_tools);
    let is_known = |tool: &str| {
        let mut known = offered.iter().map(|tool| &tool.name);
        known.any(|known| name.tool(known) == tool)
    };
    let rules = settings.permission.iter().flat_map(|layer| &layer.rules);
    let ruled = rules.map(|(key, _)| key).filter(|key| !key.contains(['*', '?']));
    let ruled = ruled.filter(|key| key.strip_suffix(RESOURCES).is_none_or(|server| server != name.0));
    let said = settings.tools.iter().map(|said| &said.name).chain(ruled);
    let said = said.filter(|tool| server_of(tool) == Some(&*name.0) && !is_known(tool));
    let mut missing: Vec<String> = Vec::new();
    for tool in listed.filter(|tool| !has(tool)).chain(said) {
        if !missing.contains(tool) {
            missing.push(tool.clone());
        }
    }
    missing
}

pub(super) fn read(layers: &Layers) -> Result<Vec<ServerSettings>, Vec<Problem>> {
    layers.each("mcp", one)
}

fn one(layers: &Layers, name: &str) -> Result<ServerSettings, Problem> {
    let at = |key: &'static str| ["mcp", name, key];
    let wrong = |text: String| layers.problem(&["mcp", name], text);
    let found = place(layers, name).map_err(wrong)?;
    let layer = of_one(layers, name).map_err(wrong)?;
    if layer == Layer::Project
        && let Some(key) = borrowed(&found)
    {
        return Err(wrong(format!(
            "`mcp.{name}.{key}` takes a variable of yours, which a project must not"
        )));
    }
    if layer == Layer::Project && leads_out(&found) {
        return Err(wrong(format!(
            "`mcp.{name}.cwd` of a project names a folder in it, without `..`"
        )));
    }
    let timeout_ms = whole(layers, &at("timeout_ms")).unwrap_or(TIMEOUT_MS);
    Ok(ServerSettings {
        name: ServerName(name.to_owned()),
        enabled: is_on(layers.origins(&at("enabled"))),
        place: found,
        timeout_ms,
        start_timeout_ms: whole(layers, &at("start_timeout_ms")).unwrap_or(timeout_ms),
        disabled_tools: texts(layers, &at("disabled_tools")),
        layer,
        pinned: Vec::new(),
    })
}

fn place(layers: &Layers, name: &str) -> Result<ServerPlace, String> {
    let at = |key: &'static str| ["mcp", name, key];
    let command = texts(layers, &at("command"));
    let program = command.split_first().filter(|(program, _)| !program.trim().is_empty());
    let url = text(layers, &at("url")).filter(|url| !url.trim().is_empty());
    let (place, of_the_other): (_, &[&str]) = match (program, url) {
        (Some(_), Some(_)) => {
            return Err(format!(
                "the server `{name}` has a `command` and a `url`; remove one of them"
            ));
        }
        (None, None) => {
            return Err(format!(
                "the server `{name}` has neither a `command` (the program, and each of its arguments) nor a `url`"
            ));
        }
        (Some((program, arguments)), None) => (
            ServerPlace::Program {
                program: program.clone(),
                arguments: arguments.to_vec(),
                environment: layers.pairs(&at("environment")),
                cwd: text(layers, &at("cwd")).filter(|cwd| !cwd.trim().is_empty()),
            },
            &address::KEYS,
        ),
        (None, Some(url)) => (
            ServerPlace::Address(Box::new(address::read(layers, name, url)?)),
            &OF_PROGRAM,
        ),
    };
    match of_the_other.iter().find(|key| is_said(layers, name, key)) {
        Some(key) => Err(format!(
            "`mcp.{name}.{key}` has no effect for a server {}",
            match place {
                ServerPlace::Program { .. } => "that is a program",
                ServerPlace::Address(_) => "that is reached by a `url`",
            }
        )),
        None => Ok(place),
    }
}

fn is_said(layers: &Layers, name: &str, key: &str) -> bool {
    !layers.under(&["mcp", name, key]).is_empty()
}

/// Whether the server starts outside the workspace, so that its files cannot be pinned.
fn leads_out(place: &ServerPlace) -> bool {
    let ServerPlace::Program { cwd: Some(cwd), .. } = place else {
        return false;
    };
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !Path::new(cwd).components().all(is_inside)
}

/// Returns the first key of a project's server that would pass variables of the person to the server.
fn borrowed(place: &ServerPlace) -> Option<String> {
    let of = |key: &str, pairs: &[(String, String)]| {
        let (name, _) = pairs.iter().find(|(_, value)| value.contains("${"))?;
        Some(format!("{key}.{name}"))
    };
    match place {
        ServerPlace::Program { environment, .. } => of("environment", environment),
        ServerPlace::Address(address) if address.url.contains("${") => Some("url".to_owned()),
        ServerPlace::Address(address) => of("headers", &address.headers),
    }
}

/// Whether the server is enabled. A project cannot enable a server that the person disabled.
pub(super) fn is_on(given: &[Origin]) -> bool {
    let said = |origin: &Origin| origin.value.as_bool().map(|on| (origin.layer, on));
    let (of_project, of_person): (Vec<_>, Vec<_>) = given
        .iter()
        .filter_map(said)
        .partition(|(layer, _)| *layer == Layer::Project);
    let of_project = of_project.last().map(|(_, on)| *on);
    match of_person.last() {
        Some((_, on)) => *on && of_project != Some(false),
        None => of_project.unwrap_or(true),
    }
}

/// Returns the layer that defines the server. Fails if project and person both define its command or secrets.
fn of_one(layers: &Layers, name: &str) -> Result<Layer, String> {
    let given = layers.under(&["mcp", name]);
    let starts = given.iter().filter(|given| given.path.get(2) != Some(&"enabled"));
    let of: Vec<Layer> = starts
        .flat_map(|given| given.origins.iter().map(|origin| origin.layer))
        .collect();
    let is_brought = |layer: &&Layer| matches!(layer, Layer::Project | Layer::Flag);
    match of.iter().find(is_brought) {
        Some(brought) if of.iter().any(|layer| layer != brought) => Err(format!(
            "the server `{name}` is set by the project or `--mcp`, and elsewhere; call one of them otherwise"
        )),
        _ => Ok(of.last().copied().unwrap_or(Layer::Default)),
    }
}
