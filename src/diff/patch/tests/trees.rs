//! Whole trees: patches with changed, copied, moved and new files give the same result as git and GNU patch.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::oracle::installed;
use super::patched;

type Tree = BTreeMap<String, String>;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The fate of a file name. `Of` holds the index of an earlier name, and an optional line to change.
#[derive(Debug, Clone)]
enum Fate {
    Gone,
    Of(usize, Option<usize>),
    New(u8),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        1 => Just(Fate::Gone),
        4 => (0..NAMES.len(), prop::option::of(0..8_usize)).prop_map(|(of, line)| Fate::Of(of, line)),
        1 => any::<u8>().prop_map(Fate::New),
    ]
}

/// Unique content of about 400 bytes, so that git can detect a rename.
fn content(seed: usize) -> String {
    let own = format!("of {seed} ").repeat(9);
    (0..8).map(|line| format!("line {line} {own}\n")).collect()
}

fn after(before: &Tree, fates: &[Fate]) -> Tree {
    let mut tree = Tree::new();
    for (name, fate) in NAMES.iter().zip(fates) {
        let text = match fate {
            Fate::Gone => continue,
            Fate::New(seed) => content(100 + usize::from(*seed)),
            Fate::Of(of, line) => {
                let Some(text) = before.get(NAMES[*of]) else { continue };
                let wanted = line.map(|line| format!("line {line} "));
                let changed = |text: &str| match &wanted {
                    Some(wanted) if text.starts_with(wanted) => "changed\n".to_owned(),
                    _ => text.to_owned(),
                };
                text.split_inclusive('\n').map(changed).collect()
            }
        };
        tree.insert((*name).to_owned(), text);
    }
    tree
}

fn lay(folder: &Path, tree: &Tree) {
    for name in NAMES {
        let path = folder.join(name);
        match tree.get(name) {
            Some(text) => std::fs::write(path, text).unwrap(),
            None => drop(std::fs::remove_file(path)),
        }
    }
}

fn laid(folder: &Path) -> Tree {
    let found = NAMES
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), std::fs::read_to_string(folder.join(name)).ok()?)));
    found.collect()
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("LC_ALL", "C");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    let output = command.stdin(Stdio::null()).output().unwrap();
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).unwrap())
}

fn stored(folder: &Path, tree: &Tree) -> String {
    lay(folder, tree);
    run(folder, "git", &["add", "-A", "."]).unwrap();
    run(folder, "git", &["write-tree"]).unwrap().trim().to_owned()
}

fn judged(folder: &Path, program: &str, arguments: &[&str], before: &Tree, patch: &str) -> Option<Tree> {
    lay(folder, before);
    std::fs::write(folder.join("p"), patch).unwrap();
    run(folder, program, arguments)?;
    Some(laid(folder))
}

#[test]
fn a_tree_comes_out_as_git_and_gnu_patch_make_it() {
    if !installed("git") {
        return;
    }
    let (repository, bare) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(repository.path(), "git", &["init", "-q"]).unwrap();
    let gnu = installed("patch");
    let mut runner = TestRunner::new(Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    });
    let strategy = (2..=NAMES.len(), prop::collection::vec(fate(), NAMES.len()));
    let outcome = runner.run(&strategy, |(files, fates)| {
        let before: Tree = (0..files).map(|seed| (NAMES[seed].to_owned(), content(seed))).collect();
        let wanted = after(&before, &fates);
        prop_assume!(before != wanted);
        let (old, new) = (stored(repository.path(), &before), stored(repository.path(), &wanted));
        // `-B` shows swapped files as renames instead of rewrites.
        let compare = [
            "diff",
            "-B",
            "-M",
            "-C",
            "--find-copies-harder",
            old.as_str(),
            new.as_str(),
        ];
        let patch = run(repository.path(), "git", &compare).unwrap();
        let files: Vec<(&str, &str)> = before
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let ours = patched(&files, &patch).map_err(|error| error.to_string());
        // Git writes a rename without changes over an existing file, but refuses to apply it.
        match judged(bare.path(), "git", &["apply", "p"], &before, &patch) {
            Some(git) => {
                prop_assert_eq!(&git, &wanted, "git apply: {}", patch);
                prop_assert_eq!(ours.as_ref(), Ok(&wanted), "{}", patch);
            }
            None => prop_assert!(ours.is_err(), "{}", patch),
        }
        if gnu {
            // GNU patch reports an error if it cannot resolve crossing names.
            let arguments = ["-p1", "-s", "-f", "--no-backup-if-mismatch", "-i", "p"];
            let said = judged(bare.path(), "patch", &arguments, &before, &patch);
            prop_assert!(said.is_none() || said.as_ref() == Some(&wanted), "GNU patch: {}", patch);
        }
        Ok(())
    });
    outcome.unwrap();
}
