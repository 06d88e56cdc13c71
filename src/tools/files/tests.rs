use serde_json::json;

use super::bench::Bench;
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::tool::CallStatus;

const BEFORE: &str = "one\ntwo\nthree\nfour\nfive\n";

fn two_hunks(bench: &Bench) -> crate::Prepared {
    let edits = json!([{"old": "two", "new": "TWO"}, {"old": "five", "new": "FIVE"}]);
    bench.prepare("edit", json!({"path": "f.txt", "edits": edits})).unwrap()
}

fn hunks(files: &[&[bool]]) -> Kept {
    Kept::Parts {
        files: files.iter().map(|file| Some(PartKept::Hunks(file.to_vec()))).collect(),
    }
}

#[test]
fn of_two_hunks_the_kept_one_is_written_and_the_model_is_told_the_other() {
    let bench = Bench::with("f.txt", BEFORE);
    let prepared = two_hunks(&bench);
    let outcome = bench.carry_out(prepared, hunks(&[&[true, false]]));
    assert_eq!(bench.text("f.txt"), "one\nTWO\nthree\nfour\nfive\n");
    assert_eq!(outcome.summary.to_string(), "1 of 2 hunks, updated +1 -1");
    assert!(outcome.output.contains("kept 1 of 2 hunks"), "{}", outcome.output);
    assert!(outcome.output.contains("-five\n+FIVE\n"), "{}", outcome.output);
    assert!(!outcome.output.contains("TWO"), "{}", outcome.output);
    let change = &outcome.changes[0];
    assert_eq!(change.after.as_deref(), Some(&b"one\nTWO\nthree\nfour\nfive\n"[..]));
    assert_eq!((change.added, change.removed), (1, 1));
}

#[test]
fn a_proposal_with_every_hunk_dropped_changes_nothing_and_counts_as_denied() {
    let bench = Bench::with("f.txt", BEFORE);
    let before = bench.tree();
    let prepared = two_hunks(&bench);
    let outcome = bench.carry_out(prepared, hunks(&[&[false, false]]));
    assert_eq!(bench.tree(), before);
    assert_eq!(
        (outcome.status, &*outcome.summary.to_string()),
        (CallStatus::Denied, "nothing accepted")
    );
    assert!(outcome.changes.is_empty());
}

#[test]
fn a_refused_removal_and_a_refused_rename_stay_beside_what_was_written_instead() {
    let bench = Bench::with("f.txt", BEFORE);
    bench.put("old.txt", "moved\n");
    bench.put("gone.txt", "to be removed\n");
    let patch = "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n\
                 diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n\
                 diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-to be removed\n";
    let prepared = bench.prepare("patch", json!({"patch": patch})).unwrap();
    let refused = || Some(PartKept::Hunks(vec![false]));
    let files = vec![Some(PartKept::Text("mine\n".to_owned())), refused(), refused()];
    let outcome = bench.carry_out(prepared, Kept::Parts { files });
    assert_eq!(bench.text("f.txt"), "mine\n");
    assert_eq!(
        (bench.text("old.txt"), bench.text("gone.txt")),
        ("moved\n".to_owned(), "to be removed\n".to_owned())
    );
    assert_eq!(outcome.summary.to_string(), "1 of 3 files +1 -5");
    assert!(outcome.output.contains("-to be removed"), "{}", outcome.output);
    assert!(
        outcome
            .output
            .contains("refused to rename `old.txt` to `new.txt`; `old.txt` is unchanged"),
        "{}",
        outcome.output
    );
}

#[test]
fn what_is_no_text_is_refused_as_a_whole() {
    let before = "\0\none\n\0\ntwo\n\0\n";
    let bench = Bench::with("g.bin", before);
    bench.call("read", json!({"path": "g.bin"}));
    let content = "\0\n1\n\0\n2\n\0\n";
    let prepared = bench
        .prepare("write", json!({"path": "g.bin", "content": content}))
        .unwrap();
    let files = vec![Some(PartKept::Hunks(vec![false]))];
    let outcome = bench.carry_out(prepared, Kept::Parts { files });
    assert_eq!(
        (outcome.status, bench.text("g.bin")),
        (CallStatus::Denied, before.to_owned())
    );
}

