//! Tests undo: it finds the change in the log, proposes and writes the reversal, and logs it.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::children::allowing;
use super::rig::{Rig, Wishes, body, calls, says};
use super::{FIRST, once};
use crate::engine::{OpenWhat, Report};
use crate::input::Happened;
use benchdog_base::id::{EntryId, SeatId};
use benchdog_domain::entry::Body;
use benchdog_domain::job::JobId;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Decision, Kept, PartKept};
use benchdog_domain::rewind::Rewind;
use benchdog_domain::undo::{NotUndone, UndoNotice, as_typed};
use benchdog_protocol::{Answer, Command, Event, Live, Told};

const TOLD: &str = "The user took back an earlier change of this session";

fn said(told: &Told) -> Option<&UndoNotice> {
    match &told.event {
        Event::Live(Live::Notice(Notice::Undo(notice))) => Some(notice),
        _ => None,
    }
}

async fn hears(rig: &mut Rig, wanted: &UndoNotice) {
    for _ in 0..200 {
        if rig.heard.iter().any(|told| said(told) == Some(wanted)) {
            return;
        }
        rig.report_next().await;
    }
    panic!("waited for {wanted:?}; heard {:#?}", rig.heard);
}

/// Creates a session with two changes: one to `a.txt`, and a new file `new.txt`. Approval is not needed.
async fn changed() -> Rig {
    changed_in(Arc::new(tempfile::tempdir().unwrap())).await
}

async fn changed_in(home: Arc<tempfile::TempDir>) -> Rig {
    let wishes = Wishes {
        files: &[("a.txt", "one\n")],
        ..allowing(json!({"edit": "allow"}))
    };
    let mut rig = Rig::at(home, wishes).await;
    let edit = json!({"path": "a.txt", "edits": [{"old": "one", "new": "two"}]});
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "a.txt"})),
            calls("e", "edit", &edit),
            calls("w", "write", &json!({"path": "new.txt", "content": "x\n"})),
            says("done"),
        ],
    );
    rig.turn(FIRST, "go").await;
    rig
}

/// Requests to undo the newest change, or the newest change of a file, and answers with this decision. Returns the
/// title of the request.
async fn undo(rig: &mut Rig, seat: SeatId, path: Option<&str>, answer: Decision) -> String {
    let path = path.map(str::to_owned);
    rig.order(seat, Command::Undo { path }).await;
    let asked = rig.asked(seat).await;
    assert_eq!((&*asked.tool, asked.verdict.action), ("/undo", Action::Ask));
    assert!(asked.verdict.scopes.is_empty(), "it is looked at each time");
    rig.decide(seat, &asked, answer).await;
    rig.ends(seat).await;
    asked.title.clone()
}

fn taken_back(rig: &mut Rig, seat: SeatId) -> Vec<Vec<EntryId>> {
    let log = rig.log(seat);
    let undone = log.iter().filter_map(|entry| match &entry.body {
        Body::Change { undoes, .. } if !undoes.is_empty() => Some(undoes.clone()),
        _ => None,
    });
    undone.collect()
}

/// Returns the lines of undos in the log. The model receives the same lines.
fn lines(rig: &mut Rig, seat: SeatId) -> Vec<String> {
    let log = rig.log(seat);
    let lines = log.iter().filter_map(|entry| match &entry.body {
        Body::Shell { command, .. } => Some(command.clone()),
        _ => None,
    });
    lines.collect()
}

fn text(rig: &Rig, name: &str) -> Option<String> {
    std::fs::read_to_string(rig.file(name)).ok()
}

