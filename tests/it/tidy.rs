//! Rules for the source: imports, file sizes, and a comment at the top of every file.

mod app;
mod cycles;
mod imports;
mod messages;
mod names;
mod plain;
mod rooms;
mod source;
mod words;

use imports::{forbidden_dependencies, violations};
use rooms::{HOMES, ROOMS};
use source::{Source, package, sources};

/// Maximum production lines of a file.
const MOST: usize = 800;

/// Names that say nothing about the content.
const EMPTY_NAMES: [&str; 7] = ["utils", "util", "helpers", "common", "manager", "handler", "misc"];

#[track_caller]
fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn imports_go_only_downward_and_external_crates_stay_at_home() {
    let of_files = sources("src");
    let of_files = of_files.iter().filter(|source| !source.is_test()).flat_map(violations);
    let of_crates = crates()
        .into_iter()
        .flat_map(|(room, manifest)| forbidden_dependencies(&room, &manifest));
    assert_none(&of_files.chain(of_crates).collect::<Vec<_>>());
}

/// Cargo applies the overrides of `release` to `dist`, too.
#[test]
fn a_crate_without_optimisation_in_release_is_small_in_dist() {
    let manifest = std::fs::read_to_string(package().join("Cargo.toml")).expect("the manifest");
    let crates = |profile: &str, level: &str| -> Vec<String> {
        let mut sections = manifest.split("\n[");
        let head = format!("profile.{profile}.package]");
        let section = sections.find(|section| section.starts_with(&head));
        let lines = section.unwrap_or_default().lines();
        let chosen = lines.filter(|line| line.contains(&format!("opt-level = {level}")));
        chosen
            .filter_map(|line| Some(line.split_once(' ')?.0.to_owned()))
            .collect()
    };
    let unoptimised = crates("release", "0");
    assert!(!unoptimised.is_empty());
    assert_eq!(crates("dist", "\"s\""), unoptimised);
}

/// Returns the crates below `src/` with their manifests. Omits the test fixtures, which are not part of the program.
fn crates() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(package().join("src")).expect("the sources");
    let found: Vec<(String, String)> = folders
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), manifest))
        })
        .filter(|(room, _)| room != "testing")
        .collect();
    assert!(found.len() > 20, "the crates are somewhere else");
    found
}

#[test]
fn the_import_reader_sees_what_is_forbidden() {
    let sees = |path: &str, code: &str, part: &str| {
        let found = violations(&Source::new(path, code));
        assert!(
            found.iter().any(|line| line.contains(part)),
            "{path}: {code} gave {found:?}"
        );
    };
    sees(
        "orchestrator/machine/calls.rs",
        "use benchdog_tools::Prepared;",
        "`tools`",
    );
    sees(
        "orchestrator/input.rs",
        "use benchdog_provider::{Progress, Reply};",
        "`provider`",
    );
    sees("app/panes/todo.rs", "use crossterm::event::Event;", "`crossterm`");
    sees("ui/panes/changes.rs", "use syntect::parsing::SyntaxSet;", "`syntect`");
    sees("tools/list.rs", "use ignore::WalkBuilder;", "`ignore`");
    sees("app/layout.rs", "use ratatui::widgets::Block;", "`widgets`");
    sees("ui/lib.rs", "use ratatui::{Frame, layout::Position};", "`Frame`");
}

#[test]
fn the_manifest_reader_sees_what_is_forbidden() {
    let manifest = "[package]\nname = \"benchdog-app\"\n\n[dependencies]\nbenchdog-base.workspace = true\n\
        benchdog-storage.workspace = true\n\n[dev-dependencies]\nbenchdog-tools.workspace = true\n";
    let found = forbidden_dependencies("app", manifest);
    assert_eq!(found, ["src/app/Cargo.toml: `app` may not depend on `storage`"]);
    assert_eq!(forbidden_dependencies("attic", manifest).len(), 1);
}

#[test]
fn the_import_reader_leaves_alone_what_is_allowed() {
    let passes =
        |path: &str, code: &str| assert_eq!(violations(&Source::new(path, code)), Vec::<String>::new(), "{path}");
    passes("orchestrator/seat.rs", "use benchdog_storage::Storage;");
    passes("orchestrator/machine/calls.rs", "use benchdog_domain::call::Call;");
    passes("app/panes/prompt.rs", "use crate::state; use ratatui::layout::Rect;");
    passes("ui/highlight.rs", "use syntect::parsing::SyntaxSet;");
    passes("provider/transport.rs", "use reqwest::Client;");
    passes(
        "orchestrator/machine/calls.rs",
        "// use benchdog_tools::x;\nlet text = \"benchdog_tools::x\"; use super::id;",
    );
    passes("storage/lib.rs", "std::fs::ignore::x;");
}

#[test]
fn every_row_of_the_import_table_goes_downward() {
    // Rows are in the order of their layers, so a row may only import earlier rows.
    let place = |room: &str| ROOMS.iter().position(|row| row.part == room);
    for (index, row) in ROOMS.iter().enumerate() {
        for other in row.may {
            assert!(
                place(other).is_some_and(|place| place < index),
                "`{}` imports `{other}` upward",
                row.part
            );
        }
    }
    let mut names: Vec<&str> = HOMES.iter().map(|(name, _)| *name).collect();
    names.dedup();
    assert_eq!(names.len(), HOMES.len());
}

