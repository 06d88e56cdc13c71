//! Tests a pending edit whose file another program saves.

use serde_json::json;

use super::{SEAT, once};
use crate::engine::tests::rig::{Rig, Wishes, body, calls, says};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::Decision;
use benchdog_domain::review::{FileNow, Review};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{ApprovalRequest, Command, Event, Live, OnDisk};

/// Creates a session with a pending edit of a file that the model has read.
async fn waits() -> (Rig, std::sync::Arc<ApprovalRequest>) {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\ntwo\nthree\nfour\n"), ("b.txt", "as it was\n")],
        ..Wishes::default()
    })
    .await;
    let edit = json!({"path": "a.txt", "edits": [{"old": "two\n", "new": "2\n"}]});
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "a.txt"})),
            calls("e", "edit", &edit),
            says("done"),
        ],
    );
    rig.prompt(SEAT, "go").await;
    let asked = rig.asked(SEAT).await;
    (rig, asked)
}

fn text(rig: &Rig) -> String {
    std::fs::read_to_string(rig.file("a.txt")).unwrap()
}

fn before(asked: &ApprovalRequest) -> Vec<FileNow> {
    asked.review.files_now()
}

async fn decide(rig: &mut Rig, edition: u32, decision: Decision) {
    let call = benchdog_base::id::CallId("e".to_owned());
    let decide = Command::Decide {
        call,
        edition,
        decision,
    };
    rig.order(SEAT, decide).await;
}

async fn ended(rig: &mut Rig) -> (CallStatus, String) {
    let heard = rig.ends(SEAT).await;
    let mut results = heard.iter().filter_map(body).filter_map(|body| match body {
        Body::ToolResult {
            tool, status, output, ..
        } if tool == "edit" => Some((*status, output.clone())),
        _ => None,
    });
    results.next_back().unwrap()
}

#[tokio::test]
async fn what_was_saved_elsewhere_is_noticed_and_the_change_is_shown_against_it() {
    let (mut rig, first) = waits().await;
    assert_eq!((first.edition, first.review.is_against_newer()), (0, false));
    std::fs::write(rig.file("a.txt"), "one\ntwo\nthree\nfour\nmine\n").unwrap();
    let anew = rig.asked(SEAT).await;
    assert_eq!((anew.edition, anew.on_disk), (1, OnDisk::Newer));
    assert!(anew.review.is_against_newer(), "the review says so");
    let (_, there) = before(&anew).remove(0);
    assert_eq!(there.as_deref(), Some(&b"one\ntwo\nthree\nfour\nmine\n"[..]));
    decide(&mut rig, 0, once()).await;
    let is_decided = |entry: &std::sync::Arc<Entry>| matches!(entry.body, Body::Approval { .. });
    assert!(
        !rig.log(SEAT).iter().any(is_decided),
        "that was for what is not shown any more"
    );
    decide(&mut rig, 1, once()).await;
    let (status, told) = ended(&mut rig).await;
    assert_eq!(status, CallStatus::Ok);
    assert_eq!(text(&rig), "one\n2\nthree\nfour\nmine\n");
    assert!(told.contains("saved elsewhere"), "{told}");
}

#[tokio::test]
async fn what_is_allowed_in_the_moment_in_which_the_file_is_saved_is_shown_anew_before_it_is_written() {
    let (mut rig, _) = waits().await;
    std::fs::write(rig.file("a.txt"), "zero\none\ntwo\nthree\nfour\n").unwrap();
    decide(&mut rig, 0, once()).await;
    assert_eq!(text(&rig), "zero\none\ntwo\nthree\nfour\n");
    let anew = rig.asked(SEAT).await;
    assert_eq!(anew.edition, 1);
    assert_eq!(text(&rig), "zero\none\ntwo\nthree\nfour\n", "nobody has seen that");
    decide(&mut rig, 1, once()).await;
    assert_eq!(ended(&mut rig).await.0, CallStatus::Ok);
    assert_eq!(text(&rig), "zero\none\n2\nthree\nfour\n");
}

#[tokio::test]
async fn what_does_not_fit_any_more_says_so_and_comes_back_where_the_file_does() {
    let (mut rig, first) = waits().await;
    std::fs::write(rig.file("a.txt"), "one\ntoo\nthree\nfour\n").unwrap();
    let told = rig.asked(SEAT).await;
    assert_eq!((told.edition, told.on_disk), (0, OnDisk::FitsNot));
    assert_eq!(told.review, first.review, "it is what was looked at");
    std::fs::write(rig.file("a.txt"), "one\ntwo\nthree\nfour\n").unwrap();
    let told = rig.asked(SEAT).await;
    assert_eq!((told.edition, told.on_disk), (0, OnDisk::AsShown));
    std::fs::write(rig.file("a.txt"), "one\ntoo\nthree\nfour\n").unwrap();
    assert_eq!(rig.asked(SEAT).await.on_disk, OnDisk::FitsNot);
    decide(&mut rig, 0, once()).await;
    let (status, told) = ended(&mut rig).await;
    assert_eq!(status, CallStatus::Error);
    assert!(told.contains("conflict") && told.contains("changed on disk"), "{told}");
    assert_eq!(text(&rig), "one\ntoo\nthree\nfour\n");
}

