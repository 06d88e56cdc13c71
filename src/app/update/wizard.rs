//! `/setup` and `--setup`: dialogs for language, theme and server. A choice or Esc opens the next dialog.

use super::{leave, setup, themes};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::dialogs::wizard::{Step, Wizard};
use crate::op::Op;
use crate::state::{Sight, State};
use benchdog_domain::notice::{ConfigNotice, Notice};
use benchdog_lang::{Language, Word, current_language, word};
use benchdog_protocol::{Command, Event, Live};

pub(super) fn begin(state: &mut State, ops: &mut Vec<Op>) {
    open(state, false);
    ops.push(Op::Send(Command::LookForServers));
}

/// Opens the first dialog. `leaves` determines whether the program exits after the last dialog.
pub(super) fn open(state: &mut State, leaves: bool) {
    state.screen.wizard = Some(Wizard {
        step: Step::Language,
        leaves,
    });
    let spoken = current_language();
    let row = |language: Language| PickerItem {
        text: language.own_name().to_owned(),
        detail: String::new(),
        current: language == spoken,
        value: PickerValue::Language(language.name()),
    };
    let mut picker = Picker::new(PickerKind::Languages);
    picker.fill(Language::ALL.map(row).into(), word(Word::WizardLanguage).to_owned());
    state.screen.dialog = Some(Dialog::Picker(picker));
}

pub(super) fn follow(state: &mut State, ops: &mut Vec<Op>) {
    let Some(wizard) = state.screen.wizard else { return };
    if state.screen.dialog.is_some() || state.sight != Sight::Shown {
        return;
    }
    let uses = |op: &Op| matches!(op, Op::Send(Command::UseServer { .. }));
    let step = match wizard.step {
        Step::Language => Step::Theme,
        Step::Theme => Step::Server,
        Step::Server if wizard.leaves && ops.iter().any(uses) => Step::Writing,
        Step::Server => return end(state, wizard, ops),
        Step::Writing => return,
    };
    state.screen.wizard = Some(Wizard { step, ..wizard });
    state.dirty = true;
    match step {
        Step::Theme => themes::list(state, ops),
        Step::Server => server(state, ops),
        Step::Language | Step::Writing => {}
    }
}

fn server(state: &mut State, ops: &mut Vec<Op>) {
    if !setup::list_found(state, word(Word::WizardServer)) {
        setup::form(state, ops);
        if let Some(Dialog::Setup(form)) = &mut state.screen.dialog {
            form.note = format!("{} {}", word(Word::WizardServer), form.note);
        }
    }
}

fn end(state: &mut State, wizard: Wizard, ops: &mut Vec<Op>) {
    state.screen.wizard = None;
    if wizard.leaves {
        leave::leave(state, ops);
    }
}

/// Handles the end of the search for servers. Replaces an untouched form by the list of models.
pub(super) fn found(state: &mut State) {
    let is_at_server = state.screen.wizard.is_some_and(|wizard| wizard.step == Step::Server);
    let is_untouched = |form: &Dialog| matches!(form, Dialog::Setup(form) if form.is_untouched());
    if is_at_server && state.screen.dialog.as_ref().is_some_and(is_untouched) {
        setup::list_found(state, word(Word::WizardServer));
    }
}

/// Exits the program when the configuration was written. On an error, the program continues to show the message.
pub(super) fn hear(state: &mut State, event: &Event, ops: &mut Vec<Op>) {
    let Some(wizard) = state.screen.wizard.filter(|wizard| wizard.step == Step::Writing) else {
        return;
    };
    match event {
        Event::Live(Live::Notice(Notice::Config(ConfigNotice::Using { .. }))) => end(state, wizard, ops),
        Event::Live(Live::Notice(Notice::Config(ConfigNotice::NotKept { .. } | ConfigNotice::Wrong { .. }))) => {
            state.screen.wizard = None;
        }
        _ => {}
    }
}

pub(super) fn set_language(state: &State, language: &'static str, ops: &mut Vec<Op>) {
    if Language::from_name(language) == Some(current_language()) || state.screen.wizard.is_none() {
        return;
    }
    ops.push(Op::SetLanguage(language));
    ops.push(configure("language", language));
}

pub(super) fn theme(state: &mut State, name: &str, ops: &mut Vec<Op>) {
    state.themes.forget_pick();
    if !state.themes.is_configured(name) {
        ops.push(configure("theme", name));
    }
}

fn configure(key: &str, written: &str) -> Op {
    Op::Send(Command::Configure {
        path: vec!["ui".to_owned(), key.to_owned()],
        written: written.to_owned(),
    })
}
