//! Commands from a front end to the engine.

use std::ops::Range;

use super::{Archive, Behind, Delivery, Everyday, IfBusy, TrustScope};
use benchdog_base::id::{BlobId, CallId, EntryId, SessionId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, Thinking};
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::job::JobId;
use benchdog_domain::permission::{Decision, Layer, Rule};
use benchdog_domain::rewind::Rewind;
use benchdog_domain::server::{ServerName, ServerOrder};
use benchdog_domain::todo::TodoEdit;
use benchdog_domain::view::{DiffLayout, DiffRoom};
use benchdog_domain::worktree::Worktree;

#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    // --- the turn ---
    /// Sends a prompt. If a turn is running, the prompt is queued (`Queue`) or added to the next request (`Steer`).
    Prompt {
        text: String,
        /// Byte ranges of pasted and folded text. Mentions in them are ignored.
        pasted: Vec<Range<usize>>,
        delivery: Delivery,
    },
    /// Runs a `!command` without the model. The permission rules apply. `typed`: the person typed the command.
    Shell {
        command: String,
        typed: bool,
    },
    /// Answers a request. An approval must name the edition that was shown. A stale id has no effect.
    Decide {
        call: CallId,
        edition: u32,
        decision: Decision,
    },
    /// Denies a request that nobody answered in time.
    Expire {
        call: CallId,
    },
    Retry,
    Interrupt,
    StopChild {
        call: CallId,
    },
    /// Ends the turn because the time limit of `--timeout` has elapsed.
    OutOfTime,
    /// Returns the newest queued prompt, or else the oldest unsent prompt of an earlier run, as `Answer::Unqueued`.
    Unqueue,

    // --- the session ---
    /// Starts a new session in a new seat that replaces this seat. Answered by `Answer::Replaced`.
    NewSession,
    Resume {
        session: SessionId,
    },
    /// Opens a session in an additional seat. Answered by `Answer::Beside`. `None` starts a new session. If the session
    /// is already open, the answer contains its existing seat.
    OpenBeside {
        session: Option<SessionId>,
    },
    /// Opens a copy of this session in an additional seat. Answered by `Answer::Beside`.
    Fork,
    /// Opens a seat in the worktree `name`. Creates the worktree if it is missing. `None` chooses an unused name.
    OpenWorktree {
        name: Option<String>,
    },
    ListWorktrees,
    /// Proposes the changes of a worktree in a seat of the main working tree. `None` merges the worktree of this seat.
    /// Answered by `Answer::Beside`.
    Merge {
        name: Option<String>,
    },
    /// Undoes the newest change of the session that is still in effect, or the newest one of the file `path`.
    Undo {
        path: Option<String>,
    },
    /// Redoes the newest undo that is still in effect.
    Redo,
    /// Requests the prompts to which the session can be rewound. Answered by `Answer::RewindPoints`.
    ListRewindPoints,
    /// Restores the state before a prompt. Answered by `Answer::Unqueued` with the prompt's text, and by
    /// `Answer::Replaced` if a new session is created.
    Rewind {
        prompt: EntryId,
        what: Rewind,
    },
    /// Removes a worktree with all its files. Does nothing if the worktree has changed since it was shown.
    RemoveWorktree {
        shown: Worktree,
    },
    /// Closes this seat. Answered by `Answer::Closed`. The last seat cannot be closed.
    CloseSeat {
        if_busy: IfBusy,
    },
    ListSessions,
    /// Requests log entries that are no longer in memory, up to the given entry.
    LoadEarlier {
        upto: EntryId,
    },
    /// Shows a subagent's session: its seat while it runs, or its log as `Answer::Child` when it has finished.
    ShowChild {
        session: SessionId,
    },
    LeaveChild,
    SetModel {
        id: String,
    },
    ListModels,
    SetAgent {
        name: AgentName,
    },
    NextAgent,
    ListAgents,
    /// Sets the temperature from the next request on. `None` restores the configured value or the server's default.
    SetTemperature {
        value: Option<f64>,
    },
    SetThinking {
        level: Option<Thinking>,
    },
    ShowStatus,
    /// Checks the endpoint with a short request to the model, and the environment. Answered by `Answer::Health`.
    Examine,
    ListPermissions,
    ListSkills,
    ListHooks,
    /// Requests `Answer::Servers`. Starts the MCP servers that are not running yet.
    ListServers,
    OrderServer {
        server: ServerName,
        order: ServerOrder,
    },
    /// Enables or disables a server's tool in this session. Answered by `Answer::Servers`.
    SwitchTool {
        tool: String,
        to: Switched,
    },
    Revoke {
        layer: Layer,
        rule: Rule,
    },
    /// Searches for model servers on this machine. Answered by `Answer::ConfiguredServer`, then by `Answer::FirstStart`.
    LookForServers,
    /// Requests the models of the server at this address. Answered by `Answer::ServerTested`.
    TestServer {
        base_url: String,
        key: ApiKey,
    },
    /// Selects a model of a discovered or tested server, and adds server and model to the person's configuration.
    UseServer {
        base_url: String,
        model: String,
        key: ApiKey,
    },
    EditTodo {
        edit: TodoEdit,
    },
    EditPlan {
        text: String,
    },
    AcceptPlan,

    // --- contents of requests ---
    /// Summarises earlier turns. `Answer::CompactionReady` shows the summary before it is applied.
    Compact {
        instructions: String,
    },
    /// Requests the number of tokens of an edited summary. Answered by `Answer::SummaryWeighed`.
    WeighSummary {
        summary: String,
    },
    AcceptCompaction {
        summary: String,
    },
    DropCompaction,
    SkipSummary,
    UndoCompaction,
    /// Excludes an entry from compactions, or allows compactions of the entry again.
    Pin {
        entry: EntryId,
        pinned: bool,
    },
    /// Replaces an entry with a one-line placeholder.
    DropItem {
        entry: EntryId,
    },
    ListContext,

    StartService,
    /// Downloads the session's model on its server. Answered by `Answer::Pull`.
    PullModel,

    /// The person's answer to the trust question. The rules and configuration of an untrusted folder are ignored.
    Trust {
        trusted: bool,
        scope: TrustScope,
    },

    Reload,
    ListSettings,
    /// Writes a setting to the person's configuration file and applies it. An empty value removes the setting.
    Configure {
        path: Vec<String>,
        written: String,
    },

    // --- saved input ---
    /// The person pressed the first key of a prompt. The engine may prepare the request.
    Typing,
    SaveDraft {
        text: String,
    },
    /// Saves the texts that the person wrote for pending requests. Replaces earlier texts. An empty list deletes them.
    SaveReviewTexts {
        text: String,
    },
    RememberPrompt {
        text: String,
    },
    LoadHistory,
    KeepDiffLayout {
        room: DiffRoom,
        layout: DiffLayout,
    },
    LoadDiffLayouts,

    // --- background jobs ---
    /// Requests the newest output of a job. Answered by `Answer::JobOutput`.
    ShowJob {
        job: JobId,
    },
    EndJob {
        job: JobId,
    },

    // --- files, for panes and completion ---
    ListFolder {
        path: String,
    },
    /// Searches file names in the workspace. The answer repeats `query`, so that a late answer can be recognised.
    FindFiles {
        query: String,
        limit: usize,
    },
    FilterTree(String),
    FindValues(Behind),
    OpenFile {
        path: String,
    },
    Count {
        number: u64,
        files: Vec<(String, Option<BlobId>)>,
    },
    /// Compares files on disk with earlier contents. Answered by `Answer::Compared`.
    Compare {
        /// Paths, each with its earlier content. `None` if the file did not exist.
        files: Vec<(String, Option<BlobId>)>,
    },
    Everyday(Everyday),
    Archive(Archive),
}
