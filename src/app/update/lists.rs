//! Handles keys of lists and read-only texts: movement, folding, opening, copying.

use super::dialogs;
use super::panes::{self, to_pane};
use super::prompt::draft;
use super::{request, undo, watch};
use crate::commands::todo_line;
use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::dialogs::viewer::Viewer;
use crate::diff_view::DiffView;
use crate::focus::{Holder, keyboard};
use crate::layout::{Pane, inside};
use crate::op::Op;
use crate::panes::context::label;
use crate::panes::conversation::ChosenChild;
use crate::panes::files::FileRowKind;
use crate::state::State;
use benchdog_base::spot::Spot;
use benchdog_base::text::clean;
use benchdog_domain::budget::LedgerKind;
use benchdog_domain::mention;
use benchdog_keys::action::{
    ChangeAction, ChangesAction, ContextAction, ConversationAction, DiffAction, FilesAction, FoldAction, ListAction,
    PaneAction, PickerAction, TodoAction,
};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn list(state: &mut State, action: ListAction) {
    match keyboard(state) {
        Holder::Dialog => read(state, action),
        Holder::Approval | Holder::Question => weigh(state, action),
        Holder::Find => match dialogs::searched(state) {
            Some(view) => scroll(view, action),
            None => converse(state, action),
        },
        Holder::Filter => walk(state, Pane::Files, action),
        Holder::Pane(pane) => walk(state, pane, action),
    }
}

fn rows(action: ListAction, page: u16) -> isize {
    let page = isize::try_from(page).unwrap_or(1).max(1);
    match action {
        ListAction::Up => -1,
        ListAction::Down => 1,
        ListAction::PageUp => -page,
        ListAction::PageDown => page,
        ListAction::Top => isize::MIN / 2,
        ListAction::End => isize::MAX / 2,
    }
}

fn read(state: &mut State, action: ListAction) {
    let by = rows(action, state.layout.dialog.map_or(1, |rect| inside(rect).height));
    let jobs = state.screen.jobs.len();
    match state.screen.dialog.as_mut() {
        Some(Dialog::Jobs(shown)) => shown.move_by(action, jobs),
        Some(Dialog::Setup(form)) => form.step(by),
        Some(Dialog::Viewer(viewer)) => viewer.scroll(by),
        Some(Dialog::Sheet(sheet)) => sheet.scroll(by),
        Some(Dialog::Compaction(shown)) => shown.scroll(by),
        Some(Dialog::Palette(_) | Dialog::Picker(_) | Dialog::Help(_)) | None => {}
    }
}

fn weigh(state: &mut State, action: ListAction) {
    let by = rows(action, state.layout.approval_body.map_or(1, |body| body.height));
    match state.screen.approvals.front_mut().map(|waiting| &mut waiting.view) {
        Some(RequestView::Files(view)) => scroll(view, action),
        Some(RequestView::Rows { top, .. }) if matches!(action, ListAction::Top | ListAction::End) => {
            *top = top.saturating_add_signed(by);
        }
        Some(RequestView::Rows { top, seen }) => *top = seen.led(*top, by),
        Some(RequestView::Question(_) | RequestView::Unseen) | None => {}
    }
}

fn walk(state: &mut State, pane: Pane, action: ListAction) {
    let by = rows(action, state.layout.of(pane).map_or(1, |rect| rect.height));
    match pane {
        Pane::Conversation | Pane::Prompt => converse(state, action),
        Pane::Files => state.screen.files.step(by),
        Pane::Changes => match state.screen.changes.open.as_mut() {
            Some(open) => scroll(&mut open.view, action),
            None => state.screen.changes.step(by),
        },
        Pane::Todo => state.screen.todo.step(by),
        Pane::Context => state.screen.context.step(by),
    }
}

fn converse(state: &mut State, action: ListAction) {
    let has_bar = state.screen.focus == Pane::Conversation;
    let conversation = &mut state.screen.conversation;
    match action {
        ListAction::Up => conversation.select(-1),
        ListAction::Down => conversation.select(1),
        ListAction::PageUp => conversation.page(-1),
        ListAction::PageDown => conversation.page(1),
        ListAction::Top if has_bar => conversation.select_first(),
        ListAction::Top => conversation.jump_top(),
        ListAction::End if has_bar => conversation.select_last(),
        ListAction::End => conversation.follow(),
    }
}

fn scroll(view: &mut DiffView, action: ListAction) {
    match action {
        ListAction::Up => view.step(-1),
        ListAction::Down => view.step(1),
        ListAction::PageUp => view.page(-1),
        ListAction::PageDown => view.page(1),
        ListAction::Top => view.jump_top(),
        ListAction::End => view.jump_end(),
    }
}

