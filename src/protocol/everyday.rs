//! Commands and answers about the project, plans and git.

use benchdog_domain::adjustment::Switched;
use benchdog_domain::plan::NoPlanFile;
use benchdog_domain::voice::VoiceOrder;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Everyday {
    /// Scans the names of the project for `/init`. Answered by `Answer::Initial`.
    LookAtProject,
    /// Writes the plan to a new file of the workspace. Answered by `PlanFile::Exported`.
    ExportPlan {
        /// Empty for a name made of the date and the plan.
        path: String,
    },
    /// Lists the plans of the folder. Answered by `PlanFile::Listed`.
    ListPlans,
    /// Loads a plan from a file into the session. Answered by `PlanFile::Opened`.
    OpenPlan {
        /// A path or part of a name. Empty for the newest plan.
        named: String,
    },
    /// Requests the staged changes and a commit message. Answered by `Answer::Commit`.
    ProposeCommit,
    /// Requests the staged files. Answered by `Answer::StagedNow`.
    LookAtStaged,
    /// Requests the files that could be staged. Answered by `Answer::Unstaged`.
    LookAtUnstaged,
    /// Starts a review of uncommitted changes or of a range, by a read-only agent.
    Review { range: String },
    /// Compares the working tree with the newest commit, or the given range. Answered by `Answer::Differs`.
    Diff { of: String },
    /// Watches the folder for changes of other programs, or ends it. Answered by `Answer::Watching`. `None` only asks.
    Watch { to: Option<Switched> },
    /// Records speech for the prompt. Answered by `Answer::Voice`.
    Voice(VoiceOrder),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanFile {
    Exported(Result<String, String>),
    Listed(Vec<String>),
    Opened(Result<String, NoPlanFile>),
}
