//! `--worktree`: begins a session in a worktree of the current repository.

use super::engine::{Base, StartedFrom};
use super::project::Places;
use crate::error::Trouble;
use benchdog_domain::notice::Notice;
use benchdog_domain::worktree::WorktreeNotice;
use benchdog_files::worktree::{Filters, Repository};
use benchdog_headless::exit::Exit;
use benchdog_lang as lang;

/// Creates or opens the worktree with this name, and returns a `Base` for the worktree. If the name is empty, chooses
/// an unused name. Git filters run only if the person trusts the current folder.
pub(super) fn begin_in(base: &Base, name: &str) -> Result<(Base, StartedFrom), Trouble> {
    let subject = Places::of(base).find().subject;
    let trusted = match &subject {
        _ if base.common.trust => true,
        Some(subject) => base.trusted_before(subject)?,
        None => false,
    };
    let filters = if trusted { Filters::Run } else { Filters::Refuse };
    let name = Some(name).filter(|name| !name.is_empty());
    let made = Repository::of(&base.root, &base.folders.worktrees())
        .and_then(|repository| repository.open(name, filters))
        .map_err(|why| Trouble::new(Exit::Usage, lang::worktree_refused(&why)).coded("no_worktree"))?;
    let from = StartedFrom {
        root: base.root.clone(),
        notice: made.left_out.map(|left_out| {
            Notice::Worktree(WorktreeNotice::Made {
                worktree: made.name,
                branch: made.branch,
                left_out,
            })
        }),
    };
    let root = std::fs::canonicalize(&made.path).map_err(|error| Trouble::new(Exit::Internal, error.to_string()))?;
    let base = Base { root, ..base.clone() };
    Ok((base, from))
}