#[tokio::test]
async fn changes_are_taken_back_one_by_one_each_after_a_look_and_the_model_is_told_once() {
    let mut rig = changed().await;
    let no = Decision::Deny { reason: None };
    assert_eq!(undo(&mut rig, FIRST, None, no).await, "new.txt");
    assert_eq!(text(&rig, "new.txt").as_deref(), Some("x\n"), "a no leaves it");
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "new.txt");
    assert_eq!(text(&rig, "new.txt"), None);
    // The reopened session knows about the undo.
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    rig.order(FIRST, Command::NewSession).await;
    let beside = rig.meant(FIRST);
    rig.order(beside, Command::Resume { session }).await;
    let seat = rig.meant(beside);
    assert_eq!(undo(&mut rig, seat, None, once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("one\n"));
    let undone = taken_back(&mut rig, seat);
    assert!(undone.len() == 2 && undone[0] > undone[1], "{undone:?}");
    rig.order(seat, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::Nothing { path: None }).await;
    rig.script("go", [says("I see")]);
    rig.turn(seat, "go on").await;
    let sent = rig.sent();
    assert_eq!(sent.matches(TOLD).count(), 2, "{sent}");
    assert!(sent.contains("/undo new.txt") && sent.contains("/undo a.txt"), "{sent}");
    assert!(!sent.contains("refused this call"), "what stayed is no news: {sent}");
}

#[tokio::test]
async fn the_last_change_of_one_file_is_taken_back_and_what_cannot_be_is_said() {
    let mut rig = changed().await;
    assert_eq!(undo(&mut rig, FIRST, Some("./a.txt"), once()).await, "a.txt");
    let nothing = |path: &str| UndoNotice::Nothing {
        path: Some(path.to_owned()),
    };
    for path in ["a.txt", "never.txt"] {
        let path = Some(path.to_owned());
        rig.order(FIRST, Command::Undo { path }).await;
    }
    for path in ["a.txt", "never.txt"] {
        hears(&mut rig, &nothing(path)).await;
    }
    std::fs::write(rig.file("new.txt"), "x\nand mine\n").unwrap();
    rig.order(FIRST, Command::Undo { path: None }).await;
    let files = vec![("new.txt".to_owned(), NotUndone::Grown)];
    hears(&mut rig, &UndoNotice::No { files }).await;
    assert_eq!(text(&rig, "new.txt").as_deref(), Some("x\nand mine\n"));
    // A change that was already reverted by hand is skipped.
    std::fs::remove_file(rig.file("new.txt")).unwrap();
    rig.order(FIRST, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::Nothing { path: None }).await;
}

