//! Handles global actions. Most of them first close a dialog or find line above the panes.

use super::dialogs::{self, pick};
use super::panes::{self, to_pane};
use super::prompt::draft;
use super::request;
use super::{
    beneath, jobs, leave, lists, naming, review, seats, session, setup, switchboard, themes, undo, voice, worktrees,
};
use crate::dialogs::Dialog;
use crate::dialogs::help::Help;
use crate::dialogs::palette::{Choice, Idle, Palette};
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::dialogs::sheet::SheetKind;
use crate::dialogs::viewer::Viewer;
use crate::focus::{Holder, keyboard, scope};
use crate::layout::Pane;
use crate::msg::EditTicket;
use crate::op::Op;
use crate::panes::prompt::{Cleared, Escaped};
use crate::panes::welcome;
use crate::state::State;
use crate::view::status;
use benchdog_keys::Action;
use benchdog_keys::action::{ApprovalAction, EditorAction, FindAction, GlobalAction, PromptAction, TextAction};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, TrustScope, TurnState};

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
pub(super) fn act(state: &mut State, action: GlobalAction, ops: &mut Vec<Op>) {
    // Determine the scope first, because opening the help may close parts of the screen.
    let here = scope(state);
    let now = status::what_matters(state);
    if state.screen.dialog.is_none() {
        state.screen.beneath = None;
    }
    let at_hand = (action == GlobalAction::Reveal)
        .then(|| lists::at_hand(state))
        .flatten();
    let (meant, worktree) = (switchboard::meant(state), worktrees::under_bar(state));
    let stored = switchboard::stored_under_bar(state);
    let renamed = naming::target(state);
    if let Way::Done = make_way(state, action) {
        return;
    }
    match action {
        GlobalAction::Close if voice::discard(state, ops) => {}
        GlobalAction::Close => close_or_interrupt(state, ops),
        GlobalAction::Clear => clear(state, ops),
        GlobalAction::Palette => {
            let first = first_in_palette(state, &now);
            let palette = Palette::new(&state.keymap, scope(state), first, idle_now(state));
            state.screen.dialog = Some(Dialog::Palette(palette));
        }
        GlobalAction::Help => state.screen.dialog = Some(Dialog::Help(Help::new(&state.keymap, here, &now))),
        GlobalAction::EditPrompt => edit_prompt(state, ops),
        GlobalAction::SearchPrompts => search_prompts(state),
        GlobalAction::NextPane => match welcome::next_example(state) {
            Some(example) => draft::replace(state, example, ops),
            None => panes::next(state),
        },
        GlobalAction::PaneFiles => to_pane(state, Pane::Files),
        GlobalAction::PaneConversation => to_pane(state, Pane::Conversation),
        GlobalAction::PanePrompt => to_pane(state, Pane::Prompt),
        GlobalAction::PaneChanges => to_pane(state, Pane::Changes),
        GlobalAction::PaneTodo => to_pane(state, Pane::Todo),
        GlobalAction::PaneContext => to_pane(state, Pane::Context),
        GlobalAction::ToggleFiles => panes::toggle_files(state),
        GlobalAction::ToggleSide => panes::toggle_side(state),
        GlobalAction::Reveal => lists::reveal(state, at_hand, ops),
        GlobalAction::Sessions => switchboard::open(state, ops),
        GlobalAction::NewSession => ops.push(Op::Send(Command::NewSession)),
        GlobalAction::NewBeside => ops.push(Op::Send(Command::OpenBeside { session: None })),
        GlobalAction::NextSeat => seats::next(state, ops),
        GlobalAction::CloseSeat => {
            match (worktree, meant, stored) {
                (Some(worktree), ..) => worktrees::remove(state, worktree, ops),
                (None, Some(seat), _) => seats::close(state, seat, ops),
                (None, None, Some(wanted)) => ops.push(Op::Send(Command::Archive(wanted))),
                (None, None, None) => state.say(word(Word::SeatNotOpen), false),
            }
            beneath::list_comes_back(state);
        }
        GlobalAction::RenameSession => naming::line(state, renamed),
        GlobalAction::NewWorktree => worktrees::open("", ops),
        GlobalAction::Worktrees => pick(state, PickerKind::Worktrees, Command::ListWorktrees, ops),
        // If the next agent is read-only, pending requests would be denied before the user has seen them.
        GlobalAction::NextAgent if state.screen.approvals.asks() => state.offer(word(Word::AgentWaits), true),
        GlobalAction::NextAgent => ops.push(Op::Send(Command::NextAgent)),
        GlobalAction::Agents => pick(state, PickerKind::Agents, Command::ListAgents, ops),
        GlobalAction::Models => pick_model(state, ops),
        GlobalAction::Themes => themes::list(state, ops),
        GlobalAction::Jobs => jobs::open(state),
        GlobalAction::Log => show_log(state, ops),
        GlobalAction::Thinking => session::pick_thinking(state),
        GlobalAction::Temperature => session::write_temperature(state, ops),
        GlobalAction::Status => session::sheet(state, SheetKind::Status, ops),
        GlobalAction::Doctor => session::sheet(state, SheetKind::Health, ops),
        GlobalAction::Cost => session::sheet(state, SheetKind::Cost, ops),
        GlobalAction::Retry => ops.push(Op::Send(Command::Retry)),
        GlobalAction::Undo => undo::undo(state, None, ops),
        GlobalAction::Redo => drop(undo::propose(state, Command::Redo, ops)),
        GlobalAction::Rewind => pick(state, PickerKind::RewindPoints, Command::ListRewindPoints, ops),
        GlobalAction::Voice => voice::toggle(state, ops),
        GlobalAction::Find => find(state),
        GlobalAction::Transcript => ops.push(Op::OpenEditor {
            seat: state.screen.seat,
            ticket: EditTicket::Transcript,
            name: "conversation.md".to_owned(),
            text: state.screen.conversation.transcript(),
            line: None,
        }),
        GlobalAction::Follow => state.screen.conversation.follow(),
        GlobalAction::Approvals => request::enter(state),
        GlobalAction::OnceNow => request::chord(state, ApprovalAction::Once, ops),
        GlobalAction::DenyNow => request::chord(state, ApprovalAction::Deny, ops),
        GlobalAction::Permissions => pick(state, PickerKind::Permissions, Command::ListPermissions, ops),
        GlobalAction::PullModel => {
            if state.screen.pull.as_ref().is_none_or(|card| !card.is_running()) {
                ops.push(Op::Send(Command::PullModel));
            }
        }
        GlobalAction::StartService => {
            state.screen.service = None;
            ops.push(Op::Send(Command::StartService));
        }
        GlobalAction::Trust => trust(state, true, TrustScope::Folder, ops),
        GlobalAction::Distrust => trust(state, false, TrustScope::Folder, ops),
        GlobalAction::ToggleMouse => toggle_mouse(state, ops),
        GlobalAction::Detach if state.terminal.can_detach => ops.push(Op::Detach),
        GlobalAction::Detach => state.say(word(Word::CannotDetach), true),
        GlobalAction::Suspend => ops.push(Op::Suspend),
        GlobalAction::Quit => leave::leave(state, ops),
    }
}

