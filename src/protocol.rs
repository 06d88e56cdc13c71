//! The one language between the engine and every front end: `Command` in, `Event` out, each with the seat it is about.
//!
//! The workbench, `benchdog run` and the tests speak exactly these values over a channel; there is no private door.

mod envelope;
mod everyday;
mod request;
mod shown;
mod states;

pub(crate) use request::{Ahead, AheadRow, ApprovalRequest, AskingChild, ChildLive, OnDisk};

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, EntryId, SeatId, SessionId};
use crate::domain::adjustment::Switched;
use crate::domain::agent::{AgentName, AgentOffer, ModelOffer, ModelRef, Thinking};
use crate::domain::awaited::Awaited;
use crate::domain::budget::{ContextItem, Ledger};
use crate::domain::checkup::Check;
pub(crate) use crate::domain::compaction::Preview;
use crate::domain::comparison::{Comparison, NoComparison};
use crate::domain::confinement::Confinement;
use crate::domain::entry::{Entry, TurnOutcome};
use crate::domain::failure::{Failure, Overweight};
use crate::domain::hook::HookOffer;
use crate::domain::job::{Job, JobId};
use crate::domain::marked::Marked;
use crate::domain::mention::Unreadable;
use crate::domain::message::Stage;
use crate::domain::notice::Notice;
use crate::domain::permission::{Decision, Layer, Rule};
use crate::domain::review::FileChange;
use crate::domain::server::{ServerName, ServerOrder, ServerStatus, Values};
use crate::domain::session::SessionMeta;
use crate::domain::setting::Setting;
use crate::domain::skill::SkillOffer;
use crate::domain::staged::{Files, NotStaged, Proposal, Unstaged};
use crate::domain::status::Status;
use crate::domain::todo::TodoEdit;
use crate::domain::tool::OutputChunk;
use crate::domain::view::{DiffLayout, Viewed};
use crate::domain::waiting::WaitingPrompt;
use crate::domain::worktree::Worktree;
pub(crate) use envelope::{Delivery, Event, Order, Told};
pub(crate) use everyday::{Everyday, PlanFile};
pub(crate) use shown::{
    Behind, FolderItem, FoundKind, FoundModel, FoundResource, FoundResources, FoundServer, IfBusy, Look, Opened,
    TreeLeft,
};
pub(crate) use states::TurnState;

