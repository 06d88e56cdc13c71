//! The list of MCP tools. Enables or disables tools for the session.

use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::state::State;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::server::{JOINT, ServerName, ServerStatus, ServerTool};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn open(state: &mut State, of: Option<&ServerName>, ops: &mut Vec<Op>) {
    let typed = of.map(|server| format!("{server}{JOINT}")).unwrap_or_default();
    list(state, typed);
    ops.push(Op::Send(Command::ListServers));
}

pub(super) fn switch(state: &mut State, tool: String, to: Switched, ops: &mut Vec<Op>) {
    list(state, tool.clone());
    ops.push(Op::Send(Command::SwitchTool { tool, to }));
}

fn list(state: &mut State, typed: String) {
    let mut picker = Picker::new(PickerKind::ServerTools);
    picker.filter = typed;
    state.screen.dialog = Some(Dialog::Picker(picker));
}

pub(super) fn fill(state: &mut State, servers: &[ServerStatus]) {
    if let Some(Dialog::Picker(picker)) = state.screen.dialog.as_mut()
        && picker.kind == PickerKind::ServerTools
    {
        picker.refill(servers.iter().flat_map(|server| &server.tools).map(item).collect());
        if picker.note.is_empty() {
            word(Word::ServerToolsKeys).clone_into(&mut picker.note);
        }
    }
}

fn item(tool: &ServerTool) -> PickerItem {
    PickerItem {
        text: tool.name.clone(),
        detail: lang::about_server_tool(tool),
        current: tool.switched == Switched::On,
        value: PickerValue::ServerTool {
            name: tool.name.clone(),
            is: tool.switched,
        },
    }
}

pub(super) fn take(state: &mut State, mut picker: Picker, name: String, is: Switched, ops: &mut Vec<Op>) {
    let to = match is {
        Switched::On => Switched::Off,
        Switched::Off => Switched::On,
    };
    word(Word::ServerToolsKeys).clone_into(&mut picker.note);
    state.screen.dialog = Some(Dialog::Picker(picker));
    ops.push(Op::Send(Command::SwitchTool { tool: name, to }));
}
