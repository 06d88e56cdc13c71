//! Computes the layout of the whole state before it is drawn. Parts that have not changed cost little time.

use crate::dialogs::Dialog;
use crate::dialogs::approval::{Reading, RequestView, Step};
use crate::dialogs::compaction::{ABOVE, BELOW};
use crate::dialogs::picker::PickerKind;
use crate::dialogs::question::own_indent;
use crate::layout::{
    Above, ApprovalSize, DialogSize, Facts, Layout, Pane, Place, SidePanes, columns_in_dialog, compute,
    filter_and_list, inside, padded, prompt_width,
};
use crate::panes::prompt::SIGN;
use crate::state::State;
use benchdog_base::text::width as columns;
use benchdog_domain::review::Review;
use benchdog_keys::Action;
use benchdog_keys::action::ConversationAction;
use benchdog_protocol::ApprovalRequest;

/// Maximum number of rows of the prompt. A longer prompt scrolls.
const PROMPT_ROWS: usize = 12;
/// Maximum window height at which the prompt has only one row during a review, and two during a pending request.
const LOW: u16 = 16;
/// Minimum window width at which an open diff takes all columns.
const SPANS_FROM: u16 = 110;
const OWN_ROWS: usize = 4;

/// Computes the layout. Must be called after `update` and before drawing, once for any number of messages.
pub fn arrange(state: &mut State) {
    state.screen.context.folded = state.screen.focus != Pane::Context && !state.screen.context.is_open();
    let first = facts(state, state.width.saturating_sub(4));
    let mut layout = compute(state.width, state.height, &first);
    arrange_approval(state, &layout);
    // The height of a request depends on its width. The first layout has computed this width.
    let second = facts(state, text_width(&layout));
    if second.approval != first.approval {
        layout = compute(state.width, state.height, &second);
        arrange_approval(state, &layout);
    }
    settle_request(state, &layout);
    state.layout.clone_from(&layout);
    if state.says_unread() && state.screen.approvals.is_read(state.layout.approval_body) {
        // The request was read to its end, so remove the notification about reading, and compute the layout again.
        state.screen.toast = None;
        return arrange(state);
    }
    if let Some(rect) = layout.prompt {
        state
            .screen
            .prompt
            .buffer
            .arrange(rect.width.saturating_sub(SIGN), rect.height);
    }
    if let Some(rect) = layout.conversation {
        // The last row is used for an open find line.
        let toggle = Action::Conversation(ConversationAction::Toggle);
        state.screen.conversation.opens_with(state.keymap.hint(toggle));
        state.screen.conversation.in_zone(&state.zone);
        state
            .screen
            .conversation
            .looked_at(state.screen.approvals.shown_of_several());
        let find = u16::from(state.screen.conversation.find.is_some() && rect.height > 1);
        state
            .screen
            .conversation
            .arrange(rect.width, rect.height - find, state.now);
        state.dirty |= state.screen.conversation.is_behind();
    }
    state.screen.files.arrange(layout.files.map_or(0, |rect| rect.height));
    let todo = layout.text_of(Pane::Todo).unwrap_or_default();
    state.screen.todo.arrange(todo.width, todo.height);
    state
        .screen
        .context
        .arrange(layout.context.map_or(0, |rect| rect.height));
    if state.screen.focus != Pane::Context {
        state.screen.context.rest();
    }
    state
        .screen
        .changes
        .arrange(layout.changes.map_or(0, |rect| rect.height));
    if let (Some(rect), Some(open)) = (layout.conversation, state.screen.changes.open.as_mut()) {
        // An open diff covers the conversation. The list of changes stays visible.
        open.view.prefer(state.diff_layouts);
        open.view.arrange(rect.width, rect.height);
    }
    arrange_dialog(state, &layout);
}

/// Computes the layout of the prompt after typing. Returns `false` if a new height requires a full layout.
pub fn arrange_prompt(state: &mut State) -> bool {
    let Some(rect) = state.layout.prompt else { return false };
    let (buffer, width) = (&mut state.screen.prompt.buffer, rect.width.saturating_sub(SIGN));
    if buffer.rows_needed(width.max(1), PROMPT_ROWS) != usize::from(rect.height) {
        return false;
    }
    buffer.arrange(width, rect.height);
    true
}

