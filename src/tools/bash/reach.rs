//! Counts the files that a removal would delete, and how many of them an undo cannot restore. The approval request
//! shows both numbers.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobMatcher};

use benchdog_domain::command::{FoundKind, Search, Target};
use benchdog_domain::review::{Counted, Removal};
use benchdog_files::walker::{self, Matcher};
use benchdog_security::secrets::is_secret_path;

const MOST_ENTRIES: u64 = 50_000;
const PATIENCE: Duration = Duration::from_millis(100);

/// Maximum number of targets, and of matches for each pattern.
const MOST_TARGETS: usize = 50;
const MOST_NAMES: usize = 10_000;

/// Returns the files that each target would remove. Targets are relative to `folder`. `root` is the workspace, and
/// `max_file` the size in bytes above which checkpoints do not contain a file.
pub(super) fn removals(root: &Path, max_file: u64, folder: &Path, targets: &[Target]) -> Vec<Removal> {
    if targets.is_empty() {
        return Vec::new();
    }
    let mut count = Count::new(Coverage {
        root,
        max_file,
        matcher: walker::matcher(root),
    });
    let looked_up = targets.iter().take(MOST_TARGETS);
    looked_up.map(|target| count.removal(folder, target)).collect()
}

struct Count<'c> {
    entries: u64,
    end: Instant,
    coverage: Coverage<'c>,
}

/// The rules that decide whether a checkpoint contains a file. They do not consider whether the file contains a key, or
/// whether git tracks an ignored file.
struct Coverage<'c> {
    root: &'c Path,
    max_file: u64,
    /// `None` if the ignore rules cannot be read. Then no file counts as ignored.
    matcher: Option<Matcher>,
}

impl Coverage<'_> {
    /// Whether checkpoints leave out this path. Does not check the folders above it.
    fn is_left_out(&mut self, path: &Path, is_folder: bool) -> bool {
        let Ok(path) = path.strip_prefix(self.root) else {
            return false;
        };
        let is_git = path.file_name().is_some_and(|name| name == ".git");
        let mut matcher = self.matcher.as_mut().filter(|_| path.file_name().is_some());
        is_git
            || matcher
                .as_mut()
                .is_some_and(|matcher| matcher.matched(path, is_folder).is_ignore())
    }

    fn is_below_left_out(&mut self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|folder| self.is_left_out(folder, true))
    }

    fn is_saved(&self, path: &Path, found: &fs::Metadata) -> bool {
        let path = path.strip_prefix(self.root).ok();
        found.is_file() && found.len() <= self.max_file && path.is_some_and(|path| !is_secret_path(path))
    }
}

impl<'c> Count<'c> {
    fn new(coverage: Coverage<'c>) -> Self {
        Self {
            entries: 0,
            end: Instant::now() + PATIENCE,
            coverage,
        }
    }

    fn is_enough(&self) -> bool {
        self.entries >= MOST_ENTRIES || Instant::now() >= self.end
    }

    fn removal(&mut self, folder: &Path, target: &Target) -> Removal {
        let mut removal = Removal {
            path: named(target),
            files: 0,
            bytes: 0,
            not_saved: 0,
            counted: Counted::All,
        };
        let sought = target.search.as_ref().map(Sought::of);
        let paths = if target.glob {
            self.matching(folder, &target.path)
        } else {
            vec![folder.join(&target.path)]
        };
        for path in paths {
            self.add(path, sought.as_ref(), &mut removal);
        }
        if target.search.as_ref().is_some_and(|search| search.chooses_further) {
            removal.counted = match removal.counted {
                Counted::All | Counted::AtMost => Counted::AtMost,
                Counted::Some | Counted::Unknown => Counted::Unknown,
            };
        }
        removal
    }

    /// Counts the files below a path, or those that match `sought`. Does not follow symbolic links.
    fn add(&mut self, path: PathBuf, sought: Option<&Sought>, removal: &mut Removal) {
        let path = resolved(path);
        let is_left_out = self.coverage.is_below_left_out(&path);
        let mut open = vec![(path, is_left_out)];
        while let Some((path, is_left_out)) = open.pop() {
            if self.is_enough() {
                removal.counted = Counted::Some;
                return;
            }
            let Ok(found) = fs::symlink_metadata(&path) else {
                continue;
            };
            self.entries += 1;
            let is_left_out = is_left_out || self.coverage.is_left_out(&path, found.is_dir());
            if !found.is_dir() {
                if sought.is_none_or(|sought| sought.is(&path, found.is_symlink())) {
                    removal.files += 1;
                    removal.bytes += found.len();
                    removal.not_saved += u64::from(is_left_out || !self.coverage.is_saved(&path, &found));
                }
                continue;
            }
            match fs::read_dir(&path) {
                Ok(entries) => open.extend(entries.flatten().map(|entry| (entry.path(), is_left_out))),
                Err(_) => removal.counted = Counted::Some,
            }
        }
    }

    fn matching(&mut self, folder: &Path, pattern: &str) -> Vec<PathBuf> {
        let mut paths = vec![if pattern.starts_with('/') {
            PathBuf::from("/")
        } else {
            folder.to_owned()
        }];
        for part in pattern.split('/').filter(|part| !part.is_empty()) {
            let mut next = Vec::new();
            for path in paths {
                match matcher(part) {
                    Some(matcher) => self.names(&path, part, &matcher, &mut next),
                    None => next.push(path.join(part)),
                }
            }
            paths = next;
        }
        paths
    }

    fn names(&mut self, folder: &Path, part: &str, matcher: &GlobMatcher, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            self.entries += 1;
            if self.is_enough() || found.len() >= MOST_NAMES {
                return;
            }
            let name = entry.file_name();
            let hidden = name.as_encoded_bytes().starts_with(b".");
            // A star does not match names that begin with a dot.
            if matcher.is_match(&name) && (!hidden || part.starts_with('.')) {
                found.push(entry.path());
            }
        }
    }
}

/// Returns a path without `.`, `..` and links in its folders. An unreadable folder stays as it is.
fn resolved(path: PathBuf) -> PathBuf {
    let path: PathBuf = path.components().collect();
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.canonicalize().unwrap_or(path),
    }
}

/// Formats a target: `build`, `build: *.o`.
fn named(target: &Target) -> String {
    let path = target.path.strip_suffix("/.").unwrap_or(&target.path);
    match target.search.as_ref().and_then(|search| search.name.as_ref()) {
        Some(name) => format!("{path}: {name}"),
        None => path.to_owned(),
    }
}

struct Sought {
    name: Option<GlobMatcher>,
    kind: Option<FoundKind>,
}

impl Sought {
    fn of(search: &Search) -> Self {
        let pattern = |name: &String| {
            let glob = GlobBuilder::new(name).case_insensitive(search.any_case).build();
            Some(glob.ok()?.compile_matcher())
        };
        Self {
            name: search.name.as_ref().and_then(pattern),
            kind: search.kind,
        }
    }

    fn is(&self, path: &Path, link: bool) -> bool {
        let kind = match self.kind {
            None => true,
            Some(FoundKind::File) => !link,
            Some(FoundKind::Link) => link,
            Some(FoundKind::Folder) => false,
        };
        let name = path.file_name().unwrap_or(path.as_os_str());
        kind && self.name.as_ref().is_none_or(|pattern| pattern.is_match(name))
    }
}

fn matcher(part: &str) -> Option<GlobMatcher> {
    if !part.contains(['*', '?', '[']) {
        return None;
    }
    let glob = GlobBuilder::new(part).literal_separator(true).build().ok()?;
    Some(glob.compile_matcher())
}

#[cfg(test)]
mod tests;
