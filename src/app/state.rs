//! The state of the app. `ui` reads it, and only `update` changes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dialogs::Dialog;
use super::dialogs::approval::Approvals;
use super::dialogs::first_start::FirstStartCard;
use super::dialogs::palette::Choice;
use super::dialogs::service::ServiceCard;
use super::dialogs::trust::TrustCard;
use super::diff_view::DiffLayouts;
use super::layout::{Layout, Pane};
use super::loops::Loops;
use super::marking::Marking;
use super::msg::TerminalFacts;
use super::panes::changes::ChangesPane;
use super::panes::context::ContextPane;
use super::panes::conversation::Conversation;
use super::panes::files::FilesPane;
use super::panes::prompt::Prompt;
use super::panes::todo::TodoPane;
use super::seats::{News, Parked, Sight};
use super::themes::Themes;
use super::update::{Aimed, Clicked, Held};
use super::watched::Watched;
use benchdog_base::clock::{Time, Zone};
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_base::text::width as columns;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::awaited::Awaited;
use benchdog_domain::confinement::Confinement;
use benchdog_domain::failure::Failure;
use benchdog_domain::job::Job;
use benchdog_domain::message::Stage;
use benchdog_keys::{Key, Keymap};
use benchdog_lang as lang;
use benchdog_protocol::TurnState;

const TOAST_MS: i64 = 2_000;
/// Minimum duration of an error. It also stays until the next key press, which shows that somebody is there.
const FAILED_MS: i64 = 4_000;
/// Columns of a waiting turn before a notification in the status line.
const WAITS: usize = 12;

pub struct State {
    // --- the window ---
    pub width: u16,
    pub height: u16,
    pub layout: Layout,
    pub terminal: TerminalFacts,
    /// Nothing rings while the terminal window has the focus.
    pub window_focused: bool,
    pub mouse: bool,
    /// The home directory, shown as `~`.
    pub home: Option<String>,
    pub zone: Zone,
    /// `ui.confirm_exit`: an exit that would stop work needs a confirmation.
    pub confirm_exit: bool,
    /// `ui.alt_decides`: `Alt+Y` and `Alt+N` decide without the focus.
    pub alt_decides: bool,
    /// A `/merge` was sent. Its review may open in another session of this window.
    pub merge_asked: bool,
    pub themes: Themes,
    pub now: Time,
    pub keymap: Keymap,
    /// The first key of a two-key binding. The status line shows the possible second keys.
    pub stroke: Option<Key>,

    // --- panes ---
    pub focus: Pane,
    pub shown: Shown,
    pub conversation: Conversation,
    /// The subagent whose conversation is shown in place of the session's own.
    pub watched: Option<Box<Watched>>,
    pub prompt: Prompt,
    pub files: FilesPane,
    pub changes: ChangesPane,
    pub todo: TodoPane,
    pub context: ContextPane,
    pub diff_layouts: DiffLayouts,

    // --- dialogs ---
    /// Pending approvals and questions, oldest first. They never take the focus by themselves.
    pub approvals: Approvals,
    /// A dialog opened by the user, or an error. It covers everything and has the focus.
    pub dialog: Option<Dialog>,
    /// The dialog to restore after help or the confirmation of closing a session.
    pub(super) beneath: Option<Dialog>,
    pub marking: Option<Marking>,
    /// Cards above the prompt never block typing.
    pub trust: Option<TrustCard>,
    pub first_start: Option<FirstStartCard>,
    pub service: Option<ServiceCard>,

    // --- the session ---
    /// The visible seat.
    pub seat: SeatId,
    pub parked: BTreeMap<SeatId, Box<Parked>>,
    /// Replaced seats, with the seat that took their place.
    pub(super) replaced: BTreeMap<SeatId, SeatId>,
    pub(super) sight: Sight,
    pub news: News,
    pub session: SessionView,
    pub turn: TurnView,
    pub jobs: Vec<Job>,
    pub loops: Loops,
    /// Shown when the first session opens.
    pub greeting: Option<String>,
    /// A notification such as `copied 12 lines to the clipboard`.
    pub toast: Option<Toast>,
    /// The last copied text, for pasting. The terminal does not reveal its clipboard.
    pub(super) copied: Arc<str>,
    pub(super) lately: Vec<Choice>,
    /// The part in which a mouse drag started.
    pub(super) held: Option<Held>,
    /// The position of a press that may become a click.
    pub(super) aimed: Option<Aimed>,

    /// The seat whose first key press was reported to the engine.
    pub(super) typing_told: Option<SeatId>,
    /// The last clicked row, until another action.
    pub(super) clicked: Option<Clicked>,

    pub(super) title: String,
    pub(super) woken: Option<Time>,
    /// The screen must be rendered again.
    pub(super) dirty: bool,
    /// A character was typed into the prompt.
    pub(super) wrote: bool,
}

/// The requested foldable panes. `layout` decides whether there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    pub files: bool,
    pub side: bool,
    /// A folded pane that was reopened over the conversation.
    pub over: Option<Pane>,
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
    pub(super) lasts: Lasts,
    /// The subagent that the notification is about. Its end removes the notification.
    pub(super) child: Option<CallId>,
}

/// The event that ends a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
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

    pub(super) fn waits_for_person(&self, approvals: &Approvals) -> bool {
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
        match self.state {
            TurnState::Idle | TurnState::Done | TurnState::Error | TurnState::Interrupted | TurnState::Limit => false,
            TurnState::Planning
            | TurnState::Compacting
            | TurnState::Generating
            | TurnState::AwaitingPermission
            | TurnState::ToolRunning
            | TurnState::Validating => true,
        }
    }
}

