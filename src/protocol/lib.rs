//! The protocol between engine and front ends: `Command` in, `Event` out, each with the id of a seat.

mod archive;
mod command;
mod envelope;
mod everyday;
mod request;
mod shown;
mod states;

use std::sync::Arc;

pub use archive::{Archive, Archived, Exported, FoundEntry, FoundSession};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentOffer, EndpointTrouble, ModelOffer, ModelRef};
use benchdog_domain::awaited::Awaited;
use benchdog_domain::budget::{ContextItem, Ledger};
use benchdog_domain::checkup::Check;
pub use benchdog_domain::compaction::Preview;
use benchdog_domain::comparison::{Comparison, Counted, NoComparison};
use benchdog_domain::confinement::Confinement;
use benchdog_domain::entry::{Entry, TurnOutcome};
use benchdog_domain::failure::{Failure, Overweight};
use benchdog_domain::hook::HookOffer;
use benchdog_domain::job::{Job, JobId};
use benchdog_domain::mention::Unreadable;
use benchdog_domain::message::Stage;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Layer, Rule};
use benchdog_domain::review::FileChange;
use benchdog_domain::rewind::RewindPoint;
use benchdog_domain::server::{ServerStatus, Values};
use benchdog_domain::server_error::ServerError;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::setting::Setting;
use benchdog_domain::skill::SkillOffer;
use benchdog_domain::staged::{Files, NotStaged, Proposal, Unstaged};
use benchdog_domain::status::Status;
use benchdog_domain::tool::OutputChunk;
use benchdog_domain::view::{DiffLayout, DiffRoom, Viewed};
use benchdog_domain::voice::VoiceReport;
use benchdog_domain::waiting::WaitingPrompt;
use benchdog_domain::watch::NotWatched;
use benchdog_domain::worktree::Worktree;
pub use command::Command;
pub use envelope::{Delivery, Event, Order, RepositoryAsked, Told, TrustScope};
pub use everyday::{Everyday, PlanFile};
pub use request::{Ahead, AheadRow, ApprovalRequest, AskingChild, ChildLive, OnDisk};
pub use shown::{
    Behind, FolderItem, FoundKind, FoundModel, FoundPath, FoundResource, FoundResources, FoundServer, IfBusy, Look,
    NotListed, Opened, PullState, TreeLeft,
};
pub use states::TurnState;

