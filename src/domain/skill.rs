//! Skills and commands of one's own as everybody but their loader knows them: texts that `/name` sends, and of which a model loads the
//! first kind by itself.

use serde::{Deserialize, Serialize};

/// What a file of such texts is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OfferKind {
    /// Instructions, which the model may load, too.
    #[default]
    Skill,
    /// A prompt that only the person sends.
    Command,
    /// The same, as a server of tools makes it when it is called.
    Prompt,
}

/// One skill, or command of one's own, that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillOffer {
    pub(crate) kind: OfferKind,
    pub(crate) name: String,
    /// What may stand behind `/name`, as its file says it.
    pub(crate) hint: String,
    pub(crate) description: String,
    /// Its file.
    pub(crate) path: String,
    pub(crate) source: SkillSource,
    /// Of its instructions; an estimate.
    pub(crate) tokens: u64,
    pub(crate) state: SkillState,
    /// Whether `/name` invokes it.
    pub(crate) invocable: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SkillSource {
    /// A folder of `skills.paths`.
    Configured,
    Project,
    #[default]
    Person,
    /// A server of tools, which is named before the colon.
    Server,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SkillState {
    /// The model knows of it.
    Offered,
    /// There are so many that the model is not told its name.
    Untold,
    /// Its instructions are in the session.
    Loaded,
    /// Another of its name was found first.
    Shadowed { by: String },
    /// Its file cannot be read as one.
    Broken { why: String },
}

/// A file that would be one and cannot be read as such.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BrokenSkill {
    #[serde(default, skip_serializing_if = "OfferKind::is_skill")]
    pub(crate) kind: OfferKind,
    /// As it would be called.
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) source: SkillSource,
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: u64,
    pub(crate) why: String,
}

impl OfferKind {
    fn is_skill(&self) -> bool {
        *self == Self::Skill
    }
}