#[test]
fn every_file_opens_by_saying_what_it_is_for() {
    let silent = |folder: &'static str| {
        sources(folder)
            .into_iter()
            .filter(|source| !source.path.ends_with("/tests.rs") && !source.text.starts_with("//! "))
            .map(move |source| format!("{folder}/{}: opens without `//!`", source.path))
    };
    assert_none(&silent("src").chain(silent("tests")).collect::<Vec<_>>());
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let mut found = Vec::new();
    for source in sources("src").iter().filter(|source| !source.is_test()) {
        let lines = source.code.lines().count();
        if lines > MOST {
            found.push(format!("{}: {lines} lines, over {MOST}", source.path));
        }
    }
    for source in sources("tests/it") {
        let lines = source.text.lines().count();
        if lines > 300 {
            found.push(format!("tests/it/{}: {lines} lines, over 300", source.path));
        }
    }
    assert_none(&found);
}

/// Code that would make a verdict depend on more than the prepared call.
const NOT_IN_A_VERDICT: [&str; 8] = [
    "std::fs",
    "std::env",
    "std::process",
    "Instant",
    "crate::",
    "super::super",
    "WorkPath",
    "analyse(",
];

#[test]
fn a_verdict_looks_at_nothing_but_what_was_prepared() {
    let of_policy = |source: &Source| source.path.starts_with("security/policy");
    let policy: Vec<Source> = sources("src").into_iter().filter(of_policy).collect();
    assert!(policy.len() > 5, "the policy is somewhere else");
    let mut found = Vec::new();
    for source in policy.iter().filter(|source| !source.is_test()) {
        let words = NOT_IN_A_VERDICT.iter().filter(|word| source.code.contains(**word));
        found.extend(words.map(|word| {
            format!(
                "{}: `{word}` is asked when the call is prepared, by `security/standing`",
                source.path
            )
        }));
    }
    assert_none(&found);
}

#[test]
fn nothing_is_left_to_do_and_nothing_is_unwrapped() {
    let mut found = Vec::new();
    for source in sources("src").iter().filter(|source| !source.is_test()) {
        for (number, line) in source.code.lines().enumerate() {
            for word in ["todo!", "unimplemented!", "dbg!", ".unwrap()", "allow(dead_code"] {
                if line.contains(word) {
                    found.push(format!("src/{}:{}: `{word}`", source.path, number + 1));
                }
            }
        }
    }
    assert_none(&found);
}

#[test]
fn files_are_named_after_what_they_hold() {
    let names = |source: &Source| source.path.split(['/', '.']).map(str::to_owned).collect::<Vec<_>>();
    let empty = |name: &String| EMPTY_NAMES.contains(&name.as_str()) || name.starts_with("part");
    let found: Vec<String> = sources("src")
        .iter()
        .filter(|source| names(source).iter().any(empty))
        .map(|source| source.path.clone())
        .collect();
    assert_none(&found);
}

#[test]
fn a_module_with_a_folder_is_in_the_file_beside_it() {
    let found = sources("src")
        .into_iter()
        .filter(|source| source.path.ends_with("/mod.rs"));
    assert_none(
        &found
            .map(|source| format!("src/{}: name it after its folder", source.path))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn unit_tests_are_in_a_file_of_their_own() {
    let inline = |source: &&Source| source.code.contains("#[cfg(test)]\nmod tests {");
    let place = |source: &Source| format!("src/{}: move `mod tests` to `tests.rs` in its folder", source.path);
    assert_none(&sources("src").iter().filter(inline).map(place).collect::<Vec<_>>());
}

#[test]
fn the_top_level_is_as_it_is_drawn() {
    let drawn = [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "README.md",
        "LICENSE",
        "SECURITY.md",
        "AGENTS.md",
        "justfile",
        "packaging",
        "assets",
        "themes",
        "docs",
        "fuzz",
        "tests",
        "benches",
        "src",
        "target",
    ];
    let entries = std::fs::read_dir(package())
        .expect("the package")
        .filter_map(Result::ok);
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let strange: Vec<String> = names
        .filter(|name| !name.starts_with('.') && !drawn.contains(&name.as_str()))
        .collect();
    assert_none(&strange);
}

#[test]
fn the_picture_and_the_behaviour_of_a_pane_have_the_same_name() {
    let all = sources("src");
    let stems = |folder: &str| -> Vec<String> {
        let inside = all.iter().filter_map(|source| source.path.strip_prefix(folder));
        let mut stems: Vec<String> = inside
            .filter_map(|path| path.split(['/', '.']).next())
            .map(str::to_owned)
            .collect();
        stems.dedup();
        stems
    };
    for kind in ["panes", "dialogs"] {
        let behaviours = stems(&format!("app/{kind}/"));
        let strange: Vec<String> = stems(&format!("ui/{kind}/"))
            .into_iter()
            .filter(|stem| !behaviours.contains(stem) && stem != "tests")
            .map(|stem| format!("ui/{kind}/{stem} has no app/{kind}/{stem}"))
            .collect();
        assert_none(&strange);
    }
}
