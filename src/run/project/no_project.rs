//! Detects folders that are not projects, such as a home folder. Benchdog shows a notice for such a folder, and does
//! not read the rules and file names below the folder.
//!
//! A repository in such a folder, such as in `/srv` of a container, is treated as a project.

use std::path::{Path, PathBuf};

use super::{OWN, Places};
use benchdog_domain::notice::Notice;
use benchdog_files::walker::Levels;
use benchdog_security::trust::Brought;

/// Maximum depth of the files that `@` finds in a folder that is not a project. `/` may contain a million files.
pub(in crate::run) const NAMED_LEVELS: usize = 2;

/// Folders that contain several projects, or that several people share.
const OF_SEVERAL: &[&str] = &[
    "/",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/tmp",
    "/var/tmp",
    // macOS: homes, disks, and links to them.
    "/Users",
    "/Users/Shared",
    "/Volumes",
    "/private/tmp",
    "/private/var/tmp",
];

/// System folders whose subfolders also belong to the system. The list covers Linux, BSD, macOS and package stores.
const WHOLE: &[&str] = &[
    "/bin",
    "/boot",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libexec",
    "/libx32",
    "/nix/store",
    "/proc",
    "/rescue",
    "/sbin",
    "/snap",
    "/sys",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libdata",
    "/usr/libexec",
    "/usr/libx32",
    "/usr/local/bin",
    "/usr/local/etc",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/libexec",
    "/usr/local/sbin",
    "/usr/local/share",
    "/usr/sbin",
    "/usr/share",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/spool",
    "/Applications",
    "/Library",
    "/System",
    "/private/etc",
    "/private/var/db",
    "/private/var/log",
    "/usr/standalone",
];

/// System folders that may contain projects.
const ALONE: &[&str] = &[
    "/dev",
    "/gnu",
    "/nix",
    "/run",
    "/usr",
    "/usr/games",
    "/usr/local",
    "/usr/src",
    "/var",
    "/private",
    "/private/var",
];

impl Places {
    /// Returns a notice if the workspace is a home folder, a standard folder in a home folder, or a system folder.
    pub(in crate::run) fn no_project(&self) -> Option<Notice> {
        const OF_HOME: [&str; 4] = ["", "Desktop", "Documents", "Downloads"];
        let home = self.home();
        let is_of_home = |home: &PathBuf| OF_HOME.iter().any(|folder| self.root == home.join(folder));
        let (path, repository) = (self.root.display().to_string(), is_repository(&self.root));
        if is_one(&self.root, OF_SEVERAL) || home.as_ref().is_some_and(is_of_home) {
            return Some(Notice::WideFolder { path, repository });
        }
        // The home folder of a user may be inside a system folder.
        let is_at_home = home.is_some_and(|home| home.parent().is_some() && self.root.starts_with(home));
        (!is_at_home && is_of_system(&self.root, is_project)).then_some(Notice::SystemFolder { path, repository })
    }

    pub(in crate::run) fn levels(&self) -> Levels {
        match self.no_project() {
            Some(_) if !is_repository(&self.root) => Levels::First(NAMED_LEVELS),
            Some(_) | None => Levels::All,
        }
    }

    pub(super) fn brought(&self) -> Brought {
        let home = self.home();
        // Do not search the content of a folder that can never be trusted.
        let is_whole = is_repository(&self.root) && self.never_trusted().is_none();
        match self.no_project() {
            Some(_) if !is_whole => Brought::look_on_top(&self.root, home.as_deref()),
            Some(_) | None => Brought::look(&self.root, home.as_deref()),
        }
    }
}

fn is_project(folder: &Path) -> bool {
    is_repository(folder) || ["AGENTS.md", "CLAUDE.md", OWN].iter().any(|name| has(folder, name))
}

fn is_repository(folder: &Path) -> bool {
    has(folder, ".git")
}

fn has(folder: &Path, name: &str) -> bool {
    std::fs::symlink_metadata(folder.join(name)).is_ok()
}

/// Whether the folder belongs to the system. Some folders, such as `/usr/local`, `/usr/src`, `/var` and `/run`, belong
/// to the system, but not the folders below them.
///
/// Folders below other system folders also belong to the system, unless a marker file makes them part of a project. A
/// marker file directly in `/etc` has no effect.
fn is_of_system(folder: &Path, is_project: impl Fn(&Path) -> bool) -> bool {
    if let Some(of_system) = WHOLE.iter().find(|of_system| folder.starts_with(of_system)) {
        let mut inside = folder.ancestors().take_while(|above| *above != Path::new(of_system));
        return !inside.any(is_project);
    }
    is_one(folder, ALONE)
}

fn is_one(folder: &Path, of: &[&str]) -> bool {
    of.iter().any(|one| folder == Path::new(one))
}

#[cfg(test)]
mod tests;
