use serde_json::json;

use crate::files::bench::Bench;
use benchdog_domain::review::{FileOperation, Review};
use benchdog_domain::tool::CallStatus;

#[test]
fn a_new_file_is_made_with_its_folders_and_exactly_its_bytes() {
    let bench = Bench::new();
    let outcome = bench.call("write", json!({"path": "a/b/c.txt", "content": "one\r\ntwo"}));
    assert_eq!(outcome.summary.to_string(), "created +2 -0");
    assert_eq!(bench.bytes("a/b/c.txt"), b"one\r\ntwo");
}

#[test]
fn an_existing_file_that_was_not_read_is_not_touched() {
    let bench = Bench::new();
    bench.put("f.txt", "theirs\n");
    let outcome = bench.call("write", json!({"path": "f.txt", "content": "mine\n"}));
    assert_eq!(
        (outcome.status, outcome.code.as_deref()),
        (CallStatus::Error, Some("not_read"))
    );
    assert_eq!(bench.text("f.txt"), "theirs\n");
    // A write of equal content is refused too. Otherwise the model would learn the content without a read.
    assert_eq!(
        bench
            .call("write", json!({"path": "f.txt", "content": "theirs\n"}))
            .code
            .as_deref(),
        Some("not_read")
    );
}

#[test]
fn a_file_that_changed_since_it_was_read_counts_as_not_read() {
    let bench = Bench::with("f.txt", "read\n");
    bench.put("f.txt", "changed\n");
    let outcome = bench.call("write", json!({"path": "f.txt", "content": "mine\n"}));
    assert_eq!(outcome.code.as_deref(), Some("not_read"));
    assert_eq!(bench.text("f.txt"), "changed\n");
}

#[test]
fn what_was_written_may_be_written_again() {
    let bench = Bench::with("f.txt", "a\nb\n");
    assert_eq!(
        bench
            .call("write", json!({"path": "f.txt", "content": "a\nB\nc\n"}))
            .summary
            .to_string(),
        "updated +2 -1"
    );
    assert_eq!(
        bench
            .call("write", json!({"path": "f.txt", "content": "x\n"}))
            .summary
            .to_string(),
        "updated +1 -3"
    );
    let outcome = bench.call("write", json!({"path": "f.txt", "content": "x\n"}));
    assert_eq!(outcome.summary.to_string(), "unchanged");
    assert!(outcome.changes.is_empty());
}

#[test]
fn line_ends_and_byte_order_mark_of_the_old_file_stay() {
    for (before, content, after) in [
        ("a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n"),
        ("a\r\nb\r\n", "a\nB", "a\r\nB"),
        ("\u{feff}a\n", "b\n", "\u{feff}b\n"),
        // Line endings are written as given if the file mixes them or the new text contains carriage returns.
        ("a\r\nb\n", "a\nB\n", "a\nB\n"),
        ("a\r\nb\r\n", "a\r\nB\n", "a\r\nB\n"),
        ("a\nb", "a\nb\n", "a\nb\n"),
    ] {
        let bench = Bench::with("f.txt", before);
        let prepared = bench
            .prepare("write", json!({"path": "f.txt", "content": content}))
            .unwrap();
        let Review::Files(files) = &*prepared.review.clone() else {
            panic!()
        };
        bench.carry_out(prepared, benchdog_domain::permission::Kept::All);
        assert_eq!(bench.text("f.txt"), after);
        // The bytes in the review are the bytes that were written.
        assert_eq!(files[0].after.as_deref(), Some(after.as_bytes()));
        assert_eq!(files[0].operation, FileOperation::Update);
    }
}

#[test]
fn a_file_in_another_encoding_is_not_filled_with_replacement_characters() {
    let bench = Bench::with("f.txt", b"caf\xe9\n");
    let outcome = bench.call("write", json!({"path": "f.txt", "content": "caf\u{fffd}!\n"}));
    assert_eq!(outcome.code.as_deref(), Some("encoding"));
    assert_eq!(bench.bytes("f.txt"), b"caf\xe9\n");
    let bench = Bench::with("f.txt", b"\xff\xfea\0\n\0");
    let outcome = bench.call("write", json!({"path": "f.txt", "content": "b\n"}));
    assert_eq!(outcome.code.as_deref(), None, "{}", outcome.output);
    assert_eq!(
        bench.bytes("f.txt"),
        b"\xff\xfeb\0\n\0",
        "it stays UTF-16 with its mark"
    );
}

#[test]
fn paths_that_leave_the_workspace_and_folders_are_refused() {
    let bench = Bench::new();
    bench.put("sub/f.txt", "");
    let code = |path: &str| bench.call("write", json!({"path": path, "content": "x"})).code.unwrap();
    assert_eq!(code("../out.txt"), "outside_workspace");
    assert_eq!(code("/etc/passwd"), "outside_workspace");
    assert_eq!(code("sub"), "not_a_file");
    assert!(!bench.root.parent().unwrap().join("out.txt").exists());
}

#[test]
fn a_mode_and_a_link_survive_a_write() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with("real.sh", "a\n");
    std::fs::set_permissions(bench.root.join("real.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("real.sh", bench.root.join("link.sh")).unwrap();
    bench.saw("link.sh");
    assert_eq!(
        bench
            .call("write", json!({"path": "link.sh", "content": "b\n"}))
            .summary
            .to_string(),
        "updated +1 -1"
    );
    assert_eq!(bench.text("real.sh"), "b\n");
    assert_eq!(bench.tree()["real.sh"].1, 0o755);
    assert_eq!(bench.tree()["link.sh"].0, "->real.sh");
}
