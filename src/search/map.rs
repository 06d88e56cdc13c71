//! Creates a map of a workspace: its files, each with its definitions that other files use most.
//!
//! A keyword at the beginning of a line marks a definition, as in most languages, so no parser is needed. A wrong
//! definition costs only a name in the map.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

use super::workspace::{Scope, list, read_text};
use benchdog_files::beneath::Held;

/// Time limit for reading files. The map omits the files that were not read by then.
const PATIENCE: Duration = Duration::from_millis(1_500);

const MOST_TEXT: usize = 64 << 20;

/// Maximum number of listed definitions of a file. `MOST_NAMES` limits the definitions that are considered.
const NAMED: usize = 6;
const MOST_NAMES: usize = 500;

/// Minimum length of a definition's name, because shorter names occur in every file.
const SHORTEST: usize = 3;
const LONGEST: usize = 64;

const ENDINGS: &[&str] = &[
    "c", "cc", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "go", "h", "hpp", "java", "js", "jsx", "jl", "kt",
    "kts", "lua", "mjs", "mts", "nim", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "rb", "rs", "scala", "sh",
    "sol", "svelte", "swift", "ts", "tsx", "vue", "zig",
];

const MODIFIERS: &[&str] = &[
    "abstract",
    "async",
    "const",
    "data",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "local",
    "mut",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "sealed",
    "static",
    "suspend",
    "typedef",
    "unsafe",
    "virtual",
];

const KEYWORDS: &[&str] = &[
    "class",
    "contract",
    "def",
    "defmodule",
    "defp",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "function*",
    "interface",
    "macro_rules!",
    "message",
    "module",
    "object",
    "proc",
    "protocol",
    "record",
    "service",
    "struct",
    "sub",
    "trait",
    "type",
    "union",
];

struct Mapped {
    path: String,
    names: Vec<String>,
}

/// Returns lines such as `src/main.rs: main, Options`, with at most `most` tokens. `None` if no file defines anything.
pub fn map(scope: &Scope<'_>, most: u64, tokens: &dyn Fn(&str) -> u64) -> Option<String> {
    let until = Instant::now() + PATIENCE;
    let listed = list(scope, until).ok()?.files;
    let held = Held::open(scope.root).ok()?;
    let hasher = RandomState::new();
    let mut files: Vec<Mapped> = Vec::new();
    let mut named: HashMap<u64, u32> = HashMap::new();
    let mut size = 0;
    for file in listed.into_iter().filter(|file| is_source(&file.id)) {
        if scope.is_over(until) || size > MOST_TEXT {
            break;
        }
        let Some(text) = read_text(scope, &held, &file.id) else {
            continue;
        };
        size += text.len();
        for word in words(&text, &hasher) {
            *named.entry(word).or_default() += 1;
        }
        files.push(Mapped {
            names: definitions(&text),
            path: file.id,
        });
    }
    let mut defined: HashMap<&str, u32> = HashMap::new();
    for name in files.iter().flat_map(|file| &file.names) {
        *defined.entry(name).or_default() += 1;
    }
    // Divide by the number of files that define the name, because a name with many definitions says little about each
    // file.
    let score = |name: &str| {
        let others = named
            .get(&hasher.hash_one(name))
            .copied()
            .unwrap_or_default()
            .saturating_sub(1);
        (f64::from(others) / f64::from(defined.get(name).copied().unwrap_or(1))).ln_1p()
    };
    let mut ranked: Vec<(f64, String)> = files.iter().filter_map(|file| line(file, &score)).collect();
    ranked.sort_by(|(one, left), (other, right)| other.total_cmp(one).then_with(|| left.cmp(right)));
    let mut left = most;
    let fit = ranked.into_iter().map_while(|(_, line)| {
        left = left.checked_sub(tokens(&line))?;
        Some(line)
    });
    let mut lines: Vec<String> = fit.collect();
    lines.sort_unstable();
    (!lines.is_empty()).then(|| lines.concat())
}

/// Returns the score and the line of a file. Returns `None` if no other file uses its definitions, or if its path
/// contains control characters, which would break the line.
fn line(file: &Mapped, score: &dyn Fn(&str) -> f64) -> Option<(f64, String)> {
    if file.path.contains(char::is_control) {
        return None;
    }
    let mut names: Vec<(f64, &str)> = file.names.iter().map(|name| (score(name), name.as_str())).collect();
    names.retain(|(score, _)| *score > 0.0);
    names.sort_by(|(one, left), (other, right)| other.total_cmp(one).then_with(|| left.cmp(right)));
    names.truncate(NAMED);
    let all: f64 = names.iter().map(|(score, _)| score).sum();
    let names: Vec<&str> = names.into_iter().map(|(_, name)| name).collect();
    (!names.is_empty()).then(|| (all, format!("{}: {}\n", file.path, names.join(", "))))
}

fn is_source(path: &str) -> bool {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn words(text: &str, hasher: &RandomState) -> HashSet<u64> {
    let words = text.split(|letter| !is_of_name(letter));
    let words = words.filter(|word| (SHORTEST..=LONGEST).contains(&word.len()));
    words.map(|word| hasher.hash_one(word)).collect()
}

fn definitions(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = text.lines().filter_map(definition);
    let names = names.filter(|name| (SHORTEST..=LONGEST).contains(&name.len()) && seen.insert(*name));
    names.take(MOST_NAMES).map(str::to_owned).collect()
}

/// Returns the name that a line defines, such as `next` for `pub(crate) fn next()`.
fn definition(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    loop {
        let (word, after) = rest.split_once([' ', '\t'])?;
        let after = after.trim_start();
        if KEYWORDS.contains(&word) {
            rest = after;
            break;
        }
        // Skips the ABI in `extern "C" fn`.
        if !MODIFIERS.contains(&word) && !word.starts_with("pub(") && !word.starts_with('"') {
            return None;
        }
        rest = after;
    }
    // Skips the receiver of a method in Go.
    if let Some((_, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        rest = after.trim_start();
    }
    let end = rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len());
    let name = rest.get(..end)?;
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        .then_some(name)
}

#[cfg(test)]
mod tests;
