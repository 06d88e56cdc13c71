//! Files in a folder that change Benchdog's behaviour, and a hash of them. Trust applies only to one hash, so Benchdog
//! asks again after a change. Other modules make and store the decision.
//!
//! Every file is read once, so the hashed content is the used content. Links that leave the folder are not followed.

mod around;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::workspace::{PathError, Workspace};
use benchdog_base::id::fresh;
use benchdog_domain::notice::{NamedBy, Unread};

/// Maximum size of a file that is read. Changes of a longer file are detected by its size, inode and change time.
pub const MAX_BYTES: u64 = 1_000_000;
const MAX_TOTAL: u64 = 16 * 1024 * 1024;
const MAX_FILES: usize = 2_000;
const MAX_DEPTH: usize = 16;

pub const OWN: &str = ".benchdog";

/// Folder for project skills, in addition to the one in `.benchdog`.
pub const AGENTS: &str = ".agents/skills";

/// The configuration file for MCP servers, which other programs share.
pub const SERVERS: &str = ".mcp.json";

/// The files that need trust, as sorted relative paths with `/`. `hash` is the hex hash of their names and contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustSubject {
    pub files: Vec<String>,
    pub hash: String,
    /// The hash that is stored with a refusal. `hash` may differ in each run of Benchdog, but `refused_hash` does not,
    /// so the refusal also applies to later runs.
    pub refused_hash: String,
    /// Hooks and servers with unknown programs. Trust in them ends with this run.
    pub unbound: Vec<String>,
    /// The same files, relative to the top of their repository. `None` outside a repository, or if files are unknown.
    pub in_repository: Option<InRepository>,
}

/// Files of one folder, relative to the top of the repository. Trust in a repository is stored as a set of such files.
/// Benchdog does not ask about a folder whose files are all in the set, with the same paths and contents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InRepository {
    pub top: PathBuf,
    pub files: Vec<String>,
    /// For each file, a hash of its path and content.
    pub entries: BTreeSet<String>,
}

impl InRepository {
    /// Adds the files of the repository's top folder, without the files of hooks and servers. Those files are known
    /// only after the configuration is read, so Benchdog usually asks separately about a folder with hooks.
    pub fn with_top(mut self, home: Option<&Path>) -> Self {
        let subject = Brought::look(&self.top, home).subject();
        if let Some(top) = subject
            .and_then(|subject| subject.in_repository)
            .filter(|own| own.top == self.top)
        {
            self.files.extend(top.files);
            self.files.sort_unstable();
            self.files.dedup();
            self.entries.extend(top.entries);
        }
        self
    }

    /// Returns the key under which the answer is stored. Unlike the key of a folder, it does not begin with `/`.
    pub fn key(&self) -> String {
        format!("repository {}", self.top.display())
    }

    pub fn written(&self) -> String {
        self.entries.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Whether a stored set contains each of these files. The set may also contain removed files.
    pub fn is_in(&self, written: &str) -> bool {
        let known: BTreeSet<&str> = written.split(' ').collect();
        !self.entries.is_empty() && self.entries.iter().all(|entry| known.contains(entry.as_str()))
    }
}

impl TrustSubject {
    pub fn hash_of(&self, trusted: bool) -> &str {
        if trusted { &self.hash } else { &self.refused_hash }
    }
}

/// A random text that differs in each run of Benchdog.
static THIS_START: LazyLock<String> = LazyLock::new(fresh);

#[derive(Debug)]
pub struct Brought {
    /// The open folder. `None` if it cannot be opened. Then no files are read.
    folder: Option<Workspace>,
    files: BTreeMap<String, Held>,
    /// Rule files in folders above the workspace, farthest first. A subset of `files`.
    pub above: Vec<String>,
    /// Rule files in folders below the workspace. A subset of `files`.
    pub below: Vec<String>,
    pub refused: Vec<Unread>,
    pub unbound: Vec<String>,
    budget: u64,
    /// The scanned folder, and the top of its repository.
    place: Option<(PathBuf, PathBuf)>,
}

#[derive(Debug)]
enum Held {
    Bytes(Vec<u8>),
    /// Size, inode and change time of a file that is too long to use.
    Long(String),
}

impl Brought {
    /// Reads `AGENTS.md` or `CLAUDE.md` in this folder, its parents and the folders below, `.mcp.json`, and everything
    /// in `.benchdog/`.
    pub fn look(root: &Path, home: Option<&Path>) -> Self {
        let mut brought = Self::look_on_top(root, home);
        for name in around::below(root) {
            brought.read(root, &name);
            if brought.files.contains_key(&name) {
                brought.below.push(name);
            }
        }
        brought
    }

