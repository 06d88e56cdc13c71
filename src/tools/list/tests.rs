use serde_json::json;

use crate::bench::Bench;

fn project() -> Bench {
    Bench::with(&[
        ("src/main.rs", "fn main() {}\n"),
        ("src/deep/er/x.rs", ""),
        ("README.md", &"r".repeat(2048)),
        (".hidden", ""),
        (".git/config", ""),
        (".gitignore", "target\n*.log\n"),
        ("target/debug/app", ""),
        ("run.log", "l"),
    ])
}

#[tokio::test]
async fn folders_come_first_and_ignored_ones_last() {
    let bench = project();
    std::os::unix::fs::symlink("/etc", bench.root().join("out")).unwrap();
    let outcome = bench.call("list", json!({})).await;
    let wanted = "src/\n.gitignore  13 bytes\n.hidden  0 bytes\nout  link\nREADME.md  2.0 KB\ntarget/  ignored\nrun.log  1 bytes  ignored\n";
    assert_eq!(outcome.output, wanted);
    assert_eq!(outcome.summary.to_string(), "7 entries");
}

#[tokio::test]
async fn depth_opens_folders_but_not_ignored_ones_or_links() {
    let bench = project();
    std::os::unix::fs::symlink("/etc", bench.root().join("out")).unwrap();
    let outcome = bench.call("ls", json!({"depth": "4"})).await;
    assert!(
        outcome
            .output
            .starts_with("src/\n  deep/\n    er/\n      x.rs  0 bytes\n  main.rs  13 bytes\n"),
        "{}",
        outcome.output
    );
    assert!(
        !outcome.output.contains("debug") && !outcome.output.contains("passwd"),
        "{}",
        outcome.output
    );
}

#[tokio::test]
async fn an_ignored_folder_that_is_named_is_shown() {
    let bench = project();
    assert_eq!(bench.call("list", json!({"path": "target"})).await.output, "debug/\n");
    assert_eq!(
        bench.call("list", json!({"path": "target", "depth": 2})).await.output,
        "debug/\n  app  0 bytes\n"
    );
}

#[tokio::test]
async fn a_cut_list_keeps_what_is_nearest() {
    let bench = Bench::new();
    for number in 0..1_200 {
        bench.write(&format!("many/{number:04}"), "");
    }
    bench.write("top", "");
    let outcome = bench.call("list", json!({"depth": 3})).await;
    assert!(outcome.truncated && outcome.output.contains("top  0 bytes"));
    assert!(outcome.output.contains("[cut at 1,000 entries"), "{}", outcome.summary);
    assert_eq!(outcome.summary.to_string(), "1,000 entries");
}

#[tokio::test]
async fn files_and_missing_folders_are_refused_with_advice() {
    let bench = project();
    let file = bench.call("list", json!({"path": "README.md"})).await;
    assert!(file.output.contains("Use `read`"), "{}", file.output);
    assert_eq!(
        bench.call("list", json!({"path": "nope"})).await.code.as_deref(),
        Some("not_found")
    );
    assert_eq!(
        bench.call("list", json!({"path": ".."})).await.code.as_deref(),
        Some("outside_workspace")
    );
    std::fs::create_dir(bench.root().join("void")).unwrap();
    assert_eq!(
        bench.call("list", json!({"path": "void"})).await.output,
        "`void` is empty."
    );
}

#[tokio::test]
async fn a_name_with_a_line_break_stays_in_its_line() {
    let bench = Bench::with(&[("a\nb", "")]);
    assert_eq!(bench.call("list", json!({})).await.output, "a\\nb  0 bytes\n");
}

#[tokio::test]
async fn a_folder_that_became_a_link_is_not_listed() {
    let bench = project();
    let prepared = bench.prepare("list", json!({"path": "src"})).await.unwrap();
    std::fs::remove_dir_all(bench.root().join("src")).unwrap();
    std::os::unix::fs::symlink("/etc", bench.root().join("src")).unwrap();
    let (output, _chunks) = tokio::sync::mpsc::channel(1);
    let allowed = benchdog_domain::permission::Decision::Once {
        kept: benchdog_domain::permission::Kept::All,
    };
    let outcome = crate::bench::run(prepared, &allowed, &bench.cx, output).await;
    assert_eq!(outcome.code.as_deref(), Some("not_read"), "{}", outcome.output);
}
