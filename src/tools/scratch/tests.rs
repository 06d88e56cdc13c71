use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::Registry;
use crate::bench::Bench;
use benchdog_domain::permission::{Action, Because, Decision, Kept, Place, Subject};
use benchdog_security::policy::{Grants, Policy};

fn session(name: &str) -> SessionId {
    SessionId(name.to_owned())
}

fn bench() -> (Bench, Scratch) {
    let mut bench = Bench::with(&[("inside.txt", "one\n")]);
    let scratch = Scratch::of(bench.outside(), &session("here")).unwrap();
    bench.cx.workspace = Arc::new(
        bench
            .cx
            .workspace
            .with_scratch(bench.outside(), scratch.below())
            .unwrap(),
    );
    (bench, scratch)
}

/// Returns the verdict on a write without configured rules.
async fn judged(bench: &Bench, path: &Path) -> Result<(Action, Place), String> {
    let arguments = json!({"path": path, "content": "new\n"});
    let prepared = bench.prepare("write", arguments).await;
    let prepared = prepared.map_err(|refusal| refusal.outcome.code.unwrap_or_default())?;
    let Some(Subject::Path { place, .. }) = prepared.subjects.first() else {
        panic!("a path")
    };
    let policy = Policy::new(&Registry::builtin().rules(), Vec::new());
    let verdict = policy.judge(&Grants::default(), &prepared.rules(), &prepared.subjects);
    Ok((verdict.action, *place))
}

