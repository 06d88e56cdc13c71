//! Remarks for a person: the value that the log and the engine keep. The words are made in front of a person (`lang`).

mod code;
mod config;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::agent::{AgentName, ModelRef};
use super::compaction::NoSummary;
use super::failure::Failure;
use super::hook::{HookEvent, HookSaid};
use super::job::{JobId, JobName};
use super::message::Written;
use super::server::ServerNotice;
use super::skill::BrokenSkill;
use super::summary::Summary;
use super::undo::UndoNotice;
use super::worktree::WorktreeNotice;
pub(crate) use config::ConfigNotice;

/// Something a person should know that is no error of a request. In the log, or only said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(crate) enum Notice {
    // --- of a turn, kept in the log ---
    /// Items of the todo list were still in progress when the turn ended.
    TodoOpen {
        items: Vec<String>,
    },
    Limit(Limit),
    /// The turn was ended because a call gave the same, so often.
    Loop {
        tool: String,
        title: String,
        times: u32,
    },
    /// The turn was ended after so many replies in a row whose calls were refused.
    Denials {
        times: u32,
    },
    /// The answer was cut at the model's output limit.
    OutputLimit,
    /// The answer was cut where the window ended.
    WindowEnd,
    /// The server held the rest of an answer back.
    Filtered,
    /// An answer was taken although it names no place that shows what it says: it was asked for often enough.
    Unproven,
    /// The model answered with nothing and is asked again.
    EmptyReply,
    /// The model ended without what its agent hands over with this tool, and was reminded.
    NotHandedOver {
        tool: String,
    },
    /// So many files of what is looked at were not told whole: they are named, and can be read.
    NotToldWhole {
        files: usize,
    },
    /// Files that may hold secrets are not told: their names.
    SecretsLeftOut {
        paths: Vec<String>,
    },
    /// The answer was cut inside a call of this tool; the model is told and may try again.
    CallCut {
        tool: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
    },
    /// The endpoint of a model failed, and another model is asked.
    FellBack {
        from: ModelRef,
        to: ModelRef,
        failure: Failure,
    },
    RecordingEnded,
    NotValidated(NotValidated),
    /// So much of the room for a request is taken.
    ContextFilled {
        percent: u64,
        used: u64,
        room: u64,
    },
    /// Earlier turns were to be summarised and were not.
    NotSummarised(NoSummary),

    /// A command in the background has ended.
    JobEnded {
        job: JobId,
        title: String,
        how: Summary,
    },
    /// These ended with the session.
    JobsEnded {
        jobs: Vec<JobName>,
    },

    /// What a hook said, or how it failed.
    Hook {
        hook: String,
        event: HookEvent,
        #[serde(flatten)]
        said: HookSaid,
    },

    // --- of the engine, said and not kept ---
    /// An edit of the todo list that names no item of it.
    Todo {
        item: u32,
        known: Vec<u32>,
    },
    /// There was no earlier session to go on with.
    NoSession,
    /// There is no agent of this name.
    NoAgent {
        agent: AgentName,
        nearest: Option<String>,
    },
    /// Another agent gives this one work; nobody works with it.
    Subagent {
        agent: AgentName,
    },
    /// This one does a job of the program.
    InnerAgent {
        agent: AgentName,
    },
    /// The session names an agent that is not there any more.
    AgentGone {
        agent: AgentName,
        instead: AgentName,
    },
    /// The session cannot be changed while a turn runs.
    Busy,
    /// No more sessions are open at once.
    SeatsFull {
        most: u64,
    },
    /// The only session that is open is not closed.
    OnlySeat,
    Worktree(WorktreeNotice),
    /// Of what the person wants to take back.
    Undo(UndoNotice),
    /// Of the servers of tools.
    Server(ServerNotice),
    /// Earlier turns are being summarised, as the person asked.
    Summarising,
    /// What was summarised is too long to be read whole for it: tokens that were read, and those there are.
    SummarisedInPart {
        read: u64,
        whole: u64,
    },
    /// The person stopped it.
    SummaryStopped,
    NothingToCompact,
    NothingToUndo,
    /// The last thing done was no prompt.
    NothingToRetry,
    /// The session went on since the summary was made.
    PreviewStale,
    /// What is to be pinned does not fit beside what is, which may take so much of the window. Tokens.
    PinsFull {
        /// Whole, as it would be carried.
        item: u64,
        taken: u64,
        most: u64,
    },
    /// The line in the place of what was to be left out would be no shorter. Tokens.
    NothingSaved {
        tokens: u64,
        line: u64,
    },
    /// What was pinned is carried whole again.
    PinnedWhole,
    /// No server says how large this window is.
    WindowAssumed {
        model: String,
        tokens: u64,
    },
    /// The server read less than it was sent.
    PromptCut {
        read: u64,
        sent: u64,
    },
    /// A model runs with a smaller window than requests were made for. Tokens.
    WindowSmaller {
        model: String,
        wanted: u64,
        runs: u64,
    },
    /// The server had lost what it had read of this session. Tokens.
    CacheLost {
        again: u64,
        prompt: u64,
    },
    /// Calls that the model wrote as text were read.
    CallsRead {
        written: Written,
    },
    /// The calls of this model are written as text.
    CallsWritten {
        model: String,
        because: WrittenCalls,
    },
    /// No model was named and none could be chosen.
    NoModel(NoModel),
    /// One of several models was taken by itself.
    ModelTaken {
        model: String,
        offered: u64,
        /// In GB, where it is this machine's that counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<u64>,
    },
    /// The model that was asked for cannot be taken.
    Model {
        why: String,
    },
    /// It was taken, and its server lists others: the names that are most like it, of so many.
    ModelUnlisted {
        model: ModelRef,
        names: Vec<String>,
        listed: u64,
    },
    /// It was taken, and its server told no list; `why` where it was asked in vain.
    ModelUnchecked {
        model: ModelRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    Config(ConfigNotice),
    /// The workspace is a home, a folder of one, or one that belongs to no single project, such as `/` or `/tmp`.
    WideFolder {
        path: String,
        /// It is a repository itself: what lies inside is its own.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repository: bool,
    },
    /// The workspace is a folder of the system.
    SystemFolder {
        path: String,
        /// The same of it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repository: bool,
    },
    Service(ServiceNotice),
    /// Files of the folder that would count if it were trusted.
    Untrusted {
        files: Vec<String>,
        until: Until,
    },
    /// The folder's own rules count.
    Trusted {
        from: CountsFrom,
    },
    /// The configuration was read once more. Rules and skills count from then on.
    Reloaded {
        from: CountsFrom,
    },
    /// The folder's own rules do not count, or not any more.
    Distrusted,
    /// The folder brings nothing that could be trusted.
    NothingToTrust,
    /// A file that would be rules and is none.
    Refused(Unread),
    /// Files that would be skills and cannot be read as such.
    BrokenSkills {
        skills: Vec<BrokenSkill>,
    },
    /// The same of commands of one's own.
    BrokenCommands {
        commands: Vec<BrokenSkill>,
    },
    /// A command of one's own was not sent, because this line of it was not run.
    NotSent {
        name: String,
        line: String,
    },
    /// So many skills the model is told by name, of all there are.
    SkillsUntold {
        told: u64,
        all: u64,
    },
    /// Rules of which the model is told only the beginning. Bytes.
    RulesCut {
        file: String,
        told: u64,
        whole: u64,
    },
    /// The index of sessions was damaged and made anew.
    IndexRebuilt {
        path: String,
        aside: String,
        sessions: u64,
    },
    /// An error of storage that stopped nothing; `failed` is its code.
    Storage {
        failed: String,
        why: String,
    },

    /// The words that earlier versions stored in place of the value.
    #[serde(untagged)]
    Words {
        code: String,
        text: String,
    },
}

