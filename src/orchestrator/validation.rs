//! Which check proves a change: the configured command, or what the kind of project suggests.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::base::clock::Time;
use crate::base::id::BlobId;
use crate::config::settings::ValidationSettings;
use crate::domain::permission::{Action, CommandClass, Layer, Rule, Scope, Verdict};

/// A file that tells the kind of project, and the check that goes with it. The first that is there wins.
const DETECTED: &[(&str, &str)] = &[
    ("Cargo.toml", "cargo test"),
    ("go.mod", "go test ./..."),
    ("pyproject.toml", "python3 -m pytest -q"),
    ("pytest.ini", "python3 -m pytest -q"),
    ("setup.py", "python3 -m pytest -q"),
    ("package.json", "npm test"),
    ("Makefile", "make test"),
    ("check.sh", "sh check.sh"),
];

/// Programs, and the files beside them that say what they do; a name that begins with `*` stands for all that end so.
const DEFINED_BY: &[(&[&str], &[&str])] = &[
    (
        &["cargo"],
        &[
            "Cargo.toml",
            "build.rs",
            ".cargo/config.toml",
            ".cargo/config",
            ".config/nextest.toml",
            "rust-toolchain.toml",
            "rust-toolchain",
        ],
    ),
    (
        &["npm", "npx", "yarn", "pnpm", "bun", "node"],
        &[
            "package.json",
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".pnpmfile.cjs",
            "bunfig.toml",
        ],
    ),
    (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile", "*.mk"]),
    (
        &["python", "python3", "pytest", "tox", "nox", "uv", "poetry"],
        &[
            "pyproject.toml",
            "pytest.ini",
            "setup.py",
            "setup.cfg",
            "tox.ini",
            "noxfile.py",
            "conftest.py",
            "tests/conftest.py",
            "test/conftest.py",
            "__main__.py",
            "sitecustomize.py",
            "pytest.py",
        ],
    ),
    (&["go"], &["go.mod"]),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
];

/// Programs that only look at the files they are given, where nothing reads what they print.
const READERS: &[&str] = &[
    "diff", "cmp", "grep", "egrep", "fgrep", "test", "[", "[[", "cat", "head", "tail", "wc", "ls", "stat", "sort",
    "uniq", "cut", "echo", "printf", "true", "false",
];

/// Words of the shell that stand before a command.
const BEFORE: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time"];

/// Files of one folder that a pattern may stand for.
const MOST_FILES: usize = 200;

/// A larger file is told by its size and the time it was changed.
const MOST_READ: u64 = 1024 * 1024;

/// Why the check may run without a question, if it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// It stands in the user's own configuration.
    ByUser,
    /// The person allowed it earlier in this session.
    BySession,
    No,
    /// This file says what it does, and appeared or changed in this session.
    NotAnyMore(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) command: String,
    pub(crate) allowed: Allowed,
}

pub(crate) fn plan(settings: &ValidationSettings, root: &Path) -> Option<Plan> {
    if let Some(command) = &settings.command {
        // A command that came with the folder is no better than one the model chose.
        let allowed = if settings.command_layer == Layer::Project {
            Allowed::No
        } else {
            Allowed::ByUser
        };
        return Some(Plan {
            command: command.clone(),
            allowed,
        });
    }
    let (_, command) = DETECTED.iter().find(|(file, _)| root.join(file).is_file())?;
    Some(Plan {
        command: (*command).to_owned(),
        allowed: Allowed::No,
    })
}

/// The policy's verdict, as the origin of the command changes it. A deny stays, and the dangerous class always asks.
pub(crate) fn verdict(judged: Verdict, allowed: &Allowed, command: &str) -> Verdict {
    let dangerous = judged.class == Some(CommandClass::Dangerous);
    if judged.action == Action::Deny || dangerous {
        return judged;
    }
    let scope = Some(Scope {
        key: "validation".to_owned(),
        pattern: command.to_owned(),
    });
    match allowed {
        Allowed::ByUser => Verdict {
            action: Action::Allow,
            because: Rule("validation.command".to_owned()),
            layer: Layer::User,
            scope,
            ..judged
        },
        Allowed::BySession => Verdict {
            action: Action::Allow,
            because: Rule("allowed earlier in this session".to_owned()),
            layer: Layer::Session,
            scope,
            ..judged
        },
        Allowed::No => Verdict {
            action: Action::Ask,
            because: Rule(format!("the check `{command}` after changes, asked once a session")),
            scope,
            ..judged
        },
        Allowed::NotAnyMore(file) => Verdict {
            action: Action::Ask,
            because: Rule(format!(
                "`{file}` says what the check `{command}` does, and changed in this session"
            )),
            layer: Layer::Guard,
            scope: None,
            ..judged
        },
    }
}

