//! Commands and answers about the project, plans and git.

use benchdog_domain::adjustment::Switched;
use benchdog_domain::plan::NoPlanFile;
use benchdog_domain::voice::VoiceOrder;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Everyday {
    /// Reads the file names of the project, for `/init`. Answered by `Answer::Initial`.
    LookAtProject,
    /// Writes the plan to a new file of the workspace. Answered by `PlanFile::Exported`.
    ExportPlan {
        /// The path of the file. Empty to derive it from the date and the plan.
        path: String,
    },
    /// Lists the plan files of the folder. Answered by `PlanFile::Listed`.
    ListPlans,
    /// Loads a plan from a file into the session. Answered by `PlanFile::Opened`.
    OpenPlan {
        /// A path, or a part of a file name. Empty for the newest plan.
        named: String,
    },
    /// Requests a commit message for the staged changes. Answered by `Answer::Commit`.
    ProposeCommit,
    /// Requests the staged files. Answered by `Answer::StagedNow`.
    LookAtStaged,
    /// Requests the changed files that are not staged. Answered by `Answer::Unstaged`.
    LookAtUnstaged,
    /// Starts a review of uncommitted changes or of a range, by a read-only agent.
    Review { range: String },
    /// Compares the working tree with the newest commit, or with a range. Answered by `Answer::Differs`.
    Diff { of: String },
    /// Starts or stops watching the folder. `None` requests the state. Answered by `Answer::Watching`.
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
