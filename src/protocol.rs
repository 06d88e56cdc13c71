//! The one language between the engine and every front end: `Command` in, `Event` out.
//!
//! The workbench, `benchdog run` and the tests speak exactly these values over a channel; there is no private door.

use std::sync::Arc;

use serde::Serialize;

use crate::base::clock::Time;
use crate::base::id::{CallId, SessionId, TurnId};
use crate::domain::agent::{AgentName, ModelOffer, ModelRef};
use crate::domain::budget::{Ledger, Usage};
use crate::domain::entry::{Entry, TurnOutcome};
use crate::domain::message::ToolCall;
use crate::domain::permission::{CommandClass, DecidedBy, Decision, Verdict};
use crate::domain::review::Review;
use crate::domain::session::SessionMeta;
use crate::domain::todo::{TodoEdit, TodoList};
use crate::domain::tool::CallStatus;

/// What a front end can ask of the engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    // --- the turn ---
    /// A prompt. While a turn runs it waits its turn (`Queue`) or goes into the very next request (`Steer`).
    Prompt {
        text: String,
        delivery: Delivery,
    },
    /// `!command` of the person: runs at once under the same guard, without the model.
    Shell {
        command: String,
    },
    /// The answer to one approval or question. A stale id changes nothing.
    Decide {
        call: CallId,
        decision: Decision,
    },
    Interrupt,
    /// `--timeout` of a run is over.
    OutOfTime,
    /// Takes the newest queued prompt back; it returns as `Event::Unqueued`.
    Unqueue,

    // --- the session ---
    NewSession,
    Resume {
        session: SessionId,
    },
    ListSessions,
    SetModel {
        id: String,
    },
    ListModels,
    /// Takes a server that the first-start search found, and keeps it in the user's configuration.
    UseServer {
        base_url: String,
        model: String,
    },
    EditTodo {
        edit: TodoEdit,
    },
    /// Answers the trust card: the folder's own rules and configuration count, or stay ignored.
    Trust {
        trusted: bool,
    },

    // --- what the person typed, kept for later ---
    SaveDraft {
        text: String,
    },
    RememberPrompt {
        text: String,
    },
    LoadHistory,

    // --- files, for panes and completion ---
    ListFolder {
        path: String,
    },
    /// Fuzzy match over the workspace; the answer carries `query` so that a late one can be dropped.
    FindFiles {
        query: String,
        limit: usize,
    },
    OpenFile {
        path: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Queue,
    Steer,
}

