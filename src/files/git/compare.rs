//! Compares the working tree or a commit with another commit. git lists the files, and this module reads both versions
//! of each.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::comparison_target::{ComparisonTarget, Sides, parse_target, query_error};
use super::contents::{Allowance, Blobs, Side, file, link};
use super::query::{Git, QueryError};
use super::top;
use crate::beneath::Held;
use benchdog_domain::comparison::{Compared, Comparison, NoComparison, NotRead};
use benchdog_domain::review::{FileChange, FileOperation};

const MOST_FILES: usize = 1_000;

#[derive(Debug, PartialEq, Eq)]
struct ChangedFile<'t> {
    before: Kind,
    after: Kind,
    before_id: &'t str,
    after_id: &'t str,
    letter: char,
    from: Option<&'t [u8]>,
    path: &'t [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Missing,
    File { mode: u32 },
    Link,
    Submodule,
}

/// Compares two versions. `written` is a path, a commit or a range. An empty text compares the working tree with the
/// newest commit.
pub fn compare(root: &Path, written: &str) -> Result<Comparison, NoComparison> {
    top(root).ok_or(NoComparison::NoRepository)?;
    let git = Git::at(root).without_filters();
    let target = parse_target(&git, root, written)?;
    let raw = git.query(&diff_arguments(&target)).map_err(query_error)?;
    let new = match target.sides {
        Sides::Tree { .. } => list_untracked(&git, target.path.as_deref()).map_err(query_error)?,
        Sides::Commits { .. } => Vec::new(),
    };
    let mut files = parse_list(&raw);
    files.extend(
        new.split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(untracked_file),
    );
    files.sort_by(|one, other| one.path.cmp(other.path));
    let more = files.len().saturating_sub(MOST_FILES);
    files.truncate(MOST_FILES);
    let files = read(&git, root, &target.sides, &files).map_err(query_error)?;
    Ok(Comparison {
        of: target.compares(),
        files,
        more,
    })
}

fn diff_arguments(target: &ComparisonTarget) -> Vec<&str> {
    let mut words = vec![
        "diff",
        "--raw",
        "-z",
        "--no-abbrev",
        "--find-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--ignore-submodules=dirty",
        "--relative",
    ];
    match &target.sides {
        Sides::Tree { before } => words.push(before),
        Sides::Commits { before, after } => words.extend([before.as_str(), after.as_str()]),
    }
    words.push("--");
    words.extend(target.path.as_deref());
    words
}

fn list_untracked(git: &Git<'_>, path: Option<&str>) -> Result<Vec<u8>, QueryError> {
    let mut words = vec!["ls-files", "--others", "--exclude-standard", "-z", "--"];
    words.extend(path);
    git.query(&words)
}

fn untracked_file(path: &[u8]) -> ChangedFile<'_> {
    ChangedFile {
        before: Kind::Missing,
        after: Kind::File { mode: 0 },
        before_id: "",
        after_id: "",
        letter: 'A',
        from: None,
        path,
    }
}

/// Parses `--raw -z`: `:100644 100644 id id M`, then one path, or two for a rename. Files in conflict have a second
/// record.
fn parse_list(raw: &[u8]) -> Vec<ChangedFile<'_>> {
    let mut fields = raw.split(|byte| *byte == 0);
    let mut files: BTreeMap<&[u8], ChangedFile<'_>> = BTreeMap::new();
    while let Some(record) = fields.next() {
        let Ok(record) = std::str::from_utf8(record) else {
            continue;
        };
        let mut words = record.trim_start_matches(':').split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (before, after, before_id, after_id) = (Kind::of(word()), Kind::of(word()), word(), word());
        let Some(letter) = word().chars().next() else { continue };
        let from = matches!(letter, 'R' | 'C').then(|| fields.next().unwrap_or_default());
        let Some(path) = fields.next() else { break };
        let file = ChangedFile {
            before,
            after,
            before_id,
            after_id,
            letter,
            from,
            path,
        };
        if letter != 'U' || !files.contains_key(path) {
            files.insert(path, file);
        }
    }
    files.into_values().collect()
}

