//! Checks whether a recursive search would read a secret below a folder. Examines names and opens no file.
//!
//! Options are parsed only as far as necessary. A word that may be a folder or a pattern is checked as a folder.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Look;
use crate::secrets::is_secret_path;
use benchdog_domain::command::Reach;

/// Programs that read every file below a folder if they have a recursive option.
const GREPS: &[&str] = &["grep", "egrep", "fgrep", "zgrep", "rgrep"];
/// Letters of `grep` options that take the next word as a value.
const GREP_VALUES: &[char] = &['A', 'B', 'C', 'D', 'd', 'e', 'f', 'm'];

/// Programs that always search recursively. They skip hidden files unless an option says otherwise.
const SEARCHERS: &[&str] = &["rg", "ag", "ack", "ug", "ugrep"];
const INDISCREET: &[&str] = &["--hid", "--unr", "--no-ig"];

/// Maximum number of searched names. A larger tree needs approval.
const MOST_NAMES: usize = 20_000;
const STRIDE: usize = 64;

struct Found {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    Link,
    Other,
}

struct Search<'l, 'w> {
    look: &'l Look<'w>,
    hidden_too: bool,
    seen: usize,
    /// Secrets that were found, or the reason why the search stopped.
    met: Vec<Reach>,
}

impl Look<'_> {
    /// Returns the secrets that the command would read, or the reason why the search stopped.
    pub(super) fn secret_below(&self, words: &[&str]) -> Vec<Reach> {
        let Some((program, rest)) = words.split_first() else {
            return Vec::new();
        };
        let name = Path::new(program)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        let hidden_too = match name {
            name if GREPS.contains(&name) => {
                if name != "rgrep" && !rest.iter().any(|word| recurses(word)) {
                    return Vec::new();
                }
                true
            }
            name if SEARCHERS.contains(&name) => rest.iter().any(|word| shows_hidden(word)),
            _ => return Vec::new(),
        };
        let places = places(rest, GREPS.contains(&name), &self.folder);
        self.searched(&places, hidden_too)
    }

    fn searched(&self, places: &[PathBuf], hidden_too: bool) -> Vec<Reach> {
        let mut search = Search {
            look: self,
            hidden_too,
            seen: 0,
            met: Vec::new(),
        };
        places.iter().rev().for_each(|place| search.place(place));
        search.met
    }

    pub(super) fn below(&self, place: &Path, hidden_too: bool) -> Vec<Reach> {
        self.searched(&[place.to_path_buf()], hidden_too)
    }

    /// Returns an objection if a name below `place` contains a blank. Some programs would split such a name.
    pub(super) fn blank_below(&self, place: &Path) -> Option<Reach> {
        let mut open = vec![place.to_path_buf()];
        let mut seen = 0;
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                seen += 1;
                let name = entry.file_name();
                let word = name
                    .to_str()
                    .is_some_and(|name| !name.contains([' ', '\t', '\n', '\'', '"', '\\']));
                if !word || seen > MOST_NAMES || (seen.is_multiple_of(STRIDE) && self.is_late()) {
                    return Some(Reach::Unseen);
                }
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(entry.path());
                }
            }
        }
        None
    }

    fn shown(&self, path: &Path) -> String {
        let root = self.workspace.root();
        path.strip_prefix(root).unwrap_or(path).display().to_string()
    }
}

impl Search<'_, '_> {
    fn place(&mut self, place: &Path) {
        let secret = self.look.leads_to_secret(place);
        if let Some(reach) = secret.then(|| self.secret(place)).or_else(|| self.escape(place)) {
            self.met.push(reach);
            return;
        }
        // Every program follows a link given as an argument.
        let real = std::fs::canonicalize(place).unwrap_or_else(|_| place.to_path_buf());
        let inside = self.resolves(&real);
        let mut open = vec![Found {
            path: real,
            kind: Kind::Folder,
        }];
        while let Some(found) = open.pop() {
            self.seen += 1;
            if self.seen > MOST_NAMES || (self.seen.is_multiple_of(STRIDE) && self.look.is_late()) {
                // A found secret is a sufficient objection. Otherwise, the incomplete search is the objection.
                if self.met.is_empty() {
                    self.met.push(Reach::Unseen);
                }
                return;
            }
            match self.judge(&found, inside) {
                Some(reach) => self.met.push(reach),
                None if found.kind == Kind::Folder => self.list(&found.path, &mut open),
                None => {}
            }
        }
    }

