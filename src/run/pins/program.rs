//! Determines the files that a command starts. If any word, option or value is unknown, the command is regarded as not
//! understood. This module only accepts forms that are known to be safe, and does not search for harmful ones.

use std::path::{Path, PathBuf};

use super::{From, inside, is_there, plain};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Started {
    /// Files to pin, existing or missing.
    pub(super) files: Vec<PathBuf>,
    /// Folders whose files are all pinned.
    pub(super) folders: Vec<PathBuf>,
    /// Folders from which the program may load further code.
    pub(super) loads: Vec<PathBuf>,
}

/// Endings of variable names. The values of these variables are code, or paths of code.
const LOADS: [&str; 11] = [
    "PATH", "ENV", "OPT", "OPTIONS", "STARTUP", "PRELOAD", "LIB", "HOME", "PREFIX", "COMMAND", "SHELL",
];

/// Interpreters whose first argument is the file to run.
const INTERPRETERS: [&str; 11] = [
    "sh", "bash", "dash", "zsh", "ksh", "perl", "ruby", "php", "lua", "node", "nodejs",
];

/// Returns the files that a command starts. `None` if a word is not understood.
pub(super) fn started(words: &[&str], from: &From<'_>) -> Option<Started> {
    let (program, rest) = words.split_first()?;
    let path = match program.strip_prefix("~/").zip(from.home) {
        Some((rest, home)) => home.join(rest),
        None => from.folder.join(program),
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !program.contains('/') || inside(&path, from.root).is_empty() {
        return by_name(name, rest, from);
    }
    let mut all = file(path);
    if INTERPRETERS.contains(&name) || is_python(name) {
        all.add(by_name(name, rest, from)?);
    }
    Some(all)
}

fn by_name(name: &str, rest: &[&str], from: &From<'_>) -> Option<Started> {
    match name {
        "env" => env(rest, from),
        "nohup" | "setsid" => started(rest, from),
        "nice" => match rest {
            ["-n", _, rest @ ..] => started(rest, from),
            rest => started(rest, from),
        },
        "timeout" => match rest {
            ["-k" | "-s", _, _, rest @ ..] => started(rest, from),
            [limit, rest @ ..] if !limit.starts_with('-') => started(rest, from),
            _ => None,
        },
        "node" | "nodejs" => node(rest, from),
        "make" | "gmake" => make(rest, from),
        "npm" | "pnpm" | "yarn" | "bun" => npm(rest, from),
        "npx" => npx(rest, from),
        "uvx" => uvx(rest, from),
        name if is_python(name) => python(rest, from),
        name if INTERPRETERS.contains(&name) => script(rest, from),
        _ => None,
    }
}

/// Whether this variable cannot make a program load code from the workspace.
pub(super) fn is_harmless(name: &str, value: &str, from: &From<'_>) -> bool {
    let words = value.split_whitespace().filter(|word| !word.contains("://"));
    let mut parts = words.flat_map(|word| word.split([':', ';', ',', '=']));
    let refers = |part: &str| {
        let path = from.folder.join(part);
        let is_inside = plain(&path) == from.root || !inside(&path, from.root).is_empty();
        !part.is_empty() && is_inside && (part.contains('/') || path.exists())
    };
    let names_code = LOADS.iter().any(|ending| name.ends_with(ending));
    !value.starts_with('-') && !parts.any(|part| refers(part) || names_code && !part.starts_with('/'))
}

pub(super) fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python");
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

fn file(path: PathBuf) -> Started {
    let led = std::fs::canonicalize(&path).ok();
    let folders = [Some(path.as_path()), led.as_deref()].into_iter().flatten();
    Started {
        loads: folders.filter_map(Path::parent).map(plain).collect(),
        files: vec![path],
        folders: Vec::new(),
    }
}

/// Returns the file that is run as a program. If it is a folder, returns the files of the folder.
fn operand(word: &str, from: &From<'_>) -> Option<Started> {
    let path = from.folder.join(word);
    match path.is_dir() {
        true => folder(path, from),
        false => Some(file(path)),
    }
}

fn folder(path: PathBuf, from: &From<'_>) -> Option<Started> {
    (plain(&path) != from.root).then(|| Started {
        loads: vec![path.clone()],
        folders: vec![path],
        files: Vec::new(),
    })
}

/// Returns the value of an option, which is either attached to the option or the next word.
fn value<'w>(word: &'w str, names: &[&str], rest: &mut std::slice::Iter<'_, &'w str>) -> Option<&'w str> {
    names.iter().find_map(|name| {
        let glued = word.strip_prefix(name)?;
        match glued.strip_prefix('=').filter(|_| name.starts_with("--")) {
            Some(value) => Some(value),
            None if glued.is_empty() => rest.next().copied(),
            None => Some(glued).filter(|_| !name.starts_with("--")),
        }
    })
}

