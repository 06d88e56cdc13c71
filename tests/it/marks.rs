//! What a person makes of a proposal is not lost with the program: it comes back where the same is reviewed, and decides nothing.

use rustix::process::Signal;
use serde_json::json;

use crate::support::PATIENCE;
use crate::support::bench::enter_counts;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// The files of that ending beside the sessions.
fn kept(home: &Home, ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(home.benchdog_home().join("data/sessions")).expect("the sessions");
    let files = files.flatten().map(|file| file.path());
    let files = files.filter(|path| path.extension().is_some_and(|found| found == ending));
    files.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn edits() -> serde_json::Value {
    let edits = json!([{"old": "line 5\n", "new": "fifth\n"}, {"old": "line 30\n", "new": "thirtieth\n"}]);
    json!({"path": "a.txt", "edits": edits})
}

/// The first hunk is dropped, and the second edited in its place.
fn marked(home: &Home) -> Pty {
    home.file("a.txt", &(1..=40).map(|n| format!("line {n}\n")).collect::<String>());
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("fifth");
    bench.enter_review();
    bench.keys("space");
    bench.wait_for_text("[ ] hunk 1");
    bench.keys("]");
    bench.enter_review();
    bench.keys("e");
    bench.wait_for_text("Ctrl+S");
    bench.type_text("mine ");
    bench.wait_for_text("mine ");
    bench.keys("ctrl-s");
    bench.wait_for("the edit in the diff", |screen| {
        screen.has("mine ") && screen.has("[ ] hunk 1")
    });
    let is_kept = || kept(home, "marks").iter().any(|marks| marks.contains("mine "));
    assert!(look_until(PATIENCE, is_kept), "{:?}", kept(home, "marks"));
    bench
}

#[test]
fn what_was_dropped_and_edited_before_a_kill_is_there_again_and_the_answer_is_still_the_persons() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("edit", edits())]);
    let bench = marked(&home);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for("what was made of it", |screen| {
        screen.has("[ ] hunk 1") && screen.has("is back")
    });
    assert!(home.read("a.txt").contains("line 30\n"), "nothing is written by that");
    server.script([text("Changed.")]);
    bench.accept("[ ] hunk 1");
    bench.wait_for_text("Changed.");
    let now = home.read("a.txt");
    assert!(now.contains("line 5\n") && now.contains("mine "), "{now}");
    assert!(
        look_until(PATIENCE, || kept(&home, "marks").is_empty()),
        "it was answered"
    );
    bench.leave();
}

#[test]
fn what_waits_when_one_leaves_is_asked_again_with_what_was_made_of_it() {
    for way in ["quit", "terminated", "hung up"] {
        let server = Server::start();
        let home = Home::with(&server);
        server.script([call("edit", edits())]);
        let bench = marked(&home);
        match way {
            "quit" => {
                bench.keys("esc");
                bench.type_text("/quit");
                bench.wait_for_text("/quit");
                bench.keys("enter");
            }
            "terminated" => bench.signal(Signal::TERM),
            _ => bench.signal(Signal::HUP),
        }
        bench.wait_exit();
        let bench = home.bench(&["-c"]);
        bench.wait_for("what was made of it", |screen| {
            screen.has("[ ] hunk 1") && screen.has("is back")
        });
        server.script([text("Changed.")]);
        bench.accept("[ ] hunk 1");
        bench.wait_for_text("Changed.");
        let now = home.read("a.txt");
        assert!(now.contains("line 5\n") && now.contains("mine "), "{way}: {now}");
        bench.leave();
    }
}

#[test]
fn what_was_written_about_a_proposal_that_was_stopped_is_laid_open_and_comes_back_with_the_same_one() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("edit", edits())]);
    let bench = marked(&home);
    bench.keys("ctrl-c");
    bench.wait_for_text("interrupted");
    bench.leave();
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("is not asked about again");
    let [written] = &kept(&home, "written")[..] else {
        panic!("{:?}", kept(&home, "written"))
    };
    assert!(
        written.starts_with("## a.txt") && written.contains("mine "),
        "{written}"
    );
    server.script([call("edit", edits())]);
    bench.ask("once more");
    bench.wait_for("what was made of it", |screen| {
        screen.has("[ ] hunk 1") && screen.has("is back")
    });
    assert!(home.read("a.txt").contains("line 30\n"), "nothing is written by that");
    bench.leave();
}

#[test]
fn what_was_answered_of_several_questions_before_a_kill_is_there_again_and_is_sent_by_the_person() {
    let server = Server::start();
    let home = Home::with(&server);
    let asked = json!({"questions": [
        {"header": "Database", "question": "Which database?", "options": [{"label": "SQLite"}, {"label": "PostgreSQL"}]},
        {"header": "Name", "question": "What is it called?"},
    ]});
    server.script([call("ask_user_question", asked)]);
    let bench = home.bench(&[]);
    bench.ask("set it up");
    bench.wait_for_text("Which database?");
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "next"));
    bench.keys("down");
    bench.wait_for("the second option, lit", |screen| {
        screen.has("› 2 ( ) PostgreSQL") && enter_counts(screen, "next")
    });
    bench.keys("enter");
    bench.wait_for("the second question", |screen| {
        screen.has("What is it called?") && enter_counts(screen, "next")
    });
    bench.type_text("購物車");
    let is_kept = || kept(&home, "marks").iter().any(|marks| marks.contains("購物車"));
    assert!(look_until(PATIENCE, is_kept), "{:?}", kept(&home, "marks"));
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for("what was written", |screen| {
        screen.has("What is it called?") && screen.has("購物車") && screen.has("is back")
    });
    assert_eq!(server.requests().len(), 1, "nothing is sent by that");
    server.script([text("Noted.")]);
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "next"));
    bench.keys("enter");
    bench.wait_for("all answers", |screen| {
        screen.has("PostgreSQL") && screen.has("購物車") && enter_counts(screen, "send")
    });
    bench.keys("enter");
    bench.wait_for_text("Noted.");
    let told = "The user answered:\n- Database: PostgreSQL\n- Name: 購物車\n";
    assert_eq!(server.requests()[1].last("tool"), told);
    assert!(
        look_until(PATIENCE, || kept(&home, "marks").is_empty()),
        "it was answered"
    );
    bench.leave();
}
