//! Files of a folder that the project's hooks and servers run. They are part of the trust question and
//! pinned to their content. A missing file is pinned as missing.

use std::path::{Component, Path, PathBuf};

use benchdog_base::id::BlobId;
use benchdog_config::settings::{ServerPlace, ServerSettings};
use benchdog_domain::hook::Hook;
use benchdog_domain::permission::Layer;
use benchdog_domain::pin::{Pin, Pinned};
use benchdog_security::trust::Brought;

/// A word of a command that may name a file.
struct Named<'w> {
    path: &'w str,
    /// Whether it can only be a file of this name.
    is_certain: bool,
}

/// The folders in which the words of a command are searched.
struct From<'f> {
    root: &'f Path,
    /// The working folder.
    folder: &'f Path,
    home: Option<&'f Path>,
}

/// Pins the files in commands of hooks.
pub(super) fn pin(hooks: &mut [Hook], root: &Path, home: Option<&Path>, brought: &mut Brought) {
    for hook in hooks.iter_mut().filter(|hook| hook.layer == Layer::Project) {
        let from = From {
            root,
            folder: root,
            home,
        };
        let files: Vec<String> = words(hook.command.iter(), &from).collect();
        hook.pinned = pinned(files.into_iter(), root, brought);
    }
}

/// Pins the files in commands of servers.
pub(super) fn pin_servers(servers: &mut [ServerSettings], root: &Path, brought: &mut Brought) {
    for server in servers.iter_mut().filter(|server| server.layer == Layer::Project) {
        if let ServerPlace::Program {
            program,
            arguments,
            environment,
            cwd,
        } = &server.place
        {
            let from = &From {
                root,
                folder: &cwd.as_ref().map_or_else(|| root.to_path_buf(), |cwd| root.join(cwd)),
                // `~/` has no meaning in the command of a server.
                home: None,
            };
            let command = std::iter::once(program).chain(arguments);
            let of_command = words(command, from);
            let of_values = environment.iter().flat_map(|(_, value)| of_value(value, from));
            server.pinned = pinned(of_command.chain(of_values), root, brought);
        }
    }
}

/// Returns the files that the words of a command name.
fn words<'c>(command: impl Iterator<Item = &'c String>, from: &From<'_>) -> impl Iterator<Item = String> {
    let command: Vec<&String> = command.collect();
    let named = command
        .iter()
        .enumerate()
        .flat_map(|(place, word)| files(word, place, from));
    let mut all: Vec<String> = named.collect();
    all.extend(behind(&command, from));
    all.into_iter()
}

/// Code that a program runs without a file argument, and the files that select it.
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

/// Programs that run a folder as code.
const INTERPRETERS: [&str; 13] = [
    "python", "python3", "node", "nodejs", "deno", "bun", "ruby", "php", "perl", "lua", "go", "cargo", "uv",
];

/// The maximum number of files per folder that are compared.
const MOST_FILES: usize = 300;

