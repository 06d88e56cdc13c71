//! The files that define a check, and the detection of changes in them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use benchdog_base::clock::Time;
use benchdog_base::id::BlobId;
use benchdog_base::text::last_part;

/// Programs with the files that define their behaviour. A `*` at the beginning matches any characters.
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

/// Programs that only read their arguments. Their arguments are ignored, unless another program uses their output.
const READERS: &[&str] = &[
    "diff", "cmp", "grep", "egrep", "fgrep", "test", "[", "[[", "cat", "head", "tail", "wc", "ls", "stat", "sort",
    "uniq", "cut", "echo", "printf", "true", "false",
];

const BEFORE: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time"];

/// Commands that execute or include the file in their next argument.
const RUNNERS: &[&str] = &[
    ".", "source", "sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "deno", "bun", "tsx", "perl",
    "ruby", "php",
];

/// Keywords with which build files include other files. All arguments after the keyword are files.
const INCLUDES: &[&str] = &["include", "-include", "sinclude", "import"];

const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "ksh"];

/// Maximum number of files that match a pattern. This is also the maximum number of files that define a command.
const MOST_FILES: usize = 200;

/// Maximum number of bytes of a file that are searched for file names. `MOST_NAMES` limits their number.
const MOST_FOLLOWED: u64 = 64 * 1024;
const MOST_NAMES: usize = 1_000;

/// Maximum number of bytes of a file that is hashed. Larger files are compared by size and change time.
const MOST_READ: u64 = 1024 * 1024;

/// Returns the files that define a command: the files in its command line, the build files that these include, and the
/// scripts that they run.
///
/// Does not return files that a script uses. Like sources, they count as code of the project.
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

/// Whether the command runs tasks of a build file. Such tasks may run scripts whose names cannot be determined, such as
/// a variable, a pattern or a path in another folder.
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

pub(crate) fn may_be_task(root: &Path, file: &str) -> bool {
    let part = [".mk", ".d", ".mak", ".inc"]
        .iter()
        .any(|ending| file.ends_with(ending));
    part || is_build_file(file) || is_script(&root.join(file))
}

/// Returns the files that a build file refers to. The flag is `false` for a script that the build file runs, and `true`
/// for an included build file.
///
/// Names are resolved relative to the workspace and to the folder of the build file. Source files that a build only
/// reads are not returned.
fn named_by(root: &Path, file: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut looks = 0;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    for line in beginning(&root.join(file), MOST_FOLLOWED).lines() {
        let mut runs = false;
        let mut includes = false;
        for word in line.split(|c: char| c.is_whitespace() || "'\"`=<>{}()[],;|&@\\".contains(c)) {
            // A file name contains a slash or a dot, or follows a runner or an include keyword.
            let is_name = runs || includes || word.contains(['.', '/']);
            if word.is_empty() || (is_name && looks >= MOST_NAMES) {
                continue;
            }
            looks += usize::from(is_name);
            // In a path such as `$HERE/inner.sh`, ignore the variable, because its value is unknown.
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

fn is_build_file(file: &str) -> bool {
    let name = last_part(file);
    let mut known = DEFINED_BY.iter().flat_map(|(_, files)| *files);
    known.any(|file| {
        file.strip_prefix('*')
            .map_or(*file == name, |ending| name.ends_with(ending))
    })
}

/// Whether a file can be executed as a script, by its extension, its first line, or its permissions and content.
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

fn beginning(path: &Path, most: u64) -> String {
    let mut bytes = Vec::new();
    // Skip a FIFO. Opening it would block until a writer opens it.
    if path.is_file()
        && let Ok(file) = std::fs::File::open(path)
    {
        let _ = file.take(most).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the defining files in a command line. Splits the line into words without parsing shell grammar, so it finds
/// too many files rather than too few.
///
/// Includes every word that is a file. For each program, also includes its defining files in each folder that the line
/// names. Omits arguments of programs that only read.
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
                // An option may contain a file name, as in `-fother.mk`.
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

fn named(root: &Path, word: &str, found: &mut BTreeSet<String>, folders: &mut Vec<PathBuf>) {
    let path: PathBuf = Path::new(word)
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    // After `cd scripts`, names are relative to the folder `scripts`.
    let below = folders.iter().skip(1).map(|folder| folder.join(&path));
    let below: Vec<PathBuf> = below.filter(|path| root.join(path).is_file()).collect();
    found.extend(below.iter().map(|path| path.to_string_lossy().into_owned()));
    let whole = root.join(&path);
    if whole.is_dir() {
        folders.push(path);
    } else if whole.is_file() {
        found.insert(path.to_string_lossy().into_owned());
    } else if word.contains(['*', '?', '[']) {
        // The shell expands this pattern, so include all files of the pattern's folder.
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        found.extend(matching(root, &folder, |_| true));
    }
}

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

/// Whether a file has changed since `moment`. Uses the kernel's change time, which a command cannot set.
pub(crate) fn changed_since(path: &Path, moment: Time) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.ctime() * 1_000 + meta.ctime_nsec() / 1_000_000 > moment.0)
}

pub(crate) fn fingerprint(root: &Path, files: BTreeSet<String>) -> BTreeMap<String, Option<BlobId>> {
    let look = |file: String| {
        let path = root.join(&file);
        let seen = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file);
        let seen = seen.map(|meta| {
            if meta.len() > MOST_READ {
                return BlobId::of(format!("{} {:?}", meta.len(), meta.modified().ok()).as_bytes());
            }
            // A file that cannot be read is always treated as changed.
            std::fs::read(&path).map_or_else(|_| BlobId(String::new()), |bytes| BlobId::of(&bytes))
        });
        (file, seen)
    };
    files.into_iter().map(look).collect()
}
