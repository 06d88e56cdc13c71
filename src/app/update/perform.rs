//! What each action of the table does, outside of the approval dialog.

use super::{approving, keys, send};
use crate::app::dialogs::Dialog;
use crate::app::dialogs::help::Help;
use crate::app::dialogs::palette::Palette;
use crate::app::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::app::dialogs::viewer::Viewer;
use crate::app::focus::scope;
use crate::app::layout::{Pane, has_column};
use crate::app::msg::EditTicket;
use crate::app::op::Op;
use crate::app::panes::files::FileRowKind;
use crate::app::panes::prompt::Cleared;
use crate::app::panes::prompt::buffer::Move;
use crate::app::panes::prompt::completion::mention;
use crate::app::state::State;
use crate::base::text::clean;
use crate::keys::{Action, Scope};
use crate::protocol::{Command, Delivery};

/// From the palette an action that would decide a request only moves the keyboard to it.
pub(super) fn from_palette(state: &mut State, chosen: Action, ops: &mut Vec<Op>) {
    let deciding = matches!(chosen.row().scope, Scope::Approval | Scope::Question)
        || matches!(chosen, Action::OnceNow | Action::DenyNow);
    if deciding {
        approving::enter(state);
    } else {
        action(state, chosen, ops);
    }
}

pub(super) fn action(state: &mut State, action: Action, ops: &mut Vec<Op>) {
    if edit_prompt(state, action, ops) || everywhere(state, action, ops) {
        return;
    }
    match action {
        // The file tree has its own meaning of what every list can do.
        Action::Mention => mention_file(state, ops),
        Action::Preview => preview(state, ops),
        Action::TodoStep => {
            if let Some(edit) = state.todo.next_state() {
                ops.push(Op::Send(Command::EditTodo { edit }));
            }
        }
        Action::ToPrompt => {
            if state.changes.open.take().is_none() {
                to_pane(state, Pane::Prompt);
            }
        }
        Action::FindHere => state.conversation.find_open(),
        Action::FindNext => state.conversation.find_step(1),
        Action::FindPrevious => state.conversation.find_step(-1),
        Action::CopyThis => copy(state, ops),
        _ => in_pane(state, action, ops),
    }
}

/// Editing and sending. `false`: the action is none of these.
fn edit_prompt(state: &mut State, action: Action, ops: &mut Vec<Op>) -> bool {
    let prompt = &mut state.prompt;
    match action {
        Action::Left => prompt.buffer.go(Move::Left),
        Action::Right => prompt.buffer.go(Move::Right),
        Action::WordLeft => prompt.buffer.go(Move::WordLeft),
        Action::WordRight => prompt.buffer.go(Move::WordRight),
        Action::LineStart => prompt.buffer.go(Move::LineStart),
        Action::LineEnd => prompt.buffer.go(Move::LineEnd),
        Action::TextStart => prompt.buffer.go(Move::TextStart),
        Action::TextEnd => prompt.buffer.go(Move::TextEnd),
        Action::Up => return history(state, -1, ops),
        Action::Down => return history(state, 1, ops),
        Action::CompletionNext => prompt.completion_step(1),
        Action::CompletionPrevious => prompt.completion_step(-1),
        Action::CompletionClose => prompt.completion_close(),
        Action::Send => send::enter(state, ops),
        Action::Steer => send::send(state, Delivery::Steer, ops),
        Action::Unqueue => ops.push(Op::Send(Command::Unqueue)),
        _ => return change_prompt(state, action, ops),
    }
    if state.prompt.completion.is_some() && !matches!(action, Action::CompletionNext | Action::CompletionPrevious) {
        keys::looked(state, ops);
    }
    true
}

/// Up at the first row of an empty prompt takes a queued prompt back; otherwise earlier prompts come.
fn history(state: &mut State, by: isize, ops: &mut Vec<Op>) -> bool {
    if by < 0 && state.prompt.buffer.is_empty() && !state.prompt.queued.is_empty() {
        ops.push(Op::Send(Command::Unqueue));
        return true;
    }
    if by < 0 {
        state.prompt.up();
    } else {
        state.prompt.down();
    }
    state.prompt.completion = None;
    let now = state.now;
    state.prompt.changed(now);
    true
}

