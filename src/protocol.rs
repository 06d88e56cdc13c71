//! The one language between the engine and every front end: `Command` in, `Event` out, each with the seat it is about.
//!
//! The workbench, `benchdog run` and the tests speak exactly these values over a channel; there is no private door.

mod command;
mod envelope;
mod everyday;
mod request;
mod shown;
mod states;

use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId, SessionId};
use crate::domain::agent::{AgentOffer, ModelOffer, ModelRef};
use crate::domain::awaited::Awaited;
use crate::domain::budget::{ContextItem, Ledger};
use crate::domain::checkup::Check;
pub(crate) use crate::domain::compaction::Preview;
use crate::domain::comparison::{Comparison, Counted, NoComparison};
use crate::domain::confinement::Confinement;
use crate::domain::entry::{Entry, TurnOutcome};
use crate::domain::failure::{Failure, Overweight};
use crate::domain::hook::HookOffer;
use crate::domain::job::{Job, JobId};
use crate::domain::mention::Unreadable;
use crate::domain::message::Stage;
use crate::domain::notice::Notice;
use crate::domain::permission::{Layer, Rule};
use crate::domain::review::FileChange;
use crate::domain::server::{ServerStatus, Values};
use crate::domain::session::SessionMeta;
use crate::domain::setting::Setting;
use crate::domain::skill::SkillOffer;
use crate::domain::staged::{Files, NotStaged, Proposal, Unstaged};
use crate::domain::status::Status;
use crate::domain::tool::OutputChunk;
use crate::domain::view::{DiffLayout, DiffRoom, Viewed};
use crate::domain::waiting::WaitingPrompt;
use crate::domain::worktree::Worktree;
pub(crate) use command::Command;
pub(crate) use envelope::{Delivery, Event, Order, Told};
pub(crate) use everyday::{Everyday, PlanFile};
pub(crate) use request::{Ahead, AheadRow, ApprovalRequest, AskingChild, ChildLive, OnDisk};
pub(crate) use shown::{
    Behind, FolderItem, FoundKind, FoundModel, FoundPath, FoundResource, FoundResources, FoundServer, IfBusy, Look,
    NotListed, Opened, TreeLeft,
};
pub(crate) use states::TurnState;

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
    /// How the person wanted diffs to be shown last. Nothing is answered where they never said.
    DiffLayout {
        room: DiffRoom,
        layout: DiffLayout,
    },
    /// How files differ from what they were, without those that cannot be read.
    Counted {
        /// That of the question.
        number: u64,
        files: Vec<Counted>,
    },
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
    /// The server at an address that the person entered lists these models, or why it lists none.
    ServerTested {
        /// Complete, with scheme and path.
        base_url: String,
        models: Result<Vec<FoundModel>, NotListed>,
    },
}
