//! Pins the files of a project that its hooks and servers run. The trust question includes these files, and each
//! trusted file is pinned to its content. A missing file is pinned as missing. If a command cannot be analysed, its
//! files cannot be pinned, so the person is asked about the folder again at each start.

mod program;

use std::path::{Component, Path, PathBuf};

use benchdog_base::id::BlobId;
use benchdog_config::settings::{LanguageSettings, ServerPlace, ServerSettings};
use benchdog_domain::hook::Hook;
use benchdog_domain::permission::Layer;
use benchdog_domain::pin::{Pin, Pinned};
use benchdog_security::pins::{files_below, listing};
use benchdog_security::standing;
use benchdog_security::trust::Brought;
use benchdog_security::workspace::Workspace;
use program::Started;

/// A part of a word in a command that may be a file path.
struct Named<'w> {
    path: &'w str,
    /// Whether the word can only refer to a file with this path.
    is_certain: bool,
}

/// The folders to which the paths in a command are relative.
struct From<'f> {
    root: &'f Path,
    folder: &'f Path,
    home: Option<&'f Path>,
}

pub(super) fn pin(hooks: &mut [Hook], root: &Path, home: Option<&Path>, brought: &mut Brought) {
    for hook in hooks.iter_mut().filter(|hook| hook.layer == Layer::Project) {
        let from = From {
            root,
            folder: root,
            home,
        };
        let command: Vec<&str> = hook.command.iter().map(String::as_str).collect();
        // A hook runs in the sandbox, so the files that it loads need not be pinned.
        let started = program::started(&command, &from);
        let started = started.or_else(|| only_reads(&command, &from).then(Started::default));
        if !pin_started(&command, started, &from, brought, &mut hook.pinned) {
            brought.unbound.push(hook.name.clone());
        }
    }
}

pub(super) fn pin_languages(servers: &mut [LanguageSettings], root: &Path, home: Option<&Path>, brought: &mut Brought) {
    for server in servers.iter_mut().filter(|server| server.layer == Layer::Project) {
        let from = From {
            root,
            folder: root,
            home,
        };
        let words = std::iter::once(&server.program).chain(&server.arguments);
        let command: Vec<&str> = words.map(String::as_str).collect();
        let of_values = server.environment.iter().flat_map(|(_, value)| of_value(value, &from));
        add_files(of_values, root, brought, &mut server.pinned);
        let mut started = program::started(&command, &from).filter(|_| {
            let mut values = server.environment.iter();
            values.all(|(name, value)| program::is_harmless(name, value, &from))
        });
        if let Some(started) = &mut started {
            // With the sandbox off, the program has all rights of the person, so pin the files that it loads as well.
            started.folders.append(&mut started.loads);
        }
        let is_bound = pin_started(&command, started, &from, brought, &mut server.pinned);
        let is_python = starts_python(&command);
        if !is_bound {
            brought.unbound.push(server.name.clone());
        } else if is_python {
            server.environment.push(without_compiled_files());
        }
    }
}

pub(super) fn pin_servers(servers: &mut [ServerSettings], root: &Path, brought: &mut Brought) {
    for server in servers.iter_mut().filter(|server| server.layer == Layer::Project) {
        if let ServerPlace::Program {
            program,
            arguments,
            environment,
            cwd,
        } = &mut server.place
        {
            let from = &From {
                root,
                folder: &cwd.as_ref().map_or_else(|| root.to_path_buf(), |cwd| root.join(cwd)),
                // `~/` in the command of a server is not expanded.
                home: None,
            };
            let command: Vec<&str> = std::iter::once(&*program)
                .chain(&*arguments)
                .map(String::as_str)
                .collect();
            let mut started = program::started(&command, from).filter(|_| {
                environment
                    .iter()
                    .all(|(name, value)| program::is_harmless(name, value, from))
            });
            if let Some(started) = &mut started {
                // A server has all rights of the person, so pin the files that it loads as well.
                started.folders.append(&mut started.loads);
            }
            let of_values = environment.iter().flat_map(|(_, value)| of_value(value, from));
            add_files(of_values, root, brought, &mut server.pinned);
            if !pin_started(&command, started, from, brought, &mut server.pinned) {
                brought.unbound.push(server.name.0.clone());
            } else if starts_python(&command) {
                environment.push(without_compiled_files());
            }
        }
    }
}

fn starts_python(command: &[&str]) -> bool {
    let name = |word: &str| program::is_python(word.rsplit('/').next().unwrap_or(word));
    command.iter().copied().any(name)
}

/// Returns the variable that makes Python ignore compiled files in the folder. Needed because these files are not
/// pinned.
fn without_compiled_files() -> (String, String) {
    ("PYTHONPYCACHEPREFIX".to_owned(), "/dev/null".to_owned())
}

