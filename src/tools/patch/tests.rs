use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use crate::files::bench::Bench;
use benchdog_domain::review::{FileNote, Forgave, Forgiven};
use benchdog_domain::tool::CallStatus;

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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/patches.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns how the case differs from its expected result.
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
fn a_link_is_neither_patched_through_nor_moved_nor_removed() {
    let bench = Bench::with("f.txt", "a\n");
    std::os::unix::fs::symlink("f.txt", bench.root.join("link")).unwrap();
    let before = bench.tree();
    for patch in [
        "--- a/link\n+++ b/link\n@@ -1 +1 @@\n-a\n+A\n",
        "--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        "diff --git a/link b/moved\nsimilarity index 100%\nrename from link\nrename to moved\n",
        "diff --git a/f.txt b/link\nsimilarity index 100%\nrename from f.txt\nrename to link\n",
        "--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+x\n",
    ] {
        let outcome = bench.call("patch", json!({"patch": patch}));
        assert_eq!(outcome.code.as_deref(), Some("not_a_file"), "{patch}{}", outcome.output);
        assert!(outcome.output.contains("is a link to"), "{}", outcome.output);
        assert_eq!(bench.tree(), before, "{patch}");
    }
}

#[test]
fn files_that_change_places_keep_their_content_and_their_permissions() {
    let bench = Bench::with("run", "#!/bin/sh\n");
    bench.put("text", "words\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bench.root.join("run"), executable).unwrap();
    let patch = "diff --git a/run b/text\nsimilarity index 100%\nrename from run\nrename to text\n\
                 diff --git a/text b/run\nsimilarity index 100%\nrename from text\nrename to run\n";
    let outcome = bench.call("patch", json!({"patch": patch}));
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    let tree = bench.tree();
    let found = ["run", "text"].map(|name| (tree[name].0.as_str(), tree[name].1 & 0o111));
    assert_eq!(found, [("words\\n", 0), ("#!/bin/sh\\n", 0o111)]);
}

#[test]
fn one_file_under_two_names_is_refused() {
    let bench = Bench::with("d/f", "a\nb\n");
    std::os::unix::fs::symlink("d", bench.root.join("l")).unwrap();
    let patch = "--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-a\n+A\n--- a/l/f\n+++ b/l/f\n@@ -2 +2 @@\n-b\n+B\n";
    let before = bench.tree();
    assert_eq!(
        bench.call("patch", json!({"patch": patch})).code.as_deref(),
        Some("invalid_patch")
    );
    assert_eq!(bench.tree(), before);
}

#[test]
fn what_was_forgiven_is_a_fact_for_the_review_and_english_for_the_model() {
    let bench = Bench::with("f.txt", "0\n0\n0\na\nb\n");
    let prepared = bench
        .prepare(
            "patch",
            json!({"patch": "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"}),
        )
        .unwrap();
    let benchdog_domain::review::Review::Files(files) = &*prepared.review.clone() else {
        panic!()
    };
    let forgave = Forgave {
        what: Forgiven::Further(3),
        part: None,
    };
    assert_eq!(files[0].note, Some(FileNote::Forgave(vec![forgave])));
    let outcome = bench.carry_out(prepared, benchdog_domain::permission::Kept::All);
    let note = "Note: applied 3 lines further down than stated.";
    assert!(outcome.output.contains(note), "{}", outcome.output);
}
