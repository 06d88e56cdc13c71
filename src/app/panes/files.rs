//! The file tree of the workspace. Marks show which files were read or changed, and which have a pending change.

mod filter;

use std::collections::{BTreeMap, BTreeSet};

use crate::cursor::Cursor;
use benchdog_base::text::{last_part, reveal};
use benchdog_protocol::FolderItem;
pub use filter::{Left, TreeFilter};

pub(crate) const ROOT: &str = ".";

#[derive(Default)]
pub struct FilesPane {
    pub rows: Vec<FileRow>,
    pub cursor: Cursor,
    listed: BTreeMap<String, Vec<FolderItem>>,
    open: BTreeSet<String>,
    read: BTreeSet<String>,
    changed: BTreeSet<String>,
    pending: BTreeSet<String>,
    outdated: BTreeSet<String>,
    /// A path that is selected as soon as the folder of the path is listed.
    revealed: Option<String>,
    pub filter: Option<TreeFilter>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub path: String,
    pub name: String,
    pub depth: usize,
    pub kind: FileRowKind,
    pub ignored: bool,
    pub mark: Option<FileMark>,
    pub git: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRowKind {
    FolderOpen,
    FolderClosed,
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileMark {
    Read,
    Changed,
    Pending,
}

impl FilesPane {
    pub fn arrange(&mut self, height: u16) {
        let line = u16::from(self.filter.is_some());
        self.cursor.arrange(self.rows.len(), height.saturating_sub(line));
    }

    /// Stores the listing of a folder. Returns the open subfolders whose own listing must be requested.
    pub(crate) fn list(&mut self, path: &str, items: Vec<FolderItem>) -> Vec<String> {
        let is_bare = |item: &&FolderItem| {
            let known = self.listed.get(&item.path);
            item.folder && self.open.contains(&item.path) && known.is_none_or(Vec::is_empty)
        };
        let bare = items.iter().filter(is_bare).map(|item| item.path.clone()).collect();
        if self.listed.get(path) != Some(&items) {
            self.listed.insert(path.to_owned(), items);
            self.rebuild();
        }
        bare
    }

    pub(crate) fn mark_read(&mut self, path: &str) {
        if self.read.insert(path.to_owned()) {
            self.rebuild();
        }
    }

    pub(crate) fn mark_changed(&mut self, path: &str) {
        let folders = path.match_indices('/').rev().filter_map(|(at, _)| path.get(..at));
        let listed = folders.chain([ROOT]).filter(|folder| self.listed.contains_key(*folder));
        self.outdated.extend(listed.map(str::to_owned));
        if self.changed.insert(path.to_owned()) {
            self.rebuild();
        }
    }

    pub(crate) fn set_pending(&mut self, paths: BTreeSet<String>) {
        if self.pending != paths {
            self.pending = paths;
            self.rebuild();
        }
    }

    /// Returns and clears the folders whose git status may be stale.
    pub(crate) fn outdated(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.outdated)
    }

    pub(crate) fn forget_marks(&mut self) {
        self.read.clear();
        self.changed.clear();
        self.pending.clear();
        self.outdated.clear();
        self.rebuild();
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.revealed = None;
        self.cursor.step(by, self.rows.len());
    }

    pub(crate) fn current(&self) -> Option<&FileRow> {
        self.rows.get(self.cursor.at)
    }

    pub(crate) fn unfold(&mut self) -> Option<String> {
        let row = self.current()?.clone();
        if row.kind != FileRowKind::FolderClosed {
            return None;
        }
        self.open.insert(row.path.clone());
        self.rebuild();
        Some(row.path)
    }

    /// Opens the folders of a file and selects the file once they are listed. Returns the folders to list.
    pub(crate) fn reveal(&mut self, path: &str) -> Vec<String> {
        let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        let folders: Vec<String> = folders.filter(|folder| !folder.is_empty()).map(str::to_owned).collect();
        self.open.extend(folders.iter().cloned());
        self.revealed = Some(path.to_owned());
        self.rebuild();
        let known = |folder: &String| self.listed.get(folder).is_some_and(|items| !items.is_empty());
        folders.into_iter().filter(|folder| !known(folder)).collect()
    }

    pub(crate) fn fold(&mut self) {
        let Some(row) = self.current().cloned() else { return };
        if row.kind == FileRowKind::FolderOpen {
            self.open.remove(&row.path);
            self.rebuild();
        } else if let Some((parent, _)) = row.path.rsplit_once('/')
            && let Some(index) = self.rows.iter().position(|row| row.path == parent)
        {
            self.cursor.at = index;
        }
    }

    fn rebuild(&mut self) {
        let path = self.current().map(|row| row.path.clone());
        self.rows = self.narrowed_rows().unwrap_or_else(|| {
            let mut rows = Vec::new();
            self.add(ROOT, 0, &mut rows);
            rows
        });
        if let Some(index) = path.and_then(|path| self.rows.iter().position(|row| row.path == path)) {
            self.cursor.at = index;
        }
        let revealed = self.revealed.as_ref();
        if let Some(index) = revealed.and_then(|path| self.rows.iter().position(|row| row.path == *path)) {
            self.cursor.at = index;
            self.revealed = None;
        }
    }

    fn add(&self, folder: &str, depth: usize, rows: &mut Vec<FileRow>) {
        for item in self.listed.get(folder).into_iter().flatten() {
            let open = item.folder && self.open.contains(&item.path);
            rows.push(self.row(item, depth, open));
            if open {
                self.add(&item.path, depth + 1, rows);
            }
        }
    }

    fn row(&self, item: &FolderItem, depth: usize, open: bool) -> FileRow {
        let name = last_part(&item.path);
        let mut name = reveal(name).into_owned();
        if item.folder {
            name.push('/');
        }
        FileRow {
            name,
            depth,
            kind: match (item.folder, open) {
                (false, _) => FileRowKind::File,
                (true, true) => FileRowKind::FolderOpen,
                (true, false) => FileRowKind::FolderClosed,
            },
            ignored: item.ignored,
            mark: self.mark(item, open),
            git: item.git,
            path: item.path.clone(),
        }
    }

    /// Returns the mark of an item. A closed folder shows the marks of its files, so that pending changes stay visible.
    fn mark(&self, item: &FolderItem, open: bool) -> Option<FileMark> {
        let prefix = format!("{}/", item.path);
        let has = |set: &BTreeSet<String>| {
            if item.folder {
                !open
                    && set
                        .range(prefix.clone()..)
                        .next()
                        .is_some_and(|path| path.starts_with(&prefix))
            } else {
                set.contains(&item.path)
            }
        };
        if has(&self.pending) {
            Some(FileMark::Pending)
        } else if has(&self.changed) {
            Some(FileMark::Changed)
        } else if has(&self.read) && !item.folder {
            Some(FileMark::Read)
        } else {
            None
        }
    }
}
