//! `benchdog config import`: converts the configuration of another program, and writes the result on request. Every
//! value is validated first.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::Value;

use super::engine::{Base, bad_configuration, policy};
use super::project::Places;
use super::settings::replace;
use super::small::say;
use crate::cli::ImportFrom;
use crate::error::Trouble;
use benchdog_base::document;
use benchdog_base::text::reveal;
use benchdog_config::import::{self, Command, Key, Left, Plan, Why};
use benchdog_config::{ConfigError, Loaded, own_name};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::permission::{Action, Rule, ToolRules};
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle};
use benchdog_tools::Registry;

/// The new text of the user's configuration file, and the parts of the plan that were imported.
struct Draft<'b> {
    places: Places,
    registry: &'b Registry,
    tools: Vec<ToolRules>,
    file: &'b Path,
    before: String,
    text: String,
    keys: Vec<Key>,
    commands: Vec<Command>,
    left: Vec<Left>,
}

pub(super) fn import(base: &Base, wanted: &ImportFrom) -> Result<Exit, Trouble> {
    let home = base.environment.get("HOME").map(Path::new);
    let home = home.ok_or_else(|| Trouble::obstacle(Exit::Usage, Obstacle::NoHome))?;
    let plan = import::plan(&wanted.from, home).map_err(|problems| bad_configuration(&ConfigError { problems }))?;
    if plan.read.is_empty() && plan.commands.is_empty() {
        return say(&format!("{}\n", lang::message::import_nothing(&wanted.from)));
    }
    let read: Vec<String> = plan.read.iter().map(|path| path.display().to_string()).collect();
    let mut draft = Draft::of(base)?;
    draft.take(plan, wanted.write);
    draft.shown(&read, wanted.write)?;
    if wanted.write {
        draft.write()?;
    }
    Ok(Exit::Done)
}

