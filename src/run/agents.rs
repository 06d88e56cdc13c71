//! `benchdog agent`: lists agents, adds one from a file, or removes one.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::engine::Base;
use super::small::say;
use crate::cli::AgentCommand;
use crate::error::Trouble;
use benchdog_agent::{Agents, Profile};
use benchdog_base::text::{clean, reveal};
use benchdog_domain::agent::{AgentOffer, Mode};
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, Word, word};

const MOST_BYTES: u64 = 64 * 1024;

pub(super) fn agent(base: &Base, command: &AgentCommand) -> Result<Exit, Trouble> {
    match command {
        AgentCommand::List => list(base),
        AgentCommand::Add { file } => add(base, file),
        AgentCommand::Remove { name } => remove(base, name),
    }
}

fn list(base: &Base) -> Result<Exit, Trouble> {
    let agents = Agents::of(&base.load_here()?.settings);
    let line = |profile: &Profile| {
        let offer = AgentOffer {
            agent: profile.name.clone(),
            description: profile.description.clone(),
            current: false,
        };
        let about = match profile.mode {
            Mode::Primary => lang::about_agent(&offer).to_owned(),
            Mode::Subagent => lang::message::agent_subagent(&profile.description),
        };
        format!("{}\n", reveal(&clean(&format!("{}: {about}", profile.name))))
    };
    let all = agents.offered().chain(agents.subagents());
    say(&all.map(|profile| line(profile)).collect::<String>())
}

/// Copies a file into the folder of the person's agents. If the configuration is invalid with the new agent, the copy
/// is removed.
fn add(base: &Base, file: &Path) -> Result<Exit, Trouble> {
    let from = base.root.join(file);
    let shown = &from.display().to_string();
    let unread = |error: &str| Trouble::obstacle(Exit::Usage, Obstacle::NoAgentFile { file: shown, error });
    let name = stem(&from).ok_or_else(|| unread(word(Word::AgentFileWanted)))?;
    // The file may be a FIFO, and opening a FIFO would block until a writer opens it.
    if !fs::metadata(&from)
        .map_err(|error| unread(&error.to_string()))?
        .is_file()
    {
        return Err(unread(word(Word::AgentFileWanted)));
    }
    let mut bytes = Vec::new();
    fs::File::open(&from)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| unread(&error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unread(word(Word::AgentFileTooLarge)));
    }
    let text = String::from_utf8(bytes).map_err(|error| unread(&error.to_string()))?;
    base.load_own()?;
    let to = place(base, &name);
    let target = &to.display().to_string();
    if fs::symlink_metadata(&to).is_ok() {
        let there = Obstacle::AgentThere {
            name: &name,
            file: target,
        };
        return Err(Trouble::obstacle(Exit::Usage, there));
    }
    let unwritten = |error: &io::Error| {
        let error = &error.to_string();
        Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file: target, error })
    };
    fs::create_dir_all(to.parent().unwrap_or(&to)).map_err(|error| unwritten(&error))?;
    fs::write(&to, text).map_err(|error| unwritten(&error))?;
    if let Err(trouble) = base.load_own() {
        let _ = fs::remove_file(&to);
        return Err(trouble);
    }
    say(&format!("{}\n", reveal(&lang::message::agent_added(target, &name))))
}

fn remove(base: &Base, name: &str) -> Result<Exit, Trouble> {
    let file = place(base, name);
    let shown = &file.display().to_string();
    let is_name = Path::new(name).components().count() == 1 && !name.starts_with('.');
    if !is_name || !fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file()) {
        let not_there = Obstacle::NoAgentThere { name, file: shown };
        return Err(Trouble::obstacle(Exit::Usage, not_there));
    }
    fs::remove_file(&file).map_err(|error| {
        let error = &error.to_string();
        Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file: shown, error })
    })?;
    say(&format!("{}\n", reveal(&lang::message::agent_removed(shown, name))))
}

fn stem(file: &Path) -> Option<String> {
    let is_markdown = file.extension().is_some_and(|extension| extension == "md");
    let name = file.file_stem()?.to_str()?;
    (is_markdown && !name.starts_with('.')).then(|| name.to_owned())
}

fn place(base: &Base, name: &str) -> PathBuf {
    base.folders
        .config_file
        .with_file_name("agents")
        .join(format!("{name}.md"))
}