/// Which limit of the turn or the session was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "limit", rename_all = "snake_case")]
pub(crate) enum Limit {
    /// `--timeout`.
    Time,
    /// `--max-steps`, or the workbench's own.
    Steps {
        steps: u32,
    },
    Tokens {
        used: u64,
        most: u64,
    },
    /// In the currency of the prices, which is US dollars.
    Cost {
        spent: f64,
        most: f64,
    },
}

/// Why changes were not checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NotValidated {
    NoCheck,
    NotAllowed,
    /// The command cannot even be prepared.
    CannotRun {
        command: String,
        error: String,
    },
}

/// Why no model could be chosen by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoModel {
    NoServer,
    NoneOffered { provider: String },
    Failed { error: String },
}

/// A server that the person had started from here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ServiceNotice {
    Starting {
        command: String,
        /// The longest wait.
        seconds: u64,
    },
    Started {
        place: String,
    },
    NotStarted {
        command: String,
        why: NoService,
    },
    /// Neither is one configured that could be started, nor is the program there.
    Nothing,
}

/// Why a program gave no server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoService {
    /// The system would not start it.
    Refused { error: String },
    Ended {
        /// In the system's words.
        status: String,
    },
    /// Nobody listened in that time.
    Silent { seconds: u64 },
}

/// How long files of a folder are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Until {
    /// The person is asked.
    Answered,
    /// Nobody is there to ask.
    Trusted,
}

/// A file that is not read though it is named as rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unread {
    pub(crate) file: String,
    pub(crate) by: NamedBy,
    pub(crate) why: String,
}

/// What names a file as rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NamedBy {
    Instructions,
    /// Its own name, such as `AGENTS.md`.
    Folder,
    /// It lies where tools of one's own do.
    Tools,
}

/// From when the rules of a folder count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CountsFrom {
    Now,
    NextSession,
}

/// A notice as a log has it. Where words are stored, an earlier version wrote them in place of the value, and they stay.
pub(super) fn stored<'de, D: Deserializer<'de>>(log: D) -> Result<Notice, D::Error> {
    let value = Value::deserialize(log)?;
    let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if let (Some(code), Some(text)) = (word("code"), word("text")) {
        return Ok(Notice::Words { code, text });
    }
    serde_json::from_value(value).map_err(D::Error::custom)
}

/// Why calls travel as text although nobody configured it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WrittenCalls {
    /// The template of the model has no place for tools: the server would drop them in silence.
    NotInTemplate,
    /// The server refused a request that declared tools.
    Refused,
}
