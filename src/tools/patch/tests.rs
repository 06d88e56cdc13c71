//! The patch tool over its corpus.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use crate::domain::tool::CallStatus;
use crate::tools::files::bench::Bench;

#[derive(Deserialize)]
struct Case {
    id: String,
    name: String,
    before: BTreeMap<String, String>,
    patch: String,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    result: String,
    after: BTreeMap<String, String>,
    executable: Vec<String>,
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/patches.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is wrong with the outcome of one case, if anything.
fn verdict(case: &Case) -> Result<(), String> {
    let bench = Bench::new();
    for (path, content) in &case.before {
        match path.split_once("->") {
            Some((link, target)) => std::os::unix::fs::symlink(target, bench.root.join(link)).unwrap(),
            None => bench.put(path, content),
        }
    }
    let before = bench.tree();
    let outcome = bench.call("patch", json!({"patch": case.patch}));
    let tree = bench.tree();
    if outcome.status != CallStatus::Ok {
        if tree != before {
            return Err(format!("refused, but changed the tree to {tree:?}"));
        }
        let wanted = case.expected.result != "apply";
        return if wanted {
            Ok(())
        } else {
            Err(format!("refused: {}", outcome.output))
        };
    }
    if case.expected.result == "reject" {
        return Err(format!("applied: {}", outcome.output));
    }
    let files: BTreeMap<String, String> = tree
        .iter()
        .filter(|(_, (content, _))| content != "/" && !content.starts_with("->"))
        .map(|(path, _)| (path.clone(), bench.text(path)))
        .collect();
    if files != case.expected.after {
        return Err(format!("wrong bytes: {files:?}"));
    }
    for (path, (_, mode)) in tree.iter().filter(|(path, _)| files.contains_key(*path)) {
        let executable = mode & 0o111 != 0;
        if executable != case.expected.executable.contains(path) {
            return Err(format!("`{path}` has mode {mode:o}"));
        }
    }
    Ok(())
}

#[test]
fn every_case_of_the_corpus_comes_out_as_expected() {
    let cases = cases();
    assert!(cases.len() >= 35, "the corpus is not whole");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            verdict(case)
                .err()
                .map(|why| format!("{} {}: {why}", case.id, case.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_file_under_two_names_is_refused() {
    let bench = Bench::with("f.txt", "a\nb\n");
    std::os::unix::fs::symlink("f.txt", bench.root.join("link.txt")).unwrap();
    let patch = "--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+A\n--- a/link.txt\n+++ b/link.txt\n@@ -2 +2 @@\n-b\n+B\n";
    let before = bench.tree();
    assert_eq!(
        bench.call("patch", json!({"patch": patch})).code.as_deref(),
        Some("invalid_patch")
    );
    assert_eq!(bench.tree(), before);
}

#[test]
fn the_review_and_the_answer_say_what_was_forgiven() {
    let bench = Bench::with("f.txt", "0\n0\n0\na\nb\n");
    let prepared = bench
        .prepare(
            "patch",
            json!({"patch": "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"}),
        )
        .unwrap();
    let crate::domain::review::Review::Files(files) = &*prepared.review.clone() else {
        panic!()
    };
    assert_eq!(
        files[0].note.as_deref(),
        Some("applied 3 lines further down than stated")
    );
    let outcome = bench.carry_out(prepared, crate::domain::permission::Kept::All);
    assert!(outcome.output.contains("3 lines further down"), "{}", outcome.output);
}
