//! What a person asks of a folder every day.

/// What one asks of a folder under git every day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Everyday {
    /// Looks at the names of the project, as `Answer::Initial`.
    LookAtProject,
    /// Writes the plan to a file of the workspace that does not exist yet, as `Answer::PlanExported`.
    ExportPlan {
        /// Empty: named by the day and the plan.
        path: String,
    },
    /// What is staged, with a message for it, as `Answer::Commit`.
    ProposeCommit,
    /// The working tree against its newest commit, or what is written here, as `Answer::Differs`.
    Diff {
        /// A path, a commit or a range of two.
        of: String,
    },
}