/// What the engine tells every attached front end. The variants up to `TurnFinished` are the lines of `stream-json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    // --- for everyone ---
    Session {
        session: SessionId,
        workspace: String,
        /// `provider/model`, as people write it.
        #[serde(serialize_with = "as_written")]
        model: Option<ModelRef>,
        agent: AgentName,
    },
    TurnStarted {
        turn: TurnId,
        prompt: String,
    },
    State {
        state: TurnState,
    },
    TextDelta {
        text: String,
    },
    ReasoningDelta {
        text: String,
    },
    Message {
        role: MessageRole,
        text: String,
        calls: Vec<ToolCall>,
    },
    ToolStarted {
        call: CallId,
        tool: String,
        title: String,
    },
    ToolOutput {
        call: CallId,
        text: String,
    },
    ToolFinished {
        call: CallId,
        tool: String,
        status: CallStatus,
        summary: String,
        output: String,
        truncated: bool,
    },
    ApprovalRequested {
        call: CallId,
        tool: String,
        because: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        class: Option<CommandClass>,
        #[serde(skip)]
        request: Arc<ApprovalRequest>,
    },
    ApprovalDecided {
        call: CallId,
        decision: DecisionName,
        by: DecidedBy,
    },
    Todo {
        items: TodoList,
    },
    Context {
        #[serde(flatten)]
        ledger: Ledger,
    },
    Notice {
        code: String,
        text: String,
    },
    Error {
        code: String,
        text: String,
        hint: String,
    },
    TurnFinished {
        outcome: TurnOutcome,
        steps: u32,
        usage: Usage,
    },

    // --- for the workbench ---
    /// A retry is coming after a failed attempt; shown as a countdown.
    #[serde(skip)]
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: String,
        at: Time,
    },
    /// An entry was added to the log. What the deltas showed becomes this.
    #[serde(skip)]
    Entry(Arc<Entry>),
    /// A session was opened: its whole log, oldest first.
    #[serde(skip)]
    Opened {
        meta: SessionMeta,
        entries: Arc<[Arc<Entry>]>,
        draft: String,
    },
    #[serde(skip)]
    Queued {
        prompts: Vec<String>,
    },
    #[serde(skip)]
    Unqueued {
        text: String,
    },
    #[serde(skip)]
    Sessions(Vec<SessionMeta>),
    #[serde(skip)]
    Models {
        offers: Vec<ModelOffer>,
        current: Option<ModelRef>,
        failed: Vec<String>,
    },
    #[serde(skip)]
    ModelChanged {
        model: ModelRef,
    },
    /// Prompts of earlier sessions, newest last.
    #[serde(skip)]
    History(Vec<String>),
    #[serde(skip)]
    Folder {
        path: String,
        items: Vec<FolderItem>,
    },
    #[serde(skip)]
    Found {
        query: String,
        paths: Vec<String>,
        scanning: bool,
    },
    #[serde(skip)]
    File {
        path: String,
        text: Result<Arc<str>, String>,
    },
    /// The folder brings rules or configuration of its own that nobody answered for yet.
    #[serde(skip)]
    TrustAsked {
        files: Vec<String>,
    },
    /// Nothing is configured: what the loopback search found.
    #[serde(skip)]
    FirstStart {
        found: Vec<FoundServer>,
    },
}

/// All that the approval dialog shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApprovalRequest {
    pub(crate) call: CallId,
    pub(crate) tool: String,
    pub(crate) title: String,
    pub(crate) review: Review,
    pub(crate) verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderItem {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) folder: bool,
    /// Ignored by git or an ignore file: shown last and dim.
    pub(crate) ignored: bool,
    /// The letter of `git status`, where it has one.
    pub(crate) git: Option<char>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundServer {
    pub(crate) base_url: String,
    pub(crate) models: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MessageRole {
    /// Said while a turn runs; a prompt is in `TurnStarted`.
    User,
    Assistant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecisionName {
    Once,
    Always,
    Deny,
}

/// The states a turn goes through; the moves between them are `orchestrator::machine::states::MOVES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnState {
    Idle,
    Planning,
    Generating,
    AwaitingPermission,
    ToolRunning,
    Validating,
    Done,
    Error,
    Interrupted,
    Limit,
}

fn as_written<S: serde::Serializer>(model: &Option<ModelRef>, serializer: S) -> Result<S::Ok, S::Error> {
    model.as_ref().map(ToString::to_string).serialize(serializer)
}

impl Event {
    /// Whether this event is a line of `stream-json`.
    pub(crate) fn is_scripted(&self) -> bool {
        matches!(
            self,
            Self::Session { .. }
                | Self::TurnStarted { .. }
                | Self::State { .. }
                | Self::TextDelta { .. }
                | Self::ReasoningDelta { .. }
                | Self::Message { .. }
                | Self::ToolStarted { .. }
                | Self::ToolOutput { .. }
                | Self::ToolFinished { .. }
                | Self::ApprovalRequested { .. }
                | Self::ApprovalDecided { .. }
                | Self::Todo { .. }
                | Self::Context { .. }
                | Self::Notice { .. }
                | Self::Error { .. }
                | Self::TurnFinished { .. }
        )
    }
}

impl Decision {
    pub(crate) fn name(&self) -> DecisionName {
        match self {
            Self::Once { .. } | Self::Answer { .. } => DecisionName::Once,
            Self::Always { .. } => DecisionName::Always,
            Self::Deny { .. } => DecisionName::Deny,
        }
    }
}