impl State {
    pub fn new(keymap: Keymap, width: u16, height: u16, now: Time) -> Self {
        Self {
            width,
            height,
            layout: Layout::default(),
            terminal: TerminalFacts::default(),
            window_focused: true,
            mouse: true,
            home: None,
            zone: Zone::default(),
            confirm_exit: true,
            alt_decides: true,
            merge_asked: false,
            themes: Themes::default(),
            now,
            keymap,
            stroke: None,
            focus: Pane::Prompt,
            shown: Shown {
                files: true,
                side: true,
                over: None,
            },
            conversation: Conversation::default(),
            watched: None,
            prompt: Prompt::default(),
            files: FilesPane::default(),
            changes: ChangesPane::default(),
            todo: TodoPane::default(),
            context: ContextPane::default(),
            diff_layouts: DiffLayouts::default(),
            approvals: Approvals::default(),
            dialog: None,
            beneath: None,
            marking: None,
            trust: None,
            first_start: None,
            service: None,
            seat: SeatId(1),
            parked: BTreeMap::new(),
            replaced: BTreeMap::new(),
            sight: Sight::Shown,
            news: News::None,
            session: SessionView::default(),
            turn: TurnView::idle(now),
            jobs: Vec::new(),
            loops: Loops::default(),
            greeting: None,
            toast: None,
            copied: Arc::default(),
            lately: Vec::new(),
            held: None,
            aimed: None,
            clicked: None,
            typing_told: None,
            title: String::new(),
            woken: None,
            dirty: true,
            wrote: false,
        }
    }

    /// The session's own conversation, even while a subagent's is shown.
    pub(super) fn own_conversation(&self) -> &Conversation {
        self.watched
            .as_ref()
            .map_or(&self.conversation, |watched| &watched.parents)
    }

    /// Used share of the context window in per cent. `None` without a model.
    pub fn filled(&self) -> Option<String> {
        self.session.model.as_ref()?;
        self.context.percent()
    }

    pub(super) fn failed(&mut self, failure: &Failure) {
        let words = lang::failure(failure);
        self.conversation.error(&words.text, &words.hint);
    }

    /// Columns that a notification has in any case, between the agent and the first key.
    pub(super) fn readable(&self) -> usize {
        usize::from(self.width / 2).max(40)
    }

    /// Shows a notification for a few seconds. A long one is shown above the prompt. Errors and long texts stay until
    /// the next key.
    pub(super) fn say(&mut self, text: impl Into<String>, error: bool) {
        let text = text.into();
        let waits = self.turn.waits_for_person(&self.approvals);
        let room = usize::from(self.width / 2).saturating_sub(if waits { WAITS } else { 0 });
        let place = if columns(&text) > room {
            ToastPlace::AbovePrompt
        } else {
            ToastPlace::StatusLine
        };
        self.toast = Some(Toast {
            until: Time(self.now.0 + if error { FAILED_MS } else { TOAST_MS }),
            lasts: match error || place == ToastPlace::AbovePrompt {
                true => Lasts::UntilKey,
                false => Lasts::ItsTime,
            },
            text,
            error,
            place,
            child: None,
        });
    }

    pub(super) fn say_of_child(&mut self, child: CallId, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.toast {
            toast.child = Some(child);
        }
    }

    /// Shows a hint about the next key, or the reason why the last one had no effect. Any key removes it.
    pub(super) fn offer(&mut self, text: impl Into<String>, error: bool) {
        self.say(text, error);
        if let Some(toast) = &mut self.toast {
            toast.lasts = Lasts::OneKey;
        }
    }

    /// Asks the user to read the request to its end. Above the prompt it would cover part of the request, so a long
    /// text is replaced by `brief`.
    pub(super) fn ask_to_read(&mut self, text: impl Into<String>, brief: Option<String>) {
        self.say(text, true);
        if let Some(toast) = &mut self.toast {
            toast.lasts = Lasts::UntilRead;
            if let Some(brief) = brief.filter(|_| toast.place == ToastPlace::AbovePrompt) {
                (toast.text, toast.place) = (brief, ToastPlace::StatusLine);
            }
        }
    }

    pub(super) fn says_unread(&self) -> bool {
        self.toast.as_ref().is_some_and(|toast| toast.lasts == Lasts::UntilRead)
    }

    /// Shows a notification above the prompt until the next key.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.toast {
            (toast.lasts, toast.place) = (Lasts::UntilKey, ToastPlace::AbovePrompt);
        }
    }

    /// Handles a key press or a mouse event: the notification was seen, and may end.
    pub(super) fn seen(&mut self) {
        let of_key = |toast: &mut Toast| matches!(toast.lasts, Lasts::OneKey | Lasts::UntilRead);
        if self.toast.take_if(of_key).is_some() {
            self.dirty = true;
        }
        if let Some(toast) = &mut self.toast {
            toast.lasts = Lasts::ItsTime;
        }
        self.forget_said();
    }

    pub(super) fn forget_said(&mut self) {
        let now = self.now;
        if self
            .toast
            .take_if(|toast| toast.lasts != Lasts::UntilKey && toast.until <= now)
            .is_some()
        {
            self.dirty = true;
        }
    }
}
