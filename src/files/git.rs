//! Changed files and newest commits from the `git` program. Empty without git, without a repository, or after a
//! timeout.

mod compare;
mod comparison_target;
mod contents;
mod head;
mod query;
mod staged;
mod written;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

pub use compare::compare;
pub use head::{head, head_moved};
pub(super) use query::{Git, QueryError};
pub use staged::{staged, staged_files, unstaged};
pub use written::{index_lock, is_stored};

/// Timeout for git. After a timeout, the file tree shows no letters of `git status`.
const PATIENCE: Duration = Duration::from_secs(2);

/// Letters of `git status` by relative path. A folder has the most important letter of its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks(BTreeMap<String, char>);

impl Marks {
    /// Returns the letter of a path: `M` changed, `A` added, `D` deleted, `R` renamed, `U` in conflict, or `?`
    /// untracked.
    pub(crate) fn of(&self, path: &str) -> Option<char> {
        if let Some(letter) = self.0.get(path) {
            return Some(*letter);
        }
        // git lists a new folder as one entry, so the folder's letter applies to all files in the folder.
        path.match_indices('/')
            .find_map(|(at, _)| self.0.get(path.get(..=at)?))
            .copied()
    }

    /// Returns the changed paths, without their parent folders.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|path| !path.ends_with('/'))
    }

    /// Returns the changed files with their letters. A new folder is one entry with a slash.
    pub fn files(&self) -> impl Iterator<Item = (&str, char)> {
        let is_named = |path: &str| path.ends_with('/') || !self.has_beneath(path);
        let all = self.0.iter().map(|(path, letter)| (path.as_str(), *letter));
        all.filter(move |(path, _)| is_named(path))
    }

    fn has_beneath(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let next = self.0.range(folder.clone()..).next();
        next.is_some_and(|(below, _)| below.starts_with(&folder))
    }

    fn put(&mut self, path: &str, letter: char) {
        self.0.insert(path.to_owned(), letter);
        let stronger = |old: char, new: char| if rank(new) < rank(old) { new } else { old };
        for (at, _) in path.trim_end_matches('/').match_indices('/') {
            let Some(folder) = path.get(..at) else { continue };
            self.0
                .entry(folder.to_owned())
                .and_modify(|old| *old = stronger(*old, letter))
                .or_insert(letter);
        }
        if let Some(folder) = path.strip_suffix('/') {
            self.0.insert(folder.to_owned(), letter);
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    pub branch: Option<String>,
    pub marks: Marks,
}

pub(crate) fn marks(root: &Path) -> Marks {
    state(root).unwrap_or_default().marks
}

pub fn top(root: &Path) -> Option<&Path> {
    root.ancestors().find(|folder| folder.join(".git").exists())
}

pub fn state(root: &Path) -> Option<State> {
    let top = top(root)?;
    let prefix = root.strip_prefix(top).ok()?.to_str()?;
    let prefix = if prefix.is_empty() {
        String::new()
    } else {
        format!("{prefix}/")
    };
    let status = [
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",
        "--",
        ".",
    ];
    let said = Git::at(root)
        .with_timeout(PATIENCE)
        .without_filters()
        .query(&status)
        .ok()?;
    let text = String::from_utf8_lossy(&said);
    Some(State {
        branch: branch(&text),
        marks: parse(&text, &prefix),
    })
}

pub fn commits(root: &Path, most: usize) -> Vec<String> {
    let most = format!("--max-count={most}");
    let log = ["log", "--no-show-signature", "--no-color", "--format=%h %s", &most];
    // Filters can stay enabled, because this query reads no file.
    let said = Git::at(root).with_timeout(PATIENCE).query(&log).unwrap_or_default();
    String::from_utf8_lossy(&said).lines().map(str::to_owned).collect()
}

/// Returns the settings of repository filters that run when files are written. A filter is a program.
pub(super) fn filters(root: &Path) -> Vec<String> {
    let git = Git::at(root).without_filters();
    let writes = |name: &&str| name.ends_with(".smudge") || name.ends_with(".process");
    git.disabled_filters().filter(writes).map(str::to_owned).collect()
}

fn branch(text: &str) -> Option<String> {
    let head = text
        .split('\0')
        .find_map(|record| record.strip_prefix("# branch.head "))?;
    (head != "(detached)").then(|| head.to_owned())
}

/// Parses `--porcelain=v2 -z`: NUL-terminated records with paths from the repository top.
fn parse(text: &str, prefix: &str) -> Marks {
    let mut marks = Marks::default();
    let mut records = text.split('\0');
    while let Some(record) = records.next() {
        let Some((kind, rest)) = record.split_once(' ') else {
            continue;
        };
        // Number of fields before the path.
        let fields = match kind {
            "1" => 7,
            "2" => 8,
            "u" => 9,
            "?" => 0,
            _ => continue,
        };
        if kind == "2" {
            records.next();
        }
        let Some(path) = after_fields(rest, fields).and_then(|path| path.strip_prefix(prefix)) else {
            continue;
        };
        marks.put(path, letter(kind, rest));
    }
    marks
}

fn after_fields(rest: &str, fields: usize) -> Option<&str> {
    let mut rest = rest;
    for _ in 0..fields {
        rest = rest.split_once(' ')?.1;
    }
    Some(rest)
}

/// Returns the letter of the working tree if the file changed in the working tree, or else the letter of the index.
fn letter(kind: &str, rest: &str) -> char {
    match kind {
        "?" => '?',
        "u" => 'U',
        _ => {
            let mut letters = rest.chars();
            let index = letters.next().unwrap_or('.');
            let tree = letters.next().unwrap_or('.');
            match (index, tree) {
                // A new or renamed file keeps its index letter after an edit.
                ('A' | 'R' | 'C', 'M') | (_, '.') => index,
                (_, tree) => tree,
            }
        }
    }
}

fn rank(letter: char) -> u8 {
    match letter {
        'U' => 0,
        'D' => 1,
        'M' => 2,
        'R' | 'C' | 'T' => 3,
        'A' => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests;
