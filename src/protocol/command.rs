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
    /// Sends a prompt. During a turn, it is queued (`Queue`) or added to the next request (`Steer`).
    Prompt {
        text: String,
        /// Byte ranges of pasted and folded text. Mentions in them are ignored.
        pasted: Vec<Range<usize>>,
        delivery: Delivery,
    },
    /// Runs a `!command` under the usual policy, without the model. `typed` is set if the person typed it at the prompt.
    Shell {
        command: String,
        typed: bool,
    },
    /// Answers an approval or question. An outdated id has no effect, and only a shown request can be allowed.
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
    /// `--timeout` of a run has elapsed.
    OutOfTime,
    /// Removes the newest queued prompt, and returns it as `Answer::Unqueued`. If none is queued, the oldest unsent one.
    Unqueue,

    // --- the session ---
    /// Starts a new session that replaces this one in another seat. Answered by `Answer::Replaced`.
    NewSession,
    Resume {
        session: SessionId,
    },
    /// Opens a session in an additional seat. Answered by `Answer::Beside`. `None` starts a new session. An open
    /// session is shown in its current seat.
    OpenBeside {
        session: Option<SessionId>,
    },
    /// Opens a copy of this session in an additional seat. Answered by `Answer::Beside`.
    Fork,
    /// Opens a seat in the worktree of this name, which is created if missing. `None` chooses a free name.
    OpenWorktree {
        name: Option<String>,
    },
    ListWorktrees,
    /// Shows the changes of a worktree in a seat of the main tree. Answered by `Answer::Beside`. `None` is the worktree of this seat.
    Merge {
        name: Option<String>,
    },
    /// Undoes the newest change of the session that still applies. With a path, the newest one of that file.
    Undo {
        path: Option<String>,
    },
    /// Undoes the newest undo that still applies.
    Redo,
    /// Requests the prompts of the session, as `Answer::RewindPoints`.
    ListRewindPoints,
    /// Goes back to the state before a prompt. A new session is answered by `Answer::Replaced`, and the prompt by `Answer::Unqueued`.
    Rewind {
        prompt: EntryId,
        what: Rewind,
    },
    /// Removes a worktree and everything in it, if it has not changed since it was shown.
    RemoveWorktree {
        shown: Worktree,
    },
    /// Closes this seat. Answered by `Answer::Closed`. The last seat cannot be closed.
    CloseSeat {
        if_busy: IfBusy,
    },
    ListSessions,
    /// Reads log entries that are not in memory, up to an entry.
    LoadEarlier {
        upto: EntryId,
    },
    /// Opens a subagent's session. A running one has a seat. A finished one is returned as `Answer::Child`.
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
    /// Sets the temperature of this session from the next request on. `None` uses the configuration, then the server's default.
    SetTemperature {
        value: Option<f64>,
    },
    SetThinking {
        level: Option<Thinking>,
    },
    ShowStatus,
    /// Checks the endpoint and the environment. Answered by `Answer::Health`. It sends a short request to the model.
    Examine,
    ListPermissions,
    ListSkills,
    ListHooks,
    /// Requests `Answer::Servers`. Starts MCP servers that have not been started.
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
    /// Searches for servers on this machine. Answered by `Answer::FirstStart`.
    LookForServers,
    /// Requests the models of the server at this address. Answered by `Answer::ServerTested`.
    TestServer {
        base_url: String,
        key: ApiKey,
    },
    /// Selects a model of a found or tested server. Saves it if there is no user configuration.
    UseServer {
        base_url: String,
        model: String,
        key: ApiKey,
    },
    /// Writes a new configuration with the last chosen server. The old file is renamed.
    ReplaceConfiguration,
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
    /// Requests the size of the summary with these edits. Answered by `Answer::SummaryWeighed`.
    WeighSummary {
        summary: String,
    },
    AcceptCompaction {
        summary: String,
    },
    DropCompaction,
    SkipSummary,
    UndoCompaction,
    /// Excludes an entry from compactions, or includes it again.
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

    /// Answers the trust question: the folder's rules and configuration become active or stay ignored.
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
    /// The first key of a prompt. The engine may prepare the request.
    Typing,
    SaveDraft {
        text: String,
    },
    /// Saves all text that was typed into pending requests. An empty list deletes it.
    SaveReviewTexts {
        text: String,
    },
    RememberPrompt {
        text: String,
    },
    LoadHistory,
    /// Saves the diff layout across restarts.
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
    /// Searches file names in the workspace. The answer contains `query`, so that a late one can be dropped.
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
    /// Compares files with earlier content. Answered by `Answer::Compared`.
    Compare {
        /// Paths with their earlier content. `None` if the file did not exist.
        files: Vec<(String, Option<BlobId>)>,
    },
    Everyday(Everyday),
    Archive(Archive),
}
