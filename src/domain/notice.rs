//! Notices for a person, in the form that the engine stores and sends. `lang` provides the texts.

mod code;
mod config;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::agent::{AgentName, ModelRef};
use super::compaction::NoSummary;
use super::failure::Failure;
use super::folder::FolderChanges;
use super::hook::{HookEvent, HookSaid};
use super::job::{JobId, JobName};
use super::language::LanguageNotice;
use super::message::Written;
use super::server::ServerNotice;
use super::server_error::ServerError;
use super::skill::BrokenSkill;
use super::summary::Summary;
use super::undo::UndoNotice;
use super::watch::WatchNotice;
use super::worktree::WorktreeNotice;
pub use config::ConfigNotice;

/// A notice other than a request error. Some notices are stored in the log, others are only shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Notice {
    // --- of a turn, stored in the log ---
    TodoOpen {
        items: Vec<String>,
    },
    Limit(Limit),
    Loop {
        tool: String,
        title: String,
        times: u32,
    },
    Denials {
        times: u32,
    },
    OutputLimit,
    WindowEnd,
    Filtered,
    Imported {
        from: String,
        file: String,
    },
    Unproven,
    EmptyReply,
    NotHandedOver {
        tool: String,
    },
    NotToldWhole {
        files: usize,
    },
    SecretsLeftOut {
        paths: Vec<String>,
    },
    CallCut {
        tool: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
    },
    FellBack {
        from: ModelRef,
        to: ModelRef,
        failure: Failure,
    },
    RecordingEnded,
    NotValidated(NotValidated),
    ContextFilled {
        percent: u64,
        used: u64,
        room: u64,
    },
    NotSummarised(NoSummary),

    JobEnded {
        job: JobId,
        title: String,
        how: Summary,
    },
    JobsEnded {
        jobs: Vec<JobName>,
    },

    Hook {
        hook: String,
        event: HookEvent,
        #[serde(flatten)]
        said: HookSaid,
    },

    // --- of the engine, not stored ---
    Todo {
        item: u32,
        known: Vec<u32>,
    },
    NoSession,
    NoAgent {
        agent: AgentName,
        nearest: Option<String>,
    },
    Subagent {
        agent: AgentName,
    },
    InnerAgent {
        agent: AgentName,
    },
    AgentGone {
        agent: AgentName,
        instead: AgentName,
    },
    Busy,
    SeatsFull {
        most: u64,
    },
    OnlySeat,
    Worktree(WorktreeNotice),
    Undo(UndoNotice),
    Folder(FolderChanges),
    Watch(WatchNotice),
    Server(ServerNotice),
    Language(LanguageNotice),
    Summarising,
    /// The text was too long, so only a part was summarised. Contains the summarised and the total tokens.
    SummarisedInPart {
        read: u64,
        whole: u64,
    },
    SummaryStopped,
    NothingToCompact,
    NothingToUndo,
    NothingToRetry,
    PreviewStale,
    /// The item does not fit into the space for pinned items. All sizes are in tokens.
    PinsFull {
        item: u64,
        taken: u64,
        most: u64,
    },
    /// The placeholder would be as long as the text that it replaces. All sizes are in tokens.
    NothingSaved {
        tokens: u64,
        line: u64,
    },
    PinnedWhole,
    WindowAssumed {
        model: String,
        tokens: u64,
    },
    PromptCut {
        read: u64,
        sent: u64,
    },
    /// The model's actual window is smaller than assumed. All sizes are in tokens.
    WindowSmaller {
        model: String,
        wanted: u64,
        runs: u64,
    },
    /// The server lost its prompt cache for this session. All sizes are in tokens.
    CacheLost {
        again: u64,
        prompt: u64,
    },
    CallsRead {
        written: Written,
    },
    CallsWritten {
        model: String,
        because: WrittenCalls,
    },
    NoModel(NoModel),
    ModelTaken {
        model: String,
        offered: u64,
        /// Memory in GB, if the model runs on this machine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<u64>,
    },
    Model {
        why: String,
    },
    ModelUnlisted {
        model: ModelRef,
        names: Vec<String>,
        listed: u64,
    },
    ModelUnchecked {
        model: ModelRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
    },
    Config(ConfigNotice),
    /// The workspace is a home folder, a standard folder in it, or a shared folder such as `/` or `/tmp`.
    WideFolder {
        path: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repository: bool,
    },
    SystemFolder {
        path: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repository: bool,
    },
    Service(ServiceNotice),
    Untrusted {
        files: Vec<String>,
        until: Until,
    },
    /// Hooks and servers whose programs cannot be verified. Trust in them is valid for this run only.
    Unbound {
        names: Vec<String>,
    },
    Trusted {
        from: CountsFrom,
    },
    Reloaded {
        from: CountsFrom,
    },
    Distrusted,
    NothingToTrust,
    NoRepositoryToTrust,
    Refused(Unread),
    BrokenSkills {
        skills: Vec<BrokenSkill>,
    },
    BrokenCommands {
        commands: Vec<BrokenSkill>,
    },
    NotSent {
        name: String,
        line: String,
    },
    SkillsUntold {
        told: u64,
        all: u64,
    },
    /// A rules file was truncated. Sizes are in bytes.
    RulesCut {
        file: String,
        told: u64,
        whole: u64,
    },
    IndexRebuilt {
        path: String,
        aside: String,
        sessions: u64,
    },
    Storage {
        failed: String,
        why: String,
    },

    /// Text that an earlier version stored in place of structured values.
    #[serde(untagged)]
    Words {
        code: String,
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "limit", rename_all = "snake_case")]
pub enum Limit {
    Time,
    Steps {
        steps: u32,
    },
    Tokens {
        used: u64,
        most: u64,
    },
    /// A cost limit in US dollars.
    Cost {
        spent: f64,
        most: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NotValidated {
    NoCheck,
    NotAllowed,
    CannotRun { command: String, error: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoModel {
    NoServer,
    NoneOffered {
        provider: String,
    },
    Failed {
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ServiceNotice {
    Starting { command: String, seconds: u64 },
    Started { place: String },
    NotStarted { command: String, why: NoService },
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoService {
    Refused { error: String },
    Ended { status: String },
    Silent { seconds: u64 },
}

/// Event until which a folder's configuration files are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    Answered,
    Trusted,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    pub file: String,
    pub by: NamedBy,
    pub why: String,
}

/// Setting or folder that refers to an unreadable file: the key `instructions`, the project folder, or a folder of
/// custom tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedBy {
    Instructions,
    Folder,
    Tools,
}

/// Time at which a folder's rules take effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountsFrom {
    Now,
    NextSession,
}

/// Decodes a stored notice. A text from an earlier version becomes `Notice::Words`.
pub(super) fn stored<'de, D: Deserializer<'de>>(log: D) -> Result<Notice, D::Error> {
    let value = Value::deserialize(log)?;
    let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if let (Some(code), Some(text)) = (word("code"), word("text")) {
        return Ok(Notice::Words { code, text });
    }
    serde_json::from_value(value).map_err(D::Error::custom)
}

/// Reason why calls are sent as text although the configuration does not require it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenCalls {
    NotInTemplate,
    Refused,
    /// The model is too small for tools as text, so it gets no tools.
    TooSmall,
}
