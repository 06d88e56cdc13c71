//! Keys of dialogs and find lines.

use super::prompt::draft;
use super::{
    beneath, loops, naming, open_at, panes, request, rewind, seats, server_tools, session, settings, setup, themes,
    wizard,
};
use crate::dialogs::Dialog;
use crate::dialogs::palette::Choice;
use crate::dialogs::picker::{Picker, PickerKind, PickerValue};
use crate::diff_view::DiffView;
use crate::focus::{Holder, keyboard};
use crate::layout::Pane;
use crate::msg::EditTicket;
use crate::op::Op;
use crate::panes::prompt::buffer::{Buffer, Move};
use crate::state::State;
use benchdog_base::text::clean;
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::permission::{Layer, Rule};
use benchdog_keys::action::{CompactionAction, FindAction, LineAction, PickerAction};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Archive, Command, IfBusy};

const LONGEST_LINE: usize = 1_024;
const PAGE: isize = 10;

pub(super) fn pick(state: &mut State, kind: PickerKind, ask: Command, ops: &mut Vec<Op>) {
    state.screen.dialog = Some(Dialog::Picker(Picker::new(kind)));
    ops.push(Op::Send(ask));
}

pub(super) fn open_picker(state: &mut State, kind: PickerKind) -> Option<&mut Picker> {
    match state.screen.dialog.as_mut() {
        Some(Dialog::Picker(picker)) if picker.kind == kind => Some(picker),
        _ => None,
    }
}

pub(super) fn picker(state: &mut State, action: PickerAction, ops: &mut Vec<Op>) -> Option<Choice> {
    let by = match action {
        PickerAction::Up => -1,
        PickerAction::Down => 1,
        PickerAction::PageUp => -PAGE,
        PickerAction::PageDown => PAGE,
        PickerAction::Take => return take(state, ops),
        PickerAction::Close => {
            settings::close(state, ops);
            return None;
        }
    };
    match state.screen.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => palette.step(by),
        Some(Dialog::Picker(picker)) => {
            forget_note(picker);
            picker.step(by);
        }
        Some(Dialog::Help(help)) => help.scroll(by),
        Some(Dialog::Setup(form)) => form.step(by.signum()),
        Some(Dialog::Viewer(_) | Dialog::Sheet(_) | Dialog::Compaction(_) | Dialog::Jobs(_)) | None => {}
    }
    None
}

pub(super) fn point(picker: &mut Picker, place: usize) {
    forget_note(picker);
    picker.cursor.at = place;
}

fn forget_note(picker: &mut Picker) {
    if matches!(picker.kind, PickerKind::Settings | PickerKind::Values) {
        picker.note.clear();
    }
}

pub(super) fn compaction(state: &mut State, action: CompactionAction, ops: &mut Vec<Op>) {
    let Some(Dialog::Compaction(shown)) = &state.screen.dialog else {
        return;
    };
    let summary = shown.preview.summary.clone();
    match action {
        // The dialog stays open and shows why the summary cannot be accepted.
        CompactionAction::Take if shown.preview.unfit.is_some() => return,
        CompactionAction::Take => ops.push(Op::Send(Command::AcceptCompaction { summary })),
        CompactionAction::Discard => ops.push(Op::Send(Command::DropCompaction)),
        CompactionAction::Edit => {
            return ops.push(Op::OpenEditor {
                seat: state.screen.seat,
                ticket: EditTicket::Summary,
                name: "summary.md".to_owned(),
                text: summary,
                line: None,
            });
        }
    }
    state.screen.dialog = None;
}

pub(super) fn find(state: &mut State, action: FindAction) {
    if let Some(editor) = request::searched(state) {
        return match action {
            FindAction::Go | FindAction::Next => editor.find_step(1),
            FindAction::Previous => editor.find_step(-1),
            FindAction::Close => editor.find_close(),
        };
    }
    if let Some(view) = searched(state) {
        return match action {
            FindAction::Go | FindAction::Next => view.find_step(1),
            FindAction::Previous => view.find_step(-1),
            FindAction::Close => view.find_close(),
        };
    }
    match action {
        FindAction::Go => {
            state.screen.conversation.find_go();
            state.screen.focus = Pane::Conversation;
        }
        FindAction::Next => state.screen.conversation.find_step(1),
        FindAction::Previous => state.screen.conversation.find_step(-1),
        FindAction::Close => panes::find_close(state),
    }
}

pub(super) fn searched(state: &mut State) -> Option<&mut DiffView> {
    if keyboard(state) != Holder::Find {
        return None;
    }
    let view = if state.screen.approvals.has_focus() {
        request::diff(state)
    } else {
        state.screen.changes.open.as_mut().map(|open| &mut open.view)
    };
    view.filter(|view| view.find.is_some())
}

pub(super) fn line(state: &mut State, action: LineAction, ops: &mut Vec<Op>) {
    let way = match action {
        LineAction::DeleteLeft => Move::Left,
        LineAction::DeleteWordLeft => Move::WordLeft,
        LineAction::Clear => Move::TextStart,
    };
    edit(state, ops, |text| {
        let mut buffer = Buffer::default();
        buffer.insert(text);
        buffer.delete(way);
        *text = buffer.expanded();
    });
}

pub(super) fn write(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    edit(state, ops, |line| {
        let room = LONGEST_LINE.saturating_sub(line.len());
        line.extend(text.chars().take(room));
    });
}