    /// Scans the folder without its subfolders, which may belong to other projects.
    pub fn look_on_top(root: &Path, home: Option<&Path>) -> Self {
        let mut brought = Self {
            folder: Workspace::open(root, &[], &[]).ok(),
            files: BTreeMap::new(),
            above: Vec::new(),
            below: Vec::new(),
            refused: Vec::new(),
            unbound: Vec::new(),
            budget: MAX_TOTAL,
            place: around::top(root, home).map(|top| (root.to_path_buf(), top)),
        };
        for name in around::NAMES {
            if is_there(&root.join(name)) {
                brought.read(root, name);
            }
        }
        if is_there(&root.join(SERVERS)) {
            brought.read(root, SERVERS);
        }
        brought.look_above(root, home);
        brought.add_folder(root, AGENTS);
        match std::fs::symlink_metadata(root.join(OWN)) {
            Ok(meta) if meta.is_dir() => brought.collect(root, OWN, 0),
            Ok(_) => brought.refuse(OWN, "it is not a folder of this folder, but a link or a file"),
            Err(_) => {}
        }
        brought
    }

    fn look_above(&mut self, root: &Path, home: Option<&Path>) {
        let folders = around::above(root, home);
        for (farther, folder) in folders.iter().rev().enumerate() {
            let Some(name) = around::NAMES.into_iter().find(|name| is_there(&folder.join(name))) else {
                continue;
            };
            let shown = format!("{}{name}", "../".repeat(farther + 1));
            match read_in(folder, name) {
                Ok(bytes) => {
                    self.above.insert(0, shown.clone());
                    self.files.insert(shown, Held::Bytes(bytes));
                }
                Err(error) => self.refuse(&shown, &error.reason),
            }
        }
    }

    /// Refuses all files, even if the person would trust them, because the folder belongs to several projects.
    pub fn refuse_all(&mut self, why: &str) {
        let own = format!("{OWN}/");
        let mut names: Vec<String> = std::mem::take(&mut self.files).into_keys().collect();
        if names.iter().any(|name| name.starts_with(&own)) {
            names.retain(|name| !name.starts_with(&own));
            names.push(OWN.to_owned());
        }
        for name in names {
            self.refuse(&name, why);
        }
        self.folder = None;
    }

    /// Reads a file that the configuration names. Fails if the file does not exist.
    pub fn add(&mut self, name: &str) -> Result<(), PathError> {
        if self.files.contains_key(name) {
            return Ok(());
        }
        let bytes = self.bytes_of(name)?;
        self.files.insert(name.to_owned(), Held::Bytes(bytes));
        Ok(())
    }

    /// Reads all files in another folder, if it exists. Neither the folder nor its parents may be links.
    pub fn add_folder(&mut self, root: &Path, name: &str) {
        let name = name.trim_end_matches('/');
        let mut path = root.to_path_buf();
        for part in Path::new(name).components() {
            path.push(part);
            let is_plain = matches!(part, std::path::Component::Normal(_));
            match std::fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_dir() && is_plain => {}
                Ok(_) => return self.refuse(name, "it is not a folder of this folder, but a link or a file"),
                Err(_) => return,
            }
        }
        self.collect(root, name, 0);
    }

    pub fn names(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        match self.files.get(name)? {
            Held::Bytes(bytes) => Some(bytes),
            Held::Long(_) => None,
        }
    }