fn first_in_palette(state: &State, now: &[Action]) -> Vec<Choice> {
    let goes_on = |action: &&Action| {
        matches!(
            action,
            Action::Global(GlobalAction::Approvals) | Action::Prompt(PromptAction::Steer)
        )
    };
    let now = now.iter().filter(goes_on).copied().map(Choice::Action);
    now.chain(state.lately.iter().copied()).collect()
}

fn idle_now(state: &State) -> Vec<Idle> {
    let mut idle = Vec::new();
    if request::none_waits(state) {
        let deciding = [GlobalAction::Approvals, GlobalAction::OnceNow, GlobalAction::DenyNow];
        idle.extend(deciding.map(|action| (Action::Global(action), word(Word::NothingWaits))));
    }
    if state.screen.prompt.queued.is_empty() {
        let unqueue = Action::Prompt(PromptAction::Unqueue);
        idle.push((unqueue, word(Word::NothingQueued)));
    }
    if !state.terminal.can_detach {
        idle.push((Action::Global(GlobalAction::Detach), word(Word::EndsWithTerminal)));
    }
    idle
}

fn find(state: &mut State) {
    match keyboard(state) {
        Holder::Approval => match request::diff(state) {
            Some(view) => view.find_open(),
            None => panes::find(state),
        },
        Holder::Pane(Pane::Changes) => match &mut state.screen.changes.open {
            Some(open) => open.view.find_open(),
            None => panes::find(state),
        },
        Holder::Question | Holder::Dialog | Holder::Find | Holder::Filter | Holder::Pane(_) => panes::find(state),
    }
}