#[tokio::test]
async fn a_whole_file_is_not_written_over_what_its_model_never_saw() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    let write = json!({"path": "a.txt", "content": "all new\n"});
    rig.script(
        "go",
        [
            calls("r", "read", &json!({"path": "a.txt"})),
            calls("e", "write", &write),
            says("done"),
        ],
    );
    rig.prompt(SEAT, "go").await;
    rig.asked(SEAT).await;
    std::fs::write(rig.file("a.txt"), "one\nmine\n").unwrap();
    assert_eq!(rig.asked(SEAT).await.on_disk, OnDisk::FitsNot);
    decide(&mut rig, 0, once()).await;
    rig.ends(SEAT).await;
    assert_eq!(text(&rig), "one\nmine\n");
}

#[tokio::test]
async fn of_several_files_the_one_that_changed_decides() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "far\n")],
        ..Wishes::default()
    })
    .await;
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-two\n+2\n";
    rig.script("go", [calls("e", "patch", &json!({"patch": patch})), says("done")]);
    rig.prompt(SEAT, "go").await;
    let first = rig.asked(SEAT).await;
    std::fs::write(rig.file("c.txt"), "no file of it\n").unwrap();
    std::fs::write(rig.file("b.txt"), "two\nmine\n").unwrap();
    let anew = rig.asked(SEAT).await;
    let (Review::Files(first), Review::Files(anew)) = (&first.review, &anew.review) else {
        panic!("files")
    };
    assert_eq!(first[0], anew[0]);
    assert!(anew[1].note.as_ref().is_some_and(|note| note.has_changed_on_disk()));
    decide(&mut rig, 1, once()).await;
    rig.ends(SEAT).await;
    assert_eq!(text(&rig), "1\n");
    assert_eq!(std::fs::read_to_string(rig.file("b.txt")).unwrap(), "2\nmine\n");
}

#[tokio::test]
async fn a_denial_counts_whatever_was_shown() {
    let (mut rig, _) = waits().await;
    std::fs::write(rig.file("a.txt"), "one\ntwo\n").unwrap();
    rig.asked(SEAT).await;
    decide(&mut rig, 0, Decision::Deny { reason: None }).await;
    assert_eq!(ended(&mut rig).await.0, CallStatus::Denied);
    assert_eq!(text(&rig), "one\ntwo\n");
}

#[tokio::test]
async fn a_file_that_is_saved_all_the_time_is_shown_anew_once_a_second_at_the_most_and_in_the_end_as_it_is() {
    let (mut rig, _) = waits().await;
    let (path, began) = (rig.file("a.txt"), std::time::Instant::now());
    let saves = std::thread::spawn(move || {
        for n in 0..=60 {
            std::fs::write(&path, format!("one\ntwo\nthree\nfour\nsave {n}.\n")).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    let mut told = 0;
    loop {
        let asked = rig.asked(SEAT).await;
        told += 1;
        let (_, there) = before(&asked).remove(0);
        if there.is_some_and(|there| there.ends_with(b"save 60.\n")) {
            break;
        }
    }
    saves.join().unwrap();
    assert!(told <= 2 + began.elapsed().as_secs(), "{told} times");
}

#[tokio::test]
async fn what_waits_behind_the_one_that_is_asked_about_is_shown_against_what_is_there_when_its_turn_comes() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "two\n")],
        ..Wishes::default()
    })
    .await;
    let read = |id, path| calls(id, "read", &json!({"path": path}));
    let edit = |id, path, old, new| calls(id, "edit", &json!({"path": path, "edits": [{"old": old, "new": new}]}));
    let mut both = edit("e", "a.txt", "one\n", "1\n");
    both.calls.extend(edit("f", "b.txt", "two\n", "2\n").calls);
    rig.script("go", [read("r", "a.txt"), read("s", "b.txt"), both, says("done")]);
    rig.prompt(SEAT, "go").await;
    rig.asked(SEAT).await;
    rig.until(
        "what comes behind",
        |told| matches!(&told.event, Event::Live(Live::Ahead(ahead)) if ahead.asks.len() == 1),
    )
    .await;
    std::fs::write(rig.file("b.txt"), "two\nmine\n").unwrap();
    decide(&mut rig, 0, once()).await;
    let behind = rig.asked(SEAT).await;
    assert!(behind.review.is_against_newer());
    let decide = Command::Decide {
        call: behind.call.clone(),
        edition: behind.edition,
        decision: once(),
    };
    rig.order(SEAT, decide).await;
    rig.ends(SEAT).await;
    assert_eq!(text(&rig), "1\n");
    assert_eq!(std::fs::read_to_string(rig.file("b.txt")).unwrap(), "2\nmine\n");
}

