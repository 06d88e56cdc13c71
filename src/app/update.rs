//! Handles messages: passes each message to its handler, and then does the work that is common to all of them.

mod archive;
mod arrange;
mod background;
mod beneath;
mod clicks;
mod commit;
mod dialogs;
mod drag;
mod events;
mod global;
mod jobs;
mod keys;
mod leave;
mod lists;
mod loops;
mod marking;
mod mouse;
mod naming;
mod open_at;
mod outside;
mod panes;
mod perform;
mod prompt;
mod request;
mod review;
mod rewind;
mod seats;
mod server_tools;
mod session;
mod settings;
mod setup;
mod stroke;
mod switchboard;
mod text;
mod themes;
mod title;
mod typing;
mod undo;
mod voice;
mod watch;
mod wizard;
mod worktrees;

use std::sync::Arc;

use super::dialogs::Dialog;
use super::msg::{CopiedTo, MouseKind, Msg, OpResult};
use super::op::Op;
use super::panes::files::ROOT;
use super::picture::Old;
use super::screen::Lasts;
use super::state::State;
pub use arrange::{arrange, arrange_prompt};
use benchdog_base::clock::Time;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub fn start() -> Vec<Op> {
    vec![
        Op::Send(Command::ListFolder { path: ROOT.to_owned() }),
        Op::Send(Command::LoadHistory),
        Op::Send(Command::LoadDiffLayouts),
    ]
}

/// Opens the dialogs of `--setup`. The program exits after the last dialog.
pub fn begin_setup(state: &mut State) {
    wizard::open(state, true);
}

/// Applies a message to the state. Returns operations for the driver. `arrange` must be called before the next frame.
pub fn update(state: &mut State, msg: Msg) -> Vec<Op> {
    let mut ops = Vec::new();
    if let Some(at) = time_of(&msg) {
        state.now = state.now.max(at);
    }
    let may_write = match msg {
        Msg::Key { .. } | Msg::Paste { .. } | Msg::Mouse { .. } | Msg::Done(_) => true,
        // An event may remove a request for which the user is writing a text. The text must then be saved.
        Msg::Agent { .. } => state.screen.approvals.has_texts(),
        Msg::Tick { .. } | Msg::Resize { .. } | Msg::Focus(_) | Msg::Terminal(_) => false,
    };
    match msg {
        Msg::Key { key, .. } => {
            let (old, alone) = (state.take_old(), state.shows_letters_in_prompt_alone());
            state.seen();
            state.pointer.last_click = None;
            marking::end(state);
            keys::key(state, key.normal(), &mut ops);
            // A key press may change the whole screen. The exception is a character that is only typed into the prompt.
            let letter = state.wrote && alone && state.shows_letters_in_prompt_alone();
            state.dirty |= old == Old::All || !letter;
        }
        Msg::Paste { text, .. } => {
            state.stroke = None;
            marking::end(state);
            typing::paste(state, &text, &mut ops);
        }
        Msg::Mouse { kind, x, y, .. } => {
            if kind == MouseKind::Press {
                state.seen();
            }
            mouse::mouse(state, kind, x, y, &mut ops);
        }
        Msg::Resize { width, height } => {
            marking::end(state);
            (state.width, state.height) = (width, height);
            state.dirty = true;
        }
        Msg::Focus(focused) => state.window_focused = focused,
        Msg::Terminal(facts) => {
            state.dirty |= state.terminal != facts;
            state.terminal = facts;
        }
        Msg::Agent { seat, event, at } if watch::is_of(state, seat) => watch::hear(state, event, at),
        Msg::Agent { seat, event, at } if seat != state.screen.seat => {
            background::tell(state, seat, event, at, &mut ops)
        }
        Msg::Agent { event, at, .. } => {
            state.dirty = true;
            wizard::hear(state, &event, &mut ops);
            events::event(state, event, at, &mut ops);
        }
        Msg::Tick { at } => tick(state, at, &mut ops),
        Msg::Done(result) => done(state, result, &mut ops),
    }
    wizard::follow(state, &mut ops);
    request::release(state);
    watch::end_elsewhere(state, &mut ops);
    if let Some(upto) = state.screen.conversation.take_earlier_wanted() {
        ops.extend(watch::earlier(state, Command::LoadEarlier { upto }));
    }
    ops.extend(jobs::asks(state));
    ops.extend(archive::search(state));
    panes::count(state, &mut ops);
    if may_write {
        state.screen.approvals.touched(state.now);
    }
    prompt::draft::keep_homeless(state, &mut ops);
    if ops.contains(&Op::Quit)
        && let Some(text) = state.screen.approvals.texts_due(Time(i64::MAX))
    {
        ops.insert(0, Op::Send(Command::SaveReviewTexts { text }));
    }
    for op in &ops {
        if let Op::Copy { text, .. } = op {
            state.copied = Arc::clone(text);
        }
    }
    themes::recolour(state, &mut ops);
    state.dirty |= state.screen.conversation.renew_find(state.now);
    wake(state, &mut ops);
    ops
}

