//! Files of the workspace: walker, index for `@`, fuzzy matching, tree levels, watches, and the letters of `git
//! status`. Never follows links.

pub mod beneath;
pub(crate) mod folder;
pub mod fuzzy;
pub mod git;
pub mod index;
pub mod picture;
pub mod walker;
pub mod watch;
pub mod worktree;
