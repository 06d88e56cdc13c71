//! Finds rule files outside the top of the workspace: in parent folders up to the top of the repository, and in folders
//! below. Lists names and opens nothing.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Names of rule files. In each folder, the first existing file is used.
pub(super) const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// Maximum number of searched folders, nearest first. A time limit would give different results for the same tree.
const MOST_FOLDERS: usize = 2_000;
const DEEPEST: usize = 6;

/// Folders with third-party or generated content.
const NOT_OURS: &[&str] = &[
    "node_modules",
    "target",
    "vendor",
    "third_party",
    "dist",
    "build",
    "out",
    "venv",
    "__pycache__",
    "site-packages",
];

/// Returns the parent folders of `root` up to the top of its repository, the farthest first. Excludes the home folder
/// and its parents, which belong to several projects.
pub(super) fn above(root: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let is_shared = |folder: &Path| folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder));
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in root.ancestors() {
        if is_shared(folder) {
            return Vec::new();
        }
        if folder != root {
            folders.push(folder.to_path_buf());
        }
        if std::fs::symlink_metadata(folder.join(".git")).is_ok() {
            folders.reverse();
            return folders;
        }
    }
    Vec::new()
}

/// Returns the top of the repository of `root`, which may be `root` itself. `None` outside a repository, or if the home
/// folder or `/` is the top or in between.
pub(super) fn top(root: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let is_shared = |folder: &Path| folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder));
    let own = root.ancestors().take_while(|folder| !is_shared(folder));
    let mut tops = own.filter(|folder| std::fs::symlink_metadata(folder.join(".git")).is_ok());
    tops.next().map(Path::to_path_buf)
}

/// Returns the rule files in folders below `root`, relative with `/`. Does not follow links or enter hidden folders.
pub(super) fn below(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut queue = VecDeque::from([(String::new(), 0)]);
    let mut looked = 0;
    while let Some((folder, depth)) = queue.pop_front() {
        looked += 1;
        if looked > MOST_FOLDERS {
            break;
        }
        let Ok(entries) = std::fs::read_dir(root.join(&folder)) else {
            continue;
        };
        let (mut inside, mut rules) = (Vec::new(), None);
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let rank = NAMES.iter().position(|known| *known == name);
            if let Some(rank) = rank {
                rules = Some(rules.map_or(rank, |known: usize| known.min(rank)));
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir())
                && !name.starts_with('.')
                && !NOT_OURS.contains(&name)
            {
                inside.push(joined(&folder, name));
            }
        }
        if let Some(name) = rules.and_then(|rank| NAMES.get(rank))
            && !folder.is_empty()
        {
            found.push(joined(&folder, name));
        }
        if depth < DEEPEST {
            inside.sort_unstable();
            queue.extend(inside.into_iter().map(|folder| (folder, depth + 1)));
        }
    }
    found
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
