//! The scratch folder of a session: a workspace root that the session's subagents share.

use std::sync::Arc;

use super::{Access, Begin, Seat};
use crate::engine::{Engine, Folder};
use crate::machine::Rules;
use benchdog_domain::permission::{Action, BUILT_IN, EDITS, Layer, Rule};
use benchdog_security::workspace::Workspace;
use benchdog_tools::scratch::Scratch;

/// Returns the scratch folder, and the workspace with this folder as a further root.
///
/// Returns the workspace unchanged for a read-only session, or if the folder cannot be created.
pub(super) fn of(engine: &Engine, folder: &Folder, begin: &Begin) -> (Option<Arc<Scratch>>, Arc<Workspace>) {
    if let Some(given) = &begin.given {
        return (given.scratch.clone(), Arc::clone(&given.workspace));
    }
    let made = match begin.access {
        Access::Writable => Scratch::of(&engine.setup.folders.data, &begin.meta.id).ok(),
        Access::NotBegun | Access::Shut => None,
    };
    let with = made.and_then(|made| {
        let workspace = folder.workspace.with_scratch(&engine.setup.folders.data, made.below());
        Some((Some(Arc::new(made)), Arc::new(workspace.ok()?)))
    });
    with.unwrap_or_else(|| (None, Arc::clone(&folder.workspace)))
}

pub(super) fn told(rules: Rules, scratch: Option<&Scratch>) -> Rules {
    Rules {
        scratch: scratch.map(|scratch| scratch.path().display().to_string()),
        ..rules
    }
}

impl Seat {
    pub(super) fn scratch_rule(&self) -> Option<(Layer, Rule)> {
        let scratch = self.scratch.as_ref()?;
        let rule = Rule {
            key: EDITS.to_owned(),
            pattern: format!("{}/**", scratch.path().display()),
            options: None,
            action: Action::Allow,
            origin: BUILT_IN.to_owned(),
        };
        Some((Layer::Default, rule))
    }
}