    /// Judges a link by its target, but does not search in the target.
    fn judge(&self, found: &Found, inside: bool) -> Option<Reach> {
        let path = &found.path;
        let secret = match found.kind {
            Kind::Link if inside => self.look.leads_to_secret(path),
            Kind::Link => is_secret_path(path) || std::fs::canonicalize(path).is_ok_and(|real| is_secret_path(&real)),
            Kind::Folder => is_secret_path(path),
            Kind::Other => is_secret_path(path) || self.is_secret_elsewhere(path),
        };
        if secret {
            return Some(self.secret(path));
        }
        (inside && found.kind == Kind::Link)
            .then(|| self.escape(path))
            .flatten()
    }

    fn is_secret_elsewhere(&self, path: &Path) -> bool {
        let several = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.nlink() > 1);
        let found = path
            .to_str()
            .filter(|_| several)
            .map(|path| self.look.workspace.resolve(path));
        found.is_some_and(|found| found.is_ok_and(|path| path.is_secret()))
    }

    fn secret(&self, path: &Path) -> Reach {
        let path = self.look.shown(path);
        Reach::SecretBelow { path }
    }

    fn escape(&self, path: &Path) -> Option<Reach> {
        let escapes = path.is_symlink() && !self.resolves(path);
        let shown = || self.look.shown(path);
        escapes.then(|| Reach::LinkBelow { path: shown() })
    }

    fn resolves(&self, path: &Path) -> bool {
        path.to_str()
            .is_some_and(|path| self.look.workspace.resolve(path).is_ok())
    }

    fn list(&self, folder: &Path, open: &mut Vec<Found>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let entries = entries
            .flatten()
            .filter(|entry| self.hidden_too || !entry.file_name().as_encoded_bytes().starts_with(b"."));
        // Take one name more than the limit, to detect that there are too many.
        open.extend(entries.take(MOST_NAMES + 1).map(|entry| Found {
            kind: match entry.file_type() {
                Ok(kind) if kind.is_dir() => Kind::Folder,
                Ok(kind) if kind.is_symlink() => Kind::Link,
                Ok(_) | Err(_) => Kind::Other,
            },
            path: entry.path(),
        }));
    }
}
/// Returns the operands that exist as paths, or else the current folder.
fn places(words: &[&str], grep: bool, start: &Path) -> Vec<PathBuf> {
    let mut operands = Vec::new();
    let mut value_follows = false;
    for word in words {
        if word.starts_with('-') {
            value_follows = takes_value(word, grep);
        } else if !std::mem::take(&mut value_follows) {
            operands.push(start.join(word));
        }
    }
    // Without `-e` or `-f`, the first operand is a pattern. It is dropped, because usually no such path exists.
    let own_folder = operands.len() < 2;
    operands.retain(|path| path.exists());
    if own_folder || operands.is_empty() {
        operands.push(start.to_path_buf());
    }
    operands
}

fn takes_value(option: &str, grep: bool) -> bool {
    if option.starts_with("--") {
        return !option.contains('=');
    }
    !grep || option.ends_with(GREP_VALUES)
}

fn recurses(word: &str) -> bool {
    let long = word.starts_with("--r") || word.starts_with("--d");
    long || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R', 'd']))
}

/// Whether an option shows hidden files. The option's letter may be anywhere in a bundle such as `-ru`.
fn shows_hidden(word: &str) -> bool {
    if word.starts_with("--") {
        return INDISCREET.iter().any(|option| word.starts_with(option));
    }
    word.starts_with('-') && word.contains(['u', '.'])
}