impl Kind {
    fn of(mode: &str) -> Self {
        match u32::from_str_radix(mode, 8) {
            Ok(0) | Err(_) => Self::Missing,
            Ok(0o120_000) => Self::Link,
            Ok(0o160_000) => Self::Submodule,
            Ok(mode) => Self::File { mode: mode & 0o777 },
        }
    }
}

fn read(git: &Git<'_>, root: &Path, sides: &Sides, files: &[ChangedFile<'_>]) -> Result<Vec<Compared>, QueryError> {
    let mut allowance = Allowance::default();
    let in_store = |id: &&str| id.bytes().any(|digit| digit != b'0');
    let stored = |kind: Kind| matches!(kind, Kind::File { .. } | Kind::Link);
    let mut ids = Vec::new();
    for file in files {
        ids.extend(Some(file.before_id).filter(|id| in_store(id) && stored(file.before)));
        if matches!(sides, Sides::Commits { .. }) {
            ids.extend(Some(file.after_id).filter(|id| in_store(id) && stored(file.after)));
        }
    }
    let blobs = Blobs::read(git, &ids, &mut allowance)?;
    let held = Held::open(root).map_err(|error| QueryError::Failed(error.to_string()))?;
    let of_store = |kind: Kind, id: &str| match kind {
        Kind::Missing => Ok(None),
        Kind::Submodule => Ok(Some(format!("{id}\n").into_bytes().into())),
        Kind::File { .. } | Kind::Link => blobs.side(id),
    };
    let compared = files.iter().map(|listed| {
        let before = of_store(listed.before, listed.before_id);
        let after = match sides {
            Sides::Commits { .. } => of_store(listed.after, listed.after_id),
            Sides::Tree { .. } => worktree_side(&held, listed, &mut allowance),
        };
        compared(listed, before, after)
    });
    Ok(compared.collect())
}

/// Reads the version in the working tree. Tries a link first, because git lists an untracked link as a file.
fn worktree_side(held: &Held, listed: &ChangedFile<'_>, allowance: &mut Allowance) -> Side {
    let path = Path::new(OsStr::from_bytes(listed.path));
    match listed.after {
        Kind::Missing if listed.letter == 'U' => file(held, path, allowance),
        Kind::Missing => Ok(None),
        Kind::Link => link(held, path),
        Kind::Submodule => Ok(Some(format!("{}\n", listed.after_id).into_bytes().into())),
        Kind::File { .. } => link(held, path).or_else(|_| file(held, path, allowance)),
    }
}

fn compared(listed: &ChangedFile<'_>, before: Side, after: Side) -> Compared {
    let name = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
    let operation = match (listed.letter, listed.from) {
        ('A', _) => FileOperation::Create,
        ('D', _) => FileOperation::Delete,
        ('R', Some(from)) => FileOperation::Rename { from: name(from) },
        ('C', Some(from)) => FileOperation::Copy { from: name(from) },
        _ => FileOperation::Update,
    };
    let kinds = [listed.before, listed.after];
    let mode_after = match kinds {
        [Kind::File { mode: before }, Kind::File { mode }] if mode != before => Some(mode),
        _ => None,
    };
    let (before, after, failed) = match (before, after) {
        (Ok(before), Ok(after)) => (before, after, None),
        (Err(why), _) | (_, Err(why)) => (None, None, Some(why)),
    };
    let unread = failed.or_else(|| {
        let is = |kind| kinds.contains(&kind).then_some(kind);
        match is(Kind::Submodule).or_else(|| is(Kind::Link))? {
            Kind::Submodule => Some(NotRead::Submodule),
            _ => Some(NotRead::Link),
        }
    });
    Compared {
        change: FileChange {
            path: name(listed.path),
            operation,
            before,
            after,
            mode_after,
            note: None,
        },
        unread,
    }
}

#[cfg(test)]
mod tests;
