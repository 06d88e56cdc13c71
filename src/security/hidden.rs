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
    /// When its names or its mode changed last. Programs can set every other time.
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
mod tests {
    use super::*;

    fn names(root: &Path, seen: &mut Seen) -> Vec<String> {
        let mut found: Vec<String> = seen
            .below(root, &[])
            .unwrap()
            .secrets
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
    fn every_name_of_a_secret_is_one_whenever_it_got_it() {
        let (root, home) = (
            tempfile::tempdir_in("/var/tmp").unwrap(),
            tempfile::tempdir_in("/var/tmp").unwrap(),
        );
        let root = root.path();
        fs::create_dir_all(root.join("docs")).unwrap();
        fs::create_dir_all(home.path().join(".ssh")).unwrap();
        for file in ["docs/first", "docs/second", "docs/alone"] {
            fs::write(root.join(file), "").unwrap();
        }
        let secrets = in_homes(Some(home.path()));
        let mut seen = Seen::default();
        let mut names = || {
            let mut found = seen.below(root, &secrets).unwrap().secrets;
            found.sort();
            found
        };
        assert!(names().is_empty());
        std::thread::sleep(SAME_TICK * 2);
        assert!(names().is_empty());
        // Neither changes the folder that holds the harmless name.
        fs::hard_link(root.join("docs/first"), root.join(".env")).unwrap();
        fs::hard_link(root.join("docs/second"), home.path().join(".ssh/id_rsa")).unwrap();
        fs::hard_link(root.join("docs/alone"), root.join("docs/also-alone")).unwrap();
        let wanted = [".env", "docs/first", "docs/second"].map(|name| root.join(name));
        assert_eq!(names(), wanted);
    }

    #[test]
    fn a_look_without_the_secrets_of_homes_makes_nothing_be_read_again() {
        let (root, home) = (
            tempfile::tempdir_in("/var/tmp").unwrap(),
            tempfile::tempdir_in("/var/tmp").unwrap(),
        );
        let root = root.path();
        let key = home.path().join("id_rsa");
        fs::write(&key, "").unwrap();
        fs::hard_link(&key, home.path().join("copy")).unwrap();
        std::thread::sleep(SAME_TICK * 2);
        let mut seen = Seen::default();
        seen.below(root, std::slice::from_ref(&key)).unwrap();
        let read = Arc::clone(&seen.folders[root]);
        seen.by_name_below(root).unwrap();
        seen.below(root, &[key]).unwrap();
        assert!(Arc::ptr_eq(&read, &seen.folders[root]));
    }

    #[test]
    fn a_folder_whose_time_was_set_back_is_read_again() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let mut seen = Seen::default();
        std::thread::sleep(SAME_TICK * 2);
        let before = fs::metadata(root).unwrap().modified().unwrap();
        assert!(seen.below(root, &[]).unwrap().repositories.is_empty());
        fs::create_dir(root.join(".git")).unwrap();
        fs::File::open(root).unwrap().set_modified(before).unwrap();
        assert_eq!(seen.below(root, &[]).unwrap().repositories, [root.join(".git")]);
    }

    #[test]
    fn what_others_obey_is_found_with_repositories_by_every_look() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for folder in ["sub/.git", "bare/objects", "bare/refs", ".github/workflows"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["bare/HEAD", "tree.git", ".github/workflows/ci.yml", "Makefile"] {
            fs::write(root.join(file), "").unwrap();
        }
        let below = Seen::default().below(root, &[]).unwrap();
        assert_eq!(below.obeyed, [root.join(".github/workflows/ci.yml")]);
        let mut repositories = below.repositories;
        repositories.sort();
        assert_eq!(repositories, [root.join("bare"), root.join("sub/.git")]);
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
