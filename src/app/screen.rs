//! Everything that one session shows: panes, requests, dialogs, and the state of its turn.

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
    /// Changes in the background that nobody has looked at.
    pub(crate) news: News,
    /// Whether the engine knows about the first key press.
    pub(crate) is_typing_reported: bool,

    // --- panes ---
    pub focus: Pane,
    /// A folded pane that was reopened over the conversation.
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
    /// Pending approvals and questions, oldest first. They never take the focus by themselves.
    pub approvals: Approvals,
    /// A dialog opened by the user, or an error. It covers everything and has the focus.
    pub dialog: Option<Dialog>,
    /// The dialog to restore after help or the confirmation of closing a session.
    pub(crate) beneath: Option<Dialog>,
    pub marking: Option<Marking>,
    /// Cards above the prompt never block typing.
    pub trust: Option<TrustCard>,
    pub first_start: Option<FirstStartCard>,
    /// The step of the setup dialogs, while one is open.
    pub(crate) wizard: Option<Wizard>,
    pub service: Option<ServiceCard>,
    pub pull: Option<PullCard>,
    /// The conversation goes back as well when the proposed files are restored.
    pub(crate) after_files: Option<AfterFiles>,
    /// The text of the `status_line` hooks. Empty without them.
    pub status_line: String,
    /// A notification such as `copied 12 lines to the clipboard`.
    pub toast: Option<Toast>,
}

/// A rewind of the conversation that follows when the files are restored.
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
    /// The name, if the folder is a worktree.
    pub worktree: Option<String>,
    pub model: Option<ModelRef>,
    /// A prompt sent without a model. Choosing a model sends it.
    pub held_prompt: Option<String>,
    pub agent: AgentName,
    pub plan: Option<String>,
    /// The sandbox of commands. `None` if there is none.
    pub confinement: Option<Confinement>,
    /// Whether a prompt would fail, until an answer arrives.
    pub endpoint: Option<EndpointTrouble>,
}

#[derive(Debug, Clone)]
pub struct TurnView {
    pub state: TurnState,
    pub started: Option<Time>,
    /// The start of the current state.
    pub since: Time,
    /// Streamed characters of the current reply and their start, to estimate tokens per second.
    pub streamed: u64,
    pub first_delta: Option<Time>,
    /// The time of the newest text, so that the rate does not fall while nothing arrives.
    pub last_delta: Option<Time>,
    pub retry: Option<Retry>,
    /// The stage of the model request, and its start.
    pub stage: Option<(Stage, Time)>,
    /// Servers and hooks that delay the turn, each with the start of the wait.
    pub awaited: Vec<(Awaited, Time)>,
    pub thinks: bool,
    /// The user asked to stop the turn, and it has not ended yet.
    pub stopping: bool,
    /// The turn's prompt, until part of the answer is in the log.
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
    /// End of the minimum duration.
    pub until: Time,
    pub error: bool,
    pub place: ToastPlace,
    pub(crate) lasts: Lasts,
    /// The subagent that the notification is about. Its end removes the notification.
    pub(crate) child: Option<CallId>,
}

/// The event that ends a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lasts {
    /// The end of its duration.
    ItsTime,
    /// A key press and the end of its duration, for texts that must be read.
    UntilKey,
    /// The next key press, because the text is about that key.
    OneKey,
    /// The next key press, or the frame that has shown everything that would be allowed.
    UntilRead,
}

/// The place that shows the whole notification.
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

    /// The session's own conversation, even while a subagent's is shown.
    pub(crate) fn own_conversation(&self) -> &Conversation {
        self.watched
            .as_ref()
            .map_or(&self.conversation, |watched| &watched.parents)
    }

    /// Used share of the context window in per cent. `None` without a model.
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

    /// Tokens per second of the arriving reply, estimated at four characters per token.
    pub(crate) fn tokens_per_second(&self) -> Option<u64> {
        let (first, last) = (self.first_delta?, self.last_delta?);
        let ms = last.since(first);
        (ms >= 500).then(|| self.streamed * 1_000 / 4 / ms)
    }

    /// Milliseconds.
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