#[tokio::test]
async fn it_is_written_without_a_question_and_nothing_else_is() {
    let (bench, scratch) = bench();
    let inside = scratch.path().join("a/note.txt");
    assert_eq!(judged(&bench, &inside).await, Ok((Action::Allow, Place::Scratch)));
    assert_eq!(
        judged(&bench, &bench.root().join("new.txt")).await,
        Ok((Action::Ask, Place::Inside))
    );
    let beside = scratch.path().with_file_name("other").join("x");
    assert_eq!(judged(&bench, &beside).await, Err("outside_workspace".to_owned()));
    let outcome = bench.call("write", json!({"path": inside, "content": "new\n"})).await;
    assert_eq!(std::fs::read_to_string(&inside).unwrap(), "new\n", "{}", outcome.output);
    assert!(outcome.changes.is_empty(), "it is no change of the project");
    let mode = std::fs::metadata(scratch.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn links_out_of_it_and_into_it_are_no_way_around_a_question() {
    let (bench, scratch) = bench();
    symlink(bench.root(), scratch.path().join("work")).unwrap();
    symlink(bench.outside(), scratch.path().join("out")).unwrap();
    symlink(scratch.path(), bench.root().join("scratch")).unwrap();
    let through = scratch.path().join("work/inside.txt");
    bench.call("read", json!({"path": "inside.txt"})).await;
    bench.call("read", json!({"path": through})).await;
    assert_eq!(judged(&bench, &through).await, Ok((Action::Ask, Place::Inside)));
    let out = judged(&bench, &scratch.path().join("out/x")).await;
    assert_eq!(out, Err("symlink_escape".to_owned()));
    let into = judged(&bench, &bench.root().join("scratch/x")).await;
    assert_eq!(into, Ok((Action::Ask, Place::Inside)));
}

#[tokio::test]
async fn a_rule_that_denies_and_what_is_secret_hold_there_too() {
    let (bench, scratch) = bench();
    let arguments = json!({"path": scratch.path().join(".env"), "content": "KEY=1\n"});
    let prepared = bench.prepare("write", arguments).await.unwrap();
    let policy = Policy::new(&Registry::builtin().rules(), Vec::new());
    let verdict = policy.judge(&Grants::default(), &prepared.rules(), &prepared.subjects);
    assert!(matches!(verdict.because, Because::Reaches(_)), "{verdict:?}");
    assert_eq!(verdict.action, Action::Ask);
}

#[tokio::test]
async fn what_would_fill_it_is_refused() {
    let (bench, scratch) = bench();
    let full = std::fs::File::create(scratch.path().join("full")).unwrap();
    full.set_len(MOST).unwrap();
    let path = scratch.path().join("more");
    let outcome = bench.call("write", json!({"path": path, "content": "x"})).await;
    assert_eq!(outcome.code.as_deref(), Some("scratch_full"), "{}", outcome.output);
    assert!(!path.exists());
}

#[test]
fn it_goes_with_its_session_and_an_empty_one_at_once() {
    let data = tempfile::tempdir().unwrap();
    let one = Scratch::of(data.path(), &session("one")).unwrap();
    let two = Scratch::of(data.path(), &session("two")).unwrap();
    std::fs::write(two.path().join("kept"), "x").unwrap();
    one.leave();
    two.leave();
    assert!(!one.path().exists() && two.path().join("kept").exists());
    forget(data.path(), &session("two"));
    assert!(!two.path().exists());
}

#[tokio::test]
async fn what_somebody_else_put_there_and_what_has_another_name_is_asked_about() {
    let (bench, scratch) = bench();
    let note = scratch.path().join("note");
    bench.call("write", json!({"path": note, "content": "mine\n"})).await;
    assert_eq!(judged(&bench, &note).await, Ok((Action::Allow, Place::Scratch)));
    let put = scratch.path().join("put");
    std::fs::write(&put, "of the person\n").unwrap();
    bench.call("read", json!({"path": put})).await;
    assert_eq!(judged(&bench, &put).await, Ok((Action::Ask, Place::Inside)));
    // Replaces the created file by another file of the same name.
    std::fs::remove_file(&note).unwrap();
    std::fs::rename(&put, &note).unwrap();
    bench.call("read", json!({"path": note})).await;
    assert_eq!(judged(&bench, &note).await, Ok((Action::Ask, Place::Inside)));
    let linked = scratch.path().join("linked");
    std::fs::hard_link(bench.root().join("inside.txt"), &linked).unwrap();
    bench.call("read", json!({"path": linked})).await;
    assert_eq!(judged(&bench, &linked).await, Ok((Action::Ask, Place::Inside)));
    let twice = scratch.path().join("twice");
    bench.call("write", json!({"path": twice, "content": "mine\n"})).await;
    std::fs::hard_link(&twice, bench.root().join("twice")).unwrap();
    assert_eq!(judged(&bench, &twice).await, Ok((Action::Ask, Place::Inside)));
}

#[tokio::test]
async fn no_way_leads_out_of_it_and_what_changes_after_the_verdict_is_seen() {
    let (bench, scratch) = bench();
    let up = scratch.path().join("../../work/inside.txt");
    bench.call("read", json!({"path": "inside.txt"})).await;
    bench.call("read", json!({"path": up})).await;
    assert_eq!(judged(&bench, &up).await, Ok((Action::Ask, Place::Inside)));
    let sibling = scratch.path().join("../there/x");
    assert_eq!(judged(&bench, &sibling).await, Err("outside_workspace".to_owned()));
    let new = json!({"path": scratch.path().join("sub/inside.txt"), "content": "gone\n"});
    let prepared = bench.prepare("write", new).await.unwrap();
    symlink(bench.root(), scratch.path().join("sub")).unwrap();
    let (output, _chunks) = tokio::sync::mpsc::channel(64);
    let once = Decision::Once { kept: Kept::All };
    let outcome = crate::bench::run(prepared, &once, &bench.cx, output).await;
    assert_eq!(outcome.code.as_deref(), Some("symlink_changed"), "{}", outcome.output);
    assert_eq!(
        std::fs::read_to_string(bench.root().join("inside.txt")).unwrap(),
        "one\n"
    );
}

#[test]
fn one_that_was_left_long_ago_is_removed_where_nobody_has_it_open() {
    let data = tempfile::tempdir().unwrap();
    let (old, open) = (session("old"), session("open"));
    for session in [&old, &open] {
        let made = Scratch::of(data.path(), session).unwrap();
        std::fs::create_dir(made.path().join("a")).unwrap();
        std::fs::write(made.path().join("a/x"), "x").unwrap();
    }
    let bench = Bench::new();
    let in_use = Scratch::of(data.path(), &open).unwrap();
    let _workspace = bench.cx.workspace.with_scratch(data.path(), in_use.below()).unwrap();
    let path = |name: &str| data.path().join("scratch").join(name);
    remove_left(data.path());
    assert!(path("old").exists(), "it is not old");
    remove_older(data.path(), i64::MAX);
    assert!(!path("old").exists() && path("open/a/x").exists());
}

#[test]
fn a_link_in_its_place_is_not_followed_and_a_name_that_is_a_way_is_none() {
    let data = tempfile::tempdir().unwrap();
    let bench = Bench::new();
    let other = data.path().join("other");
    std::fs::create_dir_all(other.join("linked")).unwrap();
    std::fs::create_dir(data.path().join("scratch")).unwrap();
    symlink(&other, data.path().join("scratch/linked")).unwrap();
    let linked = Scratch::of(data.path(), &session("linked")).unwrap();
    assert!(bench.cx.workspace.with_scratch(data.path(), linked.below()).is_err());
    // A link to the folder of another session is refused too.
    Scratch::of(data.path(), &session("one")).unwrap();
    symlink("one", data.path().join("scratch/two")).unwrap();
    let two = Scratch::of(data.path(), &session("two")).unwrap();
    assert!(bench.cx.workspace.with_scratch(data.path(), two.below()).is_err());
    forget(data.path(), &session("two"));
    assert!(data.path().join("scratch/one").is_dir());
    forget(data.path(), &session("one"));
    forget(data.path(), &session("linked"));
    assert!(other.exists() && !data.path().join("scratch/linked").is_symlink());
    std::fs::remove_dir(data.path().join("scratch")).unwrap();
    symlink(&other, data.path().join("scratch")).unwrap();
    assert!(bench.cx.workspace.with_scratch(data.path(), linked.below()).is_err());
    for name in ["../x", "a/b", "..", ""] {
        assert!(Scratch::of(data.path(), &session(name)).is_err(), "{name}");
    }
}
