//! Paths that confined commands must not write, because programs outside the sandbox execute or read them. Missing
//! paths get a placeholder, so that the sandbox can protect them.

use std::path::{Path, PathBuf};

use benchdog_children::confined::{Placeholder, Scratch, is_placeholder};
use benchdog_domain::confinement::Stand;
use benchdog_security::git_folder;

/// Maximum number of protected paths, because each needs a mount. Further paths are checked after the command.
const MOST: usize = 400;

#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) names: Vec<PathBuf>,
    /// Paths that need no check after the command, because their protection needs no placeholder.
    pub(super) firm: Vec<PathBuf>,
    /// Git folders, mounted so that they cannot be renamed or replaced.
    pub(super) git_folders: Vec<PathBuf>,
    pub(super) laid: Vec<Placeholder>,
}

/// Returns the paths to protect in a workspace root. Includes only the repository of the root, and repositories
/// directly below the root, which editors open automatically. Deeper repositories may belong to a build.
pub(super) fn held(root: &Path, repositories: &[PathBuf], ground: Option<&Scratch>) -> Held {
    let mut held = Held::default();
    let near = repositories
        .iter()
        .filter(|path| path.ends_with(".git") && path.parent().is_some_and(|tree| is_near(root, tree)));
    held.hold(root.join(".benchdog"), Some(Stand::Folder), ground);
    for git in near {
        // A `.git` file contains the path of the git folder.
        if !git.is_dir() {
            held.hold(git.clone(), None, ground);
            continue;
        }
        held.git_folders.push(git.clone());
        for folder in git_folder::family(git) {
            for (name, stand) in git_folder::to_hold(&folder) {
                held.hold(name, Some(stand), ground);
            }
        }
        let hooks = git_folder::named_hooks(git);
        held.firm.extend(hooks.clone());
        held.names.extend(hooks);
    }
    held
}

fn is_near(root: &Path, tree: &Path) -> bool {
    tree == root || tree.parent() == Some(root)
}

impl Held {
    fn hold(&mut self, name: PathBuf, stand: Option<Stand>, ground: Option<&Scratch>) {
        if self.names.len() >= MOST {
            return;
        }
        let firm = name.symlink_metadata().is_ok() && !is_placeholder(&name);
        self.firm.extend(Some(name.clone()).filter(|_| firm));
        let laid = ground
            .zip(stand)
            .and_then(|(ground, stand)| ground.create(&name, stand));
        self.laid.extend(laid);
        if name.symlink_metadata().is_ok() {
            self.names.push(name);
        }
    }
}
