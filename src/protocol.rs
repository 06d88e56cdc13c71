//! The protocol between the engine and front ends: `Command` in, `Event` out, each for one seat. The workbench, `benchdog run` and the
//! tests all use it.

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

/// Live state that is not stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Live {
    // --- the turn ---
    State(TurnState),
    Stage(Stage),
    Text(String),
    Reasoning(String),
    /// A retry follows a failed attempt. Shown as a countdown.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: String,
        at: Time,
    },
    WaitBegan(Awaited),
    WaitEnded(Awaited),
    /// The confinement of commands on this system. Not sent if there is none.
    Confinement(Confinement),
    Context(Ledger),
    Queued(Vec<WaitingPrompt>),

    // --- a call, until its result is logged ---
    /// The call was prepared. It may still be denied.
    ToolStarted {
        call: CallId,
        tool: String,
        title: String,
    },
    ToolOutput(OutputChunk),
    ApprovalRequested(Arc<ApprovalRequest>),
    Ahead(Arc<Ahead>),
    /// A subagent's request no longer needs an answer.
    ApprovalGone {
        call: CallId,
    },
    Child(Arc<ChildLive>),

    /// The background jobs: running ones, and ended ones whose output can still be read.
    Jobs(Vec<Job>),

    // --- notices that are not stored ---
    Notice(Notice),
    Error(Failure),
}

/// An answer to a front end's command, or a question to the front end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    // --- the seat ---
    Opened(Arc<Opened>),
    /// Text that was not sent in the last run, and its time if known.
    Draft {
        text: String,
        written: Option<Time>,
    },
    /// The seat was closed and replaced. Commands to it are forwarded.
    Replaced(SeatId),
    /// The seat that was requested in addition to this one.
    Beside(SeatId),
    Closed,

    /// The display and keyboard settings of a trusted project.
    Look(Look),

    /// The log of a finished subagent, or the reason why it cannot be read.
    Child {
        session: SessionId,
        log: Result<Vec<Arc<Entry>>, String>,
    },
    /// The beginning of the session's log, oldest first. Empty if it could not be read.
    Earlier(Vec<Arc<Entry>>),

    // --- prompts that were not sent ---
    /// Text that returns to the prompt.
    Unqueued {
        text: String,
    },
    /// Several texts that return to the prompt, oldest first.
    GivenBack(Vec<String>),
    /// The prompt is larger than the free space in the context window. It is not logged.
    TooLarge {
        prompt: String,
        over: Overweight,
    },
    /// The prompt mentions something unreadable. It is not logged.
    Unread {
        prompt: String,
        mentions: Vec<Unreadable>,
    },

    /// The turn ended before its prompt was logged. The text returns as `Unqueued`.
    NotBegun {
        prompt: String,
        outcome: TurnOutcome,
    },

    // --- contents of requests ---
    CompactionReady(Preview),
    /// The size of the shown summary with the person's edits.
    SummaryWeighed(Preview),
    Context(Vec<ContextItem>),

    Status(Box<Status>),
    Health(Vec<Check>),

    // --- lists ---
    Sessions(Vec<SessionMeta>),
    Worktrees(Vec<Worktree>),
    Models {
        offers: Vec<ModelOffer>,
        current: Option<ModelRef>,
        failed: Vec<String>,
    },
    Agents(Vec<AgentOffer>),
    /// All skills, active ones first.
    Skills(Vec<SkillOffer>),
    /// An unrequested update of the skills and commands that `/` completes.
    Invocable(Vec<SkillOffer>),
    /// All configured hooks, in the order they run.
    Hooks(Vec<HookOffer>),
    Servers(Vec<ServerStatus>),
    /// The settings, or an error in a configuration file.
    Settings(Result<Vec<Setting>, String>),
    SettingRefused {
        why: String,
    },
    /// Every permission rule, highest layer first.
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
    /// The last diff layout. Not sent if the person never chose one.
    DiffLayout {
        room: DiffRoom,
        layout: DiffLayout,
    },
    /// Line counts of changed files, without unreadable files.
    Counted {
        number: u64,
        files: Vec<Counted>,
    },
    Compared(Vec<FileChange>),
    Initial {
        prompt: String,
    },
    Plan(PlanFile),
    /// The staged changes with a proposed message.
    Commit(Result<Proposal, NotStaged>),
    StagedNow(Result<Files, NotStaged>),
    Unstaged(Result<Unstaged, NotStaged>),
    /// There is nothing to review. `None` if there are no changes.
    NotReviewed(Option<NoComparison>),
    Differs(Result<Comparison, NoComparison>),

    // --- questions of the engine ---
    /// The folder has rules or configuration, and the person has not decided whether to trust it.
    TrustAsked {
        files: Vec<String>,
    },
    /// No server listens at a configured Ollama address, and one could be started.
    ServiceOffered {
        place: String,
        /// The command as a person would type it.
        command: String,
    },
    /// The servers found on this machine, because none is configured or the person asked.
    FirstStart {
        found: Vec<FoundServer>,
    },
    /// The models of a server that the person entered, or the reason why it lists none.
    ServerTested {
        /// Complete, with scheme and path.
        base_url: String,
        models: Result<Vec<FoundModel>, NotListed>,
    },
}