fn edit(state: &mut State, ops: &mut Vec<Op>, change: impl FnOnce(&mut String)) {
    if let Some(editor) = request::searched(state) {
        return editor.find_edit(change);
    }
    if let Some(view) = searched(state) {
        return view.find_edit(change);
    }
    match keyboard(state) {
        Holder::Find => return state.screen.conversation.find_edit(change),
        Holder::Filter => {
            let query = state.screen.files.filter_edit(change);
            return ops.extend(query.map(|query| Op::Send(Command::FilterTree(query))));
        }
        Holder::Dialog | Holder::Approval | Holder::Question | Holder::Pane(_) => {}
    }
    match state.screen.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => palette.edit(&state.keymap, change),
        Some(Dialog::Picker(picker)) => picker.edit(change),
        Some(Dialog::Help(help)) => help.edit(change),
        Some(Dialog::Setup(form)) => form.edit(change),
        Some(Dialog::Viewer(_) | Dialog::Sheet(_) | Dialog::Compaction(_) | Dialog::Jobs(_)) | None => {}
    }
}

fn take(state: &mut State, ops: &mut Vec<Op>) -> Option<Choice> {
    match state.screen.dialog.take() {
        Some(Dialog::Palette(palette)) => return palette.chosen(),
        Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Rename => naming::take(state, picker, ops),
        Some(Dialog::Picker(mut picker)) => match picker.chosen().cloned() {
            Some(PickerValue::Model(id)) => ops.push(Op::Send(Command::SetModel { id })),
            Some(PickerValue::Agent(name)) => ops.push(Op::Send(Command::SetAgent { name })),
            Some(PickerValue::Server { base_url, model }) => {
                let key = ApiKey::default();
                ops.push(Op::Send(Command::UseServer { base_url, model, key }));
            }
            Some(PickerValue::OtherServer) => setup::form(state, ops),
            Some(PickerValue::Session(session)) => seats::open(state, session, ops),
            Some(PickerValue::Removed(session)) => {
                ops.push(Op::Send(Command::Archive(Archive::Restore { session })));
                state.screen.dialog = Some(Dialog::Picker(picker));
            }
            Some(PickerValue::Hit(session, entry)) => open_at::open(state, session, entry, ops),
            Some(PickerValue::Seat(seat)) => seats::show(state, seat, ops),
            Some(PickerValue::SeatStays) => state.screen.dialog = state.screen.beneath.take(),
            Some(PickerValue::WorktreeStays | PickerValue::Stays) => {}
            Some(PickerValue::Leaves) => ops.push(Op::Quit),
            Some(PickerValue::Worktree(worktree)) => {
                let name = Some(worktree.name);
                ops.push(Op::Send(Command::OpenWorktree { name }));
            }
            Some(PickerValue::WorktreeGoes(shown)) => ops.push(Op::Send(Command::RemoveWorktree { shown })),
            Some(PickerValue::SeatStops(seat)) => {
                seats::send_close(state, seat, IfBusy::Stop, ops);
                beneath::list_comes_back(state);
            }
            Some(PickerValue::RewindPoint {
                prompt,
                files_change,
                head,
            }) => rewind::take(state, (prompt, head.as_deref()), files_change, ops),
            Some(PickerValue::Rewind { prompt, what }) => rewind::go(state, prompt, what, ops),
            Some(PickerValue::Prompt(text)) => draft::replace(state, &text, ops),
            Some(PickerValue::Skill(name)) => draft::paste(state, &format!("/{name} "), ops),
            Some(PickerValue::Setting(setting)) => settings::take(state, picker, *setting, ops),
            Some(PickerValue::Written(written)) => settings::choose(state, picker, &written, ops),
            Some(PickerValue::Theme(name)) if picker.setting.is_some() => settings::choose(state, picker, &name, ops),
            Some(PickerValue::BrokenTheme(why)) if picker.setting.is_some() => {
                picker.note = clean(&why).lines().collect::<Vec<_>>().join("; ");
                state.screen.dialog = Some(Dialog::Picker(picker));
            }
            Some(PickerValue::Language(language)) => wizard::set_language(state, language, ops),
            Some(PickerValue::Theme(name)) if state.screen.wizard.is_some() => wizard::theme(state, &name, ops),
            Some(PickerValue::Theme(name)) => themes::take(state, &name),
            Some(PickerValue::BrokenTheme(why)) => themes::broken(state, &why),
            Some(PickerValue::Loop(number)) => loops::take(state, number),
            Some(PickerValue::ServerTool { name, is }) => server_tools::take(state, picker, name, is, ops),
            Some(PickerValue::Thinking(level)) => session::set_thinking(level, ops),
            Some(PickerValue::Rule { layer, rule }) => {
                match layer {
                    Layer::Session | Layer::Remembered => {
                        state.say(lang::message::toast_rule_revoked(&written(&rule)), false);
                        ops.push(Op::Send(Command::Revoke { layer, rule }));
                    }
                    Layer::Default => state.say(word(Word::RuleIsDefault), false),
                    Layer::Agent => state.say(word(Word::RuleOfAgent), false),
                    _ => state.say(lang::message::toast_rule_stands(&clean(&rule.origin)), false),
                }
                // Keep the list open, because the user may want to view further entries.
                state.screen.dialog = Some(Dialog::Picker(picker));
            }
            None => {}
        },
        Some(Dialog::Setup(form)) => setup::take(state, form, ops),
        Some(Dialog::Help(_)) => {}
        other => state.screen.dialog = other,
    }
    None
}

pub(super) fn written(rule: &Rule) -> String {
    let options = rule.options.as_ref().map(|options| format!(" [{}]", options.join(" ")));
    let pattern = format!("{}{}", rule.pattern, options.unwrap_or_default());
    clean(&format!("{}  {pattern}  {}", rule.key, rule.action.word())).into_owned()
}