#[tokio::test]
async fn a_file_that_was_dropped_when_its_change_was_taken_back_is_proposed_the_next_time() {
    let wishes = Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "x\n")],
        ..allowing(json!({"edit": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-x\n+y\n";
    rig.script("go", [calls("p", "patch", &json!({"patch": patch})), says("done")]);
    rig.turn(FIRST, "go").await;
    assert_eq!(text(&rig, "b.txt").as_deref(), Some("y\n"));
    let kept = Kept::Parts {
        files: vec![None, Some(PartKept::Hunks(vec![false]))],
    };
    assert_eq!(
        undo(&mut rig, FIRST, None, Decision::Once { kept }).await,
        "a.txt and 1 more"
    );
    let now = ["a.txt", "b.txt"].map(|name| text(&rig, name).unwrap());
    assert_eq!(now, ["one\n", "y\n"]);
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "b.txt");
    assert_eq!(text(&rig, "b.txt").as_deref(), Some("x\n"));
    assert_eq!(lines(&mut rig, FIRST), ["/undo a.txt", "/undo b.txt"]);
}

#[tokio::test]
async fn a_file_that_is_left_is_not_among_the_names_of_what_was_taken_back() {
    let wishes = Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "x\n"), ("c.txt", "y\n")],
        ..allowing(json!({"edit": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    let mode = PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(rig.file("a.txt"), mode).unwrap();
    let lines_of = |name: &str, from: &str| {
        format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{from}\n+new\n")
    };
    let mode = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n";
    let patch = [mode, &lines_of("b.txt", "x"), &lines_of("c.txt", "y")].concat();
    rig.script("go", [calls("p", "patch", &json!({"patch": patch})), says("done")]);
    rig.turn(FIRST, "go").await;
    let no = Decision::Deny { reason: None };
    assert_eq!(undo(&mut rig, FIRST, None, no).await, "b.txt and 1 more");
    rig.order(FIRST, Command::Undo { path: None }).await;
    let asked = rig.asked(FIRST).await;
    assert_eq!(asked.title, "b.txt and 1 more");
    let files = vec![("a.txt".to_owned(), NotUndone::ModeAlone { was: Some(0o644) })];
    hears(&mut rig, &UndoNotice::Without { files }).await;
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    assert_eq!(lines(&mut rig, FIRST), ["/undo b.txt, c.txt", "/undo b.txt, c.txt"]);
    rig.script("go", [says("I see")]);
    rig.turn(FIRST, "go on").await;
    let sent = rig.sent();
    assert!(
        sent.contains("/undo b.txt, c.txt") && !sent.contains("/undo a.txt"),
        "{sent}"
    );
}

#[tokio::test]
async fn what_was_changed_before_a_file_that_cannot_be_taken_back_is_proposed() {
    let mut rig = changed().await;
    std::fs::write(rig.file("new.txt"), "x\nand mine\n").unwrap();
    rig.order(FIRST, Command::Undo { path: None }).await;
    let asked = rig.asked(FIRST).await;
    let files = vec![("new.txt".to_owned(), NotUndone::Grown)];
    hears(&mut rig, &UndoNotice::Older { files: files.clone() }).await;
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("one\n"));
    assert_eq!(text(&rig, "new.txt").as_deref(), Some("x\nand mine\n"));
    rig.order(FIRST, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::No { files }).await;
}

#[tokio::test]
async fn a_change_of_the_mode_alone_is_in_the_way_of_no_older_lines() {
    let mut rig = changed().await;
    let mode = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n";
    rig.script("go", [calls("m", "patch", &json!({"patch": mode})), says("done")]);
    rig.turn(FIRST, "go on").await;
    assert_eq!(undo(&mut rig, FIRST, Some("a.txt"), once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("one\n"));
}

#[tokio::test]
async fn a_conflict_is_proposed_and_the_next_undo_goes_further_back() {
    let wishes = Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "x\n")],
        ..allowing(json!({"edit": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    let patch = |lines: &[(&str, &str, &str)]| {
        let part = |(path, from, to): &(&str, &str, &str)| {
            format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{from}\n+{to}\n")
        };
        json!({"patch": lines.iter().map(part).collect::<String>()})
    };
    rig.script(
        "go",
        [
            calls("p", "patch", &patch(&[("b.txt", "x", "y")])),
            calls("q", "patch", &patch(&[("a.txt", "one", "two"), ("b.txt", "y", "z")])),
            calls("r", "patch", &patch(&[("a.txt", "two", "three")])),
            says("done"),
        ],
    );
    rig.turn(FIRST, "go").await;
    assert_eq!(text(&rig, "b.txt").as_deref(), Some("z\n"));
    std::fs::write(rig.file("a.txt"), "mine\n").unwrap();
    let no = || Decision::Deny { reason: None };
    assert_eq!(undo(&mut rig, FIRST, None, no()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("mine\n"));
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "b.txt", "an older change");
    let files = vec![("a.txt".to_owned(), NotUndone::Changed)];
    hears(&mut rig, &UndoNotice::Older { files }).await;
    assert_eq!(text(&rig, "b.txt").as_deref(), Some("y\n"));
    assert_eq!(undo(&mut rig, FIRST, Some("a.txt"), no()).await, "a.txt");
    assert_eq!(undo(&mut rig, FIRST, Some("a.txt"), once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("two\n"), "the old text was chosen");
    assert_eq!(undo(&mut rig, FIRST, Some("a.txt"), once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("one\n"));
}

#[tokio::test]
async fn an_older_change_elsewhere_in_a_file_is_reached_after_a_conflict_was_kept() {
    let line = |at: usize| format!("line {at}\n");
    let old: String = (1..=30).map(line).collect();
    let wishes = Wishes {
        files: &[("a.txt", "")],
        ..allowing(json!({"edit": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    std::fs::write(rig.file("a.txt"), &old).unwrap();
    let edit = |at: usize| json!({"path": "a.txt", "edits": [{"old": line(at), "new": format!("new {at}\n")}]});
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "a.txt"})),
            calls("e", "edit", &edit(2)),
            calls("f", "edit", &edit(25)),
            says("done"),
        ],
    );
    rig.turn(FIRST, "go").await;
    let mine = |text: &str| text.replace("line 25\n", "mine\n");
    let now = text(&rig, "a.txt").unwrap().replace("new 25\n", "mine\n");
    std::fs::write(rig.file("a.txt"), &now).unwrap();
    let no = Decision::Deny { reason: None };
    assert_eq!(undo(&mut rig, FIRST, None, no).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").unwrap(), now);
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").unwrap(), mine(&old), "the later change stays");
}

#[tokio::test]
async fn a_command_of_the_shell_that_begins_like_it_takes_no_change_back() {
    let mut rig = changed().await;
    let command = "/undo a.txt".to_owned();
    rig.order(FIRST, Command::Shell { command, typed: true }).await;
    let asked = rig.asked(FIRST).await;
    assert_ne!(asked.tool, "/undo");
    rig.decide(FIRST, &asked, once()).await;
    let shell = |told: &Told| matches!(body(told), Some(Body::Shell { .. }));
    let at = rig.until("the end of the command", shell).await;
    let told = rig.heard.remove(at);
    let Some(Body::Shell { command, .. }) = body(&told) else {
        panic!("{told:?}")
    };
    assert_eq!(as_typed(command), "! /undo a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("two\n"));
}

#[tokio::test]
async fn while_a_turn_runs_nothing_is_taken_back() {
    let mut rig = changed().await;
    rig.prompt(FIRST, "never answered").await;
    rig.heard.clear();
    rig.order(FIRST, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::Busy).await;
    let asks = |told: &Told| matches!(&told.event, Event::Live(Live::ApprovalRequested(_)));
    assert!(!rig.heard.iter().any(asks));
    let changes = |told: &Told| matches!(body(told), Some(Body::Change { .. }));
    assert!(!rig.heard.iter().any(changes));
}

fn prompts(rig: &mut Rig, seat: SeatId) -> Vec<EntryId> {
    let log = rig.log(seat);
    let prompts = log.iter().filter(|entry| matches!(entry.body, Body::User { .. }));
    prompts.map(|entry| entry.id).collect()
}

#[tokio::test]
async fn a_rewind_undoes_all_changes_since_a_prompt_in_one_proposal_and_redo_brings_them_back() {
    let mut rig = changed().await;
    let edit = json!({"path": "a.txt", "edits": [{"old": "two", "new": "three"}]});
    rig.script("go", [calls("e2", "edit", &edit), says("done")]);
    rig.turn(FIRST, "again").await;
    std::fs::write(rig.file("mine.txt"), "mine\n").unwrap();
    let first = prompts(&mut rig, FIRST)[0];
    let what = Rewind::Files;
    rig.order(FIRST, Command::Rewind { prompt: first, what }).await;
    let asked = rig.asked(FIRST).await;
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    assert_eq!(
        (text(&rig, "a.txt").as_deref(), text(&rig, "new.txt")),
        (Some("one\n"), None)
    );
    assert_eq!(text(&rig, "mine.txt").as_deref(), Some("mine\n"));
    rig.order(FIRST, Command::Redo).await;
    let asked = rig.asked(FIRST).await;
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("three\n"));
    assert_eq!(text(&rig, "new.txt").as_deref(), Some("x\n"));
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "a.txt");
    assert_eq!(
        text(&rig, "a.txt").as_deref(),
        Some("two\n"),
        "the change applies again"
    );
}

#[tokio::test]
async fn a_rewind_of_the_conversation_opens_a_copy_that_ends_before_the_prompt() {
    let mut rig = changed().await;
    rig.script("go", [says("second answer")]);
    rig.turn(FIRST, "and now").await;
    let second = prompts(&mut rig, FIRST)[1];
    let what = Rewind::Conversation;
    rig.order(FIRST, Command::Rewind { prompt: second, what }).await;
    let beside = rig.meant(FIRST);
    assert_ne!(beside, FIRST);
    assert_eq!(prompts(&mut rig, beside).len(), 1);
    let back = |told: &Told| matches!(&told.event, Event::Answer(Answer::Unqueued { text }) if text == "and now");
    assert!(rig.heard.iter().any(back), "{:#?}", rig.heard);
    assert_eq!(
        rig.engine.setup.storage.list().await.unwrap().len(),
        2,
        "the old session stays"
    );
    rig.script("go", [says("other answer")]);
    rig.turn(beside, "another way").await;
    let sent = rig.sent();
    assert!(
        sent.contains("another way") && !sent.contains("second answer"),
        "{sent}"
    );
}

/// Rewinds the conversation to the first prompt. Returns the seat of the copy.
async fn rewound(rig: &mut Rig, seat: SeatId) -> SeatId {
    let (prompt, what) = (prompts(rig, seat)[0], Rewind::Conversation);
    rig.order(seat, Command::Rewind { prompt, what }).await;
    rig.meant(seat)
}

#[tokio::test]
async fn after_a_rewind_undo_and_redo_name_the_session_with_the_changes() {
    let mut rig = changed().await;
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    let title = rig.engine.setup.storage.list().await.unwrap()[0].title.clone();
    let earlier = UndoNotice::EarlierSession {
        session: session.clone(),
        title,
    };
    let copy = rewound(&mut rig, FIRST).await;
    rig.order(copy, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::Nothing { path: None }).await;
    hears(&mut rig, &earlier).await;
    rig.heard.clear();
    rig.order(copy, Command::Redo).await;
    hears(&mut rig, &UndoNotice::Nothing { path: None }).await;
    // The earlier session now has an undone change, so a redo in the new copy names that session.
    rig.order(copy, Command::Resume { session }).await;
    let named = rig.meant(copy);
    assert_eq!(undo(&mut rig, named, None, once()).await, "new.txt");
    let copy = rewound(&mut rig, named).await;
    rig.heard.clear();
    rig.order(copy, Command::Redo).await;
    hears(&mut rig, &earlier).await;
}

/// Handles reports until a call has finished. Does not handle its result, as if the process were killed.
async fn killed_before_the_result(rig: &mut Rig) {
    loop {
        let report = rig.reported.recv().await.unwrap();
        let is_end = matches!(
            &report,
            Report::Happened {
                happened: Happened::Finished { .. },
                ..
            }
        );
        if is_end {
            return;
        }
        rig.report(report).await;
    }
}

async fn reports_rewind(rig: &mut Rig) -> bool {
    for _ in 0..8 {
        rig.report_next().await;
    }
    let mut notices = rig.heard.iter().filter_map(said);
    notices.any(|notice| *notice == UndoNotice::RewindUnfinished)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewind_that_ended_after_the_files_is_reported_until_the_conversation_is_rewound() {
    let no = Decision::Deny { reason: None };
    for (decision, is_logged, is_reported) in [(once(), true, true), (once(), false, true), (no, true, false)] {
        let home = Arc::new(tempfile::tempdir().unwrap());
        let mut rig = changed_in(Arc::clone(&home)).await;
        let session = rig.seats.get(FIRST).unwrap().session().clone();
        let (prompt, what) = (prompts(&mut rig, FIRST)[0], Rewind::Both);
        rig.order(FIRST, Command::Rewind { prompt, what }).await;
        let asked = rig.asked(FIRST).await;
        rig.decide(FIRST, &asked, decision).await;
        if is_logged {
            rig.ends(FIRST).await;
        } else {
            killed_before_the_result(&mut rig).await;
        }
        drop(rig);
        let open = OpenWhat::Exactly(session.clone());
        let mut rig = Rig::at(
            home,
            Wishes {
                open,
                ..Wishes::default()
            },
        )
        .await;
        assert_eq!(reports_rewind(&mut rig).await, is_reported, "logged: {is_logged}");
        let what = Rewind::Conversation;
        rig.order(FIRST, Command::Rewind { prompt, what }).await;
        let copy = rig.meant(FIRST);
        rig.heard.clear();
        rig.order(copy, Command::Resume { session }).await;
        assert!(!reports_rewind(&mut rig).await, "the conversation is rewound");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_a_kill_kept_from_the_log_is_undone_after_the_restart() {
    let home = Arc::new(tempfile::tempdir().unwrap());
    let edits = allowing(json!({"edit": "allow"}));
    let mut rig = Rig::at(Arc::clone(&home), edits).await;
    let made = rig.file("made.txt");
    rig.script(
        "go",
        [calls("w", "write", &json!({"path": "made.txt", "content": "x\n"}))],
    );
    rig.prompt(FIRST, "go").await;
    killed_before_the_result(&mut rig).await;
    assert!(made.exists());
    let open = OpenWhat::Exactly(rig.seats.get(FIRST).unwrap().session().clone());
    drop(rig);
    let edits = allowing(json!({"edit": "allow"}));
    let mut rig = Rig::at(home, Wishes { open, ..edits }).await;
    assert_eq!(undo(&mut rig, FIRST, None, once()).await, "made.txt");
    assert!(!made.exists());
}

async fn ran(command: &str, files: &'static [(&'static str, &'static str)]) -> (Rig, Vec<Told>) {
    let wishes = Wishes {
        files,
        ..Wishes::default()
    };
    let mut rig = Rig::new(wishes).await;
    rig.script("go", [calls("b", "bash", &json!({"command": command})), says("done")]);
    rig.prompt(FIRST, "go").await;
    let asked = rig.asked(FIRST).await;
    rig.decide(FIRST, &asked, once()).await;
    let heard = rig.ends(FIRST).await;
    (rig, heard)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_changed_goes_back_and_what_others_changed_stays() {
    let files = &[
        ("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n"),
        ("gone.txt", "g\n"),
        ("mine.txt", "m\n"),
    ];
    let (mut rig, _) = ran(
        "sed -i 's/one/ONE/' a.txt && touch made.txt && mv gone.txt moved.txt",
        files,
    )
    .await;
    assert_eq!(
        text(&rig, "a.txt").as_deref(),
        Some("ONE\ntwo\nthree\nfour\nfive\nsix\n")
    );
    std::fs::write(rig.file("a.txt"), "ONE\ntwo\nthree\nfour\nfive\nSIX\n").unwrap();
    std::fs::write(rig.file("mine.txt"), "other\n").unwrap();
    undo(&mut rig, FIRST, None, once()).await;
    assert_eq!(
        text(&rig, "a.txt").as_deref(),
        Some("one\ntwo\nthree\nfour\nfive\nSIX\n")
    );
    assert_eq!(text(&rig, "gone.txt").as_deref(), Some("g\n"));
    assert_eq!((text(&rig, "made.txt"), text(&rig, "moved.txt")), (None, None));
    assert_eq!(text(&rig, "mine.txt").as_deref(), Some("other\n"));
    rig.order(FIRST, Command::Undo { path: None }).await;
    hears(&mut rig, &UndoNotice::Nothing { path: None }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_a_person_during_a_command_is_announced_kept_on_request_and_redone() {
    let wishes = Wishes {
        files: &[("a.txt", "one\n"), ("mine.txt", "m\n")],
        ..allowing(json!({"edit": "allow", "bash": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    let command =
        "touch begun; until [ -e mine.txt.saved ]; do sleep 0.01; done; rm begun mine.txt.saved; echo two > a.txt";
    rig.script(
        "go",
        [
            calls("w", "write", &json!({"path": "new.txt", "content": "x\n"})),
            calls("b", "bash", &json!({"command": command})),
            says("done"),
        ],
    );
    rig.prompt(FIRST, "go").await;
    let asked = rig.asked(FIRST).await;
    rig.decide(FIRST, &asked, once()).await;
    while !rig.file("begun").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    std::fs::write(rig.file("mine.txt"), "mine\n").unwrap();
    std::fs::write(rig.file("mine.txt.saved"), "").unwrap();
    rig.ends(FIRST).await;
    let kept = Kept::Parts {
        files: vec![None, Some(PartKept::Hunks(vec![false]))],
    };
    let undo = |path: Option<&str>| Command::Undo {
        path: path.map(str::to_owned),
    };
    let steps = [
        // A deselected hunk stays.
        (undo(None), Decision::Once { kept }, true, "mine\n"),
        (undo(None), once(), true, "m\n"),
        // The notice about changes during a command does not apply to a redo, or to an undo of an edit tool's change.
        (Command::Redo, once(), false, "mine\n"),
        (undo(Some("new.txt")), once(), false, "mine\n"),
    ];
    for (command, decision, is_announced, mine) in steps {
        rig.order(FIRST, command).await;
        let asked = rig.asked(FIRST).await;
        let mut notices = rig.heard.iter().filter_map(said);
        let announced = notices.any(|notice| *notice == UndoNotice::DuringCommand);
        assert_eq!(announced, is_announced, "{}", asked.title);
        rig.decide(FIRST, &asked, decision).await;
        rig.ends(FIRST).await;
        let now = ["a.txt", "mine.txt"].map(|name| text(&rig, name).unwrap());
        assert_eq!(now, ["one\n", mine], "{}", asked.title);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_changes_what_cannot_be_restored_names_it() {
    let (mut rig, heard) = ran(
        "ln -s a.txt link && mkfifo pipe && chmod 600 a.txt",
        &[("a.txt", "one\n")],
    )
    .await;
    let files = ["link", "pipe"]
        .map(|name| (name.to_owned(), NotUndone::NotKept))
        .to_vec();
    let told = UndoNotice::NotCovered { files };
    assert!(heard.iter().any(|one| said(one) == Some(&told)), "{heard:#?}");
    rig.order(FIRST, Command::Undo { path: None }).await;
    let files = vec![("a.txt".to_owned(), NotUndone::ModeAlone { was: Some(0o644) })];
    hears(&mut rig, &UndoNotice::No { files }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_while_a_job_ran_is_named_and_undone_only_by_its_path() {
    let wishes = Wishes {
        files: &[("a.txt", "one\n"), ("mine.txt", "m\n")],
        ..allowing(json!({"edit": "allow", "bash": "allow"}))
    };
    let mut rig = Rig::new(wishes).await;
    let job = "until [ -e go ]; do sleep 0.01; done; echo two > a.txt; touch done; sleep 100";
    rig.script(
        "go",
        [
            calls("w", "write", &json!({"path": "new.txt", "content": "x\n"})),
            calls("b", "bash", &json!({"command": job, "background": true})),
            says("done"),
        ],
    );
    rig.prompt(FIRST, "go").await;
    let asked = rig.asked(FIRST).await;
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    std::fs::write(rig.file("go"), "").unwrap();
    while !rig.file("done").exists() {
        rig.report_next().await;
    }
    let job = JobId(1);
    rig.order(FIRST, Command::Undo { path: None }).await;
    let asked = rig.asked(FIRST).await;
    let by_job = |path: &str| (path.to_owned(), NotUndone::ByJob { job });
    let files = ["a.txt", "done", "go"].map(by_job).to_vec();
    hears(&mut rig, &UndoNotice::Older { files }).await;
    assert_eq!(asked.title, "new.txt");
    rig.decide(FIRST, &asked, once()).await;
    rig.ends(FIRST).await;
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("two\n"));
    assert_eq!(undo(&mut rig, FIRST, Some("a.txt"), once()).await, "a.txt");
    assert_eq!(text(&rig, "a.txt").as_deref(), Some("one\n"));
    // Changes that others make before the command ends are logged as changes of the command.
    std::fs::write(rig.file("mine.txt"), "other\n").unwrap();
    rig.order(FIRST, Command::EndJob { job }).await;
    let of_job = |told: &Told| matches!(body(told), Some(Body::Change { path, job, .. }) if path == "mine.txt" && *job == Some(JobId(1)));
    rig.until("the change of the job", of_job).await;
    std::fs::write(rig.file("mine.txt"), "last\n").unwrap();
    rig.order(FIRST, Command::Undo { path: None }).await;
    let log = rig.log(FIRST);
    let changes = log
        .iter()
        .filter(|entry| matches!(&entry.body, Body::Change { path, .. } if path == "mine.txt"));
    assert_eq!(changes.count(), 1, "after the end of the job a change is nobody's");
}
