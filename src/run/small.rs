//! Small commands that print a result and exit, such as `config` and `policy`.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use serde_json::json;

use super::engine::{self, Base};
use super::import::import;
use super::project::Places;
use super::unreadable;
use crate::cli::{self, ConfigCommand, DocsTable, DoctorCommand, PolicyCommand};
use crate::doctor::compare_requests::compare_requests;
use crate::doctor::parse_calls::{declared, parse_calls};
use crate::doctor::parse_stream::parse_stream;
use crate::error::Trouble;
use benchdog_agent::Agents;
use benchdog_base::json;
use benchdog_config::explain;
use benchdog_domain::notice::{ConfigNotice, NamedBy, Notice};
use benchdog_domain::permission::Layer;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle};
use benchdog_provider::replay::{Pace, Replay};
use benchdog_security::policy::{self, Grants, LayerRules};
use benchdog_security::standing;
use benchdog_security::workspace::PathError;
use benchdog_tools::Registry;

pub(super) fn config(base: &Base, command: &ConfigCommand) -> Result<Exit, Trouble> {
    if let ConfigCommand::Schema = command {
        return say(&explain::schema());
    }
    if let ConfigCommand::Check = command {
        let mut here = base.try_load_here()?;
        // Errors in tools and themes are reported below, together with the other errors.
        here.left_out.retain(|notice| match notice {
            Notice::Refused(unread) => unread.by != NamedBy::Tools,
            Notice::Config(remark) => !matches!(remark, ConfigNotice::Theme { .. }),
            _ => true,
        });
        here.tell();
        here.loaded = here.loaded.and_then(|loaded| Places::of(base).with_sound_theme(loaded));
        let wrong = Places::of(base).wrong_files(here.project, here.loaded.as_ref().ok());
        let tools = Places::of(base).own_tools(here.project);
        say(&explain::check(&here.loaded, &wrong, &tools))?;
        let is_fine = here.loaded.is_ok() && wrong.is_empty();
        return Ok(if is_fine { Exit::Done } else { Exit::Usage });
    }
    if let ConfigCommand::Import(wanted) = command {
        return import(base, wanted);
    }
    let loaded = base.try_load_here()?.told()?;
    match command {
        ConfigCommand::Show => say(&explain::show(&loaded)),
        ConfigCommand::Path => say(&explain::path(&loaded)),
        ConfigCommand::Explain { key } => {
            let text =
                explain::explain(&loaded, key).map_err(|problem| Trouble::new(Exit::Usage, problem.to_string()))?;
            say(&text)
        }
        ConfigCommand::Schema | ConfigCommand::Check | ConfigCommand::Import(_) => Ok(Exit::Done),
    }
}

pub(super) fn policy(base: &Base, command: &PolicyCommand) -> Result<Exit, Trouble> {
    let PolicyCommand::Explain { command, stdin } = command;
    let loaded = base.try_load_here()?.told()?;
    let agent = engine::asked_agent(base, &Agents::of(&loaded.settings))?;
    let judge = engine::policy(&loaded.settings, &base.tools);
    let judge = match &agent {
        Some(agent) => judge.with(agent.layers()),
        None => judge,
    };
    let Some(tool) = base.tools.command_rules() else {
        return Err(Trouble::obstacle(Exit::Internal, Obstacle::NoCommandTool));
    };
    let judge = match agent.as_ref().and_then(|agent| agent.keeps_out(&tool)) {
        Some(rule) => judge.with(&[LayerRules {
            network: Vec::new(),
            layer: Layer::Agent,
            origin: rule.origin,
            rules: vec![(rule.key, vec![(rule.pattern, rule.action)])],
        }]),
        None => judge,
    };
    let workspace = base.open_workspace(&[]).map_err(unusable)?;
    let lines: Vec<String> = match command {
        Some(command) => vec![command.clone()],
        None if *stdin => lines_of(std::io::stdin().lock())?,
        None => vec![all_of_stdin()?.trim_end_matches('\n').to_owned()],
    };
    let workdir = workspace.resolve(".").map_err(unusable)?;
    let mut grants = Grants::default();
    grants.set_remembered(base.remembered()?);
    for line in lines {
        let line = standing::command(&workspace, &workdir, &line);
        let mut explained = policy::explain(&judge, &grants, &tool, &line, lang::because);
        if let Some(agent) = &agent {
            explained["agent"] = json!({"name": agent.name, "reads_only": agent.reads_only});
        }
        say(&format!("{explained}\n"))?;
    }
    Ok(Exit::Done)
}

