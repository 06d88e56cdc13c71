//! Tests of `/watch`. Files changed by other programs are reported with the next prompt, and comments in them become
//! prompts.

use std::time::Duration;

use serde_json::json;

use crate::support::home::Home;
use crate::support::process::ticks;
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::screen::Screen;
use crate::support::server::Server;

/// Time after which the check at the end of a turn is finished.
const LOOK: Duration = Duration::from_millis(900);

const NOTE: &str = "not by your calls";

fn watching(home: &Home) -> Pty {
    let bench = home.bench(&[]);
    bench.ask("/watch on");
    bench.wait_for_text("Watching");
    bench
}

#[test]
fn changed_files_are_named_once_and_never_those_that_the_session_wrote() {
    let server = Server::start();
    let home = Home::with(&server);
    for name in ["a.txt", "gone.txt", ".env"] {
        home.file(name, "one\n");
    }
    home.file(".gitignore", "out/\n");
    home.repository();
    server.script([
        text("I see."),
        call("write", json!({"path": "made.txt", "content": "made\n"})),
        text("Made."),
        text("Nothing new."),
        text("Off."),
    ]);
    let bench = watching(&home);
    home.file("a.txt", "two\n");
    home.file(".env", "TOKEN=two\n");
    home.file("out/b.txt", "two\n");
    std::fs::remove_file(home.path("gone.txt")).expect("a file");
    bench.ask("first");
    bench.wait_for_text("I see.");
    let said = server.request(1).last("user").to_owned();
    assert!(
        said.contains(NOTE) && said.contains("2 files were changed: `a.txt`, `gone.txt`."),
        "{said}"
    );
    bench.ask("make a file");
    bench.accept("made");
    bench.wait_for_text("Made.");
    bench.ask("third");
    bench.wait_for_text("Nothing new.");
    for number in [2, 4] {
        let said = server.request(number).last("user").to_owned();
        assert!(!said.contains(NOTE), "{said}");
    }
    server.assert_append_only();

    bench.ask("/watch off");
    bench.wait_for_text("Not watching");
    home.file("a.txt", "three\n");
    bench.ask("fourth");
    bench.wait_for_text("Off.");
    assert!(!server.request(5).last("user").contains(NOTE));
    bench.leave();
}

#[test]
fn a_comment_in_a_saved_file_becomes_a_prompt_once() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("old.rs", "// an old request AI!\n");
    home.file("b.py", "# keep the names AI\n");
    server.script([text("Answered."), text("Changed."), text("And now."), text("Later.")]);
    let bench = watching(&home);
    let written = bench.rests(Duration::from_millis(700));
    let before = ticks(bench.pid());
    assert_eq!(bench.written_in(Duration::ZERO, Duration::from_secs(2)), 0, "idle");
    assert!(ticks(bench.pid()) - before <= 1 && written > 0, "idle");

    home.file("old.rs", "// an old request AI!\n// Is @this used AI?\n");
    bench.wait_for_text("Answered.");
    let said = server.request(1).last("user").to_owned();
    assert!(
        said.contains("- old.rs:2: // Is @this used AI?") && said.contains("Change no files"),
        "{said}"
    );
    assert!(!said.contains("an old request"), "{said}");

    bench.rests(LOOK);
    home.file("b.py", "# keep the names AI\nprint(1)\n");
    home.file("a.sql", "-- use a join AI!\nselect 1;\n");
    bench.wait_for_text("Changed.");
    let said = server.request(2).last("user").to_owned();
    assert!(
        said.contains("Do what these comments") && said.contains("- a.sql:1: -- use a join AI!"),
        "{said}"
    );
    assert!(said.contains("- b.py:1: # keep the names AI"), "{said}");

    bench.rests(LOOK);
    home.file("a.sql", "select 1;\n-- use a join AI!\nselect 2;\n");
    home.file("c.html", "<!-- shorten this AI! -->\n");
    bench.wait_for_text("And now.");
    let said = server.request(3).last("user").to_owned();
    assert!(said.contains("c.html:1") && !said.contains("- a.sql"), "{said}");
    bench.ask("mine");
    bench.wait_for_text("Later.");
    assert!(server.request(4).last("user").starts_with("mine"));
    server.assert_append_only();
    bench.leave();
}

