//! The filter of the file tree. Esc restores the tree. Enter opens the tree at the selected file.

use std::collections::{BTreeMap, BTreeSet};

use super::{FileRow, FilesPane};
use benchdog_protocol::{FolderItem, TreeLeft};

#[derive(Default)]
pub struct TreeFilter {
    pub line: String,
    found: Option<Found>,
    before: Option<String>,
}

struct Found {
    of: String,
    items: Vec<FolderItem>,
    paths: BTreeSet<String>,
    all: usize,
    scanning: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// There is no filter text, or no result yet.
    Unknown,
    Looking,
    /// The number of the selected match (1-based, or 0 if none is selected), and the number of all matches.
    Shown(usize, usize),
    Some(usize, usize),
}

/// The sort key of an item: subfolders before files in each folder of its path, then by name.
type Place = Vec<(bool, String, String)>;

impl FilesPane {
    pub(crate) fn filter_open(&mut self) {
        if self.filter.is_none() {
            self.filter = Some(TreeFilter {
                before: self.current().map(|row| row.path.clone()),
                ..TreeFilter::default()
            });
        }
    }

    pub(crate) fn filter_edit(&mut self, change: impl FnOnce(&mut String)) -> Option<String> {
        let filter = self.filter.as_mut()?;
        let before = filter.line.clone();
        change(&mut filter.line);
        if filter.line.trim().is_empty() {
            filter.found = None;
            let place = filter.before.clone();
            self.rebuild();
            self.go_to(place);
            return None;
        }
        (filter.line != before).then(|| filter.line.clone())
    }

    /// Stores a result of the filter, with the best matches first. Ignores results for an older filter text.
    pub(crate) fn narrow(&mut self, left: TreeLeft) {
        let TreeLeft {
            query,
            items,
            all,
            scanning,
        } = left;
        let Some(filter) = self.filter.as_mut().filter(|filter| filter.line == query) else {
            return;
        };
        let is_known = filter.found.as_ref().is_some_and(|found| found.of == query);
        let best = items.first().map(|item| item.path.clone());
        filter.found = Some(Found {
            of: query,
            paths: items.iter().map(|item| item.path.clone()).collect(),
            items,
            all,
            scanning,
        });
        self.rebuild();
        if !is_known {
            self.go_to(best);
        }
    }

    pub(crate) fn filter_close(&mut self) {
        if let Some(filter) = self.filter.take() {
            self.rebuild();
            self.go_to(filter.before);
        }
    }

    /// Closes the filter and opens the tree at the selected file. Returns the folders whose listings are needed.
    pub(crate) fn filter_take(&mut self) -> Vec<String> {
        let is_narrowed = self.filter.as_ref().is_some_and(|filter| filter.found.is_some());
        let Some(path) = self.current().map(|row| row.path.clone()).filter(|_| is_narrowed) else {
            self.filter_close();
            return Vec::new();
        };
        self.filter = None;
        self.reveal(&path)
    }

    pub(crate) fn filter_step(&mut self, by: isize) {
        let places = self.found_places();
        if places.is_empty() {
            return self.step(by);
        }
        let at = places.partition_point(|place| *place < self.cursor.at);
        let is_between = places.get(at) != Some(&self.cursor.at);
        // On a folder between two matches, `at` is already the match below, so the first step down selects it.
        let by = if is_between && by > 0 { by - 1 } else { by };
        let wanted = at.saturating_add_signed(by).min(places.len() - 1);
        self.cursor.at = places.get(wanted).copied().unwrap_or_default();
    }

    pub fn left(&self) -> Left {
        let Some(found) = self.found() else {
            return Left::Unknown;
        };
        let shown = found.items.len();
        if found.all == 0 && found.scanning {
            return Left::Looking;
        }
        if found.all > shown {
            return Left::Some(shown, found.all);
        }
        let places = self.found_places();
        let at = places.iter().position(|place| *place == self.cursor.at);
        Left::Shown(at.map_or(0, |at| at + 1), shown)
    }

    pub(crate) fn is_narrowed(&self) -> bool {
        self.found().is_some()
    }

    pub fn is_found(&self, row: &FileRow) -> bool {
        self.found().is_some_and(|found| found.paths.contains(&row.path))
    }

    fn found(&self) -> Option<&Found> {
        self.filter.as_ref()?.found.as_ref()
    }

    fn found_places(&self) -> Vec<usize> {
        let rows = self.rows.iter().enumerate();
        rows.filter(|(_, row)| self.is_found(row))
            .map(|(place, _)| place)
            .collect()
    }

    fn go_to(&mut self, path: Option<String>) {
        let place = path.and_then(|path| self.rows.iter().position(|row| row.path == path));
        self.cursor.at = place.unwrap_or_default();
    }

    pub(super) fn narrowed_rows(&self) -> Option<Vec<FileRow>> {
        let items = &self.found()?.items;
        let mut rows: BTreeMap<Place, (FolderItem, bool)> = BTreeMap::new();
        for item in items {
            let names: Vec<&str> = item.path.split('/').collect();
            let mut place = Place::new();
            for (depth, name) in names.iter().enumerate() {
                let is_last = depth + 1 == names.len();
                let folder = !is_last || item.folder;
                place.push((!folder, name.to_lowercase(), (*name).to_owned()));
                if is_last {
                    let open = rows.get(&place).is_some_and(|(_, open)| *open);
                    rows.insert(place.clone(), (item.clone(), open));
                } else {
                    let above = names.get(..=depth).unwrap_or_default().join("/");
                    let above = || (folder_of(above, item), true);
                    let (known, open) = rows.entry(place.clone()).or_insert_with(above);
                    // A folder is dimmed if all matches in the folder are dimmed.
                    known.ignored &= item.ignored;
                    *open = true;
                }
            }
        }
        let rows = rows.into_iter();
        let rows = rows.map(|(place, (item, open))| self.row(&item, place.len() - 1, open));
        Some(rows.collect())
    }
}

fn folder_of(path: String, item: &FolderItem) -> FolderItem {
    FolderItem {
        path,
        folder: true,
        ignored: item.ignored,
        git: None,
    }
}