pub(super) fn diff(state: &mut State, action: DiffAction, ops: &mut Vec<Op>) {
    let view = match keyboard(state) {
        Holder::Approval | Holder::Question => request::diff(state),
        Holder::Dialog | Holder::Find | Holder::Filter | Holder::Pane(_) => {
            state.screen.changes.open.as_mut().map(|open| &mut open.view)
        }
    };
    let Some(view) = view else { return };
    match action {
        DiffAction::Left => view.sideways(-8),
        DiffAction::Right => view.sideways(8),
        DiffAction::Layout => {
            let (room, layout) = view.toggle_layout();
            *state.diff_layouts.at_mut(room) = Some(layout);
            ops.push(Op::Send(Command::KeepDiffLayout { room, layout }));
        }
        DiffAction::Wrap => view.toggle_wrap(),
        DiffAction::HunkNext => view.step_hunk(1),
        DiffAction::HunkPrevious => view.step_hunk(-1),
        DiffAction::FileNext => view.step_file(1),
        DiffAction::FilePrevious => view.step_file(-1),
        DiffAction::Find => view.find_open(),
        DiffAction::Fold if view.toggle_fold() => {}
        DiffAction::Fold => state.say(word(Word::NothingFolded), false),
        DiffAction::CopyNew => {
            let text = view.new_text();
            copy_text(state, text, Word::CopiedNew, ops);
        }
        DiffAction::CopyOld => {
            let text = view.old_text();
            copy_text(state, text, Word::CopiedOld, ops);
        }
    }
}

pub(super) fn fold(state: &mut State, action: FoldAction, ops: &mut Vec<Op>) {
    match (state.screen.focus, action) {
        (Pane::Files, FoldAction::Fold) => state.screen.files.fold(),
        (Pane::Files, FoldAction::Unfold) => unfold(state, ops),
        (_, FoldAction::Fold) => state.screen.conversation.fold(),
        (_, FoldAction::Unfold) => state.screen.conversation.unfold(),
    }
}

pub(super) fn next_spot(state: &mut State, ops: &mut Vec<Op>) {
    match state.screen.conversation.next_spot() {
        Some(spot) => open_spot(state, spot, ops),
        None => state.say(word(Word::NoSpot), false),
    }
}

pub(super) fn open_spot(state: &mut State, spot: Spot, ops: &mut Vec<Op>) {
    let Spot { path, line } = spot;
    state.screen.dialog = Some(Dialog::Viewer(Viewer::at(path.clone(), line)));
    ops.push(Op::Send(Command::OpenFile { path }));
}

pub(super) fn conversation(state: &mut State, action: ConversationAction, ops: &mut Vec<Op>) {
    match action {
        ConversationAction::Toggle => toggle(state, ops),
        ConversationAction::Find => panes::find(state),
        // If no search is open, these actions open the find line.
        ConversationAction::FindNext | ConversationAction::FindPrevious if state.screen.conversation.find.is_none() => {
            panes::find(state);
        }
        ConversationAction::FindNext => state.screen.conversation.find_step(1),
        ConversationAction::FindPrevious => state.screen.conversation.find_step(-1),
        ConversationAction::PromptPrevious => state.screen.conversation.step_prompt(-1),
        ConversationAction::PromptNext => state.screen.conversation.step_prompt(1),
        ConversationAction::OpenSpot => next_spot(state, ops),
        ConversationAction::CopyCode => match state.screen.conversation.copy_code() {
            Some(code) => ops.push(Op::Copy {
                what: lang::code_copied(code.at, code.of),
                text: code.text.into(),
            }),
            None => state.say(word(Word::NothingToCopy), false),
        },
    }
}

/// Opens the selected item: the file position of a finding, the conversation of a subagent, or a folded block.
fn toggle(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(spot) = state.screen.conversation.chosen_finding() {
        return open_spot(state, spot, ops);
    }
    match state.screen.conversation.chosen_child() {
        Some(child) => show_child(state, child, ops),
        None => state.screen.conversation.toggle(),
    }
}

fn show_child(state: &mut State, child: ChosenChild, ops: &mut Vec<Op>) {
    // Show a pending request of the subagent first, because the subagent's conversation does not contain it.
    if let Some(seat) = child.asks()
        && state.screen.approvals.bring_forward(seat)
    {
        return request::enter(state);
    }
    let Some(session) = child.session.clone() else {
        return state.say(word(Word::ChildQueued), false);
    };
    watch::begin(state, child, session, ops);
}