#[test]
fn decisions_of_earlier_versions_are_read() {
    let read = |text: &str| serde_json::from_str::<Kept>(text).unwrap();
    assert_eq!(
        read(r#"{"kept":"hunks","files":[[true,false]]}"#),
        hunks(&[&[true, false]])
    );
    let files = vec![None, Some(PartKept::Text("a".to_owned()))];
    assert_eq!(read(r#"{"kept":"edited","files":[null,"a"]}"#), Kept::Parts { files });
}

#[test]
fn a_decision_that_does_not_fit_the_proposal_writes_nothing() {
    for kept in [hunks(&[&[true]]), hunks(&[]), hunks(&[&[true, true], &[]])] {
        let bench = Bench::with("f.txt", BEFORE);
        let outcome = bench.carry_out(two_hunks(&bench), kept);
        assert_eq!(outcome.code.as_deref(), Some("bad_decision"));
        assert_eq!(bench.text("f.txt"), BEFORE);
    }
}

#[test]
fn what_the_person_wrote_instead_is_written_and_shown_to_the_model() {
    let bench = Bench::with("f.txt", BEFORE);
    let text = "one\nTwo, rather\nthree\nfour\nFIVE\n".to_owned();
    let outcome = bench.carry_out(
        two_hunks(&bench),
        Kept::Parts {
            files: vec![Some(PartKept::Text(text.clone()))],
        },
    );
    assert_eq!(bench.text("f.txt"), text);
    assert!(outcome.output.contains("-TWO\n+Two, rather\n"), "{}", outcome.output);
    // The model knows the content that it wrote, so the next edit needs no `read`.
    let outcome = bench.call("edit", json!({"path": "f.txt", "old": "Two, rather", "new": "2"}));
    assert_eq!(outcome.status, CallStatus::Ok);
}

#[test]
fn of_a_text_that_was_edited_it_is_said_how_many_hunks_were_refused() {
    for (text, said) in [
        ("one\nTwo, rather\nthree\nfour\nfive\n", "1 of 2 hunks, updated +1 -1"),
        ("one\nTwo, rather\nthree\nfour\nFIVE\n", "updated +2 -2"),
        ("one\nthree\nfour\nFIVE\n", "updated +1 -2"),
        ("none of it\n", "updated +1 -5"),
    ] {
        let bench = Bench::with("f.txt", BEFORE);
        let files = vec![Some(PartKept::Text(text.to_owned()))];
        let outcome = bench.carry_out(two_hunks(&bench), Kept::Parts { files });
        assert_eq!(outcome.summary.to_string(), said);
    }
}

#[test]
fn what_the_person_wrote_is_written_byte_for_byte_whatever_ends_were_proposed() {
    for text in ["a\nb\nc", "one\r\ntwo\n", "\u{feff}one\ntwo\n", ""] {
        let bench = Bench::with("f.txt", "one\ntwo\n");
        bench.call("read", json!({"path": "f.txt"}));
        let content = "\u{feff}one\r\ntwo\r\nthree\r\n";
        let prepared = bench
            .prepare("write", json!({"path": "f.txt", "content": content}))
            .unwrap();
        let files = vec![Some(PartKept::Text(text.to_owned()))];
        bench.carry_out(prepared, Kept::Parts { files });
        assert_eq!(bench.text("f.txt"), text);
    }
}

#[test]
fn a_proposal_edited_back_to_the_file_is_told_as_what_the_person_did() {
    let bench = Bench::with("f.txt", BEFORE);
    let files = vec![Some(PartKept::Text(BEFORE.to_owned()))];
    let outcome = bench.carry_out(two_hunks(&bench), Kept::Parts { files });
    assert!(
        outcome.output.contains("The user edited the proposal"),
        "{}",
        outcome.output
    );
    assert!(!outcome.output.contains("already"), "{}", outcome.output);
}

#[test]
fn a_file_that_changed_while_the_person_looked_is_a_conflict_and_not_overwritten() {
    let bench = Bench::with("f.txt", BEFORE);
    let prepared = two_hunks(&bench);
    bench.put("f.txt", "somebody else's\n");
    let outcome = bench.carry_out(prepared, Kept::All);
    assert_eq!(
        (outcome.status, outcome.code.as_deref()),
        (CallStatus::Error, Some("conflict"))
    );
    assert!(outcome.output.contains("changed"), "{}", outcome.output);
    assert_eq!(bench.text("f.txt"), "somebody else's\n");
}

#[test]
fn a_file_that_appeared_or_vanished_while_the_person_looked_is_a_conflict() {
    let bench = Bench::new();
    let prepared = bench
        .prepare("write", json!({"path": "new.txt", "content": "mine\n"}))
        .unwrap();
    bench.put("new.txt", "theirs\n");
    assert_eq!(bench.carry_out(prepared, Kept::All).code.as_deref(), Some("conflict"));
    assert_eq!(bench.text("new.txt"), "theirs\n");

    let bench = Bench::with("f.txt", BEFORE);
    let prepared = two_hunks(&bench);
    std::fs::remove_file(bench.root.join("f.txt")).unwrap();
    assert_eq!(bench.carry_out(prepared, Kept::All).code.as_deref(), Some("conflict"));
    assert!(!bench.exists("f.txt"));
}

const THREE: &str = "\
--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n\
--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1 @@\n+n\n\
--- a/z.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n";

fn three() -> Bench {
    let bench = Bench::new();
    bench.put("a.txt", "a\n");
    bench.put("z.txt", "z\n");
    bench
}

#[test]
fn when_one_file_of_several_moved_on_none_is_written() {
    let bench = three();
    let prepared = bench.prepare("patch", json!({"patch": THREE})).unwrap();
    bench.put("z.txt", "z2\n");
    let before = bench.tree();
    assert_eq!(bench.carry_out(prepared, Kept::All).code.as_deref(), Some("conflict"));
    assert_eq!(bench.tree(), before);
}

/// The last file is in a folder without write permission, which only the write detects.
#[test]
fn when_writing_fails_half_way_what_was_written_is_taken_back() {
    let bench = three();
    bench.put("sub/keep.txt", "");
    bench.put(".git/config", "");
    std::fs::set_permissions(
        bench.root.join("z.txt"),
        std::os::unix::fs::PermissionsExt::from_mode(0o640),
    )
    .unwrap();
    let before = bench.tree();
    let patch = format!("{THREE}--- /dev/null\n+++ b/.git/hook\n@@ -0,0 +1 @@\n+x\n");
    let outcome = bench.call("patch", json!({"patch": patch}));
    assert_eq!(
        (outcome.status, outcome.code.as_deref()),
        (CallStatus::Error, Some("protected"))
    );
    assert!(
        outcome.output.contains("already written were restored"),
        "{}",
        outcome.output
    );
    assert!(outcome.changes.is_empty());
    assert_eq!(bench.tree(), before);
}

#[test]
fn a_multi_file_change_is_counted_as_a_whole_and_logged_by_file() {
    let bench = three();
    let outcome = bench.call("patch", json!({"patch": THREE}));
    assert_eq!(outcome.summary.to_string(), "3 files +2 -2");
    assert_eq!(bench.text("a.txt"), "A\n");
    assert_eq!(bench.text("sub/new.txt"), "n\n");
    assert!(!bench.exists("z.txt"));
    let paths: Vec<&str> = outcome.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["a.txt", "sub/new.txt", "z.txt"]);
}

#[test]
fn of_several_files_a_refused_one_is_not_made_and_not_deleted() {
    let bench = three();
    let prepared = bench.prepare("patch", json!({"patch": THREE})).unwrap();
    let outcome = bench.carry_out(prepared, hunks(&[&[true], &[false], &[false]]));
    assert_eq!(outcome.summary.to_string(), "1 of 3 files +1 -1");
    assert!(!bench.exists("sub"));
    assert_eq!(bench.text("z.txt"), "z\n");
    assert!(
        outcome.output.contains("refused to delete `z.txt`; it is unchanged"),
        "{}",
        outcome.output
    );
}

#[test]
fn a_rename_is_one_file_gone_and_one_come() {
    let bench = Bench::new();
    bench.put("old.sh", "a\nb\n");
    std::fs::set_permissions(
        bench.root.join("old.sh"),
        std::os::unix::fs::PermissionsExt::from_mode(0o750),
    )
    .unwrap();
    let text = "diff --git a/old.sh b/new.sh\nsimilarity index 50%\nrename from old.sh\nrename to new.sh\n\
                --- a/old.sh\n+++ b/new.sh\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    let outcome = bench.call("patch", json!({"patch": text}));
    assert_eq!(outcome.summary.to_string(), "renamed +1 -1");
    assert!(!bench.exists("old.sh"));
    assert_eq!(bench.text("new.sh"), "a\nB\n");
    assert_eq!(bench.tree()["new.sh"].1, 0o750);
    assert_eq!(outcome.changes.len(), 2);
    assert_eq!(outcome.changes[0].after, None);
    assert_eq!(outcome.changes[1].before, None);
}

#[test]
fn an_answer_to_the_model_stays_within_its_limit() {
    let mut bench = Bench::with("f.txt", "x\n");
    bench.cx.limits.result_bytes = 300;
    let new: String = (0..500).map(|n| format!("line {n}\n")).collect();
    let prepared = bench
        .prepare("edit", json!({"path": "f.txt", "old": "x\n", "new": new}))
        .unwrap();
    let outcome = bench.carry_out(prepared, hunks(&[&[false]]));
    assert!(outcome.output.len() <= 300, "{}", outcome.output.len());
    assert!(outcome.truncated);
}

#[test]
fn the_policy_is_asked_about_every_path_and_secrets_are_marked() {
    let bench = Bench::new();
    let prepared = bench
        .prepare("write", json!({"path": ".env", "content": "KEY=1\n"}))
        .unwrap();
    let subject = format!("{:?}", prepared.subjects);
    assert!(subject.contains(".env") && subject.contains("Secret"), "{subject}");
}
