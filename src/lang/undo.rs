//! Messages about undo.

use super::say;
use benchdog_domain::undo::{NotUndone, UndoNotice};

const NAMED: usize = 3;

pub(super) fn undo(notice: &UndoNotice) -> String {
    match notice {
        UndoNotice::Busy => say("undo-busy", &[]),
        UndoNotice::Nothing { path: None } => say("undo-nothing", &[]),
        UndoNotice::Nothing { path: Some(path) } => say("undo-nothing-of", &[("path", path)]),
        UndoNotice::No { files } => say("undo-no", &[("why", &why(files))]),
        UndoNotice::Without { files } => say("undo-without", &[("why", &why(files))]),
        UndoNotice::Older { files } => say("undo-older", &[("why", &why(files))]),
    }
}

fn why(files: &[(String, NotUndone)]) -> String {
    let named = files.iter().take(NAMED).map(|(path, why)| of_file(path, why));
    let more = files.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| say("undo-more", &[("more", &more.to_string())]));
    named.chain(more).collect::<Vec<_>>().join("; ")
}

fn of_file(path: &str, why: &NotUndone) -> String {
    let id = match why {
        NotUndone::Changed => "undo-changed",
        NotUndone::Grown => "undo-grown",
        NotUndone::Gone => "undo-gone",
        NotUndone::There => "undo-there",
        NotUndone::NotKept => "undo-not-kept",
        NotUndone::ModeAlone { was: None } => "undo-mode-alone",
        NotUndone::ModeAlone { was: Some(mode) } => {
            return say(
                "undo-mode-alone-from",
                &[("path", path), ("mode", &format!("{mode:o}"))],
            );
        }
        NotUndone::Unreadable { error } => {
            return say("undo-unreadable", &[("path", path), ("error", error)]);
        }
    };
    say(id, &[("path", path)])
}