fn env(words: &[&str], from: &From<'_>) -> Option<Started> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(chosen) = value(word, &["-C", "--chdir"], &mut rest) {
            let folder = &plain(&from.folder.join(chosen));
            return env(rest.as_slice(), &From { folder, ..*from });
        }
        match word.split_once('=') {
            _ if matches!(*word, "-i" | "-") => {}
            _ if *word == "-u" => drop(rest.next()),
            Some((name, value)) if !word.starts_with('-') => {
                if !is_harmless(name, value, from) {
                    return None;
                }
            }
            _ if word.starts_with('-') => return None,
            _ => {
                let command: Vec<&str> = std::iter::once(*word).chain(rest.copied()).collect();
                return started(&command, from);
            }
        }
    }
    None
}

fn python(words: &[&str], from: &From<'_>) -> Option<Started> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(letters) = word.strip_prefix('-') else {
            return operand(word, from);
        };
        for (at, letter) in letters.char_indices() {
            match letter {
                'm' => {
                    let glued = letters.get(at + 1..).filter(|glued| !glued.is_empty());
                    return module(glued.or_else(|| rest.next().copied())?, from);
                }
                'B' | 'O' | 'b' | 'd' | 'q' | 's' | 'u' | 'v' => {}
                _ => return None,
            }
        }
        if letters.is_empty() {
            return None;
        }
    }
    None
}

/// Returns the files of a Python module. In the workspace, a module may be a file or a folder. If both are missing, the
/// module is an installed one.
fn module(name: &str, from: &From<'_>) -> Option<Started> {
    let top = name.split('.').next()?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    (!top.is_empty() && top.chars().all(is_name)).then(|| Started {
        files: vec![from.folder.join(format!("{top}.py"))],
        folders: vec![from.folder.join(top)],
        loads: vec![from.folder.to_path_buf()],
    })
}

fn node(words: &[&str], from: &From<'_>) -> Option<Started> {
    let (mut all, mut rest) = (Started::default(), words.iter());
    while let Some(word) = rest.next() {
        if let Some(name) = value(word, &["-r", "--require", "--import"], &mut rest) {
            // Node.js searches for a name of another form in `node_modules` of every parent folder.
            if !["./", "../", "/"].iter().any(|start| name.starts_with(start)) {
                return None;
            }
            all.add(resolved(name, from)?);
        } else if !word.starts_with('-') {
            all.add(resolved(word, from)?);
            return Some(all);
        } else if !word.starts_with("--no-") && *word != "--enable-source-maps" {
            return None;
        }
    }
    None
}

