//! Which secrets lie where a command could read them: in homes, in the system's folders, in the workspace. Names and kinds only;
//! no file is opened.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::secrets::is_secret_path;

/// Places in a home that are secret and lie deeper than its own entries.
const DEEPER: [&str; 14] = [
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".config/git/credentials",
    ".config/op",
    ".config/rclone/rclone.conf",
    ".config/google-chrome",
    ".config/chromium",
    ".mozilla",
    ".docker/config.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".local/share/keyrings",
    ".terraform.d/credentials.tfrc.json",
];

/// What only root can read, and a command of root could.
const OF_THE_SYSTEM: [&str; 8] = [
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/ssl/private",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
];

/// Folders of a workspace that tools fill. What is secret by its name there is a sample of somebody else's.
const FILLED_BY_TOOLS: [&str; 5] = [".git", "node_modules", "target", ".venv", "__pycache__"];

/// How many folders of a workspace are looked at. A look that finds none changed takes a microsecond or two each.
const MOST_FOLDERS: usize = 50_000;

/// A folder that changed as little as this before it was read may change again with the same time.
const SAME_TICK: Duration = Duration::from_millis(100);

/// The workspace as it was seen last: only folders that changed are read again.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    folders: HashMap<PathBuf, Folder>,
}

#[derive(Debug, Clone, Default)]
struct Folder {
    changed: Option<SystemTime>,
    secrets: Vec<PathBuf>,
    below: Vec<PathBuf>,
}

/// There are more folders than can be looked at before a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// Secrets of this user and of the system, as far as they exist.
pub(crate) fn in_homes(home: Option<&Path>) -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = home.into_iter().map(Path::to_path_buf).collect();
    if rustix::process::geteuid().is_root() {
        homes.push(PathBuf::from("/root"));
        homes.extend(entries(Path::new("/home")).map(|entry| entry.path()));
    }
    homes.sort_unstable();
    homes.dedup();
    let mut found: Vec<PathBuf> = OF_THE_SYSTEM
        .iter()
        .map(PathBuf::from)
        .filter(|path| path.exists())
        .collect();
    for home in &homes {
        let own = entries(home).filter(|entry| is_secret_path(Path::new(&entry.file_name())));
        found.extend(own.map(|entry| entry.path()));
        found.extend(DEEPER.iter().map(|path| home.join(path)).filter(|path| path.exists()));
    }
    found
}

impl Seen {
    /// Secrets below `root`, by their names.
    pub(crate) fn below(&mut self, root: &Path) -> Result<Vec<PathBuf>, TooMany> {
        let mut found = Vec::new();
        let mut open = vec![root.to_path_buf()];
        let mut met = 0;
        while let Some(path) = open.pop() {
            met += 1;
            if met > MOST_FOLDERS {
                return Err(TooMany);
            }
            let folder = self.folder(root, &path);
            found.extend(folder.secrets.iter().cloned());
            open.extend(folder.below.iter().cloned());
        }
        Ok(found)
    }

    fn folder(&mut self, root: &Path, path: &Path) -> Folder {
        let changed = fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
        if let Some(known) = self.folders.get(path).filter(|known| known.changed.is_some())
            && known.changed == changed
        {
            return known.clone();
        }
        let mut folder = read(root, path);
        // Without a time it is read again.
        folder.changed = changed.filter(|changed| changed.elapsed().is_ok_and(|age| age > SAME_TICK));
        self.folders.insert(path.to_path_buf(), folder.clone());
        folder
    }
}

fn read(root: &Path, path: &Path) -> Folder {
    let mut folder = Folder::default();
    for entry in entries(path) {
        let (path, name) = (entry.path(), entry.file_name());
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // A folder is secret when everything in it is.
        let secret = if is_folder {
            is_secret_path(&relative.join("any"))
        } else {
            is_secret_path(relative)
        };
        if secret {
            folder.secrets.push(path);
        } else if is_folder && !FILLED_BY_TOOLS.iter().any(|filled| name == *filled) {
            folder.below.push(path);
        }
    }
    folder
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path, seen: &mut Seen) -> Vec<String> {
        let mut found: Vec<String> = seen
            .below(root)
            .unwrap()
            .iter()
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        found.sort();
        found
    }

    #[test]
    fn secrets_are_found_wherever_they_lie_and_when_they_come_later() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for folder in ["app/config", "app/.aws", "node_modules/x", ".git"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "app/config/prod.env",
            "app/.aws/config",
            "app/main.rs",
            "node_modules/x/test.pem",
        ] {
            fs::write(root.join(file), "").unwrap();
        }
        let mut seen = Seen::default();
        assert_eq!(names(root, &mut seen), ["app/.aws", "app/config/prod.env"]);
        fs::write(root.join("app/.env"), "").unwrap();
        fs::remove_file(root.join("app/config/prod.env")).unwrap();
        assert_eq!(names(root, &mut seen), ["app/.aws", "app/.env"]);
        fs::write(root.join("app/config/late.key"), "").unwrap();
        assert_eq!(names(root, &mut seen), ["app/.aws", "app/.env", "app/config/late.key"]);
    }

    #[test]
    fn secrets_of_a_home_are_found_at_their_places() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(".config/gh")).unwrap();
        fs::create_dir_all(home.path().join(".ssh")).unwrap();
        fs::write(home.path().join(".config/gh/hosts.yml"), "").unwrap();
        fs::write(home.path().join(".netrc"), "").unwrap();
        fs::write(home.path().join("notes"), "").unwrap();
        let found = in_homes(Some(home.path()));
        for name in [".ssh", ".netrc", ".config/gh/hosts.yml"] {
            assert!(found.contains(&home.path().join(name)), "{name}: {found:?}");
        }
        assert!(!found.contains(&home.path().join("notes")));
    }
}