/// Returns further files that a command runs: words within a script, patterns, modules, folders of
/// code, files of task runners.
fn behind(command: &[&String], from: &From<'_>) -> Vec<String> {
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
            // A bare program name is searched in `PATH`, never here.
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

/// Returns the files of a folder and its subfolders, up to a limit.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop().filter(|_| found.len() < MOST_FILES) {
        let mut entries: Vec<_> = std::fs::read_dir(&folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) if found.len() < MOST_FILES => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

/// Returns the files in the value of a variable: the whole value, or one of several as in
/// `NODE_OPTIONS` or `PATH`. A bare word counts only if the file exists.
fn of_value(value: &str, from: &From<'_>) -> Vec<String> {
    let is_address = |word: &&str| word.contains("://");
    let words = value.split_whitespace().filter(|word| !is_address(word));
    let parts = words.flat_map(|word| word.split([':', ';', ',']));
    let whole = [value].into_iter().filter(|value| !is_address(value));
    let named = whole.chain(parts).filter(|part| !part.is_empty());
    let counts = |part: &&str| part.contains('/') || is_there(&from.folder.join(part));
    named.filter(counts).flat_map(|part| files(part, 1, from)).collect()
}

fn pinned(files: impl Iterator<Item = String>, root: &Path, brought: &mut Brought) -> Vec<Pinned> {
    let mut pinned: Vec<Pinned> = Vec::new();
    for file in files {
        if pinned.iter().all(|known| known.file != file) {
            let was = at_present(&file, root, brought);
            pinned.push(Pinned { file, was });
        }
    }
    pinned
}

/// Returns the files of the folder that a word names, relative to it.
fn files(word: &str, place: usize, from: &From<'_>) -> Vec<String> {
    let of_home = word.strip_prefix("~/").zip(from.home).filter(|_| place == 0);
    if let Some((rest, home)) = of_home {
        return inside(&home.join(rest), from.root);
    }
    // A bare program name is searched in `PATH`, never here.
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

/// Parses `tools/x.js`, `--config=tools/x.js` and `-ctools/x.js`.
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

/// Returns the names of a path for comparison: as written, and with `..` and links above the folder resolved.
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

/// Removes `..` from a path. The preceding parts are folders and not links, because the workspace is canonical.
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
mod tests {
    use super::*;
    use benchdog_domain::hook::HookEvent;

    struct Folder {
        _folder: tempfile::TempDir,
        root: PathBuf,
    }

    impl Folder {
        fn with(files: &[&str]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap().join("work");
            std::fs::create_dir_all(root.join("tools")).unwrap();
            for file in files {
                std::fs::write(root.join(file), "x").unwrap();
            }
            Self { _folder: folder, root }
        }

        fn pinned(&self, command: &[&str]) -> Vec<Pinned> {
            let mut hooks = [Hook {
                event: HookEvent::BeforeTool,
                name: "guard".to_owned(),
                tools: Vec::new(),
                command: command.iter().map(|&word| word.to_owned()).collect(),
                timeout_ms: 7,
                strict: false,
                layer: Layer::Project,
                origin: String::new(),
                file: String::new(),
                pinned: Vec::new(),
            }];
            let mut brought = Brought::look(&self.root, None);
            pin(&mut hooks, &self.root, None, &mut brought);
            let [hook] = hooks;
            hook.pinned
        }

        fn from(&self) -> From<'_> {
            From {
                root: &self.root,
                folder: &self.root,
                home: None,
            }
        }

        fn names(&self, command: &[&str]) -> Vec<String> {
            let of_bytes = |pinned: Pinned| matches!(pinned.was, Pin::Bytes(_)).then_some(pinned.file);
            self.pinned(command).into_iter().filter_map(of_bytes).collect()
        }
    }

    #[test]
    fn what_a_command_runs_without_naming_it_as_a_file_is_bound() {
        let folder = Folder::with(&["Makefile", "guard.py", "tools/a.sh", "tools/b.sh", "package.json"]);
        let files = |command: &[&str]| {
            let pinned = folder.pinned(command).into_iter();
            let there = pinned.filter(|pinned| matches!(pinned.was, Pin::Bytes(_)));
            there.map(|pinned| pinned.file).collect::<Vec<_>>()
        };
        assert_eq!(files(&["make", "guard"]), ["Makefile"]);
        assert_eq!(files(&["python3", "-m", "guard"]), ["guard.py"]);
        assert_eq!(files(&["npm", "run", "guard"]), ["package.json"]);
        assert_eq!(files(&["node", "tools"]), ["tools/a.sh", "tools/b.sh"]);
        assert_eq!(files(&["sh", "-c", "exec sh <tools/a.sh"]), ["tools/a.sh"]);
        assert_eq!(
            files(&["sh", "-c", "cat tools/*.sh | sh"]),
            ["tools/a.sh", "tools/b.sh"]
        );
        assert_eq!(
            files(&["env", "-C", "tools", "sh", "a.sh"]),
            ["tools/a.sh", "tools/b.sh"]
        );
        assert_eq!(files(&["mcp-files", "."]), Vec::<String>::new());
        assert_eq!(files(&["mcp-files", "tools"]), Vec::<String>::new());
    }

    #[test]
    fn a_file_is_found_however_its_word_is_written() {
        let folder = Folder::with(&["tools/x.js"]);
        let whole = folder.root.join("tools/x.js");
        let whole = whole.to_str().unwrap();
        for word in [
            "tools/x.js",
            "./tools/x.js",
            "tools/../tools/x.js",
            whole,
            "--config=tools/x.js",
            &format!("--config={whole}"),
            "-ctools/x.js",
        ] {
            assert_eq!(folder.names(&["node", word]), ["tools/x.js"], "{word}");
        }
        assert_eq!(folder.names(&[whole]), ["tools/x.js"]);
    }

    #[test]
    fn a_file_that_a_variable_names_is_found_however_it_is_written_there() {
        let folder = Folder::with(&["tools/x.js", "plain"]);
        for (value, found) in [
            ("tools/x.js", "tools/x.js"),
            ("--require ./tools/x.js --quiet", "tools/x.js"),
            ("--require=tools/x.js", "tools/x.js"),
            ("/usr/bin:tools/x.js", "tools/x.js"),
            ("plain", "plain"),
            ("tools/later.js", "tools/later.js"),
        ] {
            let files = of_value(value, &folder.from());
            assert!(files.iter().any(|file| file == found), "{value}: {files:?}");
        }
        for value in ["production", "http://x.example:80/y", "a b", "/usr/bin:/bin", "tools"] {
            let files = of_value(value, &folder.from());
            assert!(files.is_empty(), "{value}: {files:?}");
        }
    }

    /// Returns the existing paths in the folder that a server depends on.
    fn bound(folder: &Folder, words: &[&str], variable: &str, cwd: Option<&str>) -> Vec<String> {
        let mut words = words.iter().map(|word| (*word).to_owned());
        let mut servers = [ServerSettings {
            name: benchdog_domain::server::ServerName("docs".to_owned()),
            enabled: true,
            place: ServerPlace::Program {
                program: words.next().unwrap(),
                arguments: words.collect(),
                environment: vec![("NODE_OPTIONS".to_owned(), variable.to_owned())],
                cwd: cwd.map(str::to_owned),
            },
            timeout_ms: 7,
            start_timeout_ms: 7,
            disabled_tools: Vec::new(),
            layer: Layer::Project,
            pinned: Vec::new(),
        }];
        pin_servers(&mut servers, &folder.root, &mut Brought::look(&folder.root, None));
        let [server] = servers;
        let bound = server
            .pinned
            .into_iter()
            .filter(|pinned| matches!(pinned.was, Pin::Bytes(_)));
        bound.map(|pinned| pinned.file).collect()
    }

    #[test]
    fn a_server_is_bound_to_the_files_of_its_variables() {
        let folder = Folder::with(&["tools/x.js"]);
        let bound = bound(&folder, &["node", "-e"], "--require ./tools/x.js", None);
        assert_eq!(bound, ["tools/x.js"]);
    }

    #[test]
    fn a_server_is_bound_to_what_its_words_name_where_it_is_started() {
        let folder = Folder::with(&["tools/x.js", "tools/y.js", "x.js"]);
        let bound = bound(&folder, &["./y.js", "x.js"], "-r ./y.js", Some("tools"));
        assert_eq!(bound, ["tools/y.js", "tools/x.js"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_bound_to_that_and_a_program_of_path_is_no_file_of_the_folder() {
        let folder = Folder::with(&["node"]);
        let pinned = folder.pinned(&["node", "tools/later.js", "--quiet"]);
        let absent = Pinned {
            file: "tools/later.js".to_owned(),
            was: Pin::Absent,
        };
        assert_eq!(pinned, [absent]);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let folder = Folder::with(&[]);
        std::os::unix::fs::symlink("/bin/sh", folder.root.join("tools/out")).unwrap();
        std::fs::write(folder.root.join("tools/large"), vec![b'x'; 1_000_001]).unwrap();
        for file in ["tools/out", "tools/large"] {
            let pinned = folder.pinned(&[&format!("./{file}")]);
            let [
                Pinned {
                    file: named,
                    was: Pin::Unknown(why),
                },
            ] = pinned.as_slice()
            else {
                panic!("{pinned:?}")
            };
            assert!(named == file && !why.is_empty(), "{pinned:?}");
        }
    }
}
