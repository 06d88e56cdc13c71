//! Folders that are no project: what is done there reaches further than one expects. A notice says so; nobody is kept from working there.

use std::path::{Path, PathBuf};

use super::Places;
use crate::domain::notice::Notice;

impl Places {
    /// What is said where the folder holds what belongs to no single project: a home or a folder of one, or the system's own files.
    pub(in crate::run) fn no_project(&self) -> Option<Notice> {
        const OF_HOME: [&str; 4] = ["", "Desktop", "Documents", "Downloads"];
        const OF_SEVERAL: [&str; 6] = ["/", "/home", "/opt", "/root", "/srv", "/tmp"];
        let home = self.home();
        let is_one = |folders: &[&str]| folders.iter().any(|folder| self.root == Path::new(folder));
        let is_of_home = |home: &PathBuf| OF_HOME.iter().any(|folder| self.root == home.join(folder));
        let path = self.root.display().to_string();
        if is_one(&OF_SEVERAL) || home.as_ref().is_some_and(is_of_home) {
            return Some(Notice::WideFolder { path });
        }
        // A user may live in a folder of the system.
        let is_at_home = home.is_some_and(|home| home.parent().is_some() && self.root.starts_with(home));
        (!is_at_home && is_of_system(&self.root)).then_some(Notice::SystemFolder { path })
    }
}

/// Whether the system keeps its own files there. Below `/usr/local`, `/usr/src`, `/var` and `/run` projects stand as well.
fn is_of_system(folder: &Path) -> bool {
    const WHOLE: [&str; 14] = [
        "/bin",
        "/boot",
        "/etc",
        "/lib",
        "/lib64",
        "/proc",
        "/sbin",
        "/sys",
        "/usr/bin",
        "/usr/include",
        "/usr/lib",
        "/usr/libexec",
        "/usr/sbin",
        "/usr/share",
    ];
    const ALONE: [&str; 10] = [
        "/dev",
        "/run",
        "/usr",
        "/usr/local",
        "/usr/src",
        "/var",
        "/var/cache",
        "/var/lib",
        "/var/log",
        "/var/spool",
    ];
    WHOLE.iter().any(|of_system| folder.starts_with(of_system))
        || ALONE.iter().any(|of_system| folder == Path::new(of_system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_folders_of_the_system_some_are_its_own_and_some_are_projects() {
        for (folder, is_own) in [
            ("/etc/ssh", true),
            ("/usr/lib/python3", true),
            ("/var/log", true),
            ("/usr/local", true),
            ("/usr/local/src/tool", false),
            ("/var/www/shop", false),
            ("/etcetera", false),
            ("/home/me/etc", false),
        ] {
            assert_eq!(is_of_system(Path::new(folder)), is_own, "{folder}");
        }
    }
}
