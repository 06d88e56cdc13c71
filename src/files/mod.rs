//! What is in the folder: the one walker, the index behind `@`, fuzzy matching, one level for the tree and whether it changed, git's letters.
//!
//! Names are listed without following links. What is opened is opened beneath a held folder, through no link.

pub(crate) mod beneath;
pub(crate) mod folder;
pub(crate) mod fuzzy;
pub(crate) mod git;
pub(crate) mod index;
pub(crate) mod picture;
pub(crate) mod walker;
pub(crate) mod watch;
pub(crate) mod worktree;
