//! Metadata of the ignore files that the watcher does not see: those above the root, and git's exclude file.

use std::path::{Path, PathBuf};

use crate::stat::Stat;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Rules(Vec<Option<Stat>>);

impl Rules {
    pub(super) fn of(root: &Path) -> Self {
        let stat = |path: PathBuf| rustix::fs::lstat(path).ok().map(|raw| Stat::of(&raw));
        let mut all = Vec::new();
        for folder in root.ancestors() {
            if folder != root {
                all.extend([stat(folder.join(".gitignore")), stat(folder.join(".ignore"))]);
            }
            all.push(stat(folder.join(".git/info/exclude")));
            if folder.join(".git").exists() {
                break;
            }
        }
        Self(all)
    }
}
