//! Skills: instructions for special tasks. The prompt lists their names, purposes and paths. Loading a skill sends its
//! instructions.
//!
//! The caller decides which folders apply. Custom commands are included.

mod format;
mod load;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::commands::Commands;
use super::neutral::neutral;
use super::tokens::estimate;
use benchdog_base::spelling::nearest;
use benchdog_domain::skill::{BrokenSkill, OfferKind, SkillOffer, SkillSource, SkillState};

pub use load::Found;
pub(super) use load::{is_flat, text as text_of};

/// Maximum percentage of the context window for the index of skills.
const SHARE: u64 = 2;

const LEAST: usize = 40;

const MOST_FILES: usize = 10;

const ARGUMENTS: &str = "$ARGUMENTS";

#[derive(Debug, Clone, Default)]
pub struct Skills {
    offered: Vec<Skill>,
    shadowed: Vec<(Skill, String)>,
    pub broken: Vec<BrokenSkill>,
    pub commands: Arc<Commands>,
}

#[derive(Debug, Clone)]
pub struct Skill {
    pub name: String,
    description: String,
    pub path: PathBuf,
    pub source: SkillSource,
    invocable: bool,
    tokens: u64,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// A skill in memory, with the content that the person trusted.
    Held { text: Arc<str>, files: Arc<[String]> },
    /// A personal skill, read from disk when needed.
    OnDisk,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions {
    pub body: String,
    pub files: Vec<String>,
}

impl Skills {
    /// Collects skills. If several skills have the same name, the first is used, and the others are listed as shadowed.
    pub fn of(found: impl IntoIterator<Item = Found>) -> Self {
        let mut skills = Self::default();
        for found in found {
            match found.read() {
                Err(broken) => skills.broken.push(broken),
                Ok(skill) => match skills.find(&skill.name) {
                    Some(first) => {
                        let by = first.path.display().to_string();
                        skills.shadowed.push((skill, by));
                    }
                    None => skills.offered.push(skill),
                },
            }
        }
        skills.offered.sort_by(|a, b| a.name.cmp(&b.name));
        skills
    }

    pub fn with(self, commands: Commands) -> Self {
        Self {
            commands: Arc::new(commands),
            ..self
        }
    }

    pub fn only(&self, may: impl Fn(&str) -> bool) -> Self {
        let mut skills = self.clone();
        skills.offered.retain(|skill| may(&skill.name));
        skills.shadowed.retain(|(skill, _)| may(&skill.name));
        skills.broken.retain(|broken| may(&broken.name));
        skills
    }

    pub fn is_empty(&self) -> bool {
        self.offered.is_empty()
    }

    pub fn find(&self, name: &str) -> Option<&Skill> {
        let name = format::normal(name);
        self.offered.iter().find(|skill| skill.name == name)
    }

    pub fn near(&self, name: &str) -> Option<&str> {
        nearest(
            &format::normal(name),
            self.offered.iter().map(|skill| skill.name.as_str()),
        )
    }

    pub fn invoked<'p>(&self, prompt: &'p str) -> Option<(&Skill, &'p str)> {
        let (name, arguments) = prompt
            .strip_prefix('/')?
            .split_once(char::is_whitespace)
            .unwrap_or((prompt.get(1..)?, ""));
        let skill = self
            .offered
            .iter()
            .find(|skill| skill.name == name && skill.invocable)?;
        Some((skill, arguments.trim()))
    }

    pub fn invoked_broken(&self, prompt: &str) -> Option<&BrokenSkill> {
        let name = prompt.strip_prefix('/')?.split(char::is_whitespace).next()?;
        let broken = self.broken.iter().find(|broken| broken.name == name);
        broken.filter(|_| self.find(name).is_none())
    }

    pub fn listed(&self, loaded: &BTreeSet<String>, window: u64) -> Vec<SkillOffer> {
        let told = self.fitting(window).map_or(0, |(_, count)| count);
        let offered = self.offered.iter().enumerate().map(|(place, skill)| {
            skill.offer(if loaded.contains(&skill.name) {
                SkillState::Loaded
            } else if place < told {
                SkillState::Offered
            } else {
                SkillState::Untold
            })
        });
        let shadowed = self
            .shadowed
            .iter()
            .map(|(skill, by)| skill.offer(SkillState::Shadowed { by: by.clone() }));
        let broken = self.broken.iter().map(|broken| SkillOffer {
            kind: OfferKind::Skill,
            name: broken.name.clone(),
            hint: String::new(),
            description: String::new(),
            path: broken.file.clone(),
            source: broken.source,
            tokens: 0,
            state: SkillState::Broken {
                why: broken.why.clone(),
            },
            invocable: false,
        });
        let skills = offered.chain(shadowed).chain(broken);
        self.commands.listed().into_iter().chain(skills).collect()
    }

