//! What a person asks of a folder every day.

use crate::domain::plan::NoPlanFile;

/// What one asks of a folder under git every day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Everyday {
    /// Looks at the names of the project, as `Answer::Initial`.
    LookAtProject,
    /// Writes the plan to a file of the workspace that does not exist yet, as `PlanFile::Exported`.
    ExportPlan {
        /// Empty: named by the day and the plan.
        path: String,
    },
    /// The plans that lie in the folder, as `PlanFile::Listed`.
    ListPlans,
    /// A plan of a file becomes the session's, as `PlanFile::Opened` says.
    OpenPlan {
        /// A path, or a part of a name; empty: the newest.
        named: String,
    },
    /// What is staged, with a message for it, as `Answer::Commit`.
    ProposeCommit,
    /// The files that are staged, as `Answer::StagedNow`.
    LookAtStaged,
    /// What could be staged, as `Answer::Unstaged`.
    LookAtUnstaged,
    /// An agent that only reads looks at what is not committed, or at a range.
    Review { range: String },
    /// The working tree against its newest commit, or what is written here, as `Answer::Differs`.
    Diff {
        /// A path, a commit or a range of two.
        of: String,
    },
}

/// What came of the plan as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlanFile {
    /// Where it was written, or why it was not.
    Exported(Result<String, String>),
    /// Those in the folder by their names, the newest first.
    Listed(Vec<String>),
    /// Whose plan the session has now.
    Opened(Result<String, NoPlanFile>),
}