/// Returns the file at a path. If the file is missing, returns all files that Node.js would try instead.
fn resolved(word: &str, from: &From<'_>) -> Option<Started> {
    let path = from.folder.join(word);
    if is_there(&path) {
        return Some(file(path));
    }
    let mut all = match path.is_dir() {
        true => folder(path.clone(), from)?,
        false => file(path.clone()),
    };
    let named = |ending: &str| {
        let mut name = plain(&path).into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    all.files.extend([".js", ".json", ".node"].map(named));
    Some(all)
}

fn script(words: &[&str], from: &From<'_>) -> Option<Started> {
    let mut rest = words.iter();
    let is_flag = |word: &&&str| {
        let letters = word.strip_prefix('-');
        letters.is_some_and(|letters| !letters.is_empty() && letters.chars().all(|c| "eux".contains(c)))
    };
    let word = rest.find(|word| !is_flag(word))?;
    let path = from.folder.join(word);
    (!word.starts_with('-') && !path.is_dir()).then(|| file(path))
}

fn make(words: &[&str], from: &From<'_>) -> Option<Started> {
    const FLAGS: [&str; 9] = [
        "-s",
        "-k",
        "-B",
        "-i",
        "-j",
        "-w",
        "--silent",
        "--quiet",
        "--no-print-directory",
    ];
    let (mut folder, mut files, mut rest) = (from.folder.to_path_buf(), Vec::new(), words.iter());
    while let Some(word) = rest.next() {
        let jobs = word.strip_prefix("-j").unwrap_or("x");
        if let Some(chosen) = value(word, &["-C", "--directory"], &mut rest) {
            folder.push(chosen);
        } else if let Some(file) = value(word, &["-f", "--file", "--makefile"], &mut rest) {
            files.push(file);
        } else if FLAGS.contains(word) || jobs.chars().all(|c| c.is_ascii_digit()) {
        } else if word.starts_with('-') {
            return None;
        } else if let Some((name, value)) = word.split_once('=')
            && !is_harmless(name, value, from)
        {
            return None;
        }
    }
    if files.is_empty() {
        files.extend(["GNUmakefile", "makefile", "Makefile"]);
    }
    Some(tasks(folder, &files))
}

fn tasks(folder: PathBuf, names: &[&str]) -> Started {
    Started {
        files: names.iter().map(|name| folder.join(name)).collect(),
        folders: Vec::new(),
        loads: vec![plain(&folder)],
    }
}

const OF_NPM: [&str; 5] = ["package.json", ".npmrc", ".pnpmfile.cjs", ".yarnrc.yml", "bunfig.toml"];

fn npm(words: &[&str], from: &From<'_>) -> Option<Started> {
    let (mut folder, mut names, mut rest) = (from.folder.to_path_buf(), Vec::new(), words.iter());
    while let Some(word) = rest.next() {
        if *word == "--" {
            break;
        } else if let Some(chosen) = value(word, &["--prefix", "-C"], &mut rest) {
            folder.push(chosen);
        } else if !word.starts_with('-') {
            names.push(*word);
        } else if !matches!(*word, "-s" | "--silent" | "--if-present") {
            return None;
        }
    }
    matches!(names.as_slice(), ["run" | "run-script", _, ..] | ["test" | "start", ..]).then(|| tasks(folder, &OF_NPM))
}

/// Returns the files that determine the program that `npx` starts. Returns `None` if the word is no package name, or if
/// `node_modules` exists, because the package may be installed there.
fn npx(words: &[&str], from: &From<'_>) -> Option<Started> {
    let mut rest = words.iter();
    let package = rest.find(|word| !matches!(**word, "-y" | "--yes" | "-q" | "--quiet"))?;
    let installed = from.folder.join("node_modules");
    let is_name = is_package(
        package
            .strip_prefix('@')
            .map_or(*package, |name| name.split_once('/').map_or("", |(_, name)| name)),
    );
    (is_name && !installed.exists()).then(|| Started {
        files: OF_NPM.iter().map(|name| from.folder.join(name)).collect(),
        folders: vec![installed],
        loads: Vec::new(),
    })
}

fn uvx(words: &[&str], from: &From<'_>) -> Option<Started> {
    let package = words.first().filter(|word| is_package(word))?;
    let files = ["uv.toml", "pyproject.toml", ".python-version"];
    (!from.folder.join(package).exists()).then(|| Started {
        files: files.iter().map(|name| from.folder.join(name)).collect(),
        ..Started::default()
    })
}

/// Whether a word is the name of a package, possibly with a version. Options, paths and addresses are not names.
fn is_package(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@".contains(c))
}

impl Started {
    fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.folders.extend(other.folders);
        self.loads.extend(other.loads);
    }
}
