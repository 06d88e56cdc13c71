//! Finds sensitive paths that a command could reach: secrets in home folders, system folders and the workspace. In the
//! workspace, also finds files that programs outside the sandbox obey, such as shell start-up files.

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

/// Secret paths below the top level of a home folder.
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

/// System paths that only root can read.
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

/// Folders with generated content. A file there with the name of a secret is usually a sample in a package.
const FILLED_BY_TOOLS: [&str; 5] = [".git", "node_modules", "target", ".venv", "__pycache__"];

const MOST_NAMES: usize = 2_000;

/// Maximum number of scanned folders. Rescanning an unchanged folder takes one or two microseconds.
const MOST_FOLDERS: usize = 50_000;

/// Resolution of change times (ctime). A folder that changed this recently may change again without a new time.
const SAME_TICK: Duration = Duration::from_millis(100);

/// The last scan of a workspace. A new scan reads only changed folders.
#[derive(Debug, Default)]
pub struct Seen {
    folders: HashMap<PathBuf, Arc<Folder>>,
    /// For each root, the hard-linked secrets of the last full scan, which searched for all other names of these files.
    looked_for: HashMap<PathBuf, BTreeSet<Inode>>,
}

#[derive(Debug, Default)]
pub struct Below {
    /// Paths with the name of a secret, and their hard links under harmless names.
    pub secrets: Vec<PathBuf>,
    /// Files that programs outside the sandbox obey.
    pub obeyed: Vec<PathBuf>,
    /// Paths that git treats as a repository or a link to one.
    pub repositories: Vec<PathBuf>,
}

/// Device and inode number.
type Inode = (u64, u64);

#[derive(Debug, Default)]
struct Folder {
    /// The change time (ctime). Unlike other file times, programs cannot set the change time.
    changed: Option<SystemTime>,
    secrets: Vec<PathBuf>,
    obeyed: Vec<PathBuf>,
    repositories: Vec<PathBuf>,
    below: Vec<PathBuf>,
    linked: Vec<(Inode, PathBuf)>,
}

/// The workspace has too many folders to check before a command.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMany;

/// Returns the existing secrets of this user and of the system.
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
    /// `homes` lists secrets elsewhere that may be hard-linked below `root` under another name.
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
        // A new hard link to a file does not change the folder of the file's first name, so the cached folder does not
        // show it. If a secret has new hard links, all folders are read again.
        let before = self.looked_for.insert(root.to_path_buf(), files.clone());
        if !files.is_subset(&before.unwrap_or_default()) {
            self.folders.clear();
            names = known(&self.folders_below(root)?);
        }
        found.secrets.extend(names.into_iter().map(|(_, path)| path));
        Ok(found)
    }

    /// Works like `below`, but ignores hard links to secrets.
    pub fn by_name_below(&mut self, root: &Path) -> Result<Below, TooMany> {
        self.folders_below(root).map(|folders| together(&folders))
    }

    /// Returns the folders below `root`, nearest first.
    fn folders_below(&mut self, root: &Path) -> Result<Vec<Arc<Folder>>, TooMany> {
        // Clear a large cache, because it may contain entries of deleted folders.
        if self.folders.len() > 2 * MOST_FOLDERS {
            self.folders.clear();
        }
        let mut found = Vec::new();
        // Paths relative to an open folder need fewer name lookups.
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
        // Drop a recent change time, because it is unreliable (`SAME_TICK`). The next scan then reads the folder.
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
        // A folder is secret if any file in it would be secret.
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
        // The target of a symbolic link is not read here, so its content is unknown.
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
    // Git recognises a repository by its content, whatever its name.
    if of_git == 3 {
        folder.repositories.push(path.to_path_buf());
    }
    folder
}

fn inode(path: &Path) -> Option<Inode> {
    let found = fs::symlink_metadata(path).ok()?;
    (found.is_file() && found.nlink() > 1).then(|| (found.dev(), found.ino()))
}

/// Returns the hard-linked inodes of `secret` and of the files directly in it.
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
