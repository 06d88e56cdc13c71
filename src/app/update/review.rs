//! Changes of a proposal before its decision: discarding hunks, commenting, and editing.

use super::request;
use crate::dialogs::approval::{RequestView, Step};
use crate::dialogs::editor::Editor;
use crate::msg::EditTicket;
use crate::op::Op;
use crate::panes::prompt::buffer::Buffer;
use crate::state::State;
use benchdog_keys::action::{CommentAction, EditorAction, ProposalAction};
use benchdog_lang::{Word, word};

pub(super) fn proposal(state: &mut State, action: ProposalAction, ops: &mut Vec<Op>) {
    match action {
        ProposalAction::KeepOrDrop => {
            let Some(view) = request::diff(state) else { return };
            if !view.toggle_hunk() {
                state.offer(word(Word::OnlyWhole), true);
            } else if !view.hunk_is_seen() {
                view.bring_hunk();
            }
        }
        ProposalAction::KeepOrDropLine => {
            if request::diff(state).is_some_and(|view| !view.toggle_line()) {
                state.offer(word(Word::NoLine), true);
            }
        }
        ProposalAction::KeepOrDropFile => {
            if let Some(view) = request::diff(state) {
                view.toggle_file();
            }
        }
        ProposalAction::Edit => edit_here(state),
        ProposalAction::EditOutside => edit_outside(state, ops),
        ProposalAction::Comment => comment_here(state),
    }
}

fn comment_here(state: &mut State) {
    let Some(view) = request::diff(state) else { return };
    let Some(at) = view.commented() else {
        return state.offer(word(Word::NoCommentHere), false);
    };
    let mut buffer = Buffer::default();
    buffer.insert(view.comment_on(at).unwrap_or_default());
    request::begin(state, Step::Comment { at, buffer });
}

pub(super) fn comment(state: &mut State, action: CommentAction) {
    match action {
        CommentAction::Keep => {
            let Step::Comment { at, buffer } = request::take_step(state) else {
                return;
            };
            let text = buffer.expanded();
            if let Some(view) = request::diff(state) {
                view.set_comment(at, &text);
            }
        }
        CommentAction::Newline => request::newline(state),
        CommentAction::Back => request::put_by(state),
    }
}

/// Returns the current file and its proposed text. Shows a message if the file cannot be edited.
fn text_to_edit(state: &mut State) -> Option<(usize, String)> {
    let view = request::diff(state)?;
    let file = view.file();
    let diff = view.files.get(file)?;
    let why = if diff.removes() { Word::FileGoes } else { Word::NoText };
    let text = diff.proposal().filter(|_| !diff.removes());
    if text.is_none() {
        state.offer(word(why), true);
    }
    Some((file, text?))
}

fn edit_here(state: &mut State) {
    let Some((file, text)) = text_to_edit(state) else {
        return;
    };
    let line = request::diff(state).map_or(0, |view| view.proposed_line());
    match Editor::open(file, &text, line) {
        Some(editor) => request::begin(state, Step::Edit(Box::new(editor))),
        None => state.offer(word(Word::NotEditedHere), true),
    }
}

pub(super) fn editor(state: &mut State, action: EditorAction, ops: &mut Vec<Op>) {
    let height = state.layout.approval_body.map_or(1, |body| body.height);
    let Some(Step::Edit(editor)) = state.screen.approvals.front_mut().map(|waiting| &mut waiting.step) else {
        return;
    };
    let buffer = &mut editor.buffer;
    match action {
        EditorAction::Up => {
            buffer.up();
        }
        EditorAction::Down => {
            buffer.down();
        }
        EditorAction::PageUp => (1..height).for_each(|_| {
            buffer.up();
        }),
        EditorAction::PageDown => (1..height).for_each(|_| {
            buffer.down();
        }),
        EditorAction::Newline => editor.newline(),
        EditorAction::Indent => editor.indent(),
        EditorAction::Find => editor.find_open(),
        EditorAction::Keep => keep_edit(state),
        EditorAction::Outside => {
            let (file, text, line) = (editor.file, editor.text(), editor.line());
            open_editor(state, (file, line), text, ops);
        }
        EditorAction::Back if editor.try_leave() => {
            request::take_step(state);
        }
        EditorAction::Back => state.offer(word(Word::LeavesEdit), true),
    }
}

fn keep_edit(state: &mut State) {
    let Step::Edit(editor) = request::take_step(state) else {
        return;
    };
    // The notification about discarding changes no longer applies.
    state.screen.toast = None;
    if let Some(view) = request::diff(state).filter(|_| editor.is_changed()) {
        view.replace(editor.file, editor.text());
        view.go_to_line(editor.file, editor.line());
        if let Some(waiting) = state.screen.approvals.front_mut() {
            waiting.forget_edits(editor.file);
        }
    }
}

fn edit_outside(state: &mut State, ops: &mut Vec<Op>) {
    if let Some((file, text)) = text_to_edit(state) {
        let line = request::diff(state).map_or(0, |view| view.proposed_line());
        open_editor(state, (file, line), text, ops);
    }
}

fn open_editor(state: &mut State, (file, line): (usize, usize), text: String, ops: &mut Vec<Op>) {
    let Some(waiting) = state.screen.approvals.front_mut() else {
        return;
    };
    let RequestView::Files(view) = &waiting.view else {
        return;
    };
    let Some(diff) = view.files.get(file) else { return };
    let name = diff.name().to_owned();
    let call = waiting.request.call.clone();
    waiting.goes_outside(file);
    ops.push(Op::OpenEditor {
        seat: state.screen.seat,
        ticket: EditTicket::Proposal { call, file },
        name,
        text,
        line: Some(line + 1),
    });
}