/// What a front end can ask of the engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    // --- the turn ---
    /// A prompt. While a turn runs it waits its turn (`Queue`) or goes into the very next request (`Steer`).
    Prompt {
        text: String,
        /// The bytes of it that were pasted and folded: an `@` in them names nothing.
        pasted: Vec<Range<usize>>,
        delivery: Delivery,
    },
    /// `!command` of the person: runs under the same guard, without the model. `typed`: they typed it at the prompt themselves.
    Shell {
        command: String,
        typed: bool,
    },
    /// The answer to one approval or question. A stale id changes nothing, and nothing is allowed that was not shown.
    Decide {
        call: CallId,
        edition: u32,
        decision: Decision,
    },
    /// The last request once more, without the answer that followed it.
    Retry,
    Interrupt,
    /// Ends the child of this call alone.
    StopChild {
        call: CallId,
    },
    /// `--timeout` of a run is over.
    OutOfTime,
    /// Takes the newest queued prompt back; it returns as `Answer::Unqueued`. Where none is queued, the oldest of those that were never sent.
    Unqueue,

    // --- the session ---
    /// A new session in place of this one: another seat, said by `Answer::Replaced`.
    NewSession,
    /// The same with a session that exists.
    Resume {
        session: SessionId,
    },
    /// A session in a seat beside this one (`Answer::Beside`); `None`: a new one. One that has a seat is shown there, as it stands.
    OpenBeside {
        session: Option<SessionId>,
    },
    /// A seat beside this one in the worktree of this name, which is made where there is none. `None`: a free name is found.
    OpenWorktree {
        name: Option<String>,
    },
    ListWorktrees,
    /// What the worktree of this name (`None`: of this seat) changed, shown by a seat of the main tree, which `Answer::Beside` names.
    Merge {
        name: Option<String>,
    },
    /// The newest change of the session that still stands is to be taken back; with a path, that of this file.
    Undo {
        path: Option<String>,
    },
    /// Removes a worktree that is still as it was shown, with all that is only there.
    RemoveWorktree {
        shown: Worktree,
    },
    /// Closes this seat, said by `Answer::Closed`. The last one stays.
    CloseSeat {
        if_busy: IfBusy,
    },
    ListSessions,
    /// Reads the log of this session up to an entry, which is not in memory any more.
    LoadEarlier {
        upto: EntryId,
    },
    /// The session of a child: of one that works as that goes on, under its own seat, of any other as `Answer::Child`.
    ShowChild {
        session: SessionId,
    },
    /// Nobody reads the session of a child any more.
    LeaveChild,
    SetModel {
        id: String,
    },
    ListModels,
    /// Who works from here on.
    SetAgent {
        name: AgentName,
    },
    NextAgent,
    ListAgents,
    /// How answers are chosen from the next request on, in this session; `None`: as the configuration and the server say.
    SetTemperature {
        value: Option<f64>,
    },
    SetThinking {
        level: Option<Thinking>,
    },
    /// Where the session stands, as `Answer::Status`.
    ShowStatus,
    /// Looks whether endpoint and surroundings are well, as `Answer::Health`. It asks the model for a few words.
    Examine,
    ListPermissions,
    ListSkills,
    ListHooks,
    /// The servers of tools, as `Answer::Servers`; those that were never started are started.
    ListServers,
    OrderServer {
        server: ServerName,
        order: ServerOrder,
    },
    /// A tool of a server, by the name that models know it by, in this session; the servers come as `Answer::Servers`.
    SwitchTool {
        tool: String,
        to: Switched,
    },
    /// Takes back an "always" answer.
    Revoke {
        /// The session's, or the workspace's.
        layer: Layer,
        rule: Rule,
    },
    /// Looks for servers on this machine; `Answer::FirstStart` says what it found.
    LookForServers,
    /// Takes a server that a search found, and keeps it in the user's configuration where there is none.
    UseServer {
        base_url: String,
        model: String,
    },
    /// Writes the server that was chosen last into a new configuration; the old file is kept beside it.
    ReplaceConfiguration,
    EditTodo {
        edit: TodoEdit,
    },
    EditPlan {
        text: String,
    },
    /// The plan is to be carried out, each change seen first.
    AcceptPlan,

    // --- what requests carry ---
    /// Summarises earlier turns; `Answer::CompactionReady` shows the summary before anything changes.
    Compact {
        instructions: String,
    },
    /// What the summary that was shown comes to in these words; `Answer::SummaryWeighed` says it.
    WeighSummary {
        summary: String,
    },
    /// Takes the summary that was shown, in these words.
    AcceptCompaction {
        summary: String,
    },
    /// The summary is not wanted.
    DropCompaction,
    /// The request that waits for a summary goes on without it.
    SkipSummary,
    UndoCompaction,
    /// Compactions leave this entry alone, or not any more.
    Pin {
        entry: EntryId,
        pinned: bool,
    },
    /// One line is carried in its place.
    DropItem {
        entry: EntryId,
    },
    ListContext,

    /// Starts the server that was offered, by the command that was shown.
    StartService,

    /// Answers the trust card: the folder's own rules and configuration count, or stay ignored.
    Trust {
        trusted: bool,
    },

    /// Reads the configuration, the rules and the skills once more.
    Reload,
    /// The settings that a person may change, as `Answer::Settings`.
    ListSettings,
    /// Writes a setting to the person's own configuration file, and takes it; what is empty takes it out.
    Configure {
        path: Vec<String>,
        written: String,
    },

    // --- what the person typed, kept for later ---
    /// The first key of a prompt: what its request needs may be made ready.
    Typing,
    SaveDraft {
        text: String,
    },
    /// What was made of the proposals that wait, of all of them.
    KeepMarks(Vec<Marked>),
    /// Puts the texts of these into a file for the person, as `Answer::LaidOpen`: their proposal is another by now.
    LayOpen(Vec<Marked>),
    RememberPrompt {
        text: String,
    },
    LoadHistory,
    /// Diffs are shown so from now on, also after the next start.
    KeepDiffLayout {
        layout: DiffLayout,
    },
    /// How diffs were shown last, as `Answer::DiffLayout`.
    LoadDiffLayout,

    // --- commands in the background ---
    /// The newest of what one wrote, as `Answer::JobOutput`.
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
    /// Fuzzy match over the workspace; the answer carries `query` so that a late one can be dropped.
    FindFiles {
        query: String,
        limit: usize,
    },
    /// What a filter over the tree leaves, as `Answer::Tree`.
    FilterTree(String),
    FindValues(Behind),
    OpenFile {
        path: String,
    },
    /// What files are now against what they were, as `Answer::Compared`.
    Compare {
        /// Each with its bytes before, as the log keeps them; `None`: there was no such file.
        files: Vec<(String, Option<BlobId>)>,
    },
    /// What one asks of a folder under git every day.
    Everyday(Everyday),
}

/// What goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Live {
    // --- the turn ---
    State(TurnState),
    /// Where the request stands before its answer arrives.
    Stage(Stage),
    Text(String),
    Reasoning(String),
    /// A retry is coming after a failed attempt; shown as a countdown.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: String,
        at: Time,
    },
    /// A server or a hook is waited for.
    WaitBegan(Awaited),
    WaitEnded(Awaited),
    /// What holds commands in, as it was found on this system. Where nothing does, nothing is told.
    Confinement(Confinement),
    /// What the next request carries, or the last one did.
    Context(Ledger),
    /// The prompts that wait for their turn, as they were typed.
    Queued(Vec<WaitingPrompt>),

    // --- a call, until its result is a fact ---
    /// It was looked at. Whether it runs is not decided by this.
    ToolStarted {
        call: CallId,
        tool: String,
        title: String,
    },
    ToolOutput(OutputChunk),
    ApprovalRequested(Arc<ApprovalRequest>),
    Ahead(Arc<Ahead>),
    /// Nobody needs to answer this request of a child any more.
    ApprovalGone {
        call: CallId,
    },
    /// Where a child of a call stands.
    Child(Arc<ChildLive>),

    /// The commands in the background: all that run, and those that have ended and can still be read.
    Jobs(Vec<Job>),

    // --- remarks that are not part of the session ---
    Notice(Notice),
    Error(Failure),
}

