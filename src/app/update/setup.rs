//! The choice of a model: the list of found servers, the form for a server, and the prompt that is sent afterwards.

use super::prompt::draft;
use crate::dialogs::Dialog;
use crate::dialogs::first_start::FirstStartCard;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::dialogs::setup::{SetupForm, Taken};
use crate::op::Op;
use crate::state::{Sight, State};
use benchdog_base::text::clean;
use benchdog_config::public_address;
use benchdog_domain::agent::short_model;
use benchdog_domain::failure::Failure;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, FoundModel, FoundServer, NotListed};

/// Handles the end of the search for servers. Does not open the list while the user may be typing.
pub(super) fn found(state: &mut State, found: Vec<FoundServer>) {
    if let Some(Dialog::Setup(form)) = &mut state.screen.dialog {
        form.offer(&found);
    }
    state.screen.first_start = Some(FirstStartCard { found });
    let waits = state.screen.session.held_prompt.is_some();
    if state.screen.session.model.is_none()
        && !state.screen.turn.busy()
        && (waits || state.screen.prompt.buffer.is_empty())
    {
        open(state);
    }
}

pub(super) fn open(state: &mut State) {
    let Some(card) = state.screen.first_start.as_ref() else {
        return;
    };
    if state.screen.dialog.is_some() || state.sight != Sight::Shown {
        return;
    }
    state.screen.dialog = Some(match card.offers().is_empty() {
        true => Dialog::Setup(SetupForm::new(&card.found)),
        false => Dialog::Picker(list(&card.found)),
    });
}

pub(super) fn list(found: &[FoundServer]) -> Picker {
    let mut picker = Picker::new(PickerKind::Models);
    picker.fill(items(found), String::new());
    picker
}

pub(super) fn items(found: &[FoundServer]) -> Vec<PickerItem> {
    let offers = found
        .iter()
        .flat_map(|server| server.models.iter().map(move |model| (server, model)));
    let offers = offers.map(|(server, model)| PickerItem {
        text: clean(short_model(&model.id)).into_owned(),
        detail: detail(&server.base_url, model),
        current: false,
        value: PickerValue::Server {
            base_url: server.base_url.clone(),
            model: model.id.clone(),
        },
    });
    let other = PickerItem {
        text: word(Word::SetupOther).to_owned(),
        detail: String::new(),
        current: false,
        value: PickerValue::OtherServer,
    };
    offers.chain([other]).collect()
}

fn detail(base_url: &str, model: &FoundModel) -> String {
    let window = model.window.map(|tokens| format!("{} · ", lang::window(tokens)));
    let address = public_address(base_url);
    clean(&format!("{}{address}", window.unwrap_or_default())).into_owned()
}

/// Opens the list of the models that were found. `note` is shown below the list. Returns `false` if no model was found.
pub(super) fn list_found(state: &mut State, note: &str) -> bool {
    let card = state.screen.first_start.as_ref();
    let Some(card) = card.filter(|card| !card.offers().is_empty()) else {
        return false;
    };
    let mut picker = list(&card.found);
    note.clone_into(&mut picker.note);
    state.screen.dialog = Some(Dialog::Picker(picker));
    true
}

pub(super) fn form(state: &mut State, ops: &mut Vec<Op>) {
    let found = state.screen.first_start.as_ref().map(|card| card.found.as_slice());
    state.screen.dialog = Some(Dialog::Setup(SetupForm::new(found.unwrap_or_default())));
    ops.push(Op::Send(Command::LookForServers));
}

pub(super) fn take(state: &mut State, mut form: SetupForm, ops: &mut Vec<Op>) {
    match form.take() {
        Taken::Use { base_url, model, key } => {
            return ops.push(Op::Send(Command::UseServer { base_url, model, key }));
        }
        Taken::Test { base_url, key } => ops.push(Op::Send(Command::TestServer { base_url, key })),
        Taken::Nothing => {}
    }
    state.screen.dialog = Some(Dialog::Setup(form));
}

pub(super) fn configured(state: &mut State, base_url: &str) {
    if let Some(Dialog::Setup(form)) = &mut state.screen.dialog {
        form.begin_with(base_url);
    }
}

pub(super) fn tested(state: &mut State, base_url: &str, models: Result<Vec<FoundModel>, NotListed>) {
    if let Some(Dialog::Setup(form)) = &mut state.screen.dialog {
        form.tested(base_url, models);
    }
}

/// Handles a prompt that was sent without a model. Puts the prompt back into the input, and opens the list of models or
/// the server form. When the user chooses a model, the prompt is sent.
pub(super) fn no_model(state: &mut State, ops: &mut Vec<Op>) {
    draft::bring_back(state, |_| true, ops);
    let text = state.screen.prompt.buffer.expanded();
    state.screen.session.held_prompt = Some(text).filter(|text| !text.trim().is_empty());
    open(state);
    if state.screen.dialog.is_none() {
        state.failed(&Failure::NoModel);
    }
}

/// Handles the choice of a model. Returns whether to send the prompt that waits for the model. A prompt that the user
/// has changed since is not sent.
pub(super) fn chosen(state: &mut State) -> bool {
    state.screen.first_start = None;
    if matches!(&state.screen.dialog, Some(Dialog::Setup(form)) if form.is_untouched()) {
        state.screen.dialog = None;
    }
    let held = state.screen.session.held_prompt.take();
    held.is_some_and(|held| held == state.screen.prompt.buffer.expanded()) && !state.screen.turn.busy()
}
