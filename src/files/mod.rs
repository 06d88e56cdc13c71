//! Files of the workspace: walker, index for `@`, fuzzy matching, tree levels, watches and git's letters.
//!
//! Names are listed and files opened without following links.

pub(crate) mod beneath;
pub(crate) mod folder;
pub(crate) mod fuzzy;
pub(crate) mod git;
pub(crate) mod index;
pub(crate) mod picture;
pub(crate) mod walker;
pub(crate) mod watch;
pub(crate) mod worktree;