/// What a front end asked for, or is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    // --- the seat ---
    /// A session was opened here.
    Opened(Arc<Opened>),
    /// What was typed and not sent the last time, and when that was, where it is known.
    Draft {
        text: String,
        written: Option<Time>,
    },
    /// What was made of proposals the last time.
    Marked(Vec<Marked>),
    /// Where texts of the person lie whose proposal is not asked about again.
    LaidOpen(PathBuf),
    /// This seat is closed and another has taken its place; what is still sent here goes there.
    Replaced(SeatId),
    /// The seat that was asked for beside this one.
    Beside(SeatId),
    /// This seat is closed, and none has taken its place.
    Closed,

    /// How the workbench is to look and listen, by a project that is trusted.
    Look(Look),

    /// The log of a child that works no more; `Err`: why it cannot be read.
    Child {
        session: SessionId,
        log: Result<Vec<Arc<Entry>>, String>,
    },
    /// The beginning of this session's log as it was written, oldest first; empty where it could not be read.
    Earlier(Vec<Arc<Entry>>),

    // --- prompts that were not taken ---
    /// Text that goes back to where it was typed.
    Unqueued {
        text: String,
    },
    /// The same of several, the oldest first.
    GivenBack(Vec<String>),
    /// The prompt is larger than the room that is left in the model's window. It is not in the log.
    TooLarge {
        prompt: String,
        over: Overweight,
    },
    /// The prompt names what cannot be read. It is not in the log.
    Unread {
        prompt: String,
        mentions: Vec<Unreadable>,
    },

    /// The turn was ended before its prompt was in the log; what was written comes back as `Unqueued`.
    NotBegun {
        prompt: String,
        outcome: TurnOutcome,
    },

    // --- what requests carry ---
    CompactionReady(Preview),
    /// The summary that was shown, in the words of the person.
    SummaryWeighed(Preview),
    /// All that the next request carries, oldest first.
    Context(Vec<ContextItem>),

    /// Where the session stands.
    Status(Box<Status>),
    /// What was looked at.
    Health(Vec<Check>),

    // --- lists ---
    Sessions(Vec<SessionMeta>),
    /// The worktrees that are kept of this repository.
    Worktrees(Vec<Worktree>),
    Models {
        offers: Vec<ModelOffer>,
        current: Option<ModelRef>,
        failed: Vec<String>,
    },
    Agents(Vec<AgentOffer>),
    /// All skills that were found, those that count first.
    Skills(Vec<SkillOffer>),
    /// The same where nobody asked: what `/` completes has changed.
    Invocable(Vec<SkillOffer>),
    /// All that are configured, in the order they are asked.
    Hooks(Vec<HookOffer>),
    /// The servers of tools as they stand.
    Servers(Vec<ServerStatus>),
    /// The settings as they are, or what is wrong with a configuration file.
    Settings(Result<Vec<Setting>, String>),
    /// A setting was not written.
    SettingRefused {
        why: String,
    },
    /// Every rule that decides about calls, the nearest layer first.
    Permissions(Vec<(Layer, Rule)>),
    /// Prompts of earlier sessions, newest last.
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
        paths: Vec<String>,
        resources: FoundResources,
        scanning: bool,
    },
    Tree(TreeLeft),
    Values(Behind, Values),
    File {
        path: String,
        text: Result<Viewed, String>,
    },
    /// How the person wanted diffs to be shown last. Nothing is answered where they never said.
    DiffLayout(DiffLayout),
    /// The files that differ from what they were.
    Compared(Vec<FileChange>),
    /// The prompt that has the rules of the folder written, by what was found.
    Initial {
        prompt: String,
    },
    Plan(PlanFile),
    /// What the next commit would hold, and its message.
    Commit(Result<Proposal, NotStaged>),
    /// The files that the next commit would hold at this moment.
    StagedNow(Result<Files, NotStaged>),
    /// What could be staged at this moment.
    Unstaged(Result<Unstaged, NotStaged>),
    /// Nothing is reviewed, and why; `None`: nothing differs.
    NotReviewed(Option<NoComparison>),
    /// What git says differs.
    Differs(Result<Comparison, NoComparison>),

    // --- questions of the engine ---
    /// The folder brings rules or configuration of its own that nobody answered for yet.
    TrustAsked {
        files: Vec<String>,
    },
    /// Nobody listens where an Ollama is configured, and it could be started here.
    ServiceOffered {
        /// Where it would listen.
        place: String,
        /// As the person would type it.
        command: String,
    },
    /// Nothing is configured, or the person asked for it: what the search on this machine found.
    FirstStart {
        found: Vec<FoundServer>,
    },
}
