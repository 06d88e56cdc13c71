//! Counts the files that a removal would delete, for the approval request.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobMatcher};

use benchdog_domain::command::{FoundKind, Search, Target};
use benchdog_domain::review::{Counted, Removal};

const MOST_ENTRIES: u64 = 50_000;
const PATIENCE: Duration = Duration::from_millis(100);

/// Maximum number of targets, and of matches for each pattern.
const MOST_TARGETS: usize = 50;
const MOST_NAMES: usize = 10_000;

/// Returns the files that each target would remove. Targets are relative to `folder`.
pub(super) fn removals(folder: &Path, targets: &[Target]) -> Vec<Removal> {
    let mut count = Count::new();
    let looked_up = targets.iter().take(MOST_TARGETS);
    looked_up.map(|target| count.removal(folder, target)).collect()
}

struct Count {
    entries: u64,
    end: Instant,
}

impl Count {
    fn new() -> Self {
        Self {
            entries: 0,
            end: Instant::now() + PATIENCE,
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
        let mut open = vec![path];
        while let Some(path) = open.pop() {
            if self.is_enough() {
                removal.counted = Counted::Some;
                return;
            }
            let Ok(found) = fs::symlink_metadata(&path) else {
                continue;
            };
            self.entries += 1;
            if !found.is_dir() {
                if sought.is_none_or(|sought| sought.is(&path, found.is_symlink())) {
                    removal.files += 1;
                    removal.bytes += found.len();
                }
                continue;
            }
            match fs::read_dir(&path) {
                Ok(entries) => open.extend(entries.flatten().map(|entry| entry.path())),
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