enum Way {
    Clear,
    Done,
}

fn make_way(state: &mut State, action: GlobalAction) -> Way {
    let holder = keyboard(state);
    if !matches!(holder, Holder::Dialog | Holder::Find | Holder::Filter) {
        return Way::Clear;
    }
    let is_help = matches!(state.screen.dialog, Some(Dialog::Help(_)));
    let is_log = matches!(&state.screen.dialog, Some(Dialog::Viewer(viewer)) if viewer.is_log());
    match action {
        // These actions leave the dialog open. `Alt+Y` and `Alt+N` must not decide a request under a dialog.
        GlobalAction::OnceNow
        | GlobalAction::DenyNow
        | GlobalAction::ToggleMouse
        | GlobalAction::Detach
        | GlobalAction::Suspend
        | GlobalAction::Quit => return Way::Clear,
        _ if holder == Holder::Find => dialogs::find(state, FindAction::Close),
        _ if holder == Holder::Filter => state.screen.files.filter_close(),
        GlobalAction::Close => beneath::leave(state),
        GlobalAction::Help if is_help => beneath::leave(state),
        GlobalAction::Help | GlobalAction::CloseSeat | GlobalAction::RenameSession => {
            state.screen.beneath = state.screen.dialog.take();
        }
        _ => state.screen.dialog = None,
    }
    match action {
        GlobalAction::Close | GlobalAction::Clear => Way::Done,
        GlobalAction::Help if is_help => Way::Done,
        GlobalAction::Log if is_log => Way::Done,
        _ => Way::Clear,
    }
}

/// Handles Esc: closes the topmost part, or else stops the turn. Without a turn, two presses clear the prompt.
fn close_or_interrupt(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.approvals.has_focus() {
        request::leave_by_key(state);
    } else if state.screen.focus == Pane::Prompt
        && (state.screen.prompt.stops_writing() || draft::give_back(state, ops))
    {
    } else if state.screen.conversation.find.is_some() {
        panes::find_close(state);
    } else if panes::close_change(state) {
    } else if state.screen.over.take().is_some() {
        state.screen.focus = Pane::Prompt;
    } else if state.screen.turn.state == TurnState::Compacting && !state.screen.turn.stopping {
        ops.push(Op::Send(Command::SkipSummary));
    } else if state.screen.turn.can_be_stopped() {
        interrupt(state, ops);
    } else if std::mem::take(&mut state.screen.context.awaited) {
        ops.push(Op::Send(Command::DropCompaction));
    } else if state.screen.focus == Pane::Prompt {
        escape_prompt(state, ops);
    }
}

