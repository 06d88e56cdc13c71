//! `benchdog mcp`: lists, checks, adds and removes MCP servers.

use std::fs;
use std::io;

use serde_json::{Map, Value, json};

use super::engine::Base;
use super::project::Places;
use super::servers;
use super::settings::replace;
use super::small::say;
use super::{sign_in, threads};
use crate::cli::{AddServer, McpCommand};
use crate::error::Trouble;
use benchdog_base::document;
use benchdog_base::problem::{Location, Problem};
use benchdog_base::text::{clean, reveal};
use benchdog_config::mcp::{is_name, missing};
use benchdog_config::settings::{ServerPlace, ServerSettings, Settings};
use benchdog_config::{ConfigError, is_secret_name, public_address, words_without_secrets};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::server::{ServerStage, ServerTool};
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_mcp::{Definition, ServerSnapshot, Servers, SignInOwner, wait_for_shutdown};

const MOST_NAMED: usize = 200;

pub(super) fn mcp(base: &Base, command: &McpCommand) -> Result<Exit, Trouble> {
    match command {
        McpCommand::List => list(base),
        McpCommand::Check { name } => check(base, name.as_deref()),
        McpCommand::Add(wanted) => add(base, wanted),
        McpCommand::Remove { name } => remove(base, name),
        McpCommand::Login { name } => sign_in::sign_in(base, name),
        McpCommand::Logout { name } => sign_in::sign_out(base, name),
    }
}

fn list(base: &Base) -> Result<Exit, Trouble> {
    let settings = base.load_here()?.settings;
    if settings.servers.is_empty() {
        return say(&format!("{}\n", word(Word::NoServers)));
    }
    let line = |server: &ServerSettings| {
        let off = if server.enabled {
            String::new()
        } else {
            format!("  ({})", word(Word::ServerOff))
        };
        format!("{}: {}{off}\n", server.name, reveal(&place(server).replace('\n', "␊")))
    };
    say(&settings.servers.iter().map(line).collect::<String>())
}

fn place(server: &ServerSettings) -> String {
    match &server.place {
        ServerPlace::Program { program, arguments, .. } => {
            let words: Vec<String> = std::iter::once(program).chain(arguments).cloned().collect();
            words_without_secrets(&words).join(" ")
        }
        ServerPlace::Address(address) => public_address(&address.url),
    }
}

fn check(base: &Base, name: Option<&str>) -> Result<Exit, Trouble> {
    let settings = base.load_here()?.settings;
    if let Some(name) = name
        && !known(&settings.servers, name)?.enabled
    {
        return say(&format!("{name}: {}\n", word(Word::ServerOff)));
    }
    let definitions = definitions(base, &settings).into_iter();
    let wanted = definitions.filter(|definition| name.is_none_or(|name| definition.name.0 == name));
    let all = Servers::new(wanted.collect(), &base.folders.cache, &base.folders.logs);
    if all.is_empty() {
        return say(&format!("{}\n", word(Word::NoServers)));
    }
    let standing = threads::runtime()?.block_on(async move {
        all.start();
        all.wait_until_settled().await;
        let standing = all.snapshots();
        drop(all);
        wait_for_shutdown(std::time::Duration::from_secs(1)).await;
        standing
    });
    let ready = standing.iter().all(|one| one.stage == ServerStage::Ready);
    benchdog_children::wait_for_exits(std::time::Duration::from_secs(1));
    say(&standing.iter().map(|one| shown(one, &settings)).collect::<String>())?;
    Ok(if ready { Exit::Done } else { Exit::Internal })
}

pub(super) fn definitions(base: &Base, settings: &Settings) -> Vec<Definition> {
    servers::definitions(&servers::Given {
        settings,
        environment: &base.environment,
        root: &base.root,
        purse: &base.folders.server_tokens(),
    })
}

pub(super) fn shown(one: &ServerSnapshot, settings: &Settings) -> String {
    let offered = one.offered.as_deref().unwrap_or_default();
    let mut text = format!(
        "{}: {}\n",
        one.name,
        lang::server_stage(one.stage, one.trouble.as_ref())
    );
    if let Some(trouble) = one.trouble.as_ref().filter(|_| one.stage == ServerStage::Dead) {
        text.push_str(&format!("  {}\n", clean(&lang::server_trouble(trouble))));
        return text;
    }
    let server = settings.servers.iter().find(|server| server.name == one.name);
    for tool in offered.iter().take(MOST_NAMED) {
        let name = one.name.tool(&tool.name);
        let is_listed = server.is_some_and(|server| server.disabled_tools.contains(&tool.name));
        let said = settings.tools.iter().find(|said| said.name == name);
        let tool = ServerTool {
            about: tool.description.lines().next().unwrap_or_default().to_owned(),
            switched: match said {
                _ if is_listed => Switched::Off,
                Some(said) => said.switched,
                None => Switched::On,
            },
            name,
        };
        text.push_str(&format!(
            "  {}  {}\n",
            tool.name,
            clean(&lang::about_server_tool(&tool))
        ));
    }
    let missing = missing(settings, &one.name, offered, &one.left_out);
    let remarks = lang::server_remarks(&one.asked, &one.left_out).into_iter();
    for row in remarks.chain(lang::server_tools_missing(&missing)) {
        text.push_str(&format!("  {}\n", clean(&row)));
    }
    text
}