fn time_of(msg: &Msg) -> Option<Time> {
    match msg {
        Msg::Key { at, .. }
        | Msg::Paste { at, .. }
        | Msg::Mouse { at, .. }
        | Msg::Agent { at, .. }
        | Msg::Tick { at } => Some(*at),
        Msg::Resize { .. } | Msg::Focus(_) | Msg::Terminal(_) | Msg::Done(_) => None,
    }
}

fn tick(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    if state.woken.is_some_and(|woken| woken <= at) {
        state.woken = None;
    }
    if let Some(text) = state.screen.prompt.due(at) {
        ops.push(Op::Send(Command::SaveDraft { text }));
    }
    if let Some(text) = state.screen.approvals.texts_due(at) {
        ops.push(Op::Send(Command::SaveReviewTexts { text }));
    }
    state.forget_said();
    if state.screen.turn.busy() {
        // Running calls show the elapsed time.
        state.screen.conversation.tick(at);
        if let Some(watched) = &mut state.screen.watched {
            watched.parents.tick(at);
        }
        state.dirty = true;
    }
    state.dirty |= state.screen.context.awaited || !state.screen.turn.awaited.is_empty();
    if let Some(Dialog::Viewer(viewer)) = &mut state.screen.dialog {
        ops.extend(viewer.due(at));
    }
    state.dirty |= jobs::shows_time(state);
    loops::due(state, at, ops);
    background::due(state, at, ops);
    keys::apply_early(state, ops);
    state.dirty |= state
        .screen
        .approvals
        .wakes_at()
        .into_iter()
        .flatten()
        .any(|wakes| wakes <= at);
}

fn wake(state: &mut State, ops: &mut Vec<Op>) {
    let second = |from: Time| Time(state.now.0 + 1_000 - (state.now.0 - from.0).rem_euclid(1_000));
    let elapsed = state.screen.turn.started.filter(|_| state.screen.turn.busy());
    let elapsed = elapsed
        .or(state.screen.context.awaited.then_some(state.screen.context.since))
        .or(state.screen.turn.awaited.first().map(|(_, since)| *since))
        .map(second);
    let approvals = state.screen.approvals.wakes_at().into_iter().flatten();
    let approvals = approvals.filter(|at| *at > state.now).min();
    let toast = state
        .screen
        .toast
        .as_ref()
        .filter(|toast| toast.lasts != Lasts::UntilKey);
    let toast = toast.map(|toast| toast.until);
    let draft = [state.screen.prompt.save_at(), state.screen.approvals.save_at()]
        .into_iter()
        .flatten()
        .min();
    let log = match &state.screen.dialog {
        Some(Dialog::Viewer(viewer)) => viewer.wakes_at(),
        _ => None,
    };
    let jobs = jobs::shows_time(state).then(|| second(Time(0)));
    let parked = state.parked.values().filter_map(|parked| parked.loops.next());
    let loops = parked.chain(state.screen.loops.next()).min();
    let find = state.screen.conversation.find_wakes_at();
    let next = [elapsed, approvals, toast, draft, log, jobs, loops, find]
        .into_iter()
        .flatten()
        .min();
    if let Some(next) = next.filter(|next| state.woken.is_none_or(|woken| *next < woken)) {
        state.woken = Some(next);
        ops.push(Op::WakeAt(next));
    }
}

fn log(state: &mut State, text: Result<Option<String>, String>) {
    let Some(Dialog::Viewer(viewer)) = &mut state.screen.dialog else {
        return;
    };
    let text = text.and_then(|text| text.ok_or_else(|| word(Word::NothingLogged).to_owned()));
    let text = text.map(Arc::from);
    state.dirty |= viewer.text.as_ref() != Some(&text);
    viewer.read_again(text, state.now);
}

fn done(state: &mut State, result: OpResult, ops: &mut Vec<Op>) {
    state.dirty |= !matches!(result, OpResult::Log(_));
    match result {
        OpResult::Copied { what, to: Ok(to) } => {
            let to = word(match to {
                CopiedTo::Clipboard => Word::CopiedToClipboard,
                CopiedTo::Tmux => Word::CopiedToTmux,
                CopiedTo::Terminal => Word::CopiedToTerminal,
            });
            state.say(lang::message::toast_copied(to, &what), false);
        }
        OpResult::Copied { what, to: Err(why) } => state.say(lang::message::toast_not_copied(&what, &why), true),
        OpResult::Image { seat, taken } => outside::image(state, seat, taken, ops),
        OpResult::Log(text) => log(state, text),
        OpResult::FileLeft(Err(why)) => state.say(lang::message::toast_editor(&why), true),
        // The folder watcher will report changes of the file.
        OpResult::FileLeft(Ok(())) => {}
        OpResult::Themes { offers, few } => themes::listed(state, offers, few),
        OpResult::Edited { seat, ticket, text } => outside::edited(state, (seat, ticket), text, ops),
    }
}

#[cfg(test)]
mod tests;
