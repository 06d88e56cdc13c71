//! Which check proves a change: the configured command, or what the kind of project suggests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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

/// Words of a command line, and the files that say what they do.
const DEFINED_BY: &[(&[&str], &[&str])] = &[
    (
        &["cargo"],
        &[
            "Cargo.toml",
            "build.rs",
            ".cargo/config.toml",
            ".config/nextest.toml",
            "rust-toolchain.toml",
        ],
    ),
    (&["npm", "npx", "yarn", "pnpm", "bun", "node"], &["package.json"]),
    (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile"]),
    (
        &["python", "python3", "pytest", "tox", "nox"],
        &[
            "pyproject.toml",
            "pytest.ini",
            "setup.py",
            "setup.cfg",
            "tox.ini",
            "noxfile.py",
            "conftest.py",
        ],
    ),
    (&["go"], &["go.mod"]),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
];

/// Programs that start what they are given: the words behind them, up to the first that is no option, are looked at too.
const STARTERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "source", ".", "python", "python3", "node", "deno", "ruby", "perl",
    "php", "lua", "env", "time", "nice", "nohup", "exec", "command", "timeout", "stdbuf", "xvfb-run", "uv", "poetry",
    "run", "sudo", "doas",
];

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

/// The files that say what a command does: those of the programs it names, and the scripts it starts.
pub(crate) fn definitions(root: &Path, command: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in command.split([';', '&', '|', '(', ')', '\n', '`']) {
        let mut words = part
            .split_whitespace()
            .map(|word| word.trim_matches(['\'', '"']).trim_start_matches("./"))
            .skip_while(|word| word.contains('='));
        let mut starts = true;
        while starts && let Some(word) = words.next() {
            let name = word.rsplit('/').next().unwrap_or(word);
            let files = DEFINED_BY.iter().filter(|(programs, _)| programs.contains(&name));
            found.extend(files.flat_map(|(_, files)| files.iter().map(|file| (*file).to_owned())));
            if root.join(word).is_file() {
                found.insert(word.to_owned());
            }
            // What stands behind one of these is started by it.
            starts = STARTERS.contains(&name) || word.starts_with('-');
        }
    }
    found
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
