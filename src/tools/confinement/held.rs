//! What no confined command writes in a folder that it may write: names that programs outside act on without being asked. A name that nothing
//! has yet is taken while the command runs, so that it can be held as well.

use std::path::{Path, PathBuf};

use crate::children::confined::{Ground, Laid, stands};
use crate::domain::confinement::Stand;
use crate::security::git_folder;

/// Names that are held at the most, each of which is a mount; what is more is looked at when the command has ended.
const MOST: usize = 400;

/// What is held in one root.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) names: Vec<PathBuf>,
    /// Those of them that stay held whatever another command does that began before and laid what stands for some.
    pub(super) firm: Vec<PathBuf>,
    /// Git folders that cannot be moved away, so that no other takes their name.
    pub(super) git_folders: Vec<PathBuf>,
    /// What stands for names that nothing has.
    pub(super) laid: Vec<Laid>,
}

/// `repositories`: what was found in the root. Those in it and directly below are held, for editors look at these by themselves; a folder
/// that lies deeper may be one that a build makes and removes.
pub(super) fn held(root: &Path, repositories: &[PathBuf], ground: Option<&Ground>) -> Held {
    let mut held = Held::default();
    let near = repositories
        .iter()
        .filter(|path| path.ends_with(".git") && path.parent().is_some_and(|tree| is_near(root, tree)));
    held.hold(root.join(".benchdog"), Some(Stand::Folder), ground);
    for git in near {
        // A file in place of the folder names the folder.
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
    fn hold(&mut self, name: PathBuf, stand: Option<Stand>, ground: Option<&Ground>) {
        if self.names.len() >= MOST {
            return;
        }
        let firm = name.symlink_metadata().is_ok() && !stands(&name);
        self.firm.extend(Some(name.clone()).filter(|_| firm));
        let laid = ground.zip(stand).and_then(|(ground, stand)| ground.lay(&name, stand));
        self.laid.extend(laid);
        if name.symlink_metadata().is_ok() {
            self.names.push(name);
        }
    }
}
