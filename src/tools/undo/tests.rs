use super::*;
use crate::files::bench::Bench;
use crate::registry::Registry;
use benchdog_base::id::CallId;
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::review::Review;

fn file(path: &str, was: Option<&str>, became: Option<&str>) -> FileBytes {
    let bytes = |text: &str| Bytes::from(text.as_bytes());
    FileBytes {
        path: path.to_owned(),
        moved_to: None,
        was: was.map(bytes),
        became: became.map(bytes),
        mode_before: None,
    }
}

fn renamed(path: &str, to: &str, was: &str, became: &str) -> FileBytes {
    FileBytes {
        moved_to: Some(to.to_owned()),
        ..file(path, Some(was), Some(became))
    }
}

fn prepared(bench: &Bench, files: &[FileBytes]) -> Result<crate::Prepared, Refusal> {
    Registry::builtin().undo(CallId("u".to_owned()), files, &bench.cx)
}

/// The result that all of these files can be restored.
fn all(paths: &[&str]) -> Undoable {
    Undoable::Yes {
        back: paths.iter().map(|path| (*path).to_owned()).collect(),
        left: Vec::new(),
    }
}

fn lines(changed: &[usize]) -> String {
    let line = |at: usize| {
        if changed.contains(&at) {
            format!("LINE {at}\n")
        } else {
            format!("line {at}\n")
        }
    };
    (1..=30).map(line).collect()
}

#[test]
fn what_was_made_goes_what_was_removed_comes_and_what_was_changed_or_moved_is_as_before() {
    let bench = Bench::new();
    bench.put("changed", "after\n");
    bench.put("made", "new\n");
    bench.put("moved", "moved\nand changed\n");
    let files = [
        file("changed", Some("before\n"), Some("after\n")),
        file("made", None, Some("new\n")),
        file("removed", Some("old\n"), None),
        renamed("there", "moved", "moved\n", "moved\nand changed\n"),
    ];
    let names = all(&["changed", "made", "removed", "there"]);
    assert_eq!(look(&files, &bench.cx.workspace), names);
    let outcome = bench.carry_out(prepared(&bench, &files).unwrap(), Kept::All);
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert!(outcome.output.starts_with(TAKEN_BACK), "{}", outcome.output);
    assert_eq!(bench.text("changed"), "before\n");
    assert_eq!(bench.text("removed"), "old\n");
    assert_eq!(bench.text("there"), "moved\n");
    assert!(!bench.exists("made") && !bench.exists("moved"));
    assert_eq!(look(&files, &bench.cx.workspace), Undoable::IsBack);
    assert!(prepared(&bench, &files).is_err(), "there is nothing left to do");
}

#[test]
fn of_a_file_that_was_changed_since_the_hunks_that_fit_are_proposed_and_the_others_named() {
    for end in ["\n", "\r\n"] {
        let text = |changed: &[usize]| lines(changed).replace('\n', end);
        let bench = Bench::new();
        let now = text(&[3, 20, 28]).replace("LINE 20", "somebody else's");
        bench.put("f.txt", &now);
        let files = [file("f.txt", Some(&text(&[])), Some(&text(&[3, 20])))];
        let prepared = prepared(&bench, &files).unwrap();
        let Review::Files(changes) = &*prepared.review else {
            panic!()
        };
        assert_eq!(changes[0].note, Some(FileNote::ChangedSince { lines: vec![20] }));
        bench.carry_out(prepared, Kept::All);
        assert_eq!(bench.text("f.txt"), now.replace("LINE 3", "line 3"), "{end:?}");
    }
}

#[test]
fn a_hunk_that_somebody_put_back_is_not_in_the_way() {
    let bench = Bench::new();
    let (was, became) = (lines(&[]), lines(&[3, 20]));
    let files = [file("f.txt", Some(&was), Some(&became))];
    bench.put("f.txt", lines(&[20, 28]));
    assert_eq!(look(&files, &bench.cx.workspace), all(&["f.txt"]));
    bench.put("f.txt", lines(&[28]));
    assert_eq!(look(&files, &bench.cx.workspace), Undoable::IsBack);
}

