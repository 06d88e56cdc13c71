//! The text of the prompt as it is written: what follows from every change of it.

use crate::app::commands::SlashRow;
use crate::app::layout::Pane;
use crate::app::op::Op;
use crate::app::panes::prompt::Lookup;
use crate::app::panes::prompt::completion::LIMIT;
use crate::app::panes::prompt::vim::Did;
use crate::app::state::State;
use crate::app::update::panes;
use crate::domain::skill::SkillOffer;
use crate::keys::Action;
use crate::keys::action::GlobalAction;
use crate::lang;
use crate::protocol::Command;

/// Typing goes to the prompt, and the keyboard with it.
pub(in crate::app::update) fn type_char(state: &mut State, c: char, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.prompt.writes();
    state.prompt.buffer.insert(c.encode_utf8(&mut [0; 4]));
    state.wrote = true;
    changed(state, ops);
}

/// A letter that is a command, as in vi.
pub(in crate::app::update) fn command(state: &mut State, c: char, ops: &mut Vec<Op>) {
    match state.prompt.command(c) {
        Did::Nothing | Did::Moved => {}
        Did::Changed => changed(state, ops),
        Did::Up => state.prompt.up(),
        Did::Down => state.prompt.down(),
    }
    // What could be completed is not what was asked for.
    state.prompt.completion = None;
}

pub(in crate::app::update) fn paste(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.prompt.paste(text);
    changed(state, ops);
}

/// A command that wants words behind it: it stands before what was being written, which may be these, and in place of another command.
pub(in crate::app::update) fn begin(state: &mut State, row: &SlashRow, ops: &mut Vec<Op>) {
    take_keyboard(state);
    let written = state.prompt.buffer.expanded();
    let is_command = written.trim_start().starts_with(['/', '!']);
    if is_command {
        // Its words are none of this one.
        state.prompt.clear_text();
    }
    state.prompt.writes();
    state.prompt.buffer.seal();
    state.prompt.buffer.replace(0..0, &format!("/{} ", row.name));
    state.prompt.buffer.seal();
    changed(state, ops);
    state.offer(row.told(), false);
}

/// An earlier prompt, in place of what is there.
pub(in crate::app::update) fn replace(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.prompt.bring(text);
    changed(state, ops);
}

/// A command of the todo list to be gone on with, beside the list. What was being written comes back when it is sent or given up.
pub(in crate::app::update) fn lend(state: &mut State, line: &str, ops: &mut Vec<Op>) {
    state.approvals.leave();
    state.focus = Pane::Prompt;
    state.prompt.lend(line);
    changed(state, ops);
    state.prompt.completion_close();
}

/// Back to the list, and what was being written to the prompt. `false`: nothing was lent, or another prompt is being written.
pub(in crate::app::update) fn give_back(state: &mut State, ops: &mut Vec<Op>) -> bool {
    if !state.prompt.is_lent() || !state.prompt.give_back() {
        return false;
    }
    changed(state, ops);
    state.prompt.completion_close();
    panes::to_pane(state, Pane::Todo);
    true
}

/// Something was sent in place of what was being written.
pub(in crate::app::update) fn comes_back(state: &mut State, ops: &mut Vec<Op>) {
    if state.prompt.give_back() {
        changed(state, ops);
        state.prompt.completion_close();
    }
}

/// What was sent last and came to nothing stands in the prompt again, where nothing else was written since.
pub(in crate::app::update) fn bring_back(state: &mut State, is_it: impl Fn(&str) -> bool, ops: &mut Vec<Op>) {
    let sent = state.prompt.earlier().into_iter().next();
    if let Some(sent) = sent.filter(|sent| state.prompt.buffer.is_empty() && is_it(sent)) {
        state.prompt.bring(&sent);
        changed(state, ops);
        state.prompt.completion_close();
    }
}

/// Takes the keyboard from a request that waits, too: typing never decides.
pub(super) fn take_keyboard(state: &mut State) {
    state.approvals.leave();
    if state.focus != Pane::Prompt {
        // A pane that lay over the conversation goes, as with Esc: the answer would come unseen.
        state.shown.over = None;
    }
    state.focus = Pane::Prompt;
}

/// The prompt's text changed: completion looks at it, and it is to be saved.
pub(in crate::app::update) fn changed(state: &mut State, ops: &mut Vec<Op>) {
    let now = state.now;
    state.prompt.changed(now);
    tell_typing(state, ops);
    refresh_completion(state, ops);
}

/// Says once in a session that a prompt is being typed; while trust is asked for, nothing is begun.
fn tell_typing(state: &mut State, ops: &mut Vec<Op>) {
    if state.trust.is_none() && state.typing_told.replace(state.seat) != Some(state.seat) {
        ops.push(Op::Send(Command::Typing));
    }
}

/// The caret moved or the text changed.
pub(in crate::app::update) fn refresh_completion(state: &mut State, ops: &mut Vec<Op>) {
    let lookup = state.prompt.complete();
    look_up(lookup, ops);
}

/// What `/` completes came, perhaps while a part of it was typed.
pub(in crate::app::update) fn learn_skills(state: &mut State, offers: &[SkillOffer], ops: &mut Vec<Op>) {
    let lookup = state.prompt.learn_skills(offers);
    look_up(lookup, ops);
}

fn look_up(lookup: Option<Lookup>, ops: &mut Vec<Op>) {
    let wanted = match lookup {
        Some(Lookup::Files { query }) => Command::FindFiles { query, limit: LIMIT },
        Some(Lookup::Values(behind)) => Command::FindValues(behind),
        None => return,
    };
    ops.push(Op::Send(wanted));
}

/// Keeps the texts whose request is gone.
pub(in crate::app::update) fn keep_homeless(state: &mut State, ops: &mut Vec<Op>) {
    for text in state.approvals.take_homeless() {
        keep_as_earlier_prompt(state, &text, ops);
    }
}

/// Keeps a text that has no place any more as an earlier prompt.
pub(in crate::app::update) fn keep_as_earlier_prompt(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    let text = text.trim().to_owned();
    if !text.is_empty() {
        state.prompt.remember(&text);
        ops.push(Op::Send(Command::RememberPrompt { text }));
        let key = state.keymap.hint(Action::Global(GlobalAction::SearchPrompts));
        state.say(lang::is_earlier_prompt(&key), true);
    }
}
