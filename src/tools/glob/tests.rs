use std::time::{Duration, SystemTime};

use serde_json::json;

use super::*;
use crate::bench::Bench;

#[test]
fn patterns_mean_what_they_mean_elsewhere() {
    let cases = [
        ("*.rs", "a.rs", true),
        ("*.rs", "deep/down/a.rs", true),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/deep/a.rs", false),
        ("src/**/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/x/y/a.rs", true),
        ("**/test_*.py", "test_a.py", true),
        ("**", "any/thing", true),
        ("*.{ts,tsx}", "x/a.tsx", true),
        ("Makefile", "sub/Makefile", true),
        ("/src/a.rs", "src/a.rs", true),
        ("!*.md", "a.rs", true),
        ("!*.md", "x/a.md", false),
        ("[ab].c", "b.c", true),
        (".github/**", ".github/workflows/ci.yml", true),
    ];
    for (pattern, path, wanted) in cases {
        assert_eq!(
            PathGlob::parse(pattern).unwrap().matches(Path::new(path)),
            wanted,
            "{pattern} {path}"
        );
    }
    assert!(PathGlob::parse("a[").is_err());
}

fn project() -> Bench {
    let bench = Bench::with(&[
        ("src/old.rs", ""),
        ("src/new.rs", ""),
        (".config/x.rs", ""),
        (".gitignore", "build\n"),
        ("build/gen.rs", ""),
        ("build/only.gen", ""),
    ]);
    for (path, age) in [("src/old.rs", 300), ("src/new.rs", 100), (".config/x.rs", 200)] {
        let file = std::fs::File::options()
            .write(true)
            .open(bench.root().join(path))
            .unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 - age))
            .unwrap();
    }
    bench
}

#[tokio::test]
async fn the_newest_comes_first_and_ignored_files_do_not_come() {
    let outcome = project().call("glob", json!({"pattern": "*.rs"})).await;
    assert_eq!(outcome.output, "src/new.rs\n.config/x.rs\nsrc/old.rs\n");
    assert_eq!(outcome.summary.to_string(), "3 matches");
}

#[tokio::test]
async fn ignored_files_are_named_when_nothing_else_matches_or_their_folder_is_named() {
    let bench = project();
    assert_eq!(
        bench.call("glob", json!({"pattern": "*.gen"})).await.output,
        "[only ignored files match]\nbuild/only.gen\n"
    );
    let inside = bench
        .call("glob", json!({"pattern": "*.gen", "path": "build"}))
        .await
        .output;
    assert_eq!(inside, "build/only.gen\n");
}

#[tokio::test]
async fn a_pattern_with_a_slash_at_its_end_finds_folders() {
    let bench = project();
    assert_eq!(bench.call("glob", json!({"pattern": "s*/"})).await.output, "src/\n");
    let none = bench.call("glob", json!({"pattern": "*.zig"})).await;
    assert_eq!(none.output, "No file matches `*.zig` in `.`, ignored ones included.");
}

#[tokio::test]
async fn a_pattern_may_begin_with_the_workspace_itself() {
    let bench = project();
    let pattern = format!("{}/src/*.rs", bench.root().display());
    assert_eq!(
        bench
            .call("glob", json!({"pattern": pattern}))
            .await
            .summary
            .to_string(),
        "2 matches"
    );
    assert_eq!(
        bench
            .call("glob", json!({"pattern": "./src/*.rs"}))
            .await
            .summary
            .to_string(),
        "2 matches"
    );
    assert_eq!(
        bench.call("glob", json!({"pattern": "a["})).await.code.as_deref(),
        Some("bad_arguments")
    );
}

#[tokio::test]
async fn links_are_named_and_not_followed() {
    let bench = project();
    std::os::unix::fs::symlink("/etc", bench.root().join("etc")).unwrap();
    assert_eq!(
        bench
            .call("glob", json!({"pattern": "passwd"}))
            .await
            .summary
            .to_string(),
        "no match"
    );
    assert_eq!(bench.call("glob", json!({"pattern": "etc"})).await.output, "etc\n");
}

#[tokio::test]
async fn many_matches_are_cut_and_counted() {
    let bench = Bench::new();
    for number in 0..230 {
        bench.write(&format!("f{number}.txt"), "");
    }
    let outcome = bench.call("glob", json!({"pattern": "*.txt"})).await;
    assert!(outcome.truncated && outcome.output.contains("[the newest 200 of 230 matches"));
    assert_eq!(outcome.summary.to_string(), "230 matches");
}
