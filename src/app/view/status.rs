//! The status line as data: agent, current activity, and the three most important keys.

pub mod bar;
mod keys;

use ratatui::layout::{Position, Rect};

use crate::dialogs::Dialog;
use crate::focus::{Holder, keyboard, scope};
use crate::layout::Pane;
use crate::screen::ToastPlace;
use crate::seats::{self, Standing};
use crate::state::State;
use benchdog_base::clock::so_far;
use benchdog_base::text::width as columns;
use benchdog_domain::agent::{ACCEPT_EDITS, AUTO, CHAT, PLAN, short_model};
use benchdog_domain::awaited::{Awaited, Who};
use benchdog_domain::budget::percent;
use benchdog_domain::job::running;
use benchdog_domain::message::Stage;
use benchdog_domain::voice::VoiceState;
use benchdog_domain::worktree::BRANCHES;
use benchdog_keys::action::{ChangeAction, GlobalAction, PaneAction, PromptAction, TextAction};
use benchdog_keys::{Action, Key, KeyCode};
use benchdog_lang::{self as lang, Stroke, Word, word};
use benchdog_protocol::TurnState;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Status {
    /// The name of the focused pane, such as `PROMPT`.
    pub focus: &'static str,
    /// Agent and model, such as `build · qwen3-coder-30b@vllm`.
    pub left: String,
    pub mode: Mode,
    /// The activity, such as `writing 38 tok/s 0:12`, or a notification.
    pub middle: String,
    pub middle_short: String,
    /// Whether the user must act: answer a request, or press the second key of a binding.
    pub waits: bool,
    pub middle_is_error: bool,
    /// The key that opens the session list, and the most urgent state of the other seats.
    pub others: Option<(String, String)>,
    pub keys: Vec<Hint>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hint {
    /// The action that a click on the hint triggers. `None` for the Esc hint after the first key of a binding.
    pub action: Option<Action>,
    pub key: String,
    pub text: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    #[default]
    Asks,
    Unasked,
    CommandsUnasked,
    OnlyReads,
}

impl Mode {
    fn of(agent: &str) -> Self {
        match agent {
            ACCEPT_EDITS => Self::Unasked,
            AUTO => Self::CommandsUnasked,
            PLAN | CHAT => Self::OnlyReads,
            _ => Self::Asks,
        }
    }

    fn word(self) -> Option<&'static str> {
        match self {
            Self::Asks => None,
            Self::Unasked => Some(word(Word::ModeUnasked)),
            Self::CommandsUnasked => Some(word(Word::ModeCommandsUnasked)),
            Self::OnlyReads => Some(word(Word::ModeReads)),
        }
    }
}

pub(crate) fn status(state: &State) -> Status {
    if let Some(first) = state.stroke {
        return waits_for_second(state, first);
    }
    let said = state.screen.toast.as_ref();
    let toast = said.filter(|toast| toast.place == ToastPlace::StatusLine);
    let waits = waits(state);
    let middle = |whole| match toast {
        // A notification must not hide that a request is pending.
        Some(toast) if waits => format!("{} · {}", stage(state, false), toast.text),
        Some(toast) => toast.text.clone(),
        None => stage(state, whole),
    };
    Status {
        focus: focused(state),
        left: left(state),
        mode: Mode::of(&state.screen.session.agent.0),
        middle: middle(true),
        middle_short: middle(false),
        waits,
        middle_is_error: toast.is_some_and(|toast| toast.error),
        others: others(state),
        keys: keys::keys(state),
    }
}

fn focused(state: &State) -> &'static str {
    word(match keyboard(state) {
        Holder::Approval => Word::FocusReview,
        Holder::Question => Word::FocusQuestion,
        Holder::Find => Word::FocusFind,
        Holder::Filter => Word::FocusFilter,
        Holder::Pane(Pane::Files) => Word::FocusFiles,
        Holder::Pane(Pane::Conversation) => Word::FocusChat,
        Holder::Pane(Pane::Prompt) => Word::FocusPrompt,
        Holder::Pane(Pane::Changes) => Word::FocusChanges,
        Holder::Pane(Pane::Todo) => Word::FocusTodo,
        Holder::Pane(Pane::Context) => Word::FocusContext,
        Holder::Dialog => match state.screen.dialog {
            Some(Dialog::Palette(_)) => Word::FocusPalette,
            Some(Dialog::Picker(_)) => Word::FocusList,
            Some(Dialog::Help(_)) => Word::FocusHelp,
            Some(Dialog::Setup(_)) => Word::FocusSetup,
            Some(Dialog::Viewer(_) | Dialog::Sheet(_) | Dialog::Compaction(_) | Dialog::Jobs(_)) | None => {
                Word::FocusView
            }
        },
    })
}