pub(super) fn files(state: &mut State, action: FilesAction, ops: &mut Vec<Op>) {
    if action == FilesAction::Find {
        return state.screen.files.filter_open();
    }
    let Some(row) = state.screen.files.current().cloned() else {
        return;
    };
    match (row.kind, action) {
        (FileRowKind::FolderClosed, _) => unfold(state, ops),
        (FileRowKind::FolderOpen, _) => state.screen.files.fold(),
        (FileRowKind::File, FilesAction::Preview) => {
            state.screen.dialog = Some(Dialog::Viewer(Viewer::new(row.path.clone())));
            ops.push(Op::Send(Command::OpenFile { path: row.path }));
        }
        (FileRowKind::File, FilesAction::Edit) => {
            let path = format!("{}/{}", state.screen.session.workspace, row.path);
            ops.push(Op::EditFile { path });
        }
        (FileRowKind::File, FilesAction::Mention | FilesAction::Find) => {
            state
                .screen
                .prompt
                .buffer
                .insert(&format!("{} ", mention::written(&row.path)));
            to_pane(state, Pane::Prompt);
            draft::changed(state, ops);
        }
    }
}

pub(super) fn filter(state: &mut State, action: PickerAction, ops: &mut Vec<Op>) {
    let page = state.layout.files.map_or(1, |rect| rect.height);
    match action {
        PickerAction::Up => state.screen.files.filter_step(-1),
        PickerAction::Down => state.screen.files.filter_step(1),
        PickerAction::PageUp => state.screen.files.filter_step(rows(ListAction::PageUp, page)),
        PickerAction::PageDown => state.screen.files.filter_step(rows(ListAction::PageDown, page)),
        PickerAction::Take => {
            let folders = state.screen.files.filter_take();
            ask_for(folders, ops);
        }
        PickerAction::Close => state.screen.files.filter_close(),
    }
}

fn ask_for(folders: Vec<String>, ops: &mut Vec<Op>) {
    ops.extend(folders.into_iter().map(|path| Op::Send(Command::ListFolder { path })));
}

/// Returns the file in the viewer, in an open diff or in a proposal, or else the selected changed file.
pub(super) fn at_hand(state: &State) -> Option<String> {
    let of_diff = |view: &DiffView| view.files.get(view.file()).map(|file| file.target().to_owned());
    let read = match &state.screen.dialog {
        Some(Dialog::Viewer(viewer)) if viewer.entry.is_none() => Some(viewer.path.clone()),
        _ => None,
    };
    let open = || of_diff(&state.screen.changes.open.as_ref()?.view);
    let proposed = || of_diff(state.screen.approvals.front()?.diff()?);
    let changed = || state.screen.changes.current().map(|row| row.path.clone());
    read.or_else(open).or_else(proposed).or_else(changed)
}

pub(super) fn reveal(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    let Some(path) = path else {
        return state.say(word(Word::NoFileAtHand), false);
    };
    to_pane(state, Pane::Files);
    let folders = state.screen.files.reveal(&path);
    ask_for(folders, ops);
}

fn unfold(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(path) = state.screen.files.unfold() {
        ops.push(Op::Send(Command::ListFolder { path }));
    }
}

pub(super) fn changes(state: &mut State, action: ChangesAction, ops: &mut Vec<Op>) {
    let Some(row) = state.screen.changes.current() else {
        return;
    };
    match action {
        ChangesAction::Open if row.state.waits() => request::enter(state),
        ChangesAction::Open if !row.state.is_made() => state.say(word(Word::NothingMade), false),
        ChangesAction::Open => {
            let path = row.path.clone();
            panes::compare(state, Some(&path), ops);
        }
        ChangesAction::OpenAll => panes::compare(state, None, ops),
        ChangesAction::Undo if !row.state.is_made() => state.say(word(Word::NothingMade), false),
        ChangesAction::Undo => {
            let path = Some(row.path.clone());
            undo::undo(state, path, ops);
        }
    }
}

pub(super) fn change(state: &mut State, action: ChangeAction) {
    match action {
        ChangeAction::Close => {
            panes::close_change(state);
        }
    }
}

pub(super) fn todo(state: &mut State, action: TodoAction, ops: &mut Vec<Op>) {
    let edit = match action {
        TodoAction::Step => state.screen.todo.next_state(),
        TodoAction::MoveUp => state.screen.todo.shifted(-1),
        TodoAction::MoveDown => state.screen.todo.shifted(1),
        TodoAction::Remove => state.screen.todo.removed(),
        TodoAction::Add => return draft::lend(state, &todo_line(None), ops),
        TodoAction::Edit => {
            if let Some(item) = state.screen.todo.current() {
                let line = todo_line(Some((item.id, &item.text)));
                draft::lend(state, &line, ops);
            }
            return;
        }
    };
    ops.extend(edit.map(|edit| Op::Send(Command::EditTodo { edit })));
}