    /// Returns the files that need trust, or `None` if there are none.
    pub fn subject(&self) -> Option<TrustSubject> {
        if self.files.is_empty() {
            return None;
        }
        let mut hash = Sha256::new();
        for (name, held) in &self.files {
            add_field(&mut hash, b"name", name.as_bytes());
            match held {
                Held::Bytes(bytes) => add_field(&mut hash, b"file", bytes),
                Held::Long(facts) => add_field(&mut hash, b"long", facts.as_bytes()),
            }
        }
        let refused_hash = hex(&hash.clone().finalize());
        if self.files.len() >= MAX_FILES || !self.unbound.is_empty() {
            // Not every file is known, so the hash must not match a stored answer.
            add_field(&mut hash, b"only now", THIS_START.as_bytes());
        }
        Some(TrustSubject {
            files: self.files.keys().cloned().collect(),
            hash: hex(&hash.finalize()),
            refused_hash,
            unbound: self.unbound.clone(),
            in_repository: self.in_repository(),
        })
    }

    fn in_repository(&self) -> Option<InRepository> {
        let (root, top) = self.place.as_ref()?;
        if self.files.len() >= MAX_FILES || !self.unbound.is_empty() {
            return None;
        }
        let mut part = InRepository {
            top: top.clone(),
            ..InRepository::default()
        };
        for (name, held) in &self.files {
            let place = below_top(root, name, top)?;
            let mut hash = Sha256::new();
            add_field(&mut hash, b"name", place.as_bytes());
            match held {
                Held::Bytes(bytes) => add_field(&mut hash, b"file", bytes),
                Held::Long(facts) => add_field(&mut hash, b"long", facts.as_bytes()),
            }
            part.entries.insert(hex(&hash.finalize()));
            part.files.push(place);
        }
        Some(part)
    }

    /// Reads everything below `folder`. Refuses folders that are links.
    fn collect(&mut self, root: &Path, folder: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return self.refuse(folder, "it lies too deep");
        }
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            return self.refuse(folder, "it cannot be listed");
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if self.files.len() >= MAX_FILES {
                return;
            }
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.collect(root, &name, depth + 1);
            } else {
                self.read(root, &name);
            }
        }
    }

    fn read(&mut self, root: &Path, name: &str) {
        let held = match self.bytes_of(name) {
            Ok(bytes) => Held::Bytes(bytes),
            Err(error) if error.code == "too_large" => {
                let Some(facts) = facts(&root.join(name)) else { return };
                // Refuse large rule files, skills and configuration files, which would be used. Other files are only
                // hashed.
                if name.ends_with(".md") || name.ends_with(".jsonc") {
                    self.refuse(name, &error.reason);
                }
                Held::Long(facts)
            }
            Err(error) => return self.refuse(name, &error.reason),
        };
        self.files.insert(name.to_owned(), held);
    }

    fn bytes_of(&mut self, name: &str) -> Result<Vec<u8>, PathError> {
        let folder = self.folder.as_ref().ok_or_else(|| PathError::not_found(name))?;
        let bytes = folder.resolve(name)?.read(MAX_BYTES.min(self.budget))?;
        self.budget = self.budget.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    }

    fn refuse(&mut self, name: &str, reason: &str) {
        self.refused.push(Unread {
            file: name.to_owned(),
            by: NamedBy::Folder,
            why: reason.to_owned(),
        });
    }
}

/// Returns a file's path relative to the top of the repository. `None` for a file outside.
fn below_top(root: &Path, name: &str, top: &Path) -> Option<String> {
    let mut path = root.to_path_buf();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path.strip_prefix(top).ok()?.to_string_lossy().into_owned())
}

fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_dir())
}

/// Reads a file of a parent folder. Refuses a link that leaves that folder.
fn read_in(folder: &Path, name: &str) -> Result<Vec<u8>, PathError> {
    Workspace::open(folder, &[], &[])?.resolve(name)?.read(MAX_BYTES)
}

/// Returns metadata that changes whenever a long file changes.
fn facts(path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    Some(format!(
        "{} {} {} {}",
        meta.len(),
        meta.ino(),
        meta.ctime(),
        meta.ctime_nsec()
    ))
}

/// Includes the length in the hash, so that different trees never give the same bytes.
fn add_field(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update((kind.len() as u64).to_le_bytes());
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
