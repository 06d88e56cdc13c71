//! Finds the effects of calls that a crash interrupted: changed files and output.

use std::sync::Arc;

use crate::engine::{Engine, FolderId};
use crate::input::LeftBehind;
use crate::seat::calls::bodies::{Missing, body, change};
use crate::seat::child;
use benchdog_base::id::{CallId, SessionId};
use benchdog_domain::entry::Body;
use benchdog_domain::history::{CallProgress, History};
use benchdog_domain::review::FileNow;
use benchdog_domain::undo::UNDO;
use benchdog_security::workspace::Workspace;
use benchdog_storage::Printed;

/// Maximum number of bytes read from a file. Tools do not write larger files.
const MOST_READ: u64 = 50 * 1024 * 1024;

/// An interrupted call, with its files in their state before the call. `Err` is a path without stored content.
struct Begun {
    call: CallId,
    files: Vec<Result<FileNow, String>>,
}

pub(in crate::seat) async fn look(
    (engine, of): (&Engine, FolderId),
    id: &SessionId,
    history: &History,
) -> Vec<LeftBehind> {
    // Complete an interrupted undo first, so that the comparison uses the files after the undo.
    let is_undo_finished = engine.at(of).command_changes.recover().await;
    let mut begun = Vec::new();
    for open in history.open_calls() {
        let CallProgress::Started(files) = open.progress else {
            continue;
        };
        let mut then = Vec::new();
        for file in files {
            let before = body(&engine.setup.storage, id, file.before.as_ref()).await;
            let path = file.path.clone();
            then.push(match before {
                Ok(before) => Ok((path, before)),
                Err(Missing) => Err(path),
            });
        }
        begun.push(Begun {
            call: open.call.id.clone(),
            files: then,
        });
    }
    let mut found = compared_all(&engine.at(of).workspace, begun).await;
    for printed in engine.setup.storage.printed(id).await {
        match found.iter_mut().find(|left| left.call == printed.call) {
            Some(left) => left.printed = printed.text,
            // The call is not from the model, so it is not in the list yet.
            None => found.push(LeftBehind::of_printed(printed)),
        }
    }
    if let Some(call) = open_undo(history).filter(|_| is_undo_finished) {
        found.push(LeftBehind {
            is_undo_finished,
            ..LeftBehind::of(call)
        });
    }
    for left in &mut found {
        if let Some(child) = history.open_child(&left.call) {
            child::cut_short((engine, of), child, left).await;
        }
    }
    found
}

fn open_undo(history: &History) -> Option<CallId> {
    let undo = |reached: &Body| match reached {
        Body::CallStarted { call, tool, .. } if tool == UNDO => Some(call.clone()),
        _ => None,
    };
    history.own_calls().filter_map(undo).last()
}

impl LeftBehind {
    fn of_printed(printed: Printed) -> Self {
        Self {
            printed: printed.text,
            ..Self::of(printed.call)
        }
    }

    fn of(call: CallId) -> Self {
        Self {
            call,
            changed: Vec::new(),
            unchanged: Vec::new(),
            unreadable: Vec::new(),
            child: None,
            printed: String::new(),
            is_undo_finished: false,
        }
    }
}

async fn compared_all(workspace: &Arc<Workspace>, begun: Vec<Begun>) -> Vec<LeftBehind> {
    let workspace = Arc::clone(workspace);
    let looked =
        tokio::task::spawn_blocking(move || begun.into_iter().map(|begun| compared(&workspace, begun)).collect());
    looked.await.unwrap_or_default()
}

fn compared(workspace: &Workspace, begun: Begun) -> LeftBehind {
    let mut left = LeftBehind::of(begun.call);
    for file in begun.files {
        let (path, before) = match file {
            Ok(file) => file,
            Err(path) => {
                left.unreadable.push(path);
                continue;
            }
        };
        let after: Option<Arc<[u8]>> = match workspace.resolve(&path).and_then(|found| found.read(MOST_READ)) {
            Ok(bytes) => Some(bytes.into()),
            Err(error) if error.code == "not_found" => None,
            Err(_) => {
                left.unreadable.push(path);
                continue;
            }
        };
        if before == after {
            left.unchanged.push(path);
            continue;
        }
        left.changed.push(change(path, before, after));
    }
    left
}