pub(super) fn context(state: &mut State, action: ContextAction, ops: &mut Vec<Op>) {
    if action == ContextAction::Open {
        if state.screen.context.toggle() {
            ops.push(Op::Send(Command::ListContext));
        } else {
            view_item(state, ops);
        }
        return;
    }
    let Some((entry, item)) = state.screen.context.entry() else {
        return state.say(word(Word::NothingToPin), false);
    };
    let pinned = !item.pinned;
    match action {
        ContextAction::Pin => ops.push(Op::Send(Command::Pin { entry, pinned })),
        ContextAction::Drop | ContextAction::Open => ops.push(Op::Send(Command::DropItem { entry })),
    }
}

fn view_item(state: &mut State, ops: &mut Vec<Op>) {
    let Some(item) = state.screen.context.current() else {
        return;
    };
    let path = clean(&label(item)).into_owned();
    let mut viewer = Viewer::new(path.clone());
    match item.entry {
        Some(entry) => {
            viewer.entry = Some(entry);
            match state.screen.conversation.text_of(entry) {
                Some(text) => viewer.fill(Ok(text.into())),
                // The text is filled in when the entries have been loaded.
                None if state.screen.conversation.want(entry) => {}
                None => return state.say(word(Word::NothingToShow), false),
            }
        }
        None if item.kind == LedgerKind::Rules => ops.push(Op::Send(Command::OpenFile { path })),
        None => return,
    }
    state.screen.dialog = Some(Dialog::Viewer(viewer));
}

pub(super) fn copy_read(state: &mut State, ops: &mut Vec<Op>) {
    let text = match &state.screen.dialog {
        Some(Dialog::Viewer(viewer)) => viewer
            .text
            .as_ref()
            .and_then(|text| text.as_ref().ok())
            .map(|text| text.to_string()),
        Some(Dialog::Sheet(sheet)) => sheet.text(),
        _ => None,
    };
    copy_text(state, text, Word::CopiedText, ops);
}

pub(super) fn pane(state: &mut State, action: PaneAction, ops: &mut Vec<Op>) {
    match action {
        PaneAction::Copy => copy(state, ops),
        PaneAction::Leave if state.screen.focus == Pane::Conversation && state.screen.conversation.find.is_some() => {
            panes::find_close(state);
        }
        PaneAction::Leave if watch::end(state, ops) => {}
        PaneAction::Leave if stop_child(state, ops) => {}
        PaneAction::Leave => to_pane(state, Pane::Prompt),
    }
}

fn is_seen(state: &State) -> bool {
    let Some(pane) = state.layout.conversation else {
        return false;
    };
    let floor = state.layout.approval.map_or(pane.bottom(), |request| request.y);
    let rows = usize::from(floor.saturating_sub(pane.y));
    let mut seen = state.screen.conversation.rows().iter().take(rows);
    seen.any(|row| Some(row.block) == state.screen.conversation.selected)
}

fn stop_child(state: &mut State, ops: &mut Vec<Op>) -> bool {
    let reads = state.screen.focus == Pane::Conversation && is_seen(state);
    let chosen = reads.then(|| state.screen.conversation.chosen_child());
    let Some(child) = chosen.flatten().filter(|child| child.works) else {
        return false;
    };
    state.say_of_child(child.call.clone(), lang::message::child_stops(&clean(&child.title)));
    ops.push(Op::Send(Command::StopChild { call: child.call }));
    true
}

fn copy(state: &mut State, ops: &mut Vec<Op>) {
    let copied = match state.screen.focus {
        Pane::Conversation | Pane::Prompt => state.screen.conversation.copy().map(|text| (text, Word::CopiedMessage)),
        Pane::Files => state
            .screen
            .files
            .current()
            .map(|row| (row.path.clone(), Word::CopiedPath)),
        Pane::Changes => match &state.screen.changes.open {
            Some(open) => Some((open.text(), Word::CopiedDiff)),
            None => state
                .screen
                .changes
                .current()
                .map(|row| (row.path.clone(), Word::CopiedPath)),
        },
        Pane::Todo => Some((state.screen.todo.items.lines(), Word::CopiedList)),
        Pane::Context => state.screen.context.text().map(|text| (text, Word::CopiedCounts)),
    };
    let (text, what) = copied.map_or((None, Word::NothingToCopy), |(text, what)| (Some(text), what));
    copy_text(state, text, what, ops);
}

pub(super) fn copy_text(state: &mut State, text: Option<String>, what: Word, ops: &mut Vec<Op>) {
    match text {
        Some(text) => ops.push(Op::Copy {
            text: text.into(),
            what: word(what).to_owned(),
        }),
        None => state.say(word(Word::NothingToCopy), false),
    }
}
