//! The one walker under `grep`, `glob`, the file tree and `@`. Ignore files count with and without git; hidden files are shown, `.git` is not.
//!
//! It lists names and never follows a link. It opens no file but ignore files.

use std::path::{Path, PathBuf};

use ignore::{WalkBuilder, WalkState};

use super::beneath::Kind;
use crate::base::spelled;

/// Which names a walk is to bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// What `.gitignore`, `.ignore` and git's own exclude file name is left out.
    Skipped,
    /// Everything but `.git`.
    Included,
}

/// How far down a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Levels {
    All,
    /// So many levels.
    First(usize),
}

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Stop,
}

/// One name that a walk came to.
#[derive(Debug)]
pub(crate) struct Found {
    /// Relative to where the walk began.
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

/// Visits everything beneath `root`, on several threads, in no order. Each thread has a visitor of its own.
pub(crate) fn walk<V>(root: &Path, ignored: Ignored, visitor: impl Fn() -> V + Sync)
where
    V: FnMut(Found) -> Flow + Send,
{
    walk_within((root, Levels::All), ignored, visitor);
}

/// The same, so many levels down.
pub(crate) fn walk_within<V>((root, levels): (&Path, Levels), ignored: Ignored, visitor: impl Fn() -> V + Sync)
where
    V: FnMut(Found) -> Flow + Send,
{
    let deepest = match levels {
        Levels::All => None,
        Levels::First(levels) => Some(levels),
    };
    let walk = builder(root, ignored)
        .max_depth(deepest)
        .threads(threads())
        .build_parallel();
    walk.run(|| {
        let mut visit = visitor();
        Box::new(move |entry| {
            // A folder that cannot be read is passed over.
            let Ok(entry) = entry else { return WalkState::Continue };
            if entry.depth() == 0 {
                return WalkState::Continue;
            }
            let kind = match entry.file_type() {
                Some(kind) if kind.is_file() => Kind::File,
                Some(kind) if kind.is_dir() => Kind::Folder,
                Some(kind) if kind.is_symlink() => Kind::Link,
                _ => Kind::Other,
            };
            let Ok(path) = entry.path().strip_prefix(root) else {
                return WalkState::Continue;
            };
            match visit(Found {
                path: path.to_path_buf(),
                kind,
            }) {
                Flow::On => WalkState::Continue,
                Flow::Stop => WalkState::Quit,
            }
        })
    });
}

/// Says of single paths beneath `root` whether they are ignored.
pub(crate) fn matcher(root: &Path) -> Option<ignore::IncrementalIgnore> {
    builder(root, Ignored::Skipped).build_matchers().into_iter().next()
}

/// As many as there are processors, but not so many that they only wait for each other.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).min(8)
}

fn builder(root: &Path, ignored: Ignored) -> WalkBuilder {
    let respect = ignored == Ignored::Skipped;
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(false)
        .hidden(false)
        .ignore(respect)
        .git_ignore(respect)
        .git_exclude(respect)
        .require_git(false)
        // Ignore files above the folder count only within its repository, and the machine's own list never does: in other tools, a `*` in the
        // ignore file of a home folder hid whole projects.
        .parents(respect && in_repository(root))
        .git_global(false)
        .follow_links(false)
        .current_dir(root)
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    builder
}

/// Whether the folder or one above it is the top of a git repository.
fn in_repository(root: &Path) -> bool {
    root.ancestors().any(|folder| folder.join(".git").exists())
}

/// A relative path as it is shown and typed: with `/`, whatever bytes it has.
pub(crate) fn shown(path: &Path) -> String {
    spelled::shown(path).into_owned()
}

#[cfg(test)]
mod tests;