#[test]
fn what_came_later_is_never_lost_and_it_is_said_why() {
    let bench = Bench::new();
    bench.put("grown", "new\nand more\n");
    bench.put("again", "another\n");
    bench.put("place", "taken\n");
    bench.put("moved", "m\n");
    let files = [
        file("grown", None, Some("new\n")),
        file("again", Some("old\n"), None),
        file("gone", Some("before\n"), Some("after\n")),
        renamed("place", "moved", "m\n", "m\n"),
        renamed("x", "nowhere", "m\n", "m\n"),
    ];
    let before = bench.tree();
    let left = [
        ("grown", NotUndone::Grown),
        ("again", NotUndone::There),
        ("gone", NotUndone::Gone),
        ("moved", NotUndone::There),
        ("nowhere", NotUndone::Gone),
    ];
    let left = left.map(|(path, why)| (path.to_owned(), why));
    assert_eq!(look(&files, &bench.cx.workspace), Undoable::No(left.to_vec()));
    let refused = prepared(&bench, &files).err().unwrap().outcome;
    assert_eq!(refused.code.as_deref(), Some("conflict"));
    assert_eq!(bench.tree(), before);
}

#[test]
fn a_later_change_of_the_same_lines_is_replaced_only_if_nothing_else_can_be_undone() {
    for end in ["\n", "\r\n"] {
        let text = |changed: &[usize]| lines(changed).replace('\n', end);
        let mine = |changed: &[usize]| {
            let text = text(changed).replace("LINE 5", "mine").replace("LINE 30\n", "last");
            text.replace("LINE 30\r\n", "last")
        };
        let bench = Bench::new();
        let files = [file("f.txt", Some(&text(&[])), Some(&text(&[5, 30])))];
        bench.put("f.txt", mine(&[5, 30]));
        let back = vec!["f.txt".to_owned()];
        let left = Vec::new();
        assert_eq!(
            look(&files, &bench.cx.workspace),
            Undoable::Conflicts { back, left },
            "{end:?}"
        );
        let prepared = prepared(&bench, &files).unwrap();
        let Review::Files(changes) = &*prepared.review else {
            panic!()
        };
        assert_eq!(changes[0].note, Some(FileNote::Overlaps { lines: vec![5, 30] }));
        let kept = Kept::Parts {
            files: vec![Some(PartKept::Hunks(vec![true, false]))],
        };
        bench.carry_out(prepared, kept);
        assert_eq!(
            bench.text("f.txt"),
            mine(&[30]),
            "{end:?}: one line is old, one is mine"
        );
        // A hunk without a later change comes first.
        bench.put("f.txt", text(&[5, 30]).replace("LINE 5", "mine"));
        assert_eq!(look(&files, &bench.cx.workspace), all(&["f.txt"]));
    }
}

#[test]
fn a_hunk_that_is_dropped_stays_and_a_file_that_is_outside_is_named() {
    let bench = Bench::new();
    bench.put("f.txt", lines(&[3, 20]));
    let files = [
        file("f.txt", Some(&lines(&[])), Some(&lines(&[3, 20]))),
        file("../x", Some("a\n"), Some("b\n")),
    ];
    let Undoable::Yes { back, left } = look(&files, &bench.cx.workspace) else {
        panic!()
    };
    assert_eq!(back, ["f.txt"]);
    assert!(
        matches!(&left[..], [(path, NotUndone::Unreadable { .. })] if path == "../x"),
        "{left:?}"
    );
    let kept = Kept::Parts {
        files: vec![Some(PartKept::Hunks(vec![false, true]))],
    };
    let outcome = bench.carry_out(prepared(&bench, &files).unwrap(), kept);
    assert_eq!(bench.text("f.txt"), lines(&[3]));
    assert!(outcome.output.contains("`../x` stays as it is"), "{}", outcome.output);
    let nothing = Kept::Parts {
        files: vec![Some(PartKept::Hunks(vec![false]))],
    };
    let files = [file("f.txt", Some(&lines(&[])), Some(&lines(&[3])))];
    let outcome = bench.carry_out(prepared(&bench, &files).unwrap(), nothing);
    assert_eq!(outcome.status, CallStatus::Denied);
    assert!(!outcome.output.contains(TAKEN_BACK), "the model is told of nothing");
}