/// Reads all lines, including those with invalid UTF-8. The caller must print a result for every line.
fn lines_of(input: impl BufRead) -> Result<Vec<String>, Trouble> {
    let lines: std::io::Result<Vec<Vec<u8>>> = input.split(b'\n').collect();
    let lines = lines.map_err(|error| unreadable(&error))?;
    let text = |line: Vec<u8>| String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned();
    Ok(lines.into_iter().map(text).collect())
}

fn unusable(error: PathError) -> Trouble {
    Trouble::from_error(Exit::Usage, &error)
}

pub(super) fn doctor(command: &DoctorCommand) -> Result<Exit, Trouble> {
    let (api, status, file) = match command {
        DoctorCommand::ParseStream { api, status, file } => (api, status, file),
        DoctorCommand::ParseCalls { text, tools } => return written_calls(text.as_deref(), tools.as_deref()),
        DoctorCommand::CompareRequests { file } => return compared(file),
    };
    let body = match file {
        Some(file) => std::fs::read(file).map_err(|error| no_file(file, &error))?,
        None => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|error| unreadable(&error))?;
            bytes
        }
    };
    say(&format!("{}\n", parse_stream(*api, &body, *status)))
}

fn written_calls(text: Option<&str>, tools: Option<&Path>) -> Result<Exit, Trouble> {
    let tools = match tools {
        Some(file) => {
            let bytes = std::fs::read(file).map_err(|error| no_file(file, &error))?;
            declared(&bytes).map_err(|error| no_file(file, &error))?
        }
        None => Registry::builtin().declarations(),
    };
    let text = match text {
        Some(text) => text.to_owned(),
        None => all_of_stdin()?,
    };
    say(&format!("{}\n", parse_calls(&text, tools)))
}

fn compared(file: &Path) -> Result<Exit, Trouble> {
    let recording =
        Replay::open(file, "", Pace::Immediate).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    let lines = compare_requests(&recording).into_iter();
    say(&lines.map(|line| format!("{line}\n")).collect::<String>())
}

fn no_file(file: &Path, error: &dyn std::error::Error) -> Trouble {
    let (file, error) = (&file.display().to_string(), &error.to_string());
    Trouble::obstacle(Exit::Usage, Obstacle::File { file, error })
}

pub(super) fn docs(table: Option<DocsTable>) -> Result<Exit, Trouble> {
    say(&table.map_or_else(DocsTable::list, super::tables::markdown))
}

pub(super) fn manual(folder: Option<&Path>) -> Result<Exit, Trouble> {
    match folder {
        None => say(&cli::manual().map_err(|error| unprintable(&error))?),
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| cli::manuals(folder))
            .map(|()| Exit::Done)
            .map_err(|error| {
                let (file, error) = (&folder.display().to_string(), &error.to_string());
                Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file, error })
            }),
    }
}

fn all_of_stdin() -> Result<String, Trouble> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Prints text to standard output. A closed pipe is not an error.
pub(super) fn say(text: &str) -> Result<Exit, Trouble> {
    match std::io::stdout()
        .write_all(json::escaped(text).as_bytes())
        .and_then(|()| std::io::stdout().flush())
    {
        Ok(()) => Ok(Exit::Done),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(unprintable(&error)),
    }
}

pub(super) fn unprintable(error: &std::io::Error) -> Trouble {
    let error = &error.to_string();
    Trouble::obstacle(Exit::Internal, Obstacle::Output { error })
}
