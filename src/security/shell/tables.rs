//! Grammar rows of known programs, one file for each family. Other programs are unknown.

mod archives;
mod build;
mod builtins;
mod destroy;
mod files;
mod git;
mod languages;
mod network;
mod packages;
mod search;
mod services;
mod system;
mod text;
mod wrappers;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::grammar::{Base, Row, Spec};

fn specs() -> impl Iterator<Item = &'static Spec> {
    [
        archives::ROWS,
        build::ROWS,
        builtins::ROWS,
        destroy::ROWS,
        files::ROWS,
        git::ROWS,
        git::WRITES,
        languages::ROWS,
        network::ROWS,
        packages::ROWS,
        search::ROWS,
        services::ROWS,
        system::ROWS,
        text::ROWS,
        wrappers::ROWS,
    ]
    .into_iter()
    .flatten()
}

const fn reads(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    Spec::new(names, Base::Reads, does).takes(options, operands)
}

/// Works like `reads`, and assumes that unlisted options also only read.
const fn looks(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    reads(names, does, options, operands).complete()
}

const fn plain(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    Spec::new(names, Base::Plain, does).takes(options, operands)
}

const fn project(names: &'static str, options: &'static [&'static str], operands: &'static str) -> Spec {
    Spec::new(names, Base::Project, "runs the project's own code").takes(options, operands)
}

const fn tells(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    Spec::new(names, Base::Tells, does).takes(options, operands)
}

const fn external(
    names: &'static str,
    does: &'static str,
    options: &'static [&'static str],
    operands: &'static str,
) -> Spec {
    Spec::new(names, Base::External, does).takes(options, operands)
}

const fn unknown(names: &'static str, does: &'static str) -> Spec {
    Spec::new(names, Base::Unknown, does)
}

const fn danger(names: &'static str, does: &'static str) -> Spec {
    Spec::new(names, Base::Danger, does)
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| specs().copied().map(Row::of).collect());

static BY_NAME: LazyLock<HashMap<&'static str, &'static Row>> = LazyLock::new(|| {
    ROWS.iter()
        .flat_map(|row| names(row.names).map(move |name| (name, row)))
        .collect()
});

/// Splits the names of a row. `git log,show` means `git log` and `git show`. Other names are separated by blanks.
fn names(all: &'static str) -> impl Iterator<Item = &'static str> {
    let parts: &[char] = if all.contains(',') { &[','] } else { &[' '] };
    all.split(parts).filter(|name| !name.is_empty())
}

pub(super) fn row(name: &str) -> Option<&'static Row> {
    BY_NAME.get(name).copied()
}

/// Returns the row of a program. The name may have a version or variant: `python3.12`, `mkfs.ext4`.
pub(super) fn program(name: &str) -> Option<(&'static Row, &str)> {
    if let Some(found) = row(name) {
        return Some((found, name));
    }
    if ["mkfs.", "fsck.", "mount."].iter().any(|start| name.starts_with(start)) {
        return row("mkfs").map(|found| (found, "mkfs"));
    }
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let bare = bare.strip_suffix(".exe").unwrap_or(bare);
    (bare.len() > 1).then(|| row(bare)).flatten().map(|found| (found, bare))
}

/// Returns the names of dangerous commands, to match command names that contain globs.
pub(super) fn dangerous_names() -> impl Iterator<Item = &'static str> {
    specs()
        .filter(|row| row.base == Base::Danger && !row.names.contains(','))
        .flat_map(|row| names(row.names))
}

/// Words besides program names that make an unanalysed text dangerous.
const MORE_WORDS: &[&str] = &[
    "dd",
    "truncate",
    "rmtree",
    "unlinkSync",
    "rmSync",
    "--delete",
    "-delete",
];

/// Names of dangerous programs that are also ordinary words. They do not make a text dangerous.
const ORDINARY: &[&str] = &["init", "mount", "rename", "halt", "trash", "wipe", "scrub", "format"];

pub(super) fn danger_words(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
        .any(|word| {
            MORE_WORDS.contains(&word)
                || (word.len() > 1
                    && !ORDINARY.contains(&word)
                    && program(word).is_some_and(|(row, _)| row.base == Base::Danger))
        })
}
