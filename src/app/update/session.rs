//! The session status, and the sampling settings of the session.

use super::prompt::draft;
use super::server_tools;
use crate::commands::{self, McpOrder};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::dialogs::sheet::{Seen, Sheet, SheetKind};
use crate::op::Op;
use crate::state::State;
use benchdog_domain::agent::Thinking;
use benchdog_domain::checkup::Check;
use benchdog_domain::hook::HookOffer;
use benchdog_domain::server::ServerStatus;
use benchdog_domain::status::Status;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn sheet(state: &mut State, kind: SheetKind, ops: &mut Vec<Op>) {
    state.screen.dialog = Some(Dialog::Sheet(Sheet::new(kind)));
    ops.push(Op::Send(match kind {
        SheetKind::Status | SheetKind::Cost | SheetKind::Privacy => Command::ShowStatus,
        SheetKind::Health => Command::Examine,
        SheetKind::Servers => Command::ListServers,
        SheetKind::Hooks => Command::ListHooks,
    }));
}

pub(super) fn show_health(state: &mut State, checks: &[Check]) {
    if let Some(Dialog::Sheet(sheet)) = state.screen.dialog.as_mut() {
        sheet.fill_health(checks);
    }
}

pub(super) fn show_hooks(state: &mut State, hooks: &[HookOffer]) {
    if let Some(Dialog::Sheet(sheet)) = state.screen.dialog.as_mut() {
        sheet.fill_hooks(hooks, &state.zone);
    }
}

pub(super) fn show_servers(state: &mut State, servers: &[ServerStatus], ops: &mut Vec<Op>) {
    server_tools::fill(state, servers);
    let Some(Dialog::Sheet(sheet)) = state.screen.dialog.as_mut() else {
        return;
    };
    if sheet.kind == SheetKind::Servers {
        sheet.fill_servers(servers);
        // Copy the link, because a wrapped address is hard to select with the mouse.
        ops.extend(sheet.link_to_copy(servers).map(|text| Op::Copy {
            text: text.into(),
            what: word(Word::CopiedLink).to_owned(),
        }));
    }
}

pub(super) fn servers(state: &mut State, written: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    if written.is_empty() {
        sheet(state, SheetKind::Servers, ops);
        return Ok(());
    }
    match commands::mcp_order(written).ok_or_else(|| word(Word::ServerOrderWanted).to_owned())? {
        McpOrder::Tools(of) => server_tools::open(state, of.as_ref(), ops),
        McpOrder::Tool(tool, to) => server_tools::switch(state, tool, to, ops),
        McpOrder::Server(server, order) => {
            state.screen.dialog = Some(Dialog::Sheet(Sheet::new(SheetKind::Servers)));
            ops.push(Op::Send(Command::OrderServer { server, order }));
        }
    }
    Ok(())
}

pub(super) fn show(state: &mut State, status: &Status) {
    let seen = Seen {
        speed: state.screen.turn.tokens_per_second(),
        used: state.screen.context.used(),
        confined: state.screen.session.confinement.as_ref().map(lang::confinement),
    };
    if let Some(Dialog::Sheet(sheet)) = state.screen.dialog.as_mut() {
        sheet.fill(status, &seen);
    }
}

pub(super) fn temperature(state: &mut State, written: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    if written.is_empty() {
        sheet(state, SheetKind::Status, ops);
        return Ok(());
    }
    let value = commands::temperature(written).ok_or_else(|| word(Word::TemperatureWanted).to_owned())?;
    ops.push(Op::Send(Command::SetTemperature { value }));
    Ok(())
}

pub(super) fn thinking(state: &mut State, written: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    if written.is_empty() {
        pick_thinking(state);
        return Ok(());
    }
    let level = commands::thinking(written).ok_or_else(|| word(Word::ThinkingWanted).to_owned())?;
    set_thinking(level, ops);
    Ok(())
}

pub(super) fn set_thinking(level: Option<Thinking>, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::SetThinking { level }));
}

pub(super) fn pick_thinking(state: &mut State) {
    let levels = std::iter::once(None).chain(Thinking::ALL.into_iter().map(Some));
    let item = |level: Option<Thinking>| PickerItem {
        text: lang::thinking(level).to_owned(),
        detail: String::new(),
        current: false,
        value: PickerValue::Thinking(level),
    };
    let mut picker = Picker::new(PickerKind::Thinking);
    picker.fill(levels.map(item).collect(), String::new());
    state.screen.dialog = Some(Dialog::Picker(picker));
}

/// Puts the `/temperature` command into the prompt, so that the user only has to type the number.
pub(super) fn write_temperature(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.prompt.buffer.is_empty() {
        draft::replace(state, "/temperature ", ops);
    } else {
        state.say(word(Word::TemperatureWanted), false);
    }
}
