//! Everything that the screen shows of one session: panes, requests, dialogs, and the state of its turn.

use super::dialogs::Dialog;
use super::dialogs::approval::Approvals;
use super::dialogs::first_start::FirstStartCard;
use super::dialogs::pull::PullCard;
use super::dialogs::service::ServiceCard;
use super::dialogs::trust::TrustCard;
use super::dialogs::wizard::Wizard;
use super::layout::Pane;
use super::loops::Loops;
use super::marking::Marking;
use super::panes::changes::ChangesPane;
use super::panes::context::ContextPane;
use super::panes::conversation::Conversation;
use super::panes::files::FilesPane;
use super::panes::prompt::Prompt;
use super::panes::todo::TodoPane;
use super::watched::Watched;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SeatId, SessionId};
use benchdog_domain::agent::{AgentName, EndpointTrouble, ModelRef};
use benchdog_domain::awaited::Awaited;
use benchdog_domain::confinement::Confinement;
use benchdog_domain::job::Job;
use benchdog_domain::message::Stage;
use benchdog_domain::voice::VoiceState;
use benchdog_protocol::TurnState;

pub struct SessionScreen {
    pub seat: SeatId,
    pub session: SessionView,
    pub turn: TurnView,
    pub jobs: Vec<Job>,
    pub loops: Loops,
    pub voice: VoiceState,
    /// Events in the background that the user has not seen yet.
    pub(crate) news: News,
    pub(crate) is_typing_reported: bool,

    // --- panes ---
    pub focus: Pane,
    pub over: Option<Pane>,
    pub conversation: Conversation,
    /// The subagent whose conversation is shown in place of the session's own.
    pub watched: Option<Box<Watched>>,
    pub prompt: Prompt,
    pub files: FilesPane,
    pub changes: ChangesPane,
    pub todo: TodoPane,
    pub context: ContextPane,

    // --- dialogs ---
    /// Pending approval requests and questions, oldest first. They never take the focus by themselves.
    pub approvals: Approvals,
    /// A dialog that the user has opened, or an error. The dialog has the focus and is drawn over everything else.
    pub dialog: Option<Dialog>,
    /// The dialog below the current one. Restored after help, or after the confirmation of closing a session.
    pub(crate) beneath: Option<Dialog>,
    pub marking: Option<Marking>,
    /// The question whether to trust the folder. Cards such as this are shown above the prompt and never block typing.
    pub trust: Option<TrustCard>,
    pub first_start: Option<FirstStartCard>,
    pub(crate) wizard: Option<Wizard>,
    pub service: Option<ServiceCard>,
    pub pull: Option<PullCard>,
    pub(crate) after_files: Option<AfterFiles>,
    pub status_line: String,
    /// A notification such as `copied 12 lines to the clipboard`.
    pub toast: Option<Toast>,
}

/// A rewind of the conversation that waits for the files to be restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AfterFiles {
    pub(crate) prompt: EntryId,
    pub(crate) is_restored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    None,
    Asks,
    Ended,
}

#[derive(Debug, Clone, Default)]
pub struct SessionView {
    pub id: Option<SessionId>,
    pub title: String,
    pub workspace: String,
    /// The name of the worktree, if the folder is a worktree.
    pub worktree: Option<String>,
    /// Title and time of the folder's last session, for the start screen.
    pub previous: Option<(String, Time)>,
    pub model: Option<ModelRef>,
    /// A prompt that was sent without a model. Sent again when the user chooses a model.
    pub held_prompt: Option<String>,
    pub agent: AgentName,
    pub plan: Option<String>,
    /// The sandbox in which commands run. `None` without a sandbox.
    pub confinement: Option<Confinement>,
    /// The reason why the next prompt would fail. Cleared when an answer arrives.
    pub endpoint: Option<EndpointTrouble>,
}

