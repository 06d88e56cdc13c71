//! Words that name files of other processes below `/proc`: memory, environment, open files. A rule must never let them
//! pass, so what may be such a name counts as one. What `/proc` tells of the whole machine is left alone.

use super::state::{Field, MARKS, show};
use super::texts::glob_matches;
use super::walk::Walker;

/// What a command may read of itself without learning more than it was given.
const OF_ITSELF: &[&str] = &[
    "cgroup",
    "cmdline",
    "comm",
    "io",
    "limits",
    "maps",
    "mountinfo",
    "mounts",
    "sched",
    "stat",
    "statm",
    "status",
];

/// Entries of a process's folder, for paths in which `/proc` itself is not spelled out.
const OF_A_PROCESS: &[&str] = &[
    "attr",
    "auxv",
    "clear_refs",
    "cmdline",
    "comm",
    "cwd",
    "environ",
    "exe",
    "fd",
    "fdinfo",
    "io",
    "map_files",
    "maps",
    "mem",
    "mountinfo",
    "net",
    "ns",
    "pagemap",
    "root",
    "smaps",
    "stack",
    "stat",
    "status",
    "syscall",
    "task",
];

/// Those of them that stand nowhere else: enough where not even the folder is known.
const UNMISTAKABLE: &[&str] = &["auxv", "environ", "map_files", "maps", "mem", "pagemap", "smaps"];

/// The memory of the whole machine.
const OF_EVERYONE: &[&str] = &["kcore", "vmcore"];

/// What stands between paths in a text for another program: `awk '{ getline < "/proc/1/maps" }'`.
const BETWEEN: &[char] = &[
    ' ', '\t', '\n', '\'', '"', '`', '=', ':', ',', ';', '(', ')', '{', '}', '<', '>', '|', '&', '@',
];

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Root,
    /// In a folder whose place is not known, but is below the root.
    Below,
    Anywhere,
}

impl Walker<'_> {
    /// Remembers the first of these words that names a file of another process.
    pub(super) fn look_for_processes(&mut self, fields: &[Field]) {
        if self.process_file.is_none() {
            let folder = self.state.folder.as_deref();
            let found = fields.iter().find(|field| names_process(field, folder));
            self.process_file = found.map(|field| show(std::slice::from_ref(field)));
        }
    }
}

/// Whether an absolute path is a file of a process, or a place from which one is a step away.
pub(crate) fn is_process_file(path: &str) -> bool {
    path.starts_with('/') && reaches_process(path, Start::Root, false)
}

fn names_process(field: &Field, folder: Option<&str>) -> bool {
    let stays_here = folder.is_some_and(|folder| !folder.starts_with('/') && !folder.contains(".."));
    if stays_here && !field.text.contains('/') {
        return false;
    }
    field
        .text
        .split(BETWEEN)
        .filter(|piece| !piece.is_empty())
        .any(|piece| {
            // Behind a letter, as in `-f/proc/1/maps`, a path begins at its first stroke; behind something unknown it may.
            let glued = piece.find('/').filter(|_| piece.starts_with('-'));
            let behind_unknown = piece.match_indices(MARKS).map(|(at, mark)| at + mark.len());
            let inner = glued.into_iter().chain(behind_unknown).filter_map(|at| piece.get(at..));
            inner
                .filter(|inner| inner.starts_with('/'))
                .any(|inner| reaches_process(inner, Start::Root, field.glob) || ends_as_process(inner))
                || from_folder(piece, folder, field.glob)
        })
}

fn from_folder(path: &str, folder: Option<&str>, glob: bool) -> bool {
    match folder {
        _ if path.starts_with('/') => reaches_process(path, Start::Root, glob),
        None => reaches_process(path, Start::Anywhere, glob),
        Some(folder) => {
            let start = if folder.starts_with('/') {
                Start::Root
            } else {
                Start::Below
            };
            reaches_process(&format!("{folder}/{path}"), start, glob)
        }
    }
}

/// Follows a path by its letters. One that climbs higher than it is deep may be at the root.
fn reaches_process(path: &str, start: Start, glob: bool) -> bool {
    let names = names(path);
    let mut at_root = start == Start::Root;
    let mut depth = 0_usize;
    for (at, name) in names.iter().enumerate() {
        if *name == ".." {
            at_root |= depth == 0;
            depth = depth.saturating_sub(1);
            continue;
        }
        depth += 1;
        if !at_root || depth > 1 {
            continue;
        }
        let rest = names.get(at + 1..).unwrap_or(&[]);
        let found = if *name == "proc" {
            !is_harmless(rest)
        } else {
            fits(name, "proc")
                && if rest.is_empty() {
                    glob
                } else {
                    looks_like_process(rest)
                }
        };
        if found {
            return true;
        }
    }
    start == Start::Anywhere && ends_as_process(path)
}

fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|name| !matches!(*name, "" | ".")).collect()
}

/// What may follow `/proc/` on any path that is judged like others.
fn is_harmless(rest: &[&str]) -> bool {
    let Some((first, deeper)) = rest.split_first() else {
        return false;
    };
    if rest.contains(&"..") {
        return false;
    }
    if matches!(*first, "self" | "thread-self") {
        return matches!(deeper, [only] if OF_ITSELF.contains(only));
    }
    first.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-')) && !OF_EVERYONE.contains(first)
}

/// What follows a name that may be `proc`.
fn looks_like_process(rest: &[&str]) -> bool {
    match rest {
        [process, file, ..] => is_process(process) && OF_A_PROCESS.iter().any(|known| fits(file, known)),
        _ => false,
    }
}

/// A path of which only the end is known.
fn ends_as_process(path: &str) -> bool {
    match names(path).as_slice() {
        [] => false,
        [only] => *only == "environ",
        all => all
            .windows(2)
            .any(|pair| matches!(pair, [process, file] if is_process(process) && UNMISTAKABLE.contains(file))),
    }
}

fn is_process(name: &str) -> bool {
    matches!(name, "self" | "thread-self") || name.chars().all(|c| c.is_ascii_digit()) || is_open(name)
}

/// Whether other letters may stand here.
fn is_open(name: &str) -> bool {
    name.contains(['*', '?', '[']) || name.contains(MARKS)
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern == name || (is_open(pattern) && glob_matches(&pattern.replace(MARKS, "*"), name))
}