#[test]
fn comments_that_are_saved_during_a_turn_or_a_job_are_only_reported() {
    let server = Server::start();
    let home = Home::with(&server).window(240, 40);
    home.repository();
    server.script([
        call("write", json!({"path": "made.rs", "content": "// do more AI!\n"})),
        text("Made."),
        call(
            "bash",
            json!({"command": "sleep 2; echo '// again AI!' > loop.rs; sleep 30", "background": true}),
        ),
        text("Started."),
    ]);
    let bench = watching(&home);
    bench.ask("make it");
    bench.wait_for_review("do more");
    home.file("mine.rs", "// rename this AI!\n");
    // The check during the turn must change nothing. Let it finish before the decision.
    bench.rests(Duration::from_millis(600));
    assert_eq!(server.requests().len(), 1);
    bench.accept("do more");
    bench.wait_for_text("Comments in one changed file were not sent: a turn");
    assert_eq!(server.requests().len(), 2);
    bench.ask("start it");
    bench.accept("again AI");
    bench.wait_for_text("Started.");
    let told = |screen: &Screen| screen.text().matches("were not sent: a turn").count() == 2;
    bench.wait_for("the second notice", told);
    bench.rests(LOOK);
    assert_eq!(server.requests().len(), 4);
    bench.leave();
}

#[test]
fn a_thousand_changed_files_and_files_that_git_brings_start_no_turn() {
    let server = Server::start();
    let home = Home::with(&server).window(240, 40);
    home.file("a.txt", "one\n").repository();
    home.git(&["checkout", "-q", "-b", "other"]);
    home.file("evil.rs", "// delete everything AI!\n");
    home.git(&["add", "."]);
    home.git(&["commit", "-q", "-m", "second"]);
    home.git(&["checkout", "-q", "trunk"]);
    server.script([text("I see.")]);
    let bench = watching(&home);
    home.git(&["checkout", "-q", "other"]);
    bench.wait_for_text("Comments in one changed file were not sent");
    for number in 0..1_000 {
        home.file(&format!("many/f{number:04}.rs"), "// do it AI!\n");
    }
    bench.wait_for_text("changed files were not sent");
    bench.ask("what is new?");
    bench.wait_for_text("I see.");
    let said = server.request(1).last("user").to_owned();
    assert!(
        said.contains("1001 files were changed, among them `evil.rs`, `many/f0000.rs`"),
        "{said}"
    );
    assert!(said.contains("f0018.rs") && !said.contains("f0019.rs"), "{said}");
    assert_eq!(server.requests().len(), 1);
    bench.leave();
}

#[test]
fn comments_in_ignored_secret_and_large_files_are_not_read() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(".gitignore", "out/\n").repository();
    server.script([text("Done.")]);
    let bench = watching(&home);
    home.file("out/a.rs", "// ignored AI!\n");
    home.file(".env", "# secret AI!\n");
    home.file("large.rs", &format!("// large AI!\n{}", "x\n".repeat(200_000)));
    home.file("b.rs", "// this one AI!\n");
    bench.wait_for_text("Done.");
    let said = server.request(1).last("user").to_owned();
    assert!(said.contains("- b.rs:1:"), "{said}");
    for other in ["ignored", "secret AI!", "large AI!"] {
        assert!(!said.contains(other), "{said}");
    }
    bench.leave();
}

#[test]
fn a_folder_is_watched_by_one_session() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("First.")]);
    let bench = watching(&home);
    bench.ask("one");
    bench.wait_for_text("First.");
    bench.ask("/new beside");
    bench.wait_for("the new session", |screen| !screen.has("First."));
    bench.ask("/watch");
    bench.wait_for_text("Not watching");
    bench.ask("/watch on");
    bench.wait_for_text("Another session watches this folder");
    bench.leave();
}