#[derive(Debug, Clone)]
pub struct TurnView {
    pub state: TurnState,
    pub started: Option<Time>,
    pub since: Time,
    /// Number of characters of the reply so far, to estimate tokens per second from `first_delta` on.
    pub streamed: u64,
    pub first_delta: Option<Time>,
    /// The arrival time of the newest text, up to which the token rate is computed. A pause does not lower the rate.
    pub last_delta: Option<Time>,
    pub retry: Option<Retry>,
    pub stage: Option<(Stage, Time)>,
    /// Servers and hooks that the turn waits for, each with the time at which the wait began.
    pub awaited: Vec<(Awaited, Time)>,
    pub thinks: bool,
    /// Whether the user has stopped the turn, but the turn has not ended yet.
    pub stopping: bool,
    /// The prompt of the turn, until a part of the answer is logged.
    pub unanswered: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    pub attempt: u32,
    pub at: Time,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    pub text: String,
    /// The time before which the notification is not removed by itself.
    pub until: Time,
    pub error: bool,
    pub place: ToastPlace,
    pub(crate) lasts: Lasts,
    /// The subagent of the notification. The notification is removed when the subagent ends.
    pub(crate) child: Option<CallId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lasts {
    /// Removed when the time `until` is over.
    ItsTime,
    /// Removed at a key press after the time `until`. For a text that must be read.
    UntilKey,
    /// Removed at the next key press, because the text is about that key.
    OneKey,
    /// Removed at the next key press, or as soon as all of the request has been visible.
    UntilRead,
}

/// The place where a notification is shown completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastPlace {
    StatusLine,
    AbovePrompt,
}

impl SessionScreen {
    pub fn new(seat: SeatId, now: Time) -> Self {
        Self {
            seat,
            session: SessionView::default(),
            turn: TurnView::idle(now),
            jobs: Vec::new(),
            loops: Loops::default(),
            voice: VoiceState::default(),
            news: News::None,
            is_typing_reported: false,
            focus: Pane::Prompt,
            over: None,
            conversation: Conversation::default(),
            watched: None,
            prompt: Prompt::default(),
            files: FilesPane::default(),
            changes: ChangesPane::default(),
            todo: TodoPane::default(),
            context: ContextPane::default(),
            approvals: Approvals::default(),
            dialog: None,
            beneath: None,
            marking: None,
            trust: None,
            first_start: None,
            service: None,
            pull: None,
            after_files: None,
            wizard: None,
            status_line: String::new(),
            toast: None,
        }
    }

    /// Returns the session's own conversation, even while the conversation of a subagent is shown.
    pub(crate) fn own_conversation(&self) -> &Conversation {
        self.watched
            .as_ref()
            .map_or(&self.conversation, |watched| &watched.parents)
    }

    /// Returns the used share of the context window in per cent. `None` without a model.
    pub fn filled(&self) -> Option<String> {
        self.session.model.as_ref()?;
        self.context.percent()
    }
}

impl TurnView {
    pub(crate) fn idle(now: Time) -> Self {
        Self {
            state: TurnState::Idle,
            started: None,
            since: now,
            streamed: 0,
            first_delta: None,
            last_delta: None,
            retry: None,
            stage: None,
            awaited: Vec::new(),
            thinks: false,
            stopping: false,
            unanswered: None,
        }
    }

    pub(crate) fn waits_for_person(&self, approvals: &Approvals) -> bool {
        self.state == TurnState::AwaitingPermission || approvals.asks()
    }

    /// Returns the tokens per second of the streamed reply, estimated at four characters per token.
    pub(crate) fn tokens_per_second(&self) -> Option<u64> {
        let (first, last) = (self.first_delta?, self.last_delta?);
        let ms = last.since(first);
        (ms >= 500).then(|| self.streamed * 1_000 / 4 / ms)
    }

    /// Returns the time since the turn began, in milliseconds.
    pub(crate) fn elapsed(&self, now: Time) -> Option<u64> {
        self.started.map(|started| now.since(started))
    }

    pub(crate) fn can_be_stopped(&self) -> bool {
        self.busy() || !self.awaited.is_empty()
    }

    pub fn busy(&self) -> bool {
        !self.state.is_rest()
    }
}
