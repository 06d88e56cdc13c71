//! Finds sensitive paths a command could reach: secrets in homes, system folders and the workspace. In the workspace it also
//! finds files that outside programs obey. It checks names and types only and opens no file.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, StatxFlags};

use super::secrets::is_secret_path;
use super::steering::is_obeyed;
use benchdog_domain::command::Put;

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

/// System paths that only root can read, which a command of root could reach.
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

/// Names looked at in one folder of secrets.
const MOST_NAMES: usize = 2_000;

/// Maximum number of workspace folders to scan. Rescanning an unchanged folder takes one or two microseconds.
const MOST_FOLDERS: usize = 50_000;

/// A folder that changed as little as this before it was read may change again with the same time.
const SAME_TICK: Duration = Duration::from_millis(100);

/// A workspace as it was seen last: only folders that changed are read again.
#[derive(Debug, Default)]
pub struct Seen {
    folders: HashMap<PathBuf, Arc<Folder>>,
    /// For each root, the secrets with several names whose other names were looked for in every folder.
    looked_for: HashMap<PathBuf, BTreeSet<Inode>>,
}

/// Sensitive paths below a folder, by name and type.
#[derive(Debug, Default)]
pub struct Below {
    /// Also those whose own name is harmless and that are the same file as one with the name of a secret.
    pub secrets: Vec<PathBuf>,
    /// Files that outside programs obey.
    pub obeyed: Vec<PathBuf>,
    /// Paths that git treats as a repository or as a link to one.
    pub repositories: Vec<PathBuf>,
}

/// A file, whatever it is called.
type Inode = (u64, u64);

#[derive(Debug, Default)]
struct Folder {
    /// The last change of its names or its mode. Programs can set every other time.
    changed: Option<SystemTime>,
    secrets: Vec<PathBuf>,
    obeyed: Vec<PathBuf>,
    repositories: Vec<PathBuf>,
    below: Vec<PathBuf>,
    /// Files with several names.
    linked: Vec<(Inode, PathBuf)>,
}

/// There are more folders than can be looked at before a command.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMany;

/// Secrets of this user and of the system, as far as they exist.
pub fn in_homes(home: Option<&Path>) -> Vec<PathBuf> {
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
    /// Returns the sensitive paths below `root`. `homes` lists secrets elsewhere that may be hard-linked here under another name.
    pub fn below(&mut self, root: &Path, homes: &[PathBuf]) -> Result<Below, TooMany> {
        let folders = self.folders_below(root)?;
        let mut found = together(&folders);
        let files: BTreeSet<Inode> = homes
            .iter()
            .chain(&found.secrets)
            .flat_map(|path| linked(path))
            .collect();
        let known = |folders: &[Arc<Folder>]| -> Vec<(Inode, PathBuf)> {
            let all = folders.iter().flat_map(|folder| &folder.linked);
            all.filter(|(file, _)| files.contains(file)).cloned().collect()
        };
        let mut names = known(&folders);
        // A file that gets a second name somewhere does not change the folder of its first.
        let before = self.looked_for.insert(root.to_path_buf(), files.clone());
        if !files.is_subset(&before.unwrap_or_default()) {
            self.folders.clear();
            names = known(&self.folders_below(root)?);
        }
        found.secrets.extend(names.into_iter().map(|(_, path)| path));
        Ok(found)
    }

    /// Returns the sensitive paths below `root`, ignoring hard links to secrets.
    pub fn by_name_below(&mut self, root: &Path) -> Result<Below, TooMany> {
        self.folders_below(root).map(|folders| together(&folders))
    }

    /// The nearest first.
    fn folders_below(&mut self, root: &Path) -> Result<Vec<Arc<Folder>>, TooMany> {
        // Folders that are gone stay known until then.
        if self.folders.len() > 2 * MOST_FOLDERS {
            self.folders.clear();
        }
        let mut found = Vec::new();
        // Below a folder that is open, fewer names are looked up for each.
        let top = fs::File::open(root).ok();
        let mut open = VecDeque::from([root.to_path_buf()]);
        while let Some(path) = open.pop_front() {
            if found.len() >= MOST_FOLDERS {
                return Err(TooMany);
            }
            let folder = self.folder(root, top.as_ref(), &path);
            open.extend(folder.below.iter().cloned());
            found.push(folder);
        }
        Ok(found)
    }

    fn folder(&mut self, root: &Path, top: Option<&fs::File>, path: &Path) -> Arc<Folder> {
        let changed = top.and_then(|top| changed(top, path.strip_prefix(root).ok()?));
        if let Some(known) = self.folders.get(path).filter(|known| known.changed.is_some())
            && known.changed == changed
        {
            return Arc::clone(known);
        }
        let mut folder = read(root, path);
        // Without a time it is read again.
        folder.changed = changed.filter(|changed| changed.elapsed().is_ok_and(|age| age > SAME_TICK));
        let folder = Arc::new(folder);
        self.folders.insert(path.to_path_buf(), Arc::clone(&folder));
        folder
    }
}

fn together(folders: &[Arc<Folder>]) -> Below {
    let mut found = Below::default();
    for folder in folders {
        found.secrets.extend(folder.secrets.iter().cloned());
        found.obeyed.extend(folder.obeyed.iter().cloned());
        found.repositories.extend(folder.repositories.iter().cloned());
    }
    found
}

fn changed(top: &fs::File, relative: &Path) -> Option<SystemTime> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
    let found = rustix::fs::statx(top, relative, flags, StatxFlags::CTIME).ok()?;
    let since = Duration::new(found.stx_ctime.tv_sec.try_into().ok()?, found.stx_ctime.tv_nsec);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

fn read(root: &Path, path: &Path) -> Folder {
    let mut folder = Folder::default();
    let mut of_git = 0;
    for entry in entries(path) {
        let (path, name) = (entry.path(), entry.file_name());
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let kind = entry.file_type().ok();
        let is_folder = kind.is_some_and(|kind| kind.is_dir());
        // A folder is secret when everything in it is.
        let secret = if is_folder {
            is_secret_path(&relative.join("any"))
        } else {
            is_secret_path(relative)
        };
        of_git += u8::from(["HEAD", "objects", "refs"].iter().any(|part| name == *part));
        if name == ".git" {
            folder.repositories.push(path);
            continue;
        }
        // What a link leads to is seen by whoever follows it.
        let put = if kind.is_some_and(|kind| kind.is_symlink()) {
            Put::Unseen
        } else {
            Put::Known
        };
        if !is_folder && is_obeyed(relative, put) {
            folder.obeyed.push(path.clone());
        }
        if secret {
            folder.secrets.push(path);
        } else if is_folder && !FILLED_BY_TOOLS.iter().any(|filled| name == *filled) {
            folder.below.push(path);
        } else if kind.is_some_and(|kind| kind.is_file()) {
            folder.linked.extend(inode(&path).map(|file| (file, path)));
        }
    }
    // Git needs no name to take a folder for a repository.
    if of_git == 3 {
        folder.repositories.push(path.to_path_buf());
    }
    folder
}

/// A file that has several names.
fn inode(path: &Path) -> Option<Inode> {
    let found = fs::symlink_metadata(path).ok()?;
    (found.is_file() && found.nlink() > 1).then(|| (found.dev(), found.ino()))
}

/// The files with several names that a secret is, or holds.
fn linked(secret: &Path) -> Vec<Inode> {
    let inside = entries(secret)
        .take(MOST_NAMES)
        .filter_map(|entry| inode(&entry.path()));
    inode(secret).into_iter().chain(inside).collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

#[cfg(test)]
mod tests;