pub(super) fn known<'s>(servers: &'s [ServerSettings], name: &str) -> Result<&'s ServerSettings, Trouble> {
    servers.iter().find(|server| server.name.0 == name).ok_or_else(|| {
        let names: Vec<&str> = servers.iter().map(|server| server.name.0.as_str()).collect();
        let known = &names.join(", ");
        Trouble::obstacle(Exit::Usage, Obstacle::NoServerOfTools { name, known })
    })
}

/// Adds a server to the user's file. The rest of the file is not changed.
fn add(base: &Base, wanted: &AddServer) -> Result<Exit, Trouble> {
    let name = wanted.name.as_str();
    if !is_name(name) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::BadServerName { name }));
    }
    let settings = base.load_own()?.settings;
    if settings.servers.iter().any(|server| server.name.0 == name) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::ServerThere { name }));
    }
    if let Some(url) = wanted.url.as_deref().filter(|url| holds_secret(url)) {
        let url = &public_address(url);
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::SecretInAddress { url }));
    }
    let mut server = Map::new();
    let mut set = |key: &str, value: Value| drop(server.insert(key.to_owned(), value));
    if let Some(url) = &wanted.url {
        set("url", json!(url));
    } else {
        set("command", json!(wanted.command));
    }
    for (key, pairs) in [("environment", &wanted.env), ("headers", &wanted.header)] {
        if !pairs.is_empty() {
            set(key, Value::Object(pairs.iter().map(|pair| written(pair)).collect()));
        }
    }
    if !wanted.token_env.is_empty() {
        set("token_env", json!(wanted.token_env));
    }
    if let Some(timeout) = wanted.timeout_ms {
        set("timeout_ms", json!(timeout));
    }
    change(base, name, Some(&Value::Object(server)))?;
    let file = base.folders.config_file.display().to_string();
    say(&format!("{}\n", lang::message::mcp_added(&file, name)))
}

/// Whether the URL contains a literal password or secret query parameter. Such a secret would end up in the file and in
/// the shell history.
fn holds_secret(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    let password = user.and_then(|user| user.split_once(':')).map(|(_, password)| password);
    let query = rest.split_once('?').map(|(_, query)| query).unwrap_or_default();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let named = pairs.filter(|(name, _)| is_secret_name(name)).map(|(_, value)| value);
    password.into_iter().chain(named).any(|secret| !secret.contains("${"))
}

/// Parses `NAME=VALUE`. A `NAME` without a value refers to the user's variable of that name.
fn written(pair: &str) -> (String, Value) {
    match pair.split_once('=') {
        Some((name, value)) => (name.to_owned(), json!(value)),
        None => (pair.to_owned(), json!(format!("${{{pair}}}"))),
    }
}

fn remove(base: &Base, name: &str) -> Result<Exit, Trouble> {
    let settings = base.load_own()?.settings;
    known(&settings.servers, name)?;
    change(base, name, None)?;
    if base
        .load_own()?
        .settings
        .servers
        .iter()
        .any(|server| server.name.0 == name)
    {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::ServerElsewhere { name }));
    }
    let told = |error: &SignInTrouble| clean(&lang::sign_in_trouble(name, error)).into_owned();
    match sign_in::forgotten(base, &settings, &SignInOwner::Person, name)? {
        Ok(true) => say(&format!("{}\n", lang::message::mcp_removed_tokens(name))),
        Ok(false) => say(&format!("{}\n", lang::message::mcp_removed(name))),
        Err(error) => Err(Trouble::obstacle(
            Exit::Internal,
            Obstacle::TokensKept {
                name,
                told: &told(&error),
            },
        )),
    }
}

/// Adds, replaces or removes a server in the user's file. An invalid result is not written.
fn change(base: &Base, name: &str, server: Option<&Value>) -> Result<(), Trouble> {
    let file = &base.folders.config_file;
    let shown = &file.display().to_string();
    let unwritten = |error: &str| Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file: shown, error });
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unwritten(&error.to_string())),
    };
    let changed = document::change(&text, &["mcp", name], server).ok_or_else(|| unwritten("`mcp`"))?;
    let drafted = Places::of(base).load_drafted(ProjectRules::Ignored, changed.clone().into_bytes());
    drafted.map_err(|error| super::engine::bad_configuration(&unplaced(error, name)))?;
    replace(file, &changed).map_err(|error| unwritten(&error.to_string()))
}

/// Replaces the line number in an error with the key, because the text that the number refers to was never written to
/// the file.
fn unplaced(error: ConfigError, name: &str) -> ConfigError {
    let place = Location::file(&format!("mcp.{name}"));
    let problems = error.problems.into_iter().map(|problem| Problem {
        place: place.clone(),
        ..problem
    });
    ConfigError {
        problems: problems.collect(),
    }
}
