//! Finds the files that match a pattern of `instructions`. Only lists names, within limits, and opens no files.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use benchdog_lang::{Word, word};

const MOST_FILES: usize = 100;

/// Maximum number of folders to read for each pattern. `DEEPEST` is the maximum depth of `**`.
const MOST_FOLDERS: usize = 2_000;
const DEEPEST: usize = 6;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Matched {
    /// The matching relative paths with `/`, sorted.
    pub(super) files: Vec<String>,
    pub(super) trouble: Option<String>,
}

struct Search<'p> {
    base: &'p Path,
    matcher: GlobMatcher,
    enters_hidden: bool,
    deepest: usize,
    folders: usize,
    files: Vec<String>,
}

/// Whether a name is a pattern. The name of an existing file is not a pattern, and neither is a path with `..`.
pub(super) fn is_pattern(base: &Path, name: &str) -> bool {
    name.contains(['*', '?', '[', '{']) && !name.split('/').any(|part| part == "..") && !base.join(name).is_file()
}

/// Returns the files below `base` that match. Does not follow links. Enters hidden folders only if the pattern contains
/// their names.
pub(super) fn matched(base: &Path, pattern: &str) -> Matched {
    let pattern = pattern.trim_start_matches("./");
    let matcher = match GlobBuilder::new(pattern).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => {
            return Matched {
                files: Vec::new(),
                trouble: Some(error.kind().to_string()),
            };
        }
    };
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts
        .iter()
        .take(parts.len() - 1)
        .take_while(|part| !part.contains(['*', '?', '[', '{']));
    let start = fixed.copied().collect::<Vec<_>>().join("/");
    let deepest = if pattern.contains("**") { DEEPEST } else { 0 };
    let mut search = Search {
        base,
        matcher,
        enters_hidden: parts.iter().any(|part| part.starts_with('.')),
        deepest: deepest.max(parts.len()),
        folders: 0,
        files: Vec::new(),
    };
    search.look(&start, 0);
    let mut files = search.files;
    files.sort_unstable();
    let trouble = if files.is_empty() {
        Some(Word::PatternFindsNothing)
    } else if files.len() > MOST_FILES || search.folders > MOST_FOLDERS {
        files.clear();
        Some(Word::PatternFindsTooMuch)
    } else {
        None
    };
    Matched {
        files,
        trouble: trouble.map(|trouble| word(trouble).to_owned()),
    }
}

impl Search<'_> {
    fn look(&mut self, folder: &str, depth: usize) {
        self.folders += 1;
        if self.folders > MOST_FOLDERS {
            return;
        }
        let Ok(entries) = std::fs::read_dir(self.base.join(folder)) else {
            return;
        };
        let mut inside = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else {
                continue;
            };
            let path = if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            };
            if !kind.is_dir() {
                if self.matcher.is_match(&path) {
                    self.files.push(path);
                }
            } else if self.enters_hidden || !name.starts_with('.') {
                inside.push(path);
            }
        }
        if depth < self.deepest {
            inside.sort_unstable();
            inside.iter().for_each(|folder| self.look(folder, depth + 1));
        }
    }
}

#[cfg(test)]
mod tests;