fn arrange_approval(state: &mut State, layout: &Layout) {
    let body = layout.approval_body.filter(|body| body.height > 0);
    let visible = body.is_some() && state.screen.dialog.is_none();
    state.screen.approvals.drawn(visible, state.now);
    if let (Some(body), Some(waiting)) = (body, state.screen.approvals.front_mut()) {
        let width = text_width(layout);
        let rows = waiting.rows(width).len();
        let (about, _) = waiting.split(body);
        let is_named = is_named_above(&waiting.request, body.width);
        waiting.stand_beside_step();
        match &mut waiting.view {
            // The editor is shown in place of the diff, so the diff needs no layout.
            RequestView::Files(_) if about.height == 0 => {}
            RequestView::Files(view) => {
                view.prefer(state.diff_layouts);
                let (_, diff) = view.list_and_diff(about);
                view.named_above(is_named);
                view.arrange(diff.width, diff.height);
            }
            RequestView::Rows { top, .. } => {
                *top = (*top).min(rows.saturating_sub(usize::from(about.height)));
            }
            RequestView::Question(view) => {
                let room = about.height.saturating_sub(view.bar_rows());
                if let Some(page) = view.page_mut() {
                    let columns = width.saturating_sub(own_indent(page));
                    page.own_shown = page.own.rows_needed(columns, OWN_ROWS).min(usize::from(room));
                    page.own.arrange(columns, u16::try_from(page.own_shown).unwrap_or(1));
                }
                view.arrange(width, about.height);
            }
            RequestView::Unseen => {}
        }
        // The number of rows of a hunk depends on the width, so the split may be different now.
        let (anew, _) = waiting.split(body);
        if let RequestView::Files(view) = &mut waiting.view
            && anew != about
            && anew.height > 0
        {
            let (_, diff) = view.list_and_diff(anew);
            view.arrange(diff.width, diff.height);
        }
        if let Some(area) = waiting.text_area(body) {
            match &mut waiting.step {
                Step::Reason(buffer) | Step::Comment { buffer, .. } => buffer.arrange(area.width, area.height),
                Step::Edit(editor) => editor.buffer.arrange(area.width.max(1), area.height),
                Step::Deciding | Step::ConfirmAlways(_) | Step::Why => {}
            }
        }
    }
}

fn settle_request(state: &mut State, layout: &Layout) {
    let body = layout
        .approval_body
        .filter(|body| body.height > 0 && state.screen.dialog.is_none());
    let (Some(body), Some(waiting)) = (body, state.screen.approvals.front_mut()) else {
        return;
    };
    if let RequestView::Files(view) = &mut waiting.view {
        view.keep_hunk_in_view();
    }
    waiting.note_seen(body);
    let area = waiting.grant_area(body);
    if let Step::ConfirmAlways(always) = &mut waiting.step {
        always.arrange(area.width, area.height);
    }
    let complete = waiting.reading(Some(body)) == Reading::Done;
    waiting.note_complete(complete, state.now);
}

/// Number of columns that a request's title reserves after the path for positions and line counts.
const BEHIND_PATH: usize = 36;

fn is_named_above(request: &ApprovalRequest, width: u16) -> bool {
    let Review::Files(changes) = &request.review else {
        return false;
    };
    let is_title = matches!(changes.as_slice(), [one] if one.path == request.title);
    let path = columns(&request.tool) + 1 + columns(&request.title);
    is_title && request.child.is_none() && path + BEHIND_PATH <= usize::from(width)
}

fn text_width(layout: &Layout) -> u16 {
    layout.approval_body.map_or(0, |body| padded(body).width)
}

fn arrange_dialog(state: &mut State, layout: &Layout) {
    let Some(rect) = layout.dialog else { return };
    let (_, list) = filter_and_list(rect);
    let shown = usize::from(inside(rect).height);
    match state.screen.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => palette.arrange(list.height),
        Some(Dialog::Picker(picker)) => picker.arrange(list.width, list.height),
        Some(Dialog::Help(help)) => {
            help.arrange(list.width, list.height);
        }
        Some(Dialog::Viewer(viewer)) => {
            viewer.arrange(usize::from(inside(rect).width), shown);
        }
        Some(Dialog::Sheet(sheet)) => {
            let inside = inside(rect);
            sheet.arrange(inside.width, inside.height);
        }
        Some(Dialog::Compaction(shown)) => {
            let inside = inside(rect);
            shown.arrange(inside.width, inside.height.saturating_sub(ABOVE + BELOW));
        }
        Some(Dialog::Jobs(shown)) => shown.arrange(inside(rect), state.screen.jobs.len()),
        Some(Dialog::Setup(_)) | None => {}
    }
}

