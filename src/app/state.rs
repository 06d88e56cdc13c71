//! All that the app knows. `ui` reads it; only `update` changes it.

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
use crate::base::clock::{Time, Zone};
use crate::base::id::{CallId, SeatId, SessionId};
use crate::base::text::width as columns;
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::awaited::Awaited;
use crate::domain::confinement::Confinement;
use crate::domain::failure::Failure;
use crate::domain::job::Job;
use crate::domain::message::Stage;
use crate::keys::{Key, Keymap};
use crate::lang;
use crate::protocol::TurnState;

/// How long a sentence stays in the status line.
const TOAST_MS: i64 = 2_000;
/// What failed stands longer, and until a key shows that somebody is there to read it.
const FAILED_MS: i64 = 4_000;
/// Columns that a turn which waits for the person takes before a sentence in the status line.
const WAITS: usize = 12;

pub(crate) struct State {
    // --- the window ---
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) layout: Layout,
    pub(crate) terminal: TerminalFacts,
    /// Whether the terminal window has the focus; nothing rings while it has.
    pub(crate) window_focused: bool,
    pub(crate) mouse: bool,
    /// The person's own folder, which is written `~`.
    pub(crate) home: Option<String>,
    /// Where the person's clock is read.
    pub(crate) zone: Zone,
    /// Leaving asks where it would stop something.
    pub(crate) confirm_exit: bool,
    /// `Alt+Y` and `Alt+N` decide without the focus (`ui.alt_decides`).
    pub(crate) alt_decides: bool,
    /// A `/merge` was sent whose review may open in another session of this window.
    pub(crate) merge_asked: bool,
    pub(crate) themes: Themes,
    /// The newest time any message brought.
    pub(crate) now: Time,
    pub(crate) keymap: Keymap,
    /// The first stroke of a two-stroke key, waiting for its second; the bottom row shows what may follow.
    pub(crate) stroke: Option<Key>,

    // --- panes ---
    /// The pane with the keyboard while no dialog has it.
    pub(crate) focus: Pane,
    pub(crate) shown: Shown,
    pub(crate) conversation: Conversation,
    /// The child whose conversation that is, where it is not the session's own.
    pub(crate) watched: Option<Box<Watched>>,
    pub(crate) prompt: Prompt,
    pub(crate) files: FilesPane,
    pub(crate) changes: ChangesPane,
    pub(crate) todo: TodoPane,
    pub(crate) context: ContextPane,
    /// How the person wants diffs to be shown, once they said so.
    pub(crate) diff_layouts: DiffLayouts,

    // --- dialogs ---
    /// Approvals and questions that wait, the oldest in front. Never takes the keyboard by itself.
    pub(crate) approvals: Approvals,
    /// What the person opened, or an error; on top of everything and with the keyboard.
    pub(crate) dialog: Option<Dialog>,
    /// What comes back when help, or the question whether a session is closed, is left.
    pub(super) beneath: Option<Dialog>,
    /// Text that the mouse marks.
    pub(crate) marking: Option<Marking>,
    /// Cards lie above the prompt and block no typing.
    pub(crate) trust: Option<TrustCard>,
    pub(crate) first_start: Option<FirstStartCard>,
    pub(crate) service: Option<ServiceCard>,

    // --- the session ---
    /// The seat that is shown.
    pub(crate) seat: SeatId,
    /// The others of this window.
    pub(crate) parked: BTreeMap<SeatId, Box<Parked>>,
    /// The seats whose place another has taken since, with the one that has it now.
    pub(super) replaced: BTreeMap<SeatId, SeatId>,
    /// Whether what is being changed is on screen.
    pub(super) sight: Sight,
    /// What the person has not seen of it yet.
    pub(crate) news: News,
    pub(crate) session: SessionView,
    pub(crate) turn: TurnView,
    /// What goes on in the background, and what has ended there.
    pub(crate) jobs: Vec<Job>,
    /// Prompts that are sent again and again.
    pub(crate) loops: Loops,
    /// What is said where the first session opens.
    pub(crate) greeting: Option<String>,
    /// A sentence in the status line, until the time given: `copied 12 lines to the clipboard`.
    pub(crate) toast: Option<Toast>,
    /// What was copied last, for pasting it here: no terminal tells what its clipboard holds.
    pub(super) copied: Arc<str>,
    /// What was chosen from the palette, the newest first.
    pub(super) lately: Vec<Choice>,
    /// What the mouse holds while its button is down.
    pub(super) held: Option<Held>,
    /// Where its button went down, while it may become a click.
    pub(super) aimed: Option<Aimed>,

    /// The seat that knows of the first key of a prompt.
    pub(super) typing_told: Option<SeatId>,
    /// The row that was clicked last, while nothing else was done.
    pub(super) clicked: Option<Clicked>,

    /// The window's title as it was set last.
    pub(super) title: String,
    /// The earliest wake that is under way.
    pub(super) woken: Option<Time>,
    /// Something changed that can be seen.
    pub(super) dirty: bool,
    /// A letter was written to the prompt.
    pub(super) wrote: bool,
}

/// Which foldable panes are asked for; `layout` decides whether there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) files: bool,
    pub(crate) side: bool,
    /// A folded pane that was brought back over the conversation.
    pub(crate) over: Option<Pane>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct SessionView {
    pub(crate) id: Option<SessionId>,
    pub(crate) title: String,
    /// The absolute path of the folder.
    pub(crate) workspace: String,
    /// The name of the worktree that it is.
    pub(crate) worktree: Option<String>,
    pub(crate) model: Option<ModelRef>,
    /// The prompt that was sent before there was a model; it goes out once one is chosen.
    pub(crate) held_prompt: Option<String>,
    pub(crate) agent: AgentName,
    /// Word for word, where one was handed over.
    pub(crate) plan: Option<String>,
    /// What holds its commands in; `None`: nothing.
    pub(crate) confinement: Option<Confinement>,
}