/// Handles Esc in the prompt. A second press clears the text, or lists rewind points if the prompt is empty.
fn escape_prompt(state: &mut State, ops: &mut Vec<Op>) {
    match state.screen.prompt.escape(state.now) {
        Escaped::ClearedText => say_cleared(state),
        Escaped::EmptyTwice => act(state, GlobalAction::Rewind, ops),
        Escaped::Empty if !state.screen.session.title.is_empty() => {
            let key = state.keymap.hint(Action::Global(GlobalAction::Close));
            state.offer(lang::message::toast_rewind(&key), false);
        }
        Escaped::Empty | Escaped::Text => {}
    }
}

/// Handles Ctrl+C. Clears or leaves the text in a request. Without such a text, stops the turn. Without a turn, clears
/// the prompt. If the prompt is empty, the next press exits.
fn clear(state: &mut State, ops: &mut Vec<Op>) {
    if request::clears(state) {
        return;
    }
    if request::edits(state) {
        return review::editor(state, EditorAction::Back, ops);
    }
    if state.screen.turn.can_be_stopped() && !state.screen.turn.stopping {
        return interrupt(state, ops);
    }
    match state.screen.prompt.clear(state.now) {
        Cleared::Text => say_cleared(state),
        Cleared::OnceMore => {
            let again = lang::message::toast_once_more(&state.keymap.hint(Action::Global(GlobalAction::Clear)));
            state.offer(again.trim_start(), false);
        }
        Cleared::Leave => leave::leave(state, ops),
    }
}

fn say_cleared(state: &mut State) {
    let ways = [Action::Prompt(PromptAction::Up), Action::Text(TextAction::Undo)];
    let mut ways = ways.map(|action| state.keymap.hint(action)).to_vec();
    ways.retain(|way| !way.is_empty());
    state.screen.prompt.changed(state.now);
    state.offer(lang::cleared(&lang::either(&ways)), false);
}

fn interrupt(state: &mut State, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::Interrupt));
    // A turn that has not started yet is stopped at once, so there is nothing to wait for.
    state.screen.turn.stopping = state.screen.turn.busy();
    state.screen.turn.awaited.clear();
}

fn edit_prompt(state: &State, ops: &mut Vec<Op>) {
    ops.push(Op::OpenEditor {
        seat: state.screen.seat,
        ticket: EditTicket::Prompt,
        name: "prompt.md".to_owned(),
        text: state.screen.prompt.buffer.expanded(),
        line: None,
    });
}

pub(super) fn trust(state: &mut State, trusted: bool, scope: TrustScope, ops: &mut Vec<Op>) {
    // If the user trusts the project, the card stays until the engine confirms. The project's files may contain errors.
    if !trusted {
        state.screen.trust = None;
    }
    ops.push(Op::Send(Command::Trust { trusted, scope }));
}

fn toggle_mouse(state: &mut State, ops: &mut Vec<Op>) {
    state.mouse = !state.mouse;
    let is = if state.mouse { Word::MouseIsOn } else { Word::MouseIsOff };
    state.say(word(is), false);
    ops.push(Op::Mouse { capture: state.mouse });
}

/// Opens the list of models of the configured servers, or else of servers found on this machine.
fn pick_model(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.session.model.is_none() && state.screen.first_start.is_some() {
        return setup::open(state);
    }
    pick(state, PickerKind::Models, Command::ListModels, ops);
}

fn search_prompts(state: &mut State) {
    let mut picker = Picker::new(PickerKind::Prompts);
    let item = |text: String| PickerItem {
        text: text.lines().collect::<Vec<_>>().join(" "),
        detail: String::new(),
        current: false,
        value: PickerValue::Prompt(text),
    };
    picker.fill(
        state.screen.prompt.earlier().into_iter().map(item).collect(),
        String::new(),
    );
    state.screen.dialog = Some(Dialog::Picker(picker));
}

pub(super) fn show_log(state: &mut State, ops: &mut Vec<Op>) {
    state.screen.dialog = Some(Dialog::Viewer(Viewer::of_log(word(Word::LogTitle).to_owned())));
    ops.push(Op::ReadLog);
}
