//! Changes of the prompt's text, and their effects.

use crate::commands::SlashRow;
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::prompt::Lookup;
use crate::panes::prompt::completion::LIMIT;
use crate::panes::prompt::vim::Did;
use crate::state::State;
use crate::update::panes;
use benchdog_domain::skill::SkillOffer;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang as lang;
use benchdog_protocol::Command;

pub(in crate::update) fn type_char(state: &mut State, c: char, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.screen.prompt.writes();
    state.screen.prompt.buffer.insert(c.encode_utf8(&mut [0; 4]));
    state.wrote = true;
    changed(state, ops);
}

pub(in crate::update) fn command(state: &mut State, c: char, ops: &mut Vec<Op>) {
    match state.screen.prompt.command(c) {
        Did::Nothing | Did::Moved => {}
        Did::Changed => changed(state, ops),
        Did::Up => state.screen.prompt.up(),
        Did::Down => state.screen.prompt.down(),
    }
    // Close the completion, because the completion does not belong to the text that was restored from the history.
    state.screen.prompt.completion = None;
}

pub(in crate::update) fn paste(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.screen.prompt.paste(text);
    changed(state, ops);
}

/// Inserts a command before the text in the prompt, so that the text becomes the argument.
pub(in crate::update) fn begin(state: &mut State, row: &SlashRow, ops: &mut Vec<Op>) {
    take_keyboard(state);
    let written = state.screen.prompt.buffer.expanded();
    let is_command = written.trim_start().starts_with(['/', '!']);
    if is_command {
        // The arguments of another command are not valid for the inserted command.
        state.screen.prompt.clear_text();
    }
    state.screen.prompt.writes();
    state.screen.prompt.buffer.seal();
    state.screen.prompt.buffer.replace(0..0, &format!("/{} ", row.name));
    state.screen.prompt.buffer.seal();
    changed(state, ops);
    state.offer(row.told(), false);
}

pub(in crate::update) fn replace(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    take_keyboard(state);
    state.screen.prompt.bring(text);
    changed(state, ops);
}

/// Uses the prompt to edit a todo item. The previous text is restored when the item is sent or cancelled.
pub(in crate::update) fn lend(state: &mut State, line: &str, ops: &mut Vec<Op>) {
    state.screen.approvals.leave();
    state.screen.focus = Pane::Prompt;
    state.screen.prompt.lend(line);
    changed(state, ops);
    state.screen.prompt.completion_close();
}

/// Ends editing a todo item: restores the text and focuses the list. Returns `false` if no item is being edited.
pub(in crate::update) fn give_back(state: &mut State, ops: &mut Vec<Op>) -> bool {
    if !state.screen.prompt.is_lent() || !state.screen.prompt.give_back() {
        return false;
    }
    changed(state, ops);
    state.screen.prompt.completion_close();
    panes::to_pane(state, Pane::Todo);
    true
}

pub(in crate::update) fn comes_back(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.prompt.give_back() {
        changed(state, ops);
        state.screen.prompt.completion_close();
    }
}

pub(in crate::update) fn bring_back(state: &mut State, is_it: impl Fn(&str) -> bool, ops: &mut Vec<Op>) {
    let sent = state.screen.prompt.earlier().into_iter().next();
    if let Some(sent) = sent.filter(|sent| state.screen.prompt.buffer.is_empty() && is_it(sent)) {
        state.screen.prompt.bring(&sent);
        changed(state, ops);
        state.screen.prompt.completion_close();
    }
}

/// Moves the focus to the prompt, even from a pending request. Text in the prompt never decides.
pub(super) fn take_keyboard(state: &mut State) {
    state.screen.approvals.leave();
    if state.screen.focus != Pane::Prompt {
        // If a pane covers the conversation, the user would not see the answer.
        state.screen.over = None;
    }
    state.screen.focus = Pane::Prompt;
}

pub(in crate::update) fn changed(state: &mut State, ops: &mut Vec<Op>) {
    let now = state.now;
    state.screen.prompt.changed(now);
    tell_typing(state, ops);
    refresh_completion(state, ops);
}

/// Tells the engine about the first key press in a session, unless the user must still answer the question about trust.
fn tell_typing(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.trust.is_none() && !std::mem::replace(&mut state.screen.is_typing_reported, true) {
        ops.push(Op::Send(Command::Typing));
    }
}

pub(in crate::update) fn refresh_completion(state: &mut State, ops: &mut Vec<Op>) {
    let lookup = state.screen.prompt.complete();
    look_up(lookup, ops);
}

pub(in crate::update) fn learn_skills(state: &mut State, offers: &[SkillOffer], ops: &mut Vec<Op>) {
    let lookup = state.screen.prompt.learn_skills(offers);
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

pub(in crate::update) fn keep_homeless(state: &mut State, ops: &mut Vec<Op>) {
    for text in state.screen.approvals.take_homeless() {
        keep_as_earlier_prompt(state, &text, ops);
    }
}

pub(in crate::update) fn keep_as_earlier_prompt(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    let text = text.trim().to_owned();
    if !text.is_empty() {
        state.screen.prompt.remember(&text);
        ops.push(Op::Send(Command::RememberPrompt { text }));
        let key = state.keymap.hint(Action::Global(GlobalAction::SearchPrompts));
        state.say(lang::is_earlier_prompt(&key), true);
    }
}