fn change_prompt(state: &mut State, action: Action, ops: &mut Vec<Op>) -> bool {
    let prompt = &mut state.prompt;
    match action {
        Action::Newline => prompt.buffer.insert("\n"),
        Action::DeleteLeft => prompt.buffer.delete(Move::Left),
        Action::DeleteRight => prompt.delete_right(),
        Action::DeleteWordLeft => prompt.buffer.delete(Move::WordLeft),
        Action::DeleteLineLeft => prompt.buffer.delete(Move::LineStart),
        Action::DeleteLineRight => prompt.buffer.delete(Move::LineEnd),
        Action::Undo => prompt.buffer.undo(),
        Action::Redo => prompt.buffer.redo(),
        Action::CompletionAccept => {
            if !prompt.completion_accept() {
                return true;
            }
        }
        Action::DeleteOrLeave if prompt.buffer.is_empty() => {
            ops.push(Op::Quit);
            return true;
        }
        Action::DeleteOrLeave => prompt.delete_right(),
        Action::ClearOrLeave => {
            clear(state, ops);
            return true;
        }
        _ => return false,
    }
    keys::changed(state, ops);
    true
}

/// While a turn works, it is stopped first; what is written and the way out come after.
fn clear(state: &mut State, ops: &mut Vec<Op>) {
    if state.turn.busy() && !state.turn.stopping {
        return interrupt(state, ops);
    }
    let now = state.now;
    match state.prompt.clear(now) {
        Cleared::Text => {
            state.prompt.changed(now);
            state.say("cleared: Up or Ctrl+_ brings it back", false);
        }
        Cleared::OnceMore => state.say("Ctrl+C once more leaves", false),
        Cleared::Leave => ops.push(Op::Quit),
    }
}

/// What works wherever the keyboard is. `false`: the action is none of these.
fn everywhere(state: &mut State, action: Action, ops: &mut Vec<Op>) -> bool {
    match action {
        Action::CloseOrInterrupt => close_or_interrupt(state, ops),
        Action::Palette => state.dialog = Some(Dialog::Palette(Palette::new(&state.keymap, scope(state)))),
        Action::Help => state.dialog = Some(Dialog::Help(Help::new(&state.keymap, scope(state)))),
        Action::NextPane => next_pane(state),
        Action::Mode => state.say(format!("{} is the only mode here", state.session.agent.0), false),
        Action::PaneFiles => to_pane(state, Pane::Files),
        Action::PaneConversation => to_pane(state, Pane::Conversation),
        Action::PanePrompt => to_pane(state, Pane::Prompt),
        Action::PaneChanges => to_pane(state, Pane::Changes),
        Action::PaneTodo => to_pane(state, Pane::Todo),
        Action::PaneContext => to_pane(state, Pane::Context),
        Action::ToggleFiles => toggle(state, Pane::Files),
        Action::ToggleSide => toggle(state, Pane::Todo),
        Action::Sessions => pick(state, PickerKind::Sessions, Command::ListSessions, ops),
        Action::Models => pick_model(state, ops),
        Action::SearchPrompts => search_prompts(state),
        Action::NewSession => ops.push(Op::Send(Command::NewSession)),
        Action::Find => state.conversation.find_open(),
        Action::Follow => state.conversation.follow(),
        Action::ScrollUp => state.conversation.page(-1),
        Action::ScrollDown => state.conversation.page(1),
        Action::Suspend => ops.push(Op::Suspend),
        Action::Quit => ops.push(Op::Quit),
        Action::MouseToggle => {
            state.mouse = !state.mouse;
            ops.push(Op::Mouse { capture: state.mouse });
        }
        Action::Trust => trust(state, true, ops),
        Action::Distrust => trust(state, false, ops),
        Action::Review => approving::enter(state),
        Action::OnceNow | Action::DenyNow => approving::chord(state, action, ops),
        Action::EditPrompt => ops.push(Op::OpenEditor {
            ticket: EditTicket::Prompt,
            name: "prompt.md".to_owned(),
            text: state.prompt.buffer.expanded(),
        }),
        _ => return false,
    }
    true
}

