//! `benchdog auth`: manages keys of endpoints, which are stored outside the configuration.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::engine::Base;
use super::small::say;
use super::unreadable;
use crate::cli::AuthCommand;
use crate::error::Trouble;
use benchdog_base::text::reveal;
use benchdog_config::stored_keys::StoredKeys;
use benchdog_config::{ConfigError, key_variable, public_address};
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, KeyFrom, Obstacle};

pub(super) fn auth(base: &Base, command: &AuthCommand) -> Result<Exit, Trouble> {
    let path = base.folders.stored_keys();
    match command {
        AuthCommand::Set { provider } => set(base, path, provider),
        AuthCommand::Remove { provider } => remove(path, provider),
        AuthCommand::List => list(base, &path),
    }
}

fn set(base: &Base, path: PathBuf, provider: &str) -> Result<Exit, Trouble> {
    let mut keys = read(&path)?;
    let settings = base.load_own()?.settings;
    let Some(base_url) = settings.provider(provider).map(|provider| provider.base_url.as_str()) else {
        let known: Vec<&str> = settings.provider.iter().map(|(name, _)| name.as_str()).collect();
        let known = &known.join(", ");
        return Err(Trouble::obstacle(
            Exit::Usage,
            Obstacle::NoProvider { name: provider, known },
        ));
    };
    let Some(key) = asked(&lang::message::auth_wanted(provider)).map_err(|error| unreadable(&error))? else {
        return Ok(Exit::Interrupted);
    };
    let key = key.trim();
    if !is_key(key) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoKey));
    }
    let Some(server) = keys.set(provider, base_url, key) else {
        let base_url = &public_address(base_url);
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoServer { base_url }));
    };
    write(&keys, &path)?;
    say(&format!("{}\n", lang::message::auth_set(provider, &server)))
}

fn remove(path: PathBuf, provider: &str) -> Result<Exit, Trouble> {
    let mut keys = read(&path)?;
    if !keys.remove(provider) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoStoredKey { name: provider }));
    }
    write(&keys, &path)?;
    say(&format!("{}\n", lang::message::auth_removed(provider)))
}

fn list(base: &Base, path: &std::path::Path) -> Result<Exit, Trouble> {
    let keys = read(path)?;
    let settings = base.load_own()?.settings;
    let mut text = String::new();
    for (name, provider) in &settings.provider {
        let variable = key_variable(provider, &base.environment);
        let from = match (&variable, &provider.stored_key) {
            (Some(variable), _) => KeyFrom::Variable(variable),
            (None, Some(_)) => KeyFrom::Stored,
            (None, None) => KeyFrom::Nowhere,
        };
        text.push_str(&format!(
            "{}\n",
            reveal(&lang::key_of(name, &public_address(&provider.base_url), from))
        ));
    }
    let used = |name: &str| {
        settings
            .provider(name)
            .is_some_and(|provider| provider.stored_key.is_some())
    };
    for stored in keys.all().iter().filter(|stored| !used(&stored.provider)) {
        let line = lang::key_of(&stored.provider, &stored.server, KeyFrom::Unused);
        text.push_str(&format!("{}\n", reveal(&line)));
    }
    say(&text)
}

fn read(path: &std::path::Path) -> Result<StoredKeys, Trouble> {
    StoredKeys::read(path).map_err(|problem| {
        super::engine::bad_configuration(&ConfigError {
            problems: vec![problem],
        })
    })
}

fn write(keys: &StoredKeys, path: &std::path::Path) -> Result<(), Trouble> {
    keys.write(path).map_err(|error| {
        let (file, error) = (&path.display().to_string(), &error.to_string());
        Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file, error })
    })
}

pub(super) fn is_key(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Reads one line from standard input. Does not show text that is typed at a terminal. `None` after Ctrl+C.
pub(super) fn asked(wanted: &str) -> io::Result<Option<String>> {
    let input = io::stdin();
    let Some(before) = input.is_terminal().then(|| tcgetattr(&input).ok()).flatten() else {
        let mut line = String::new();
        input.lock().read_line(&mut line)?;
        return Ok(Some(line));
    };
    let mut error = io::stderr();
    write!(error, "{wanted}")?;
    error.flush()?;
    let mut quiet = before.clone();
    // Disable signals, so that Ctrl+C arrives as a byte. A signal would end the program while the terminal has no echo.
    quiet
        .local_modes
        .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
    tcsetattr(&input, OptionalActions::Flush, &quiet)?;
    let typed = typed(input.lock());
    let _ = tcsetattr(&input, OptionalActions::Flush, &before);
    let _ = writeln!(error);
    typed
}

/// Reads text up to Enter from a terminal without line editing. Handles the editing keys itself.
fn typed(mut input: impl Read) -> io::Result<Option<String>> {
    const CTRL_C: u8 = 3;
    const CTRL_D: u8 = 4;
    const CTRL_U: u8 = 21;
    let mut line = Vec::new();
    let mut byte = [0];
    while input.read(&mut byte)? > 0 {
        match byte {
            [CTRL_C] => return Ok(None),
            [CTRL_D | b'\r' | b'\n'] => break,
            [CTRL_U] => line.clear(),
            [8 | 127] => drop(line.pop()),
            [other] => line.push(other),
        }
    }
    String::from_utf8(line).map(Some).map_err(io::Error::other)
}

#[cfg(test)]
mod tests;