    /// Returns the index of skills for the prompt, limited to `SHARE` percent of the window. Its order is stable.
    pub fn index(&self, window: u64) -> String {
        let index = self.fitting(window);
        index.map_or_else(String::new, |(length, count)| self.written(length, count))
    }

    pub fn told(&self, window: u64) -> (u64, u64) {
        let told = self.fitting(window).map_or(0, |(_, count)| count);
        (told as u64, self.offered.len() as u64)
    }

    /// Returns the maximum length of descriptions, and the number of skills that fit with descriptions of that length.
    fn fitting(&self, window: u64) -> Option<(usize, usize)> {
        if self.offered.is_empty() {
            return None;
        }
        let room = window * SHARE / 100;
        let all = self.offered.len();
        let longest = self.offered.iter().map(|skill| skill.description.chars().count()).max();
        let fits = |length, count| estimate(&self.written(length, count)) <= room;
        // Shorten descriptions down to a minimum length before omitting skills.
        let longest = longest.unwrap_or_default().max(LEAST);
        if let Some(length) = most(LEAST..=longest, |length| fits(length, all)) {
            return Some((length, all));
        }
        match most(1..=all, |count| fits(LEAST, count)) {
            Some(count) => Some((LEAST, count)),
            None => fits(0, 0).then_some((0, 0)),
        }
    }

    fn written(&self, length: usize, count: usize) -> String {
        let mut index = "\n# Skills\nInstructions for special tasks. When a task fits one, load it with `skill` first, then follow it.\n".to_owned();
        for skill in self.offered.iter().take(count) {
            index.push_str(&skill.line(length));
        }
        if count < self.offered.len() {
            let more = self.offered.len() - count;
            index.push_str(&format!("- and {more} more: `skill` without a name lists them\n"));
        }
        index
    }

    pub fn list(&self) -> String {
        self.offered.iter().map(|skill| skill.line(usize::MAX)).collect()
    }
}

fn most(range: RangeInclusive<usize>, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut fitting, mut low, mut high) = (None, *range.start(), *range.end());
    while low <= high {
        let middle = low.midpoint(high);
        if fits(middle) {
            fitting = Some(middle);
            low = middle + 1;
        } else if middle == 0 {
            break;
        } else {
            high = middle - 1;
        }
    }
    fitting
}

impl Skill {
    fn offer(&self, state: SkillState) -> SkillOffer {
        SkillOffer {
            kind: OfferKind::Skill,
            name: self.name.clone(),
            hint: String::new(),
            description: self.description.clone(),
            path: self.path.display().to_string(),
            source: self.source,
            tokens: self.tokens,
            state,
            invocable: self.invocable,
        }
    }

    fn line(&self, length: usize) -> String {
        let name = &self.name;
        let mut description: String = self.description.chars().take(length).collect();
        if description.len() < self.description.len() {
            description.push('…');
        }
        format!("- {name}: {} ({})\n", neutral(&description), self.path.display())
    }

    pub fn instructions(&self) -> std::io::Result<Instructions> {
        let (text, files) = match &self.content {
            Content::Held { text, files } => (text.to_string(), files.to_vec()),
            Content::OnDisk => (load::text(&self.path)?, load::beside(&self.path)),
        };
        let body = format::parse(&text, &self.name).map_or(text.as_str(), |parsed| parsed.body);
        Ok(Instructions {
            body: neutral(body).into_owned(),
            files: files.into_iter().take(MOST_FILES).collect(),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

impl Instructions {
    /// Returns the text of a skill for the model. `arguments` is set if the person invoked the skill.
    pub fn told(&self, skill: &Skill, arguments: Option<&str>) -> String {
        let body = match arguments {
            Some(arguments) => self.body.replace(ARGUMENTS, arguments),
            None => self.body.clone(),
        };
        let mut told = format!("Skill `{}` from `{}`:\n\n{body}\n", skill.name, skill.path.display());
        if !self.files.is_empty() {
            let folder = skill.folder().display();
            told.push_str(&format!(
                "\nFiles of this skill, in `{folder}` (read them with `read`, run scripts with `bash`):\n"
            ));
            self.files.iter().for_each(|file| told.push_str(&format!("- {file}\n")));
        }
        told
    }
}
