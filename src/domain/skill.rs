//! Skills and custom commands: texts that `/name` sends. The model can also load skills.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OfferKind {
    /// Instructions that the model can also load.
    #[default]
    Skill,
    /// A prompt that only the person can send.
    Command,
    Prompt,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillOffer {
    pub(crate) kind: OfferKind,
    pub(crate) name: String,
    /// The expected arguments after `/name`.
    pub(crate) hint: String,
    pub(crate) description: String,
    pub(crate) path: String,
    pub(crate) source: SkillSource,
    pub(crate) tokens: u64,
    pub(crate) state: SkillState,
    pub(crate) invocable: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SkillSource {
    /// A folder in `skills.paths`.
    Configured,
    Project,
    #[default]
    Person,
    /// The MCP server before the colon.
    Server,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SkillState {
    Offered,
    /// The model does not know its name, because there are too many skills.
    Untold,
    Loaded,
    /// Another file with this name takes precedence.
    Shadowed {
        by: String,
    },
    Broken {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BrokenSkill {
    #[serde(default, skip_serializing_if = "OfferKind::is_skill")]
    pub(crate) kind: OfferKind,
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) source: SkillSource,
    pub(crate) file: String,
    /// Starts at 1.
    pub(crate) line: u64,
    pub(crate) why: String,
}

impl OfferKind {
    fn is_skill(&self) -> bool {
        *self == Self::Skill
    }
}