#[tokio::test]
async fn what_was_looked_at_for_a_call_was_kept_until_the_turn_was_over() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "three\n")],
        ..Wishes::default()
    })
    .await;
    let read = |id, path| calls(id, "read", &json!({"path": path}));
    let edit = |id, path, old, new| calls(id, "edit", &json!({"path": path, "edits": [{"old": old, "new": new}]}));
    let mut all = edit("e", "a.txt", "one\n", "1\n");
    all.calls.extend(edit("f", "b.txt", "two\n", "2\n").calls);
    all.calls.extend(edit("g", "c.txt", "three\n", "3\n").calls);
    let reads = [read("r", "a.txt"), read("s", "b.txt"), read("t", "c.txt")];
    rig.script("go", reads.into_iter().chain([all, says("done")]));
    rig.prompt(SEAT, "go").await;
    rig.asked(SEAT).await;
    rig.until(
        "what comes behind",
        |told| matches!(&told.event, Event::Live(Live::Ahead(ahead)) if ahead.asks.len() == 2),
    )
    .await;
    decide(&mut rig, 0, once()).await;
    let second = rig.asked(SEAT).await;
    let is_kept = |rig: &mut Rig, id: &str| {
        let call = benchdog_base::id::CallId(id.to_owned());
        !rig.seats.get(SEAT).unwrap().calls.previewed(&call).is_empty()
    };
    assert_eq!(second.call.0, "f");
    assert!(is_kept(&mut rig, "f") && is_kept(&mut rig, "g"));
    let decide = Command::Decide {
        call: second.call.clone(),
        edition: second.edition,
        decision: once(),
    };
    rig.order(SEAT, decide).await;
    assert_eq!(rig.asked(SEAT).await.call.0, "g");
    assert!(!is_kept(&mut rig, "f"), "that is over");
}

#[tokio::test]
async fn hooks_hear_once_of_a_change_that_fits_again() {
    let mut wishes = Wishes {
        files: &[("a.txt", "one\ntwo\nthree\n")],
        ..Wishes::default()
    };
    wishes.config["hooks"] = json!({"approval": [
        {"name": "bell", "command": ["/bin/sh", "-c", "cat >/dev/null; echo rang >> heard"]}
    ]});
    let mut rig = Rig::new(wishes).await;
    let edit = json!({"path": "a.txt", "edits": [{"old": "two\n", "new": "2\n"}]});
    let read = calls("r", "read", &json!({"path": "a.txt"}));
    rig.script("go", [read, calls("e", "edit", &edit), says("done")]);
    rig.prompt(SEAT, "go").await;
    let heard = rig.file("heard");
    let rings = || std::fs::read_to_string(&heard).unwrap_or_default().lines().count();
    rig.asked(SEAT).await;
    for (text, on_disk) in [
        ("one\n2\n", OnDisk::FitsNot),
        ("one\ntwo\nthree\n", OnDisk::AsShown),
        ("one\ntwo\nthree\nfour\n", OnDisk::Newer),
    ] {
        std::fs::write(rig.file("a.txt"), text).unwrap();
        assert_eq!(rig.asked(SEAT).await.on_disk, on_disk);
    }
    decide(&mut rig, 1, once()).await;
    rig.ends(SEAT).await;
    for _ in 0..400 {
        if rings() >= 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(rings(), 2, "once for what was asked first, and once for what it became");
}

#[tokio::test]
async fn a_request_that_nobody_answers_is_denied_and_the_turn_goes_on() {
    let (mut rig, asked) = waits().await;
    let call = asked.call.clone();
    rig.order(SEAT, Command::Expire { call }).await;
    let (status, told) = ended(&mut rig).await;
    assert_eq!(status, CallStatus::Denied);
    assert!(told.contains("Nobody answered"), "{told}");
    assert!(text(&rig).contains("two"));
    let decided = rig.log(SEAT).into_iter().find_map(|entry| match &entry.body {
        Body::Approval { by, .. } => Some(*by),
        _ => None,
    });
    assert_eq!(decided, Some(benchdog_domain::permission::DecidedBy::Timeout));
}