fn only_reads(command: &[&str], from: &From<'_>) -> bool {
    let quoted = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    let line = command.iter().map(quoted).collect::<Vec<_>>().join(" ");
    let read = || {
        let workspace = Workspace::open(from.root, &[], &[]).ok()?;
        let folder = workspace.resolve(from.folder.to_str()?).ok()?;
        let line = standing::command(&workspace, &folder, &line);
        Some(line.analysis.reads_only && !line.analysis.runs_project_code)
    };
    read().unwrap_or(false)
}

/// Pins the files in the words of a command, and the files that the command starts. Returns whether all files that the
/// command starts are pinned.
fn pin_started(
    command: &[&str],
    started: Option<Started>,
    from: &From<'_>,
    brought: &mut Brought,
    pinned: &mut Vec<Pinned>,
) -> bool {
    let named = command.iter().enumerate();
    let named: Vec<String> = named.flat_map(|(place, word)| files(word, place, from)).collect();
    add_files(named.into_iter(), from.root, brought, pinned);
    let Some(Started { files, folders, .. }) = started else {
        add_files(behind(command, from).into_iter(), from.root, brought, pinned);
        return false;
    };
    let files = files.iter().flat_map(|path| inside(path, from.root));
    add_files(files, from.root, brought, pinned);
    folders
        .iter()
        .all(|folder| pin_folder(folder, from.root, brought, pinned))
}

/// Pins every file of a folder. Returns `false` for the workspace itself, because it always changes, and for folders
/// with too many files.
fn pin_folder(folder: &Path, root: &Path, brought: &mut Brought, pinned: &mut Vec<Pinned>) -> bool {
    if plain(folder) == root || std::fs::canonicalize(folder).is_ok_and(|led| led == root) {
        return false;
    }
    inside(folder, root).into_iter().all(|name| {
        let Some(files) = files_below(&root.join(&name)) else {
            return false;
        };
        let was = Pin::Names(listing(&files));
        pinned.push(Pinned {
            file: name.clone(),
            was,
        });
        let before = pinned.len();
        add_files(files.iter().map(|file| format!("{name}/{file}")), root, brought, pinned);
        let count = pinned.len();
        // Remove the pins of files that cannot be compared, because the command may not need these files.
        let mut place = 0;
        pinned.retain(|pinned| {
            place += 1;
            place <= before || !matches!(pinned.was, Pin::Unknown(_))
        });
        pinned.len() == count
    })
}

/// Programs that run code even without a file argument, each with the files that define this code.
const RUNNERS: [(&[&str], &[&str]); 7] = [
    (&["make", "gmake"], &["GNUmakefile", "makefile", "Makefile"]),
    (
        &["npm", "npx", "pnpm", "yarn", "bun", "bunx"],
        &["package.json", ".npmrc", ".pnpmfile.cjs", ".yarnrc.yml", "bunfig.toml"],
    ),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml"]),
    (&["rake", "bundle"], &["Rakefile", "Gemfile"]),
    (
        &["cargo"],
        &["Cargo.toml", "build.rs", "rust-toolchain.toml", ".cargo/config.toml"],
    ),
    (&["deno"], &["deno.json", "deno.jsonc"]),
];

/// Interpreters and tools that run a folder as code if the folder is an argument.
const INTERPRETERS: [&str; 13] = [
    "python", "python3", "node", "nodejs", "deno", "bun", "ruby", "php", "perl", "lua", "go", "cargo", "uv",
];

/// Returns files that a command may run in addition: paths inside words, matches of patterns, Python modules, folders
/// of code, and files of task runners.
fn behind(command: &[&str], from: &From<'_>) -> Vec<String> {
    let parts = command.iter().flat_map(|word| {
        word.split(|c: char| c.is_whitespace() || "\"'`;|&<>(){}$=".contains(c))
            .filter(|part| !part.is_empty())
    });
    let parts: Vec<&str> = parts.collect();
    let is_program = |names: &[&str]| {
        parts
            .iter()
            .any(|part| names.contains(&part.rsplit('/').next().unwrap_or(part)))
    };
    let mut found = Vec::new();
    for (names, files) in RUNNERS.iter().filter(|(names, _)| is_program(names)) {
        let is_run = names.iter().any(|name| parts.contains(name));
        found.extend(files.iter().filter(|_| is_run).map(|file| from.folder.join(file)));
    }
    let is_code = is_program(&INTERPRETERS);
    let mut before = "";
    for (place, part) in parts.iter().enumerate() {
        let path = from.folder.join(part);
        if place == 0 && !part.contains('/') {
            // A program name without `/` is searched for in `PATH`, never in the workspace.
        } else if before == "-m" && is_code {
            let module = from.folder.join(part.replace('.', "/"));
            found.push(module.with_extension("py"));
            found.extend(below(&module));
        } else if part.contains(['*', '?', '[']) {
            found.extend(path.parent().map(below).unwrap_or_default());
        } else if is_there(&path) {
            found.push(path);
        } else if path.is_dir() && plain(&path) != from.root && (is_code || before == "-C" || before == "cd") {
            found.extend(below(&path));
        }
        before = part;
    }
    found.iter().flat_map(|path| inside(path, from.root)).collect()
}

