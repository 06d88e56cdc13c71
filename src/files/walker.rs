//! The walker for `grep`, `glob`, the file tree and `@`. Includes hidden files but not `.git`.
//!
//! Ignore files apply even without git. Links are never followed, and only ignore files are opened.

use std::path::{Path, PathBuf};

use ignore::{WalkBuilder, WalkState};

use super::beneath::Kind;
use benchdog_base::path_name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    /// Excludes files that `.gitignore`, `.ignore` or git's exclude file matches.
    Skipped,
    Included,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    All,
    First(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    On,
    Stop,
}

#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub kind: Kind,
}

/// Visits everything below `root` in no order. Each thread has its own visitor.
pub fn walk<V>(root: &Path, ignored: Ignored, visitor: impl Fn() -> V + Sync)
where
    V: FnMut(Found) -> Flow + Send,
{
    walk_within((root, Levels::All), ignored, visitor);
}

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

/// The ignore rules below a folder. Reads each ignore file once, at its first use.
pub type Matcher = ignore::IncrementalIgnore;

pub fn matcher(root: &Path) -> Option<Matcher> {
    builder(root, Ignored::Skipped).build_matchers().into_iter().next()
}

/// Returns the number of processors, but at most 8, because more threads only wait for each other.
pub fn threads() -> usize {
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
        // Ignore files above `root` apply only within the repository. Global ignore files never apply, because a `*` in
        // a home folder would hide whole projects.
        .parents(respect && in_repository(root))
        .git_global(false)
        .follow_links(false)
        .current_dir(root)
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    builder
}

fn in_repository(root: &Path) -> bool {
    root.ancestors().any(|folder| folder.join(".git").exists())
}

/// Returns a relative path for display and typing, with `/`. Bytes that are not UTF-8 are escaped.
pub fn shown(path: &Path) -> String {
    path_name::display(path).into_owned()
}

#[cfg(test)]
mod tests;