fn facts(state: &mut State, request_width: u16) -> Facts {
    let over = if state.screen.changes.open.is_some() {
        Some(Pane::Conversation)
    } else {
        state.screen.over
    };
    // An open diff takes the whole window if that is wide enough for two sides.
    let spans = state.screen.changes.open.is_some() && state.width >= SPANS_FROM;
    let files = state.shown.files && !spans;
    let side = if state.shown.side && !spans {
        side_panes(state)
    } else {
        SidePanes::default()
    };
    // The height of the prompt depends on its width, and the width depends on the visible side columns.
    let width = prompt_width(state.width, state.height, files, side.any());
    let most = match state.height {
        ..=LOW if state.screen.approvals.has_focus() => 1,
        ..=LOW if state.screen.approvals.asks() => 2,
        _ => PROMPT_ROWS,
    };
    let prompt_rows = (state.screen.prompt.buffer).rows_needed(width.saturating_sub(SIGN).max(1), most);
    let short = |rows: usize| u16::try_from(rows).unwrap_or(u16::MAX);
    let cards = crate::view::cards::cards(state, width).len();
    Facts {
        focus: state.screen.focus,
        files,
        side,
        over,
        prompt_rows: short(prompt_rows),
        card_rows: short(cards),
        has_status_line: !state.screen.status_line.is_empty(),
        completion_rows: state
            .screen
            .prompt
            .completion
            .as_ref()
            .map_or(0, |list| short(list.items.len().max(1))),
        changes_rows: short(state.screen.changes.rows.len().max(1)),
        context_rows: short(state.screen.context.row_count()),
        approval: match state.screen.approvals.front() {
            Some(waiting) => Some(waiting.size(request_width)),
            None => state.screen.approvals.has_focus().then_some(EMPTY_REVIEW),
        },
        reads: state.screen.focus != Pane::Prompt && !state.screen.approvals.has_focus(),
        dialog: state
            .screen
            .dialog
            .as_ref()
            .map(|dialog| dialog_size(dialog, state.width)),
    }
}

const EMPTY_REVIEW: ApprovalSize = ApprovalSize {
    rows: 1,
    above: Above::Stays,
};

/// Returns the side panes to show: the focused pane, and panes with content. The context gauge alone does not count.
fn side_panes(state: &State) -> SidePanes {
    let has_focus = |pane| state.screen.focus == pane;
    let todo = !state.screen.todo.items.is_empty() && !state.screen.todo.is_task() || has_focus(Pane::Todo);
    // Pending changes do not count, because the request shows them.
    let changes = state.screen.changes.rows.iter().any(|row| !row.state.waits())
        || has_focus(Pane::Changes) && state.screen.changes.open.is_none();
    let is_open = has_focus(Pane::Context) || state.screen.context.is_open();
    let context = is_open || (todo || changes) && state.screen.filled().is_some();
    SidePanes { todo, context, changes }
}

/// Number of rows of a list dialog in addition to its items: border, filter line, text below.
const PICKER_AROUND: usize = 7;
const PICKER_ROWS: (u16, u16) = (10, 24);

/// Number of rows of the server form in addition to the models: border, fields, two rows of results, keys.
const SETUP_AROUND: usize = 9;
const SETUP_ROWS: (u16, u16) = (11, 22);

fn dialog_size(dialog: &Dialog, width: u16) -> DialogSize {
    let (columns, rows) = match dialog {
        Dialog::Palette(_) => (76, 24),
        Dialog::Picker(picker) if picker.kind == PickerKind::Themes => {
            let rows = picker.items.len().saturating_add(PICKER_AROUND);
            return DialogSize {
                columns: 64,
                rows: u16::try_from(rows).unwrap_or(u16::MAX),
                place: Place::Edge,
            };
        }
        Dialog::Picker(picker) => {
            let rows = picker.items.len().saturating_add(PICKER_AROUND);
            (
                96,
                u16::try_from(rows)
                    .unwrap_or(u16::MAX)
                    .clamp(PICKER_ROWS.0, PICKER_ROWS.1),
            )
        }
        Dialog::Help(help) => (84, help.height(columns_in_dialog(width, 84))),
        Dialog::Viewer(_) => (110, 60),
        Dialog::Sheet(sheet) => (96, sheet.height(columns_in_dialog(width, 96))),
        Dialog::Compaction(_) => (100, 30),
        Dialog::Jobs(_) => (120, 40),
        Dialog::Setup(form) => {
            let rows = form.offers.len().saturating_add(SETUP_AROUND);
            (
                72,
                u16::try_from(rows)
                    .unwrap_or(u16::MAX)
                    .clamp(SETUP_ROWS.0, SETUP_ROWS.1),
            )
        }
    };
    DialogSize {
        columns,
        rows,
        place: Place::Middle,
    }
}