#[derive(Debug, Clone, PartialEq)]
pub enum Live {
    // --- the turn ---
    State(TurnState),
    Stage(Stage),
    Text(String),
    Reasoning(String),
    /// A request failed and is retried after a delay, which is shown as a countdown.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: ServerError,
        at: Time,
    },
    WaitBegan(Awaited),
    WaitEnded(Awaited),
    /// The sandbox in which commands run on this system. Not sent if there is no sandbox.
    Confinement(Confinement),
    Context(Ledger),
    /// The text that the `status_line` hooks print.
    StatusLine(String),
    /// The reason why a prompt would fail. Found by a check before the first prompt. `None` if the endpoint works.
    Endpoint(Option<EndpointTrouble>),
    Queued(Vec<WaitingPrompt>),

    // --- a call, until its result is logged ---
    /// A call was prepared. The call does not run yet, because it may still be denied.
    ToolStarted {
        call: CallId,
        tool: String,
        title: String,
    },
    ToolOutput(OutputChunk),
    ApprovalRequested(Arc<ApprovalRequest>),
    Ahead(Arc<Ahead>),
    /// The request of a subagent no longer needs an answer.
    ApprovalGone {
        call: CallId,
    },
    Child(Arc<ChildLive>),

    Jobs(Vec<Job>),

    // --- notices that are not stored ---
    Notice(Notice),
    Error(Failure),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    // --- the seat ---
    Opened(Arc<Opened>),
    /// Text that was typed but not sent in the last run. `written` is its time, if known.
    Draft {
        text: String,
        written: Option<Time>,
    },
    /// The last session of the same folder, sent when a new session opens.
    Previous {
        title: String,
        updated: Time,
    },
    /// The engine opened this seat in place of the old one. Commands for the old seat go to the new one.
    Replaced(SeatId),
    /// The additional seat that the front end requested.
    Beside(SeatId),
    Closed,

    /// The display and keyboard settings of a trusted project.
    Look(Look),

    /// The log of a finished subagent, or the reason why the log cannot be read.
    Child {
        session: SessionId,
        log: Result<Vec<Arc<Entry>>, String>,
    },
    /// The older entries of the session's log, oldest first. Empty if they could not be read.
    Earlier(Vec<Arc<Entry>>),

    // --- prompts that were not sent ---
    /// Text that the front end puts back into the prompt.
    Unqueued {
        text: String,
    },
    GivenBack(Vec<String>),
    /// The prompt is larger than the free space in the context window, so it was not logged.
    TooLarge {
        prompt: String,
        over: Overweight,
    },
    /// The prompt mentions a file that cannot be read, so it was not logged.
    Unread {
        prompt: String,
        mentions: Vec<Unreadable>,
    },

    /// The prompts to which the session can be rewound, newest first.
    RewindPoints(Vec<RewindPoint>),

    /// The turn ended before its prompt was logged. The text of the prompt is returned as `Unqueued`.
    NotBegun {
        prompt: String,
        outcome: TurnOutcome,
    },

    // --- contents of requests ---
    CompactionReady(Preview),
    SummaryWeighed(Preview),
    Context(Vec<ContextItem>),

    Status(Box<Status>),
    Health(Vec<Check>),

    // --- lists ---
    Sessions {
        sessions: Vec<SessionMeta>,
        /// Sessions that a workbench has open, also those of other processes.
        in_use: Vec<SessionId>,
    },
    Worktrees(Vec<Worktree>),
    Models {
        offers: Vec<ModelOffer>,
        current: Option<ModelRef>,
        failed: Vec<ServerError>,
    },
    Agents(Vec<AgentOffer>),
    /// All skills, active ones first.
    Skills(Vec<SkillOffer>),
    /// An update of the skills and commands that `/` completes, sent without a request.
    Invocable(Vec<SkillOffer>),
    Hooks(Vec<HookOffer>),
    Servers(Vec<ServerStatus>),
    Settings(Result<Vec<Setting>, String>),
    SettingRefused {
        why: String,
    },
    /// The setting `validation.auto` was saved. The new value applies to this session at once.
    CheckSwitched(Switched),
    /// Whether the folder is watched for changes by other programs.
    Watching(Result<Switched, NotWatched>),
    /// The state or the end of a recording. A recording also ends when it reaches its maximum length.
    Voice(VoiceReport),
    /// Every permission rule, highest layer first.
    Permissions(Vec<(Layer, Rule)>),
    History(Vec<String>),

    JobOutput {
        job: JobId,
        text: String,
    },

    // --- files ---
    Folder {
        path: String,
        items: Vec<FolderItem>,
    },
    Found {
        query: String,
        paths: Vec<FoundPath>,
        resources: FoundResources,
        scanning: bool,
    },
    Tree(TreeLeft),
    Values(Behind, Values),
    File {
        path: String,
        text: Result<Viewed, String>,
    },
    /// The layout of diffs in the last run. Sent only if the person has chosen a layout.
    DiffLayout {
        room: DiffRoom,
        layout: DiffLayout,
    },
    Counted {
        number: u64,
        files: Vec<Counted>,
    },
    Compared(Vec<FileChange>),
    Initial {
        prompt: String,
    },
    Plan(PlanFile),
    Archive(Archived),
    Commit(Result<Proposal, NotStaged>),
    StagedNow(Result<Files, NotStaged>),
    Unstaged(Result<Unstaged, NotStaged>),
    /// There is nothing to review. The reason is `None` if there are no changes.
    NotReviewed(Option<NoComparison>),
    Differs(Result<Comparison, NoComparison>),

    // --- questions of the engine ---
    /// Asks whether to trust the folder, which contains rules or configuration. The person has not answered yet.
    TrustAsked {
        files: Vec<String>,
        /// Hooks and servers whose programs cannot be verified. Trust in them is valid for this run only.
        unbound: Vec<String>,
        repository: Option<RepositoryAsked>,
    },
    /// No server listens at a configured Ollama address, but Benchdog could start one.
    ServiceOffered {
        place: String,
        command: String,
    },
    /// The server does not have the model, but could download it.
    PullOffered {
        model: ModelRef,
        /// Similar models that the server has.
        names: Vec<String>,
    },
    Pull {
        model: ModelRef,
        state: PullState,
    },
    /// The model servers found on this machine. Sent if no server is configured, or if the person searched for servers.
    FirstStart {
        found: Vec<FoundServer>,
    },
    /// The server that is in use, as configured. Sent if the person searched for servers.
    ConfiguredServer {
        base_url: String,
    },
    /// The models of a server that the person entered, or the reason why the server lists none.
    ServerTested {
        /// The complete URL, with scheme and path.
        base_url: String,
        models: Result<Vec<FoundModel>, NotListed>,
    },
}
