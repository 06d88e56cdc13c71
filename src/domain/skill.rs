//! Skills as everybody but their loader knows them: instructions for special tasks, by name.

use serde::{Deserialize, Serialize};

/// One skill that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillOffer {
    pub(crate) name: String,
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

/// A file that would be a skill and cannot be read as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BrokenSkill {
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