/// Esc: what lies on top goes first; with nothing open it stops the turn.
fn close_or_interrupt(state: &mut State, ops: &mut Vec<Op>) {
    if state.conversation.find.is_some() {
        state.conversation.find_close();
    } else if state.changes.open.take().is_some() {
    } else if state.shown.over.take().is_some() {
        state.focus = Pane::Prompt;
    } else if state.turn.busy() {
        interrupt(state, ops);
    }
}

fn interrupt(state: &mut State, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::Interrupt));
    state.turn.stopping = true;
}

fn trust(state: &mut State, trusted: bool, ops: &mut Vec<Op>) {
    if state.trust.take().is_some() {
        ops.push(Op::Send(Command::Trust { trusted }));
    } else {
        state.say("this folder brings no rules that wait for an answer", false);
    }
}

fn pick(state: &mut State, kind: PickerKind, ask: Command, ops: &mut Vec<Op>) {
    state.dialog = Some(Dialog::Picker(Picker::new(kind)));
    ops.push(Op::Send(ask));
}

/// The models of the servers that are configured, or while none is, of those that were found.
fn pick_model(state: &mut State, ops: &mut Vec<Op>) {
    let offers = state.first_start.as_ref().map(|card| card.offers()).unwrap_or_default();
    if offers.is_empty() {
        return pick(state, PickerKind::Models, Command::ListModels, ops);
    }
    let item = |(base_url, model): (String, String)| PickerItem {
        text: clean(&model).into_owned(),
        detail: clean(&base_url).into_owned(),
        current: false,
        value: PickerValue::Server { base_url, model },
    };
    let mut picker = Picker::new(PickerKind::Models);
    picker.fill(offers.into_iter().map(item).collect(), String::new());
    state.dialog = Some(Dialog::Picker(picker));
}

fn search_prompts(state: &mut State) {
    let mut picker = Picker::new(PickerKind::Prompts);
    let item = |text: String| PickerItem {
        text: text.lines().collect::<Vec<_>>().join(" "),
        detail: String::new(),
        current: false,
        value: PickerValue::Prompt(text),
    };
    picker.fill(state.prompt.earlier().into_iter().map(item).collect(), String::new());
    state.dialog = Some(Dialog::Picker(picker));
}

// --- panes ---

/// Moves the keyboard to a pane; one without a column of its own comes over the conversation.
pub(super) fn to_pane(state: &mut State, pane: Pane) {
    state.focus = pane;
    state.shown.over = None;
    let shown = match pane {
        Pane::Files => state.shown.files,
        Pane::Changes | Pane::Todo | Pane::Context => state.shown.side,
        Pane::Conversation | Pane::Prompt => true,
    };
    if !(shown && has_column(pane, state.width)) {
        state.shown.over = Some(pane);
    }
    if pane != Pane::Changes {
        state.changes.open = None;
    }
    if pane != Pane::Conversation {
        state.conversation.selected = None;
    }
}

fn next_pane(state: &mut State) {
    let shown: Vec<Pane> = Pane::ALL
        .into_iter()
        .filter(|pane| state.layout.of(*pane).is_some())
        .collect();
    let at = shown
        .iter()
        .position(|pane| *pane == state.focus)
        .map_or(0, |at| at + 1);
    let over = state.shown.over;
    if let Some(next) = shown.get(at % shown.len().max(1)).copied() {
        to_pane(state, next);
        if next == Pane::Prompt {
            // The pane over the conversation stays while one writes.
            state.shown.over = over;
        }
    }
}