/// Whether the user must act. Always `false` while the turn is being stopped.
fn waits(state: &State) -> bool {
    !state.screen.turn.stopping && state.screen.turn.waits_for_person(&state.screen.approvals)
}

/// Returns the status line after the first key of a two-key binding: the possible second keys, and Esc.
fn waits_for_second(state: &State, first: Key) -> Status {
    let following = state.keymap.after(scope(state), first);
    let named = following
        .iter()
        .map(|(key, action)| (key.shown(), action.row()))
        .map(|(key, row)| format!("{key} {}", lang::title(row.id, row.title)));
    let keys = following.iter().map(|(key, _)| key.shown());
    let shown =
        |following: Vec<String>, between| lang::message::status_strokes(&first.shown(), &following.join(between));
    let brief = shown(briefly(&following), " · ");
    let fits = columns(&brief) + AROUND_STROKES <= usize::from(state.width);
    Status {
        focus: focused(state),
        left: left(state),
        mode: Mode::of(&state.screen.session.agent.0),
        middle: shown(named.collect(), " · "),
        middle_short: if fits { brief } else { shown(keys.collect(), " ") },
        waits: true,
        middle_is_error: false,
        others: None,
        keys: vec![Hint {
            action: None,
            key: Key::plain(KeyCode::Esc).shown(),
            text: word(Word::KeyBack),
        }],
    }
}

/// Number of columns that the status line needs in addition to the second keys: for the agent and the Esc hint.
const AROUND_STROKES: usize = 16;

/// Formats the second keys with short words, grouped by word: `1 2 3 panes`, `n new`. Keys for editing have no short
/// word, so they are only shown in a wider window.
fn briefly(following: &[(Key, Action)]) -> Vec<String> {
    let mut out: Vec<(String, Stroke)> = Vec::new();
    for (key, word) in following
        .iter()
        .filter_map(|(key, action)| Some((key, brief_word(*action)?)))
    {
        match out.last_mut().filter(|(_, last)| *last == word) {
            Some((keys, _)) => *keys = format!("{keys} {}", key.shown()),
            None => out.push((key.shown(), word)),
        }
    }
    let with_word = |(keys, said): (String, Stroke)| format!("{keys} {}", lang::stroke(said));
    out.into_iter().map(with_word).collect()
}

fn brief_word(action: Action) -> Option<Stroke> {
    Some(match action {
        Action::Global(
            GlobalAction::PaneFiles
            | GlobalAction::PaneConversation
            | GlobalAction::PanePrompt
            | GlobalAction::PaneChanges
            | GlobalAction::PaneTodo
            | GlobalAction::PaneContext,
        ) => Stroke::Panes,
        Action::Global(GlobalAction::NewBeside) => Stroke::New,
        Action::Global(GlobalAction::NextSeat) => Stroke::Next,
        Action::Global(GlobalAction::CloseSeat) => Stroke::Close,
        Action::Text(TextAction::SelectAll) => Stroke::All,
        _ => return None,
    })
}

/// Returns the key that opens the session list, and a text about the other seats, such as `2 wait`.
fn others(state: &State) -> Option<(String, String)> {
    let (standing, count) = seats::others(state)?;
    let said = match standing {
        Standing::Waits => lang::message::seats_wait(count),
        Standing::Works => lang::message::seats_work(count),
        Standing::Ended => lang::seats_ended(count),
        Standing::Idle => return None,
    };
    Some((state.keymap.hint(Action::Global(GlobalAction::Sessions)), said))
}

