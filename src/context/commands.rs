//! Custom commands: Markdown files whose text is sent when the person enters `/name`. The caller provides the folders
//! and the reserved names.

mod expand;
mod read;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use benchdog_domain::skill::{BrokenSkill, OfferKind, SkillOffer, SkillSource, SkillState};

pub use expand::Expansion;
pub use read::Found;

#[derive(Debug, Clone, Default)]
pub struct Commands {
    offered: Vec<OwnCommand>,
    shadowed: Vec<(OwnCommand, String)>,
    pub broken: Vec<BrokenSkill>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    pub name: String,
    pub path: PathBuf,
    source: SkillSource,
    written: Written,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Written {
    description: String,
    hint: String,
    agent: Option<String>,
    model: Option<String>,
    template: Arc<str>,
}

impl Commands {
    /// Collects commands. If several commands have the same name, the first is used. `is_taken` reports whether a name
    /// belongs to a built-in command.
    pub fn of(found: impl IntoIterator<Item = Found>, is_taken: impl Fn(&str) -> bool) -> Self {
        let mut commands = Self::default();
        for found in found {
            match found.read(&is_taken) {
                Err(broken) => commands.broken.push(broken),
                Ok(command) => match commands.find(&command.name) {
                    Some(first) => {
                        let by = first.path.display().to_string();
                        commands.shadowed.push((command, by));
                    }
                    None => commands.offered.push(command),
                },
            }
        }
        commands.offered.sort_by(|a, b| a.name.cmp(&b.name));
        commands
    }

    fn find(&self, name: &str) -> Option<&OwnCommand> {
        self.offered.iter().find(|command| command.name == name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    pub fn invoked<'p>(&self, prompt: &'p str) -> Option<(&OwnCommand, &'p str)> {
        let (name, arguments) = called(prompt)?;
        Some((self.find(name)?, arguments))
    }

    pub fn invoked_broken(&self, prompt: &str) -> Option<&BrokenSkill> {
        let (name, _) = called(prompt)?;
        let broken = self.broken.iter().find(|broken| broken.name == name);
        broken.filter(|_| !self.has(name))
    }

    pub(crate) fn listed(&self) -> Vec<SkillOffer> {
        let offered = self.offered.iter().map(|command| command.offer(SkillState::Offered));
        let shadowed = self
            .shadowed
            .iter()
            .map(|(command, by)| command.offer(SkillState::Shadowed { by: by.clone() }));
        let broken = self.broken.iter().map(|broken| SkillOffer {
            kind: OfferKind::Command,
            name: broken.name.clone(),
            hint: String::new(),
            description: String::new(),
            path: broken.file.clone(),
            source: broken.source,
            tokens: 0,
            state: SkillState::Broken {
                why: format!("{}:{}: {}", broken.file, broken.line, broken.why),
            },
            invocable: false,
        });
        offered.chain(shadowed).chain(broken).collect()
    }
}

fn called(prompt: &str) -> Option<(&str, &str)> {
    let rest = prompt.strip_prefix('/')?;
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some((name, arguments.trim()))
}

impl OwnCommand {
    fn offer(&self, state: SkillState) -> SkillOffer {
        SkillOffer {
            kind: OfferKind::Command,
            name: self.name.clone(),
            hint: self.written.hint.clone(),
            description: self.written.description.clone(),
            path: self.path.display().to_string(),
            source: self.source,
            // Estimate: Latin text has about four bytes per token.
            tokens: self.written.template.len() as u64 / 4,
            state,
            invocable: true,
        }
    }

    /// Reads a personal command from disk again. A project's command keeps the content that the person trusted.
    pub fn fresh(self) -> Result<Self, BrokenSkill> {
        match self.source {
            SkillSource::Project | SkillSource::Server => Ok(self),
            SkillSource::Person | SkillSource::Configured => Found::of_person(self.path, self.source).read(|_| false),
        }
    }

    pub fn broken(&self, why: String) -> BrokenSkill {
        BrokenSkill {
            kind: OfferKind::Command,
            name: self.name.clone(),
            source: self.source,
            file: self.path.display().to_string(),
            line: 1,
            why,
        }
    }

    pub fn agent(&self) -> Option<&str> {
        self.written.agent.as_deref()
    }

    pub fn model(&self) -> Option<&str> {
        self.written.model.as_deref()
    }

    pub fn expanded(&self, arguments: &str) -> Expansion {
        expand::expand(&self.written.template, arguments)
    }
}
