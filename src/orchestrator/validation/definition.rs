//! The files that say what a check does, and whether they are still what they were.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::base::clock::Time;
use crate::base::id::BlobId;
use crate::base::text::last_part;

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

/// Programs and words that run or include the file named after them.
const RUNNERS: &[&str] = &[
    ".", "source", "sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "deno", "bun", "tsx", "perl",
    "ruby", "php",
];

/// Words of build files that include every file named after them.
const INCLUDES: &[&str] = &["include", "-include", "sinclude", "import"];

/// Endings of names that mark a script.
const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "ksh"];

/// Files of one folder that a pattern may stand for, and files that are followed from one to the next.
const MOST_FILES: usize = 200;

/// What is looked at of a file to find the files it runs, and how many of its words.
const MOST_FOLLOWED: u64 = 64 * 1024;
const MOST_NAMES: usize = 1_000;

/// A larger file is compared by its size and the time of its last change.
const MOST_READ: u64 = 1024 * 1024;

/// The files that say what a command does: those its line names, the build files these take in, and what the build files run.
/// What a script runs in turn is the project's code, as the sources that are compiled and tested are.
pub(crate) fn files(root: &Path, command: &str) -> BTreeSet<String> {
    let mut found = in_line(root, command);
    let of_line = found
        .iter()
        .filter(|file| is_build_file(file) || !is_script(&root.join(file)));
    let mut build_files: Vec<String> = of_line.cloned().collect();
    while let Some(file) = build_files.pop() {
        for (next, taken_in) in named_by(root, &file) {
            if found.len() < MOST_FILES && found.insert(next.clone()) && taken_in {
                build_files.push(next);
            }
        }
    }
    found
}

/// Whether the command leaves it to build files which scripts run. What they name by variables, patterns or from another
/// folder cannot be followed by reading words.
pub(crate) fn runs_tasks(root: &Path, command: &str) -> bool {
    let tasks = [
        "Makefile",
        "makefile",
        "GNUmakefile",
        "package.json",
        "justfile",
        "Justfile",
        ".justfile",
    ];
    files(root, command).iter().any(|file| {
        let name = last_part(file);
        (tasks.contains(&name) || name.ends_with(".mk")) && root.join(file).is_file()
    })
}

/// Whether a task may run this file or take it in: a script, or a part of a build file.
pub(crate) fn may_be_task(root: &Path, file: &str) -> bool {
    let part = [".mk", ".d", ".mak", ".inc"]
        .iter()
        .any(|ending| file.ends_with(ending));
    part || is_build_file(file) || is_script(&root.join(file))
}

/// The scripts a build file runs and the build files it takes in, the latter with `true`, as far as it names them: a word that
/// is one by itself, or that stands behind a program that runs what it is given. Names count from the workspace and from
/// the file's own folder. A source file that a build only reads is none of them.
fn named_by(root: &Path, file: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut looks = 0;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    for line in beginning(&root.join(file), MOST_FOLLOWED).lines() {
        let mut runs = false;
        let mut includes = false;
        for word in line.split(|c: char| c.is_whitespace() || "'\"`=<>{}()[],;|&@\\".contains(c)) {
            // A name that stands alone is a path, or has an ending.
            let is_name = runs || includes || word.contains(['.', '/']);
            if word.is_empty() || (is_name && looks >= MOST_NAMES) {
                continue;
            }
            looks += usize::from(is_name);
            // `$HERE/inner.sh`, whatever HERE is.
            let name = match word.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
                Some((_, rest)) => rest,
                None => word.trim_start_matches('/'),
            };
            let path = [folder.join(name), PathBuf::from(name)]
                .into_iter()
                .filter(|_| is_name)
                .map(|path| path.components().filter(|part| *part != Component::CurDir).collect())
                .find(|path: &PathBuf| root.join(path).is_file());
            let taken_in = includes || is_build_file(word);
            match path {
                Some(path) if taken_in || runs || is_script(&root.join(&path)) => {
                    found.push((path.to_string_lossy().into_owned(), taken_in));
                    runs = false;
                }
                _ => {
                    runs |= RUNNERS.contains(&last_part(word));
                    includes |= INCLUDES.contains(&word);
                }
            }
        }
    }
    found
}

/// Whether the name is that of a build file, whatever it says and whoever may run it.
fn is_build_file(file: &str) -> bool {
    let name = last_part(file);
    let mut known = DEFINED_BY.iter().flat_map(|(_, files)| *files);
    known.any(|file| {
        file.strip_prefix('*')
            .map_or(*file == name, |ending| name.ends_with(ending))
    })
}

/// Whether a file can be run as a script: by the ending of its name, by its first line, or as an executable text.
fn is_script(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let ending = path.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| SCRIPTS.contains(&ending)) {
        return true;
    }
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    let text = beginning(path, 512);
    meta.is_file() && (text.starts_with("#!") || (meta.permissions().mode() & 0o111 != 0 && !text.contains('\0')))
}

/// The beginning of a file; nothing of one that cannot be read.
fn beginning(path: &Path, most: u64) -> String {
    let mut bytes = Vec::new();
    // A pipe is not opened: it would wait for a writer.
    if path.is_file()
        && let Ok(file) = std::fs::File::open(path)
    {
        let _ = file.take(most).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The files a line names that say what it does. It reads words, not grammar, so it names too many rather than too few: the files
/// of every program that stands anywhere in the line, in the folder and in each folder the line names, and every word that
/// is a file, but for what a program that only looks is given.
fn in_line(root: &Path, command: &str) -> BTreeSet<String> {
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
            programs.push(last_part(word).to_owned());
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
    // After `cd scripts`, names count from there.
    let below = folders.iter().skip(1).map(|folder| folder.join(&path));
    let below: Vec<PathBuf> = below.filter(|path| root.join(path).is_file()).collect();
    found.extend(below.iter().map(|path| path.to_string_lossy().into_owned()));
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
            // A file that cannot be read always counts as changed.
            std::fs::read(&path).map_or_else(|_| BlobId(String::new()), |bytes| BlobId::of(&bytes))
        });
        (file, seen)
    };
    files.into_iter().map(look).collect()
}