/// The running turn, as the status line shows it.
#[derive(Debug, Clone)]
pub(crate) struct TurnView {
    pub(crate) state: TurnState,
    pub(crate) started: Option<Time>,
    /// Since when the turn is in its present state.
    pub(crate) since: Time,
    /// Streamed characters of the present reply and since when, for tokens a second (an estimate).
    pub(crate) streamed: u64,
    pub(crate) first_delta: Option<Time>,
    /// The newest delta, so that the rate does not fall while nothing arrives.
    pub(crate) last_delta: Option<Time>,
    pub(crate) retry: Option<Retry>,
    /// Where the request stands, and since when.
    pub(crate) stage: Option<(Stage, Time)>,
    /// The servers and hooks that are waited for, and since when.
    pub(crate) awaited: Vec<(Awaited, Time)>,
    /// What arrives are thoughts.
    pub(crate) thinks: bool,
    /// The person asked for it to end, and it has not yet.
    pub(crate) stopping: bool,
    /// Its prompt, until something of an answer is in the log.
    pub(crate) unanswered: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Retry {
    pub(crate) attempt: u32,
    pub(crate) at: Time,
    pub(crate) reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) text: String,
    /// It stands so long at the least.
    pub(crate) until: Time,
    pub(crate) error: bool,
    pub(crate) place: ToastPlace,
    pub(super) lasts: Lasts,
    /// The subagent it is about. Its end removes the toast.
    pub(super) child: Option<CallId>,
}

/// What a sentence goes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Its time.
    ItsTime,
    /// It is to be read: a key, and its time.
    UntilKey,
    /// It is about the very next key, and is not true any more behind it.
    OneKey,
    /// The same, and it is not true any more either once all that would be allowed was on screen.
    UntilRead,
}

/// Where a sentence is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToastPlace {
    StatusLine,
    /// In rows of its own above the prompt.
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

    /// Whether the person is waited for: by a call of this turn, or by one of a child while the others go on.
    pub(super) fn waits_for_person(&self, approvals: &Approvals) -> bool {
        self.state == TurnState::AwaitingPermission || approvals.asks()
    }

    /// Tokens a second of the reply that is arriving: four characters are taken for one token.
    pub(crate) fn tokens_per_second(&self) -> Option<u64> {
        let (first, last) = (self.first_delta?, self.last_delta?);
        let ms = last.since(first);
        (ms >= 500).then(|| self.streamed * 1_000 / 4 / ms)
    }

    /// Milliseconds since the turn began.
    pub(crate) fn elapsed(&self, now: Time) -> Option<u64> {
        self.started.map(|started| now.since(started))
    }

    /// Whether there is something to stop.
    pub(crate) fn can_be_stopped(&self) -> bool {
        self.busy() || !self.awaited.is_empty()
    }

    /// Whether the engine works on something.
    pub(crate) fn busy(&self) -> bool {
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
    pub(crate) fn new(keymap: Keymap, width: u16, height: u16, now: Time) -> Self {
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

    /// What is said in the session itself, whatever is shown.
    pub(super) fn own_conversation(&self) -> &Conversation {
        self.watched
            .as_ref()
            .map_or(&self.conversation, |watched| &watched.parents)
    }

    /// Share of the context window in use, in per cent. `None` without a model.
    pub(crate) fn filled(&self) -> Option<String> {
        self.session.model.as_ref()?;
        self.context.percent()
    }

    /// What stopped a request, with what helps.
    pub(super) fn failed(&mut self, failure: &Failure) {
        let words = lang::failure(failure);
        self.conversation.error(&words.text, &words.hint);
    }

    /// Columns that a sentence in the status line has in any case, between who works and the first key.
    pub(super) fn readable(&self) -> usize {
        usize::from(self.width / 2).max(40)
    }

    /// Says something for a few seconds: in the status line, and what is too long for it above the prompt. What failed and what is
    /// long to read stands until the next key.
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

    /// Says something about a subagent until it ends.
    pub(super) fn say_of_child(&mut self, child: CallId, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.toast {
            toast.child = Some(child);
        }
    }

    /// Says what the next key may do, or why the last one did nothing. It goes with that key, whichever it is.
    pub(super) fn offer(&mut self, text: impl Into<String>, error: bool) {
        self.say(text, error);
        if let Some(toast) = &mut self.toast {
            toast.lasts = Lasts::OneKey;
        }
    }

    /// Says that not all that would be allowed was on screen. Above the prompt it would take rows of just that: where it is too long for the
    /// status line, what is brief stands there.
    pub(super) fn ask_to_read(&mut self, text: impl Into<String>, brief: Option<String>) {
        self.say(text, true);
        if let Some(toast) = &mut self.toast {
            toast.lasts = Lasts::UntilRead;
            if let Some(brief) = brief.filter(|_| toast.place == ToastPlace::AbovePrompt) {
                (toast.text, toast.place) = (brief, ToastPlace::StatusLine);
            }
        }
    }

    /// Whether that is said.
    pub(super) fn says_unread(&self) -> bool {
        self.toast.as_ref().is_some_and(|toast| toast.lasts == Lasts::UntilRead)
    }

    /// Says what is to be read before the next key.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.toast {
            (toast.lasts, toast.place) = (Lasts::UntilKey, ToastPlace::AbovePrompt);
        }
    }

    /// A key was pressed, or the mouse: what stood there was seen, and goes when its time is over.
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

    /// The sentence goes whose time is over.
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