#[test]
fn what_was_dropped_of_a_file_is_said_and_proposed_again_also_where_it_went_back_to_its_old_name() {
    let (was, became) = (lines(&[]), lines(&[3, 20]));
    for moved in [false, true] {
        let bench = Bench::new();
        bench.put(if moved { "new" } else { "f.txt" }, &became);
        let files = [if moved {
            renamed("f.txt", "new", &was, &became)
        } else {
            file("f.txt", Some(&was), Some(&became))
        }];
        let kept = Kept::Parts {
            files: vec![Some(PartKept::Hunks(vec![false, true]))],
        };
        let outcome = bench.carry_out(prepared(&bench, &files).unwrap(), kept);
        assert!(outcome.changes.iter().all(|change| change.in_part), "{moved}");
        assert_eq!(bench.text("f.txt"), lines(&[3]));
        let outcome = bench.carry_out(prepared(&bench, &files).unwrap(), Kept::All);
        assert!(outcome.changes.iter().all(|change| !change.in_part), "{moved}");
        assert_eq!(bench.text("f.txt"), was);
        assert_eq!(look(&files, &bench.cx.workspace), Undoable::IsBack);
    }
}

fn mode(bench: &Bench, path: &str) -> u32 {
    bench.tree()[path].1
}

fn set_mode(bench: &Bench, path: &str, mode: u32) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(bench.root.join(path), mode).unwrap();
}

/// Applies a patch with one change, and returns the log's record of the change.
fn patched(bench: &Bench, path: &str, patch: &str) -> FileBytes {
    bench.saw(path);
    let mut outcome = bench.call("patch", serde_json::json!({"patch": patch}));
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    let change = outcome.changes.remove(0);
    FileBytes {
        path: change.path,
        moved_to: None,
        was: change.before,
        became: change.after,
        mode_before: change.mode_before,
    }
}