/// The files that say what the check does; without a configured one, those of every check that can be recognised.
pub(crate) fn all_definitions(root: &Path, configured: Option<&str>) -> BTreeSet<String> {
    match configured {
        Some(command) => definitions(root, command),
        None => {
            let kinds = DETECTED.iter();
            kinds
                .flat_map(|(file, command)| {
                    let mut files = definitions(root, command);
                    files.insert((*file).to_owned());
                    files
                })
                .collect()
        }
    }
}

/// The files that say what a command does. It reads words, not grammar, so it names too many rather than too few: the files
/// of every program that stands anywhere in the line, in the folder and in each folder the line names, and every word that
/// is a file, but for what a program that only looks is given.
pub(crate) fn definitions(root: &Path, command: &str) -> BTreeSet<String> {
    let plain: String = command.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    let plain = plain.replace("${PWD}", ".").replace("$PWD", ".");
    let ends = |c: char| matches!(c, ';' | '&' | '|' | '\n' | '(' | ')' | '`');
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    let mut programs = Vec::new();
    let mut rest = plain.as_str();
    while !rest.is_empty() {
        let end = rest.find(ends).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        let piped = behind.starts_with('|') && !behind.starts_with("||");
        let words: Vec<&str> = part
            .split(|c: char| c.is_whitespace() || "<>={},".contains(c))
            .collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let program = words
            .iter()
            .find(|word| !BEFORE.contains(word))
            .copied()
            .unwrap_or_default();
        let only_looks = READERS.contains(&program) && !piped;
        for word in words {
            programs.push(word.rsplit('/').next().unwrap_or(word).to_owned());
            if !only_looks {
                // `-fother.mk` names a file, too.
                let glued = word.strip_prefix('-').and_then(|option| option.get(1..));
                for name in [Some(word), glued].into_iter().flatten() {
                    named(root, name, &mut found, &mut folders);
                }
            }
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    for (_, files) in DEFINED_BY
        .iter()
        .filter(|(names, _)| names.iter().any(|name| programs.iter().any(|program| program == name)))
    {
        for (folder, file) in folders
            .iter()
            .flat_map(|folder| files.iter().map(move |file| (folder, file)))
        {
            match file.strip_prefix('*') {
                Some(ending) => found.extend(matching(root, folder, |name| name.ends_with(ending))),
                None => {
                    found.insert(folder.join(file).to_string_lossy().into_owned());
                }
            }
        }
    }
    found
}

/// A word as what it may name: a file, a folder, or a pattern of files.
fn named(root: &Path, word: &str, found: &mut BTreeSet<String>, folders: &mut Vec<PathBuf>) {
    let path: PathBuf = Path::new(word)
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    let whole = root.join(&path);
    if whole.is_dir() {
        folders.push(path);
    } else if whole.is_file() {
        found.insert(path.to_string_lossy().into_owned());
    } else if word.contains(['*', '?', '[']) {
        // Which of them it fits is the shell's to say; all of that folder are looked at.
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        found.extend(matching(root, &folder, |_| true));
    }
}

/// The files of a folder whose names are wanted; so many at the most that looking costs little.
fn matching(root: &Path, folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| wanted(name))
        .map(|name| folder.join(name))
        .filter(|path| root.join(path).is_file())
        .take(MOST_FILES)
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

/// Whether a file was changed, or put where it is, after this moment. The time is the kernel's, which no command can set.
pub(crate) fn changed_since(path: &Path, moment: Time) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.ctime() * 1_000 + meta.ctime_nsec() / 1_000_000 > moment.0)
}

/// What the files say, by the hash of it; `None` for one that is not there.
pub(crate) fn fingerprint(root: &Path, files: BTreeSet<String>) -> BTreeMap<String, Option<BlobId>> {
    let look = |file: String| {
        let path = root.join(&file);
        let seen = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file);
        let seen = seen.map(|meta| {
            if meta.len() > MOST_READ {
                return BlobId::of(format!("{} {:?}", meta.len(), meta.modified().ok()).as_bytes());
            }
            // What cannot be read is never the same.
            std::fs::read(&path).map_or_else(|_| BlobId(String::new()), |bytes| BlobId::of(&bytes))
        });
        (file, seen)
    };
    files.into_iter().map(look).collect()
}