/// Returns the files in a folder and its subfolders. Empty if there are too many.
fn below(folder: &Path) -> Vec<PathBuf> {
    let names = files_below(folder).unwrap_or_default();
    names.iter().map(|name| folder.join(name)).collect()
}

/// Returns the files in the value of a variable. The value may be one path, or a list of words as in `NODE_OPTIONS` or
/// `PATH`. A word without `/` is included only if such a file exists.
fn of_value(value: &str, from: &From<'_>) -> Vec<String> {
    let is_address = |word: &&str| word.contains("://");
    let words = value.split_whitespace().filter(|word| !is_address(word));
    let parts = words.flat_map(|word| word.split([':', ';', ',']));
    let whole = [value].into_iter().filter(|value| !is_address(value));
    let named = whole.chain(parts).filter(|part| !part.is_empty());
    let counts = |part: &&str| part.contains('/') || is_there(&from.folder.join(part));
    named.filter(counts).flat_map(|part| files(part, 1, from)).collect()
}

fn add_files(files: impl Iterator<Item = String>, root: &Path, brought: &mut Brought, pinned: &mut Vec<Pinned>) {
    for file in files {
        let is_known = |known: &Pinned| known.file == file && !matches!(known.was, Pin::Names(_));
        if !pinned.iter().any(is_known) {
            let was = at_present(&file, root, brought);
            pinned.push(Pinned { file, was });
        }
    }
}

/// Returns the workspace files that a word refers to, as relative paths.
fn files(word: &str, place: usize, from: &From<'_>) -> Vec<String> {
    let of_home = word.strip_prefix("~/").zip(from.home).filter(|_| place == 0);
    if let Some((rest, home)) = of_home {
        return inside(&home.join(rest), from.root);
    }
    // A program name without `/` is searched for in `PATH`, never in the workspace.
    if place == 0 && !word.contains('/') {
        return Vec::new();
    }
    let named = named(word).into_iter().filter(|named| !named.path.is_empty());
    let counts = |named: &Named<'_>| named.is_certain || is_there(&from.folder.join(named.path));
    let counting = named.filter(counts);
    counting
        .flat_map(|named| inside(&from.folder.join(named.path), from.root))
        .collect()
}

/// Returns the possible paths in a word such as `tools/x.js`, `--config=tools/x.js` or `-ctools/x.js`.
fn named(word: &str) -> Vec<Named<'_>> {
    let certain = |path| Named { path, is_certain: true };
    let valued = word.split_once('=').map(|(_, value)| certain(value));
    let glued = word.strip_prefix('-').and_then(|option| option.get(1..));
    let glued = glued.map(|path| Named {
        path,
        is_certain: false,
    });
    let whole = (!word.starts_with('-')).then(|| certain(word));
    whole.into_iter().chain(valued).chain(glued).collect()
}

/// Returns the path relative to `root` in each form to compare: as written, and with `..` and links resolved.
fn inside(path: &Path, root: &Path) -> Vec<String> {
    let written = plain(path);
    let led = path
        .components()
        .any(|part| part == Component::ParentDir)
        .then_some(path);
    let led = led.or_else(|| (!written.starts_with(root)).then_some(path));
    let led = led.and_then(|path| std::fs::canonicalize(path).ok());
    let both = [Some(written), led].into_iter().flatten();
    let names = both.filter_map(|path| Some(path.strip_prefix(root).ok()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.dedup();
    names
}

fn at_present(file: &str, root: &Path, brought: &mut Brought) -> Pin {
    if !is_there(&root.join(file)) {
        return Pin::Absent;
    }
    match brought.add(file) {
        Ok(()) => match brought.bytes(file) {
            Some(bytes) => Pin::Bytes(BlobId::of(bytes)),
            None => Pin::Unknown(std::io::ErrorKind::FileTooLarge.to_string()),
        },
        Err(error) => Pin::Unknown(error.reason),
    }
}

fn is_there(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| !meta.is_dir())
}

/// Removes `..` from a path. This is correct because the workspace path is canonical, so the folders before `..` are no
/// links.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
