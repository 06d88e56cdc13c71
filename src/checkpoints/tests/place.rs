//! A workspace on disk. Its state is read without the code under test.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Captured, Changed, Checkpoints, Compared, Content, Damage, Kind, Limits, Step, TreeId, Wanted};

pub struct Place {
    #[expect(dead_code, reason = "removes the folder at the end")]
    top: Option<tempfile::TempDir>,
    pub data: PathBuf,
    pub root: PathBuf,
}

/// Kind, mode and bytes of one file, link or folder.
pub type Seen = (Kind, u16, Vec<u8>);
pub type Model = BTreeMap<PathBuf, Seen>;

impl Place {
    pub fn new() -> Self {
        // Use `/dev/shm`, because memory is faster than a disk and supports the same system calls.
        let top = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let place = Self::below(top.path());
        Self {
            top: Some(top),
            ..place
        }
    }

    pub fn below(top: &Path) -> Self {
        let (data, root) = (top.join("data"), top.join("work"));
        fs::create_dir_all(&root).unwrap();
        Self { top: None, data, root }
    }

    pub fn open(&self) -> Checkpoints {
        self.open_with(Limits::default())
    }

    pub fn open_with(&self, limits: Limits) -> Checkpoints {
        Checkpoints::open(&self.data, &self.root, limits).unwrap()
    }

    pub fn open_unrecovered(&self) -> Checkpoints {
        Checkpoints::open_unrecovered(&self.data, &self.root, Limits::default()).unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    pub fn model(&self) -> Model {
        let mut model = Model::new();
        read(&self.root, &self.root, &mut model);
        model
    }
}

pub fn complete(compared: Compared) -> Result<Vec<Changed>, Damage> {
    let Compared { changed, damaged } = compared;
    damaged
        .into_iter()
        .next()
        .map_or(Ok(changed), |(_, damage)| Err(damage))
}

fn read(root: &Path, folder: &Path, model: &mut Model) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap() == ".git" {
            continue;
        }
        let facts = fs::symlink_metadata(&path).unwrap();
        let mode = u16::try_from(facts.permissions().mode() & 0o7777).unwrap();
        let seen = if facts.is_dir() {
            read(root, &path, model);
            (Kind::Folder, mode, Vec::new())
        } else if facts.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            (Kind::Link, 0, target.as_os_str().as_bytes().to_vec())
        } else if facts.file_type().is_fifo() || facts.file_type().is_socket() {
            (Kind::Special, mode, Vec::new())
        } else {
            (Kind::File, mode, fs::read(&path).unwrap())
        };
        model.insert(path.strip_prefix(root).unwrap().to_path_buf(), seen);
    }
}

pub fn plan(all: &Checkpoints, from: &TreeId, to: &TreeId) -> Vec<Step> {
    let rows = complete(all.compare(from, to)).unwrap();
    rows.into_iter()
        .map(|row| Step {
            path: row.path,
            expected: row.before,
            wanted: row.after.map_or(Wanted::Absent, Wanted::State),
        })
        .collect()
}

pub fn stored(all: &Checkpoints, tree: &TreeId) -> Model {
    let rows = complete(all.compare(&TreeId::empty(), tree)).unwrap();
    let seen = rows.into_iter().map(|row| {
        let state = row.after.unwrap();
        let bytes = match state.content {
            Content::Stored(id) => all.content(&id).unwrap(),
            Content::Folder | Content::NotCovered { .. } => Vec::new(),
        };
        (row.path, (state.kind, state.mode, bytes))
    });
    seen.collect()
}

pub fn text(all: &Checkpoints, captured: &Captured, path: &str) -> Option<String> {
    let state = all.state(&captured.tree, Path::new(path)).unwrap()?;
    let Content::Stored(id) = state.content else {
        return None;
    };
    Some(String::from_utf8(all.content(&id).unwrap()).unwrap())
}

/// Reports only the differences, because whole states are unreadable.
#[track_caller]
pub fn assert_same(found: &Model, expected: &Model, context: &str) {
    let missing: Vec<_> = expected.keys().filter(|path| !found.contains_key(*path)).collect();
    let extra: Vec<_> = found.keys().filter(|path| !expected.contains_key(*path)).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{context}: missing {missing:?}, extra {extra:?}"
    );
    let shown = |seen: &Seen| (seen.0, seen.1, seen.2.len(), seen.2[..seen.2.len().min(40)].to_vec());
    for (path, seen) in expected {
        let (found, expected) = (shown(&found[path]), shown(seen));
        assert_eq!(found, expected, "{context}: {} differs", path.display());
    }
    assert!(found == expected, "{context}: bytes differ behind the first");
}