#[test]
fn a_file_that_comes_back_has_the_mode_it_had_and_is_for_its_owner_where_that_is_not_known() {
    for had in [0o600, 0o755] {
        let bench = Bench::new();
        bench.put("f.txt", "a\n");
        set_mode(&bench, "f.txt", had);
        let gone = patched(&bench, "f.txt", "--- a/f.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
        assert!(!bench.exists("f.txt"));
        for (known, note) in [(Some(had), None), (None, Some(FileNote::ModeNotKept))] {
            let gone = FileBytes {
                mode_before: known,
                ..gone.clone()
            };
            let files = [gone];
            let prepared = prepared(&bench, &files).unwrap();
            let Review::Files(changes) = &*prepared.review else {
                panic!()
            };
            assert_eq!(changes[0].note, note);
            bench.carry_out(prepared, Kept::All);
            assert_eq!(mode(&bench, "f.txt"), known.unwrap_or(0o600));
            std::fs::remove_file(bench.root.join("f.txt")).unwrap();
        }
        assert_eq!(gone.mode_before, Some(had), "the change says what it had");
    }
}

#[test]
fn a_mode_that_was_changed_with_the_lines_goes_back_with_them() {
    let bench = Bench::new();
    bench.put("run", "a\n");
    set_mode(&bench, "run", 0o640);
    let patch = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n--- a/run\n+++ b/run\n@@ -1 +1 @@\n-a\n+b\n";
    let files = [patched(&bench, "run", patch)];
    assert_ne!(mode(&bench, "run") & 0o100, 0);
    bench.carry_out(prepared(&bench, &files).unwrap(), Kept::All);
    assert_eq!((bench.text("run").as_str(), mode(&bench, "run")), ("a\n", 0o640));
}

#[test]
fn a_file_that_was_renamed_and_one_that_only_changed_say_what_is_needed_of_their_modes() {
    let bench = Bench::new();
    bench.put("old", "a\n");
    set_mode(&bench, "old", 0o640);
    let rename = "diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n";
    assert_eq!(
        patched(&bench, "old", rename).mode_before,
        Some(0o640),
        "the old name went"
    );
    let patch = "--- a/new\n+++ b/new\n@@ -1 +1 @@\n-a\n+b\n";
    let changed = patched(&bench, "new", patch);
    assert_eq!(changed.mode_before, None);
    set_mode(&bench, "new", 0o600);
    let files = [changed];
    bench.carry_out(prepared(&bench, &files).unwrap(), Kept::All);
    assert_eq!(mode(&bench, "new"), 0o600, "what came later stays");
}

#[test]
fn of_a_change_of_the_mode_alone_it_is_said_that_it_stays() {
    let bench = Bench::new();
    bench.put("run", "a\n");
    set_mode(&bench, "run", 0o640);
    let patch = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n";
    let files = [patched(&bench, "run", patch)];
    let left = vec![("run".to_owned(), NotUndone::ModeAlone { was: Some(0o640) })];
    assert_eq!(look(&files, &bench.cx.workspace), Undoable::No(left));
    set_mode(&bench, "run", 0o640);
    assert_eq!(look(&files, &bench.cx.workspace), Undoable::IsBack);
}

/// A file may contain text that looks like a redaction mark.
#[test]
fn a_text_that_was_in_the_file_comes_back_whatever_it_looks_like() {
    let bench = Bench::new();
    bench.put("f.txt", "b\n");
    let mark = "key = [benchdog:redacted:key]\n";
    let files = [file("f.txt", Some(mark), Some("b\n"))];
    bench.carry_out(prepared(&bench, &files).unwrap(), Kept::All);
    assert_eq!(bench.text("f.txt"), mark);
}

/// Combines the steps. Returns each file as `path was>became`.
fn of_all(steps: Vec<Vec<FileBytes>>) -> (Vec<String>, Vec<(String, NotUndone)>) {
    let text = |side: &Option<Bytes>| match side {
        Some(bytes) => String::from_utf8_lossy(bytes).replace('\n', "/"),
        None => "-".to_owned(),
    };
    let (files, left) = combined(steps);
    let written = |file: &FileBytes| {
        let to = file.moved_to.as_ref().map(|to| format!("→{to}")).unwrap_or_default();
        format!("{}{to} {}>{}", file.path, text(&file.was), text(&file.became))
    };
    (files.iter().map(written).collect(), left)
}

#[test]
fn changes_of_several_calls_become_one_per_file() {
    let steps = vec![
        vec![file("a", Some("2\n"), Some("3\n")), file("gone", Some("g2\n"), None)],
        vec![
            renamed("old", "a", "1\n", "2\n"),
            file("made", Some("m1\n"), Some("m2\n")),
        ],
        vec![
            file("gone", Some("g1\n"), Some("g2\n")),
            file("made", None, Some("m1\n")),
        ],
        vec![file("same", Some("s\n"), Some("t\n"))],
        vec![file("same", Some("t\n"), Some("s\n"))],
    ];
    let (files, left) = of_all(steps);
    assert_eq!(files, ["old→a 1/>3/", "gone g1/>-", "made ->m2/"]);
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_others_changed_between_two_calls_stays_and_what_cannot_be_told_apart_is_named() {
    let (old, new) = (lines(&[]), lines(&[2]));
    let (between, last) = (lines(&[2, 20]), lines(&[2, 20, 28]));
    let apart = vec![
        vec![file("a", Some(&between), Some(&last))],
        vec![file("a", Some(&old), Some(&new))],
    ];
    let (files, left) = combined(apart);
    assert_eq!(files[0].was.as_deref(), Some(lines(&[20]).as_bytes()));
    assert!(left.is_empty(), "{left:?}");
    let same_line = vec![
        vec![file("a", Some("theirs\n"), Some("third\n"))],
        vec![file("a", Some("first\n"), Some("second\n"))],
    ];
    let (files, left) = of_all(same_line);
    assert_eq!(
        (files, left),
        (
            vec!["a theirs/>third/".to_owned()],
            vec![("a".to_owned(), NotUndone::Changed)]
        )
    );
}
