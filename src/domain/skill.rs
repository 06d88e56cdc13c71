//! Skills and custom commands: texts that `/name` sends. The model can also load skills itself.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    #[default]
    Skill,
    Command,
    Prompt,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillOffer {
    pub kind: OfferKind,
    pub name: String,
    pub hint: String,
    pub description: String,
    pub path: String,
    pub source: SkillSource,
    pub tokens: u64,
    pub state: SkillState,
    pub invocable: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillSource {
    Configured,
    Project,
    #[default]
    Person,
    Server,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkillState {
    Offered,
    /// Not in the model's index, because there are too many skills.
    Untold,
    Loaded,
    Shadowed {
        by: String,
    },
    Broken {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenSkill {
    #[serde(default, skip_serializing_if = "OfferKind::is_skill")]
    pub kind: OfferKind,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub source: SkillSource,
    pub file: String,
    pub line: u64,
    pub why: String,
}

impl OfferKind {
    fn is_skill(&self) -> bool {
        *self == Self::Skill
    }
}