fn left(state: &State) -> String {
    let session = &state.screen.session;
    let model = match &session.model {
        Some(model) => format!("{}@{}", short_model(&model.id), model.provider),
        None => word(Word::NoModel).to_owned(),
    };
    let held = session.confinement.as_ref().map(lang::confinement);
    let letters = match state.screen.prompt.selects() {
        true => Word::LettersSelect,
        false => Word::LettersCommand,
    };
    let letters = state.screen.prompt.commands().then(|| word(letters).to_owned());
    let running = running(&state.screen.jobs);
    let jobs = (running > 0).then(|| lang::message::jobs_running(running));
    let loops = state.screen.loops.all().len();
    let loops = (loops > 0).then(|| lang::message::loops_going(loops));
    let branch = session.worktree.as_ref().map(|name| format!("{BRANCHES}{name}"));
    let voice = match state.screen.voice {
        VoiceState::Off => None,
        VoiceState::Recording => Some(recording(state)),
        VoiceState::Transcribing => Some(word(Word::StatusTranscribing).to_owned()),
    };
    let parts = [
        voice,
        letters,
        Some(session.agent.0.clone()),
        Mode::of(&session.agent.0).word().map(str::to_owned),
        branch,
        jobs,
        loops,
        held,
        session
            .endpoint
            .map(|trouble| lang::endpoint_trouble(trouble).to_owned()),
        Some(model),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn recording(state: &State) -> String {
    let key = |action| state.keymap.hint(Action::Global(action));
    lang::message::status_recording(&key(GlobalAction::Close), &key(GlobalAction::Voice))
}

/// Returns the current activity. `whole` adds the speed and the time of waiting.
fn stage(state: &State, whole: bool) -> String {
    let turn = &state.screen.turn;
    if turn.stopping {
        return word(Word::Stopping).to_owned();
    }
    if let Some(retry) = turn.retry.as_ref().filter(|_| turn.busy()) {
        let left = retry.at.since(state.now).div_ceil(1_000);
        let again = lang::attempt(retry.attempt + 1, left);
        return if whole {
            format!("{}: {again}", retry.reason)
        } else {
            again
        };
    }
    if let Some((awaited, waited)) = waits_on(state) {
        return waits_for(awaited, waited, whole);
    }
    let now = match turn.state {
        TurnState::Idle | TurnState::Done | TurnState::Error | TurnState::Interrupted | TurnState::Limit => {
            let since = state.screen.context.awaited.then_some(state.screen.context.since);
            let clock = |since| format!("{} {}", word(Word::Compacting), so_far(state.now.since(since)));
            return since.map(clock).unwrap_or_default();
        }
        TurnState::Planning => return before_answer(state, whole),
        TurnState::Compacting => Word::Compacting,
        TurnState::Generating if turn.first_delta.is_none() => return before_answer(state, whole),
        TurnState::Generating if turn.thinks => Word::ThinkingNow,
        TurnState::Generating => Word::Writing,
        _ if waits(state) && !whole => Word::Waiting,
        _ if waits(state) => Word::WaitingForYou,
        TurnState::AwaitingPermission => Word::WaitingForYou,
        TurnState::ToolRunning => Word::Running,
        TurnState::Validating => Word::Checking,
    };
    let mut text = word(now).to_owned();
    if !whole && waits(state) {
        return text;
    }
    if let (true, TurnState::Generating, Some(rate)) = (whole, turn.state, turn.tokens_per_second()) {
        text.push_str(&format!(" {}", lang::speed(rate)));
    }
    if let Some(ms) = turn.elapsed(state.now) {
        text.push_str(&format!(" {}", so_far(ms)));
    }
    text
}

/// Time in ms after which a running hook is shown.
const MOMENT_MS: u64 = 1_000;

/// Returns the first server or hook that delays the turn, and the time in ms. Servers delay only its start.
fn waits_on(state: &State) -> Option<(&Awaited, u64)> {
    let turn = &state.screen.turn;
    let waits = turn
        .awaited
        .iter()
        .map(|(awaited, since)| (awaited, state.now.since(*since)));
    let mut told = waits.filter(|(awaited, waited)| match awaited.who {
        Who::Server(_) => !turn.busy(),
        Who::Hook(_) => *waited >= MOMENT_MS,
    });
    told.next()
}

/// Formats a wait, such as `waiting for files 0:02, 0:20 at most`.
fn waits_for(awaited: &Awaited, waited: u64, whole: bool) -> String {
    let until_now = format!("{} {}", lang::waiting_for(&awaited.who), so_far(waited));
    if whole {
        lang::message::status_at_most(&until_now, &so_far(awaited.most_ms.next_multiple_of(1_000)))
    } else {
        until_now
    }
}

/// Formats the stage before an answer, such as `waiting for the server 0:02` or `reading 2,048 of 9,120 0:03`.
fn before_answer(state: &State, whole: bool) -> String {
    let turn = &state.screen.turn;
    let stage = turn.stage.map(|(stage, _)| stage);
    let mut text = match stage {
        Some(Stage::Asked) => word(Word::WaitingForServer).to_owned(),
        Some(Stage::Loading) => word(Word::LoadingModel).to_owned(),
        Some(Stage::Reading { done, of }) if whole => lang::reading(done, of),
        Some(Stage::Reading { done, of }) => format!("{} {} %", word(Word::Reading), percent(done, of)),
        Some(Stage::Taken) | None => word(Word::Reading).to_owned(),
    };
    if let (true, Some(Stage::Reading { done, of })) = (whole, stage)
        && let Some(left) = left_of(state.now.since(turn.since), done, of)
    {
        text.push_str(&format!(" {}", lang::left(left.div_ceil(1_000))));
    }
    if let Some(ms) = turn.elapsed(state.now) {
        text.push_str(&format!(" {}", so_far(ms)));
    }
    text
}

/// Estimates the time in ms to read the rest of the prompt, at the average rate. `None` if no estimate is possible yet.
fn left_of(ms: u64, done: u64, of: u64) -> Option<u64> {
    let enough = ms >= 1_000 && done > 0 && done < of;
    enough.then(|| ms.saturating_mul(of - done) / done)
}

/// Returns the most important values of panes that are not visible, such as `~41 % · 2/4`.
pub fn folded(state: &State) -> String {
    let mut parts = Vec::new();
    if hidden(state, state.layout.context) {
        parts.extend(state.screen.filled());
    }
    if hidden(state, state.layout.todo)
        && let Some((done, total)) = state.screen.todo.progress()
    {
        parts.push(format!("{done}/{total}"));
    }
    parts.join(" · ")
}

fn hidden(state: &State, pane: Option<Rect>) -> bool {
    let title = |pane: Rect| Position::new(pane.x, pane.y.saturating_sub(1));
    let over = state.layout.approval.unwrap_or_default();
    pane.is_none_or(|pane| over.contains(title(pane)))
}

/// Returns the relevant actions, most important first. Empty if the focused part has its own key hints.
pub(crate) fn what_matters(state: &State) -> Vec<Action> {
    let Holder::Pane(pane) = keyboard(state) else {
        return Vec::new();
    };
    let mut now = Vec::new();
    if state.screen.approvals.asks() {
        now.push(Action::Global(GlobalAction::Approvals));
    }
    if state.screen.turn.busy() {
        now.push(Action::Global(GlobalAction::Close));
        now.push(Action::Prompt(PromptAction::Steer));
    }
    now.push(match pane {
        Pane::Prompt => Action::Prompt(PromptAction::Send),
        Pane::Changes if state.screen.changes.open.is_some() => Action::Change(ChangeAction::Close),
        _ => Action::Pane(PaneAction::Leave),
    });
    if pane == Pane::Prompt && !state.screen.turn.busy() {
        now.push(Action::Prompt(PromptAction::Newline));
    }
    now.extend([GlobalAction::Palette, GlobalAction::NextPane, GlobalAction::PaneChanges].map(Action::Global));
    now
}

/// Returns the folder of the session, with `~` for the home directory, such as `~/work/shop`.
pub fn folder(state: &State) -> String {
    let folder = &state.screen.session.workspace;
    let below = state.home.as_deref().filter(|home| home.len() > 1);
    let below = below.and_then(|home| folder.strip_prefix(home));
    match below {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        Some(_) | None => folder.clone(),
    }
}
