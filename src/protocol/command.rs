//! What a front end can ask of the engine.

use std::ops::Range;

use super::{Behind, Delivery, Everyday, IfBusy};
use crate::base::id::{BlobId, CallId, EntryId, SessionId};
use crate::domain::adjustment::Switched;
use crate::domain::agent::{AgentName, Thinking};
use crate::domain::api_key::ApiKey;
use crate::domain::job::JobId;
use crate::domain::permission::{Decision, Layer, Rule};
use crate::domain::server::{ServerName, ServerOrder};
use crate::domain::todo::TodoEdit;
use crate::domain::view::{DiffLayout, DiffRoom};
use crate::domain::worktree::Worktree;

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
    /// Asks the server at this address for its models; `Answer::ServerTested` says what it offers.
    TestServer {
        base_url: String,
        key: ApiKey,
    },
    /// Takes a model of a server that was found or tested, and keeps it in the user's configuration where there is none.
    UseServer {
        base_url: String,
        model: String,
        key: ApiKey,
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
    /// Saves the texts for requests that wait, all together. Empty: there are none.
    SaveReviewTexts {
        text: String,
    },
    RememberPrompt {
        text: String,
    },
    LoadHistory,
    /// Diffs are shown so from now on, also after the next start.
    KeepDiffLayout {
        room: DiffRoom,
        layout: DiffLayout,
    },
    /// How diffs were shown last, as `Answer::DiffLayout`.
    LoadDiffLayouts,

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
    /// How many lines of files differ from what they were, as `Answer::Counted`.
    Count {
        /// Its answer bears it, too.
        number: u64,
        /// As for `Compare`.
        files: Vec<(String, Option<BlobId>)>,
    },
    /// What files are now against what they were, as `Answer::Compared`.
    Compare {
        /// Each with its bytes before, as the log keeps them; `None`: there was no such file.
        files: Vec<(String, Option<BlobId>)>,
    },
    /// What one asks of a folder under git every day.
    Everyday(Everyday),
}
