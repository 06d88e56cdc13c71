//! A skill or custom command at the start of a prompt, written as `/name`. If the file of the skill or command cannot
//! be read, the prompt returns to the person.

use benchdog_context::commands::{Expansion, OwnCommand};
use benchdog_context::skills::{Skill, Skills};
use benchdog_domain::mention::{Mention, MentionKind, WhyUnreadable};
use benchdog_domain::skill::{BrokenSkill, OfferKind};

#[derive(Debug, Clone)]
pub(in crate::seat) enum Invoked {
    Skill(Skill, String),
    Broken(BrokenSkill),
}

#[derive(Debug, Clone)]
pub(in crate::seat) struct Called {
    pub(in crate::seat) command: OwnCommand,
    pub(in crate::seat) expansion: Expansion,
}

pub(in crate::seat) fn called(skills: &Skills, prompt: &str) -> Option<Result<Called, BrokenSkill>> {
    if let Some((command, arguments)) = skills.commands.invoked(prompt) {
        let called = command.clone().fresh().map(|command| Called {
            expansion: command.expanded(arguments),
            command,
        });
        return Some(called);
    }
    skills.commands.invoked_broken(prompt).cloned().map(Err)
}

impl Invoked {
    pub(in crate::seat) fn by(skills: &Skills, prompt: &str) -> Option<Self> {
        if let Some((skill, arguments)) = skills.invoked(prompt) {
            return Some(Self::Skill(skill.clone(), arguments.to_owned()));
        }
        skills.invoked_broken(prompt).cloned().map(Self::Broken)
    }

    pub(in crate::seat) fn name(&self) -> &str {
        match self {
            Self::Skill(skill, _) => &skill.name,
            Self::Broken(broken) => &broken.name,
        }
    }

    /// Returns the skill's instructions, truncated to `most` bytes. Permissions need no check, because the list omits
    /// skills that a rule denies.
    pub(in crate::seat) fn read(&self, most: usize) -> Result<Mention, WhyUnreadable> {
        let (skill, arguments) = match self {
            Self::Skill(skill, arguments) => (skill, arguments),
            Self::Broken(broken) => return Err(unreadable(broken.clone())),
        };
        let gone = |error: std::io::Error| {
            unreadable(BrokenSkill {
                kind: OfferKind::Skill,
                name: skill.name.clone(),
                source: skill.source,
                file: skill.path.display().to_string(),
                line: 1,
                why: error.to_string(),
            })
        };
        let instructions = skill.instructions().map_err(gone)?;
        let told = instructions.told(skill, Some(arguments));
        let whole = told.len();
        Ok(Mention {
            kind: MentionKind::Skill,
            path: skill.name.clone(),
            lines: None,
            hash: None,
            truncated: whole > most,
            text: beginning(told, most, skill),
            image: None,
        })
    }
}

pub(in crate::seat) fn unreadable(broken: BrokenSkill) -> WhyUnreadable {
    WhyUnreadable::NoSkill(Box::new(broken))
}

fn beginning(text: String, most: usize, skill: &Skill) -> String {
    let whole = text.len();
    if whole <= most {
        return text;
    }
    let cut = text.floor_char_boundary(most);
    let told = text.get(..cut).unwrap_or_default();
    let told = told.rfind('\n').and_then(|end| told.get(..=end)).unwrap_or(told);
    let (shown, path) = (told.len(), skill.path.display());
    format!(
        "{told}[these are the first {shown} of {whole} bytes of the skill; read the rest with `read` of `{path}`]\n"
    )
}
