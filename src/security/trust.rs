//! What a folder brings along that would change Benchdog's behaviour, and a hash of it. Trust is bound to that hash, so
//! a change asks again. Whether the folder is trusted is stored and decided elsewhere.

use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Content read for the hash, over all files. What lies beyond is told apart by size and time of change.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
const MAX_FILES: usize = 2_000;
const MAX_DEPTH: usize = 16;

/// The files that would count, relative with `/`, in order, and the hash of their names and contents as hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrustSubject {
    pub(crate) files: Vec<String>,
    pub(crate) hash: String,
}

/// `None`: the folder brings no `.benchdog/`, `AGENTS.md` or `CLAUDE.md`.
pub(crate) fn subject(root: &Path) -> Option<TrustSubject> {
    let mut found = Vec::new();
    for name in ["AGENTS.md", "CLAUDE.md"] {
        if std::fs::symlink_metadata(root.join(name)).is_ok_and(|meta| !meta.is_dir()) {
            found.push(PathBuf::from(name));
        }
    }
    collect(root, Path::new(".benchdog"), 0, &mut found);
    found.sort();
    if found.is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    let mut budget = MAX_BYTES;
    if found.len() >= MAX_FILES {
        // Not everything is looked at, so no stored answer may ever fit.
        add_field(&mut hash, b"too many", &std::process::id().to_le_bytes());
    }
    for path in &found {
        add_file(&mut hash, root, path, &mut budget);
    }
    Some(TrustSubject {
        files: found.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        hash: hex(&hash.finalize()),
    })
}

/// Files and links beneath `folder`; folders that are links are listed, not entered.
fn collect(root: &Path, folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(meta) = std::fs::symlink_metadata(root.join(folder)) else {
        return;
    };
    if !meta.is_dir() || depth > MAX_DEPTH {
        found.push(folder.to_path_buf());
        return;
    }
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        found.push(folder.to_path_buf());
        return;
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        if found.len() >= MAX_FILES {
            return;
        }
        collect(root, &folder.join(name), depth + 1, found);
    }
}

/// Name, kind and content, each with its length, so that no two trees give the same bytes.
fn add_file(hash: &mut Sha256, root: &Path, path: &Path, budget: &mut u64) {
    let name = path.as_os_str().as_encoded_bytes();
    add_field(hash, b"name", name);
    let full = root.join(path);
    let Ok(meta) = std::fs::symlink_metadata(&full) else {
        add_field(hash, b"gone", b"");
        return;
    };
    if meta.is_symlink() {
        let target = std::fs::read_link(&full).unwrap_or_default();
        add_field(hash, b"link", target.as_os_str().as_encoded_bytes());
        // What is read through the link later is what lies there, so inside the folder its content counts too.
        if let Some(real) = inside(root, &full) {
            add_content(hash, &real, budget);
        }
    } else if meta.is_file() {
        add_content(hash, &full, budget);
    } else {
        add_field(hash, b"other", b"");
    }
}

/// The real regular file a link leads to, when it lies in the folder.
fn inside(root: &Path, link: &Path) -> Option<PathBuf> {
    let real = std::fs::canonicalize(link).ok()?;
    let root = std::fs::canonicalize(root).ok()?;
    (real.starts_with(root) && real.is_file()).then_some(real)
}

fn add_content(hash: &mut Sha256, path: &Path, budget: &mut u64) {
    let Ok(meta) = std::fs::symlink_metadata(path) else {
        return;
    };
    if meta.len() > *budget {
        use std::os::unix::fs::MetadataExt;
        let facts = format!("{} {} {} {}", meta.len(), meta.ino(), meta.ctime(), meta.ctime_nsec());
        add_field(hash, b"large", facts.as_bytes());
        return;
    }
    let mut content = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(*budget).read_to_end(&mut content));
    match read {
        Ok(len) => {
            *budget = budget.saturating_sub(len as u64);
            add_field(hash, b"file", &content);
        }
        Err(_) => add_field(hash, b"unreadable", b""),
    }
}

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