impl<'b> Draft<'b> {
    fn of(base: &'b Base) -> Result<Self, Trouble> {
        let (places, file) = (Places::of(base), base.folders.config_file.as_path());
        places.load_own().map_err(|error| bad_configuration(&error))?;
        let before = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(not_written(file, &error)),
        };
        Ok(Self {
            places,
            registry: &base.tools,
            tools: base.tools.all_rules(),
            file,
            text: before.clone(),
            before,
            keys: Vec::new(),
            commands: Vec::new(),
            left: Vec::new(),
        })
    }

    fn take(&mut self, plan: Plan, is_written: bool) {
        self.left = plan.left;
        // Add deny rules first, so that an allow rule is never active without the deny rules.
        let (denies, others): (Vec<Key>, Vec<Key>) = plan.keys.into_iter().partition(denies);
        denies.into_iter().chain(others).for_each(|key| self.put(key));
        for command in plan.commands {
            if self.commands.iter().any(|taken| taken.name == command.name) {
                self.leave(command.theirs, Why::Twice);
            } else if fs::symlink_metadata(self.place_of(&command)).is_ok() {
                self.leave(command.theirs, Why::Taken);
            } else {
                self.commands.push(command);
            }
        }
        let asks = is_written && io::stdin().is_terminal() && io::stderr().is_terminal();
        for key in plan.allows {
            let key = self.named_here(key);
            // The person is not asked about an invalid value.
            match self.tried(&key) {
                Ok(_) if asks && confirmed(&key) => self.put(key),
                Ok(_) => self.leave(key.theirs, Why::Unconfirmed),
                Err(why) => self.leave(key.theirs, why),
            }
        }
    }

    fn outdone(&self, key: &Key) -> Result<Option<Rule>, Why> {
        let actions = [Action::Allow, Action::Ask, Action::Deny];
        let action = actions.into_iter().find(|action| key.value == action.word());
        match (key.path.as_slice(), action) {
            ([first, tool, pattern], Some(action)) if first == "permission" => {
                let draft = self.drafted(&self.text)?;
                let policy = policy(&draft.settings, self.registry);
                Ok(policy.outdone(&self.tools, tool, pattern, action))
            }
            _ => Ok(None),
        }
    }

    fn leave(&mut self, theirs: String, why: Why) {
        self.left.push(Left { theirs, why });
    }

    fn named_here(&self, mut key: Key) -> Key {
        if let [first, tool, ..] = key.path.as_mut_slice()
            && first == "permission"
            && let Some(own) = own_name(tool, &self.tools)
        {
            *tool = own;
        }
        key
    }

    fn put(&mut self, key: Key) {
        let key = self.named_here(key);
        match self.tried(&key) {
            Ok(text) => {
                self.text = text;
                self.keys.push(key);
            }
            Err(why) => self.leave(key.theirs, why),
        }
    }

    /// Returns the text of the draft with this value added, if the key is unused and the value is valid.
    fn tried(&self, key: &Key) -> Result<String, Why> {
        let path: Vec<&str> = key.path.iter().map(String::as_str).collect();
        if is_taken(&self.text, &path) {
            return Err(Why::Taken);
        }
        if let Some(Rule { key, pattern, .. }) = self.outdone(key)? {
            return Err(Why::Milder { key, pattern });
        }
        let text = document::change(&self.text, &path, Some(&key.value)).ok_or(Why::Taken)?;
        self.drafted(&text).map(|_| text)
    }

    fn drafted(&self, text: &str) -> Result<Loaded, Why> {
        let bytes = text.to_owned().into_bytes();
        let loaded = self.places.load_drafted(ProjectRules::Ignored, bytes);
        loaded.map_err(|error| {
            let first = error.problems.into_iter().next();
            Why::Refused(first.map(|problem| problem.text).unwrap_or_default())
        })
    }

    fn place_of(&self, command: &Command) -> std::path::PathBuf {
        self.file.with_file_name("commands").join(&command.name)
    }

    fn shown(&self, read: &[String], is_written: bool) -> Result<(), Trouble> {
        let mut text = String::new();
        for file in read {
            text.push_str(&format!("{}\n", lang::message::import_read(&reveal(file))));
        }
        let file = self.file.display().to_string();
        if !self.keys.is_empty() {
            text.push_str(&format!("\n{}\n", lang::message::import_keys(&file)));
        }
        for key in &self.keys {
            let value = reveal(&key.value.to_string()).into_owned();
            text.push_str(&format!("+ {} = {value}\n", reveal(&key.path.join("."))));
        }
        for command in &self.commands {
            let to = self.place_of(command).display().to_string();
            text.push_str(&format!(
                "+ {}\n",
                lang::message::import_file(&to, &reveal(&command.theirs))
            ));
        }
        if !self.left.is_empty() {
            text.push_str(&format!("\n{}\n", lang::word(lang::Word::ImportLeft)));
        }
        for Left { theirs, why } in &self.left {
            text.push_str(&format!("- {}: {}\n", reveal(theirs), reveal(&lang::import_why(why))));
        }
        let is_nothing = self.keys.is_empty() && self.commands.is_empty();
        if !is_written && !is_nothing {
            text.push_str(&format!("\n{}\n", lang::word(lang::Word::ImportUnwritten)));
        }
        say(&text).map(drop)
    }

    /// Writes the draft. The configuration file is written first. If that fails, no command file is written.
    fn write(&self) -> Result<(), Trouble> {
        if self.text != self.before {
            replace(self.file, &self.text).map_err(|error| not_written(self.file, &error))?;
        }
        for command in &self.commands {
            let place = self.place_of(command);
            new_file(&place, &command.text).map_err(|error| not_written(&place, &error))?;
        }
        say(&format!("\n{}\n", lang::word(lang::Word::ImportWritten))).map(drop)
    }
}

fn denies(key: &Key) -> bool {
    key.path.first().is_some_and(|first| first == "permission") && key.value == Action::Deny.word()
}

fn is_taken(text: &str, path: &[&str]) -> bool {
    let root = document::parse("", text).ok().flatten().map(|root| root.to_value());
    let Some(mut value) = root else { return false };
    for name in path {
        match value {
            Value::Object(mut fields) => match fields.remove(*name) {
                Some(below) => value = below,
                None => return false,
            },
            _ => return true,
        }
    }
    true
}

/// Asks the user to confirm a key. Only the complete word `yes` confirms. The end of input declines.
fn confirmed(key: &Key) -> bool {
    let tool = key.path.get(1).map(String::as_str).unwrap_or_default();
    let pattern = key.path.get(2).map(String::as_str).unwrap_or_default();
    let question = lang::message::import_allow(&reveal(pattern), &reveal(&key.theirs), &reveal(tool));
    let mut terminal = io::stderr();
    if write!(terminal, "{question} ").and_then(|()| terminal.flush()).is_err() {
        return false;
    }
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).is_ok() && answer.trim() == "yes"
}

fn new_file(place: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(place)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn not_written(file: &Path, error: &io::Error) -> Trouble {
    let (file, error) = (&file.display().to_string(), &error.to_string());
    Trouble::obstacle(Exit::Internal, Obstacle::NotWritten { file, error })
}