fn toggle(state: &mut State, pane: Pane) {
    if !has_column(pane, state.width) {
        if state.shown.over.take() == Some(pane) {
            state.focus = Pane::Prompt;
        } else {
            to_pane(state, pane);
        }
        return;
    }
    let shown = match pane {
        Pane::Files => &mut state.shown.files,
        _ => &mut state.shown.side,
    };
    *shown = !*shown;
    let hides = !*shown;
    if hides && state.focus != Pane::Conversation {
        state.focus = Pane::Prompt;
    }
}

fn in_pane(state: &mut State, action: Action, ops: &mut Vec<Op>) {
    if state.focus == Pane::Changes && state.changes.open.is_some() {
        if let Some(open) = state.changes.open.as_mut() {
            approving::move_diff(&mut open.view, action);
        }
        return;
    }
    let page = state
        .layout
        .of(state.focus)
        .map_or(1, |rect| isize::try_from(rect.height).unwrap_or(1).max(1));
    let by = match action {
        Action::RowUp => -1,
        Action::RowDown => 1,
        Action::PageUp => -page,
        Action::PageDown => page,
        Action::ListTop => isize::MIN / 2,
        Action::ListEnd => isize::MAX / 2,
        _ => 0,
    };
    match state.focus {
        Pane::Conversation => in_conversation(state, action),
        Pane::Files => in_files(state, action, by, ops),
        Pane::Changes if action == Action::OpenThis => {
            if !state.changes.rows.is_empty() && !state.changes.open() {
                state.say("only the counts of this change are known here", false);
            }
        }
        Pane::Changes => state.changes.step(by),
        Pane::Todo => state.todo.step(by),
        Pane::Context | Pane::Prompt => {}
    }
}

fn in_conversation(state: &mut State, action: Action) {
    let conversation = &mut state.conversation;
    match action {
        Action::RowUp => conversation.select(-1),
        Action::RowDown => conversation.select(1),
        Action::PageUp => conversation.page(-1),
        Action::PageDown => conversation.page(1),
        Action::ListTop => conversation.jump_top(),
        Action::ListEnd => {
            conversation.selected = None;
            conversation.follow();
        }
        Action::OpenThis | Action::RowLeft | Action::RowRight => conversation.toggle(),
        _ => {}
    }
}

fn in_files(state: &mut State, action: Action, by: isize, ops: &mut Vec<Op>) {
    match action {
        Action::RowLeft => state.files.fold(),
        Action::RowRight => unfold(state, ops),
        _ => state.files.step(by),
    }
}

fn unfold(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(path) = state.files.unfold() {
        ops.push(Op::Send(Command::ListFolder { path }));
    }
}

fn mention_file(state: &mut State, ops: &mut Vec<Op>) {
    let Some(row) = state.files.current().cloned() else {
        return;
    };
    match row.kind {
        FileRowKind::FolderClosed => unfold(state, ops),
        FileRowKind::FolderOpen => state.files.fold(),
        FileRowKind::File => {
            state.prompt.buffer.insert(&format!("{} ", mention(&row.path)));
            to_pane(state, Pane::Prompt);
            keys::changed(state, ops);
        }
    }
}

fn preview(state: &mut State, ops: &mut Vec<Op>) {
    let Some(row) = state.files.current().cloned() else {
        return;
    };
    match row.kind {
        FileRowKind::FolderClosed => unfold(state, ops),
        FileRowKind::FolderOpen => state.files.fold(),
        FileRowKind::File => {
            state.dialog = Some(Dialog::Viewer(Viewer::new(row.path.clone())));
            ops.push(Op::Send(Command::OpenFile { path: row.path }));
        }
    }
}

fn copy(state: &mut State, ops: &mut Vec<Op>) {
    let copied = match state.focus {
        Pane::Conversation | Pane::Prompt => state.conversation.copy().map(|text| (text, "message")),
        Pane::Files => state.files.current().map(|row| (row.path.clone(), "path")),
        Pane::Changes => state.changes.current().map(|row| (row.path.clone(), "path")),
        Pane::Todo => Some((state.todo.items.lines(), "list")),
        Pane::Context => None,
    };
    if let Some((text, what)) = copied {
        ops.push(Op::Copy {
            text,
            what: what.to_owned(),
        });
    }
}
