//! Search in all sessions, and commands for the visible session: export, title and file.

use super::dialogs::open_picker;
use super::{naming, switchboard, title};
use crate::archived::told;
use crate::commands::{self, Slash};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::state::State;
use benchdog_base::clock::Zone;
use benchdog_base::text::{clean, truncate};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Archive, Archived, Command, FoundEntry, FoundSession};

/// Maximum width of a session's title next to its search hits, in columns.
const TITLE: usize = 20;

pub(super) fn slash(state: &mut State, command: Slash, arguments: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    let wanted = match command {
        Slash::Search => {
            let mut picker = Picker::new(PickerKind::Found);
            picker.filter = arguments.to_owned();
            picker.loading = false;
            state.screen.dialog = Some(Dialog::Picker(picker));
            return Ok(());
        }
        Slash::Rename if arguments.is_empty() => {
            naming::open(state);
            return Ok(());
        }
        Slash::Rename => Archive::Rename {
            title: clean(arguments).into_owned(),
        },
        Slash::Export => {
            let (file, format) = commands::export_target(arguments);
            Archive::Export { file, format }
        }
        Slash::Log => Archive::Locate,
        _ => {
            state.say(word(Word::AlwaysSaved), false);
            return Ok(());
        }
    };
    ops.push(Op::Send(Command::Archive(wanted)));
    Ok(())
}

pub(super) fn answer(state: &mut State, archived: Archived, ops: &mut Vec<Op>) {
    match archived {
        Archived::Found { text, found } => fill(state, &text, found),
        Archived::Renamed { title: new } => {
            state.say(lang::message::renamed(&new), false);
            named(state, new, ops);
        }
        Archived::Named { title: new } => named(state, new, ops),
        other => {
            match &other {
                Archived::Removed(Ok(id)) => {
                    let (from, to) = (PickerValue::Session(id.clone()), PickerValue::Removed(id.clone()));
                    switchboard::mark(state, &from, to);
                }
                Archived::Restored(Ok(id)) => {
                    let (from, to) = (PickerValue::Removed(id.clone()), PickerValue::Session(id.clone()));
                    switchboard::mark(state, &from, to);
                }
                Archived::Retitled(Ok((id, title))) => switchboard::retitled(state, id.clone(), title.clone()),
                _ => {}
            }
            let is_error = matches!(
                other,
                Archived::Exported(Err(_))
                    | Archived::Removed(Err(_))
                    | Archived::Restored(Err(_))
                    | Archived::Retitled(Err(_))
            );
            // The session list already reports this below the deleted session.
            let is_listed = matches!(other, Archived::Removed(Ok(_)));
            if !is_listed || open_picker(state, PickerKind::Sessions).is_none() {
                state.say(told(&other), is_error);
            }
        }
    }
}

fn named(state: &mut State, new: String, ops: &mut Vec<Op>) {
    state.screen.session.title = new;
    state.dirty = true;
    switchboard::seats_changed(state);
    title::title(state, ops);
}

/// Searches stored sessions for the filter text. The first search opens the index, even if the text is empty. Only one
/// search runs at a time. The next search starts afterwards.
pub(super) fn search(state: &mut State) -> Option<Op> {
    let picker = open_picker(state, PickerKind::Found)?;
    let text = picker.filter.trim();
    if picker.loading || picker.searched.as_deref() == Some(text) {
        return None;
    }
    let text = text.to_owned();
    picker.searched = Some(text.clone());
    picker.loading = true;
    Some(Op::Send(Command::Archive(Archive::Search { text })))
}

fn fill(state: &mut State, text: &str, found: Result<Vec<FoundSession>, String>) {
    let zone = state.zone.clone();
    let picker = open_picker(state, PickerKind::Found);
    let Some(picker) = picker.filter(|picker| picker.searched.as_deref() == Some(text)) else {
        return;
    };
    let (found, note) = match found {
        Ok(_) if text.is_empty() => (Vec::new(), String::new()),
        Ok(found) if found.is_empty() => (Vec::new(), lang::message::found_nothing(text)),
        Ok(found) if found.iter().any(|found| !found.has_all_words) => (found, word(Word::FoundMostWords).to_owned()),
        Ok(found) => (found, String::new()),
        Err(why) => (Vec::new(), lang::message::search_failed(&why)),
    };
    let rows = found.iter().flat_map(|found| rows(found, &zone));
    let (items, previews) = rows.unzip();
    picker.fill(items, note);
    picker.previews = previews;
    state.dirty = true;
}

fn rows(found: &FoundSession, zone: &Zone) -> Vec<(PickerItem, (PickerValue, String))> {
    let FoundSession { meta, hits, .. } = found;
    let title = truncate(&meta.title, TITLE);
    let detail = clean(&format!("{title} · {}", meta.updated.date(zone))).into_owned();
    let row = |hit: &FoundEntry| {
        let value = PickerValue::Hit(meta.id.clone(), hit.entry);
        let item = PickerItem {
            text: clean(&hit.snippet).into_owned(),
            detail: detail.clone(),
            current: false,
            value: value.clone(),
        };
        let preview = format!("{} · {} · {}", meta.title, meta.workspace, hit.snippet);
        (item, (value, clean(&preview).into_owned()))
    };
    hits.iter().map(row).collect()
}
