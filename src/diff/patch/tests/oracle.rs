//! Compares the results of generated patches with those of GNU patch and git apply.

use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{file, patched};
use crate::unified_text;

fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "",
        "}",
        "-- x",
        "++ y",
        "日本",
        "@@ -1 +1 @@",
        "\\ z",
        "d\r",
    ]);
    (prop::collection::vec(line, 0..20), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if !ended {
            text.pop();
        }
        text
    })
}

pub(super) fn installed(program: &str) -> bool {
    let run = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// Applies the patch with an external program. Returns the file `f`, or `None` if the program refused.
fn judged(folder: &Path, program: &str, arguments: &[&str], before: &str, patch: &str) -> Option<String> {
    std::fs::write(folder.join("f"), before).unwrap();
    std::fs::write(folder.join("p"), patch).unwrap();
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    status
        .success()
        .then(|| std::fs::read_to_string(folder.join("f")).unwrap_or_default())
}

#[test]
fn clean_diffs_come_out_as_gnu_patch_and_git_make_them() {
    let folder = tempfile::tempdir().unwrap();
    let (gnu, git) = (installed("patch"), installed("git"));
    let mut runner = TestRunner::new(Config {
        cases: 150,
        failure_persistence: None,
        ..Config::default()
    });
    let strategy = (text(), text(), 0_usize..4);
    let outcome = runner.run(&strategy, |(before, after, context)| {
        // Without context, a `\n` in a file with `\r\n` line ends looks like a mistake.
        prop_assume!(context > 0 || !(before.contains('\r') || after.contains('\r')));
        let body = String::from_utf8(unified_text(before.as_bytes(), after.as_bytes(), context)).unwrap();
        prop_assume!(!body.is_empty());
        // Without context, lines added at the top look like a new file. Git refuses them too.
        prop_assume!(
            context > 0 || before.is_empty() || !body.starts_with("@@ -0,0 ") || body.matches("\n@@").count() > 0
        );
        let patch = format!("--- a/f\n+++ b/f\n{body}");
        prop_assert_eq!(file(&before, &patch), after.clone(), "{}", patch);
        if gnu {
            let said = judged(
                folder.path(),
                "patch",
                &["-p1", "-s", "--binary", "-i", "p"],
                &before,
                &patch,
            );
            prop_assert_eq!(said.as_deref(), Some(after.as_str()), "GNU patch: {}", patch);
        }
        // Without context, git loses the line end before a removed last line that had no end.
        let ended = before.is_empty() || before.ends_with('\n');
        if git && (context > 0 || ended) {
            let said = judged(folder.path(), "git", &["apply", "--unidiff-zero", "p"], &before, &patch);
            prop_assert_eq!(said.as_deref(), Some(after.as_str()), "git apply: {}", patch);
        }
        Ok(())
    });
    outcome.unwrap();
}

/// Lines were inserted before the hunk's place. GNU patch finds the new place or refuses. Whenever Benchdog applies the
/// patch, GNU patch gives the same result.
#[test]
fn where_the_file_moved_on_we_agree_with_gnu_patch_or_refuse() {
    if !installed("patch") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut applied = 0;
    for seed in 0..120_u64 {
        let lines: Vec<String> = (0..30).map(|n| format!("line {}\n", (n * 7 + seed) % 23)).collect();
        let mut after = lines.clone();
        let at = usize::try_from(seed % 26).unwrap() + 2;
        after[at] = "changed\n".to_owned();
        let body = unified_text(lines.concat().as_bytes(), after.concat().as_bytes(), 3);
        let patch = format!("--- a/f\n+++ b/f\n{}", String::from_utf8(body).unwrap());
        let moved = "new\n".repeat(usize::try_from(seed % 9).unwrap()) + &lines.concat();
        let said = judged(folder.path(), "patch", &["-p1", "-s", "-i", "p"], &moved, &patch);
        if let Ok(files) = patched(&[("f", &moved)], &patch) {
            applied += 1;
            assert_eq!(Some(files["f"].clone()), said, "{patch}");
        }
    }
    assert!(applied >= 100, "only {applied} of 120 applied");
}

#[test]
fn what_git_diff_prints_applies() {
    if !installed("git") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&(text(), text()), |(before, after)| {
        prop_assume!(before != after);
        std::fs::write(folder.path().join("old"), &before).unwrap();
        std::fs::write(folder.path().join("new"), &after).unwrap();
        let output = Command::new("git")
            .args(["diff", "--no-index", "--no-color", "--no-ext-diff", "old", "new"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let patch = String::from_utf8(output.stdout)
            .unwrap()
            .replace("a/old", "a/f")
            .replace("b/new", "b/f");
        prop_assert_eq!(file(&before, &patch), after, "{}", patch);
        Ok(())
    });
    outcome.unwrap();
}
