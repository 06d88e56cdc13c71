//! Tests of the complete review: partial acceptance of a proposal, edited text, comments, and the later list of the
//! session's changes.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn numbered() -> String {
    (1..=60).map(|number| format!("line {number}\n")).collect()
}

#[test]
fn one_hunk_is_kept_one_edited_and_one_refused_with_a_comment() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", &numbered());
    let edits = json!([
        {"old": "line 10\n", "new": "ten\n"},
        {"old": "line 30\n", "new": "thirty\n"},
        {"old": "line 50\n", "new": "fifty\n"},
    ]);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", json!({"path": "a.txt", "edits": edits})),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("ten");
    bench.enter_review();
    bench.keys("] ]");
    bench.wait_for_text("hunk 3/3");
    bench.enter_review();
    bench.keys("space");
    bench.wait_for_text("[ ] hunk 3");
    bench.keys("c");
    bench.wait_for_text("Comment on a.txt:50");
    bench.type_text("this one stays, @all");
    bench.wait_for_text("this one stays, @all");
    bench.keys("enter");
    bench.wait_for_text("» this one stays, @all");
    bench.keys("[");
    bench.wait_for_text("hunk 2/3");
    bench.enter_review();
    bench.keys("e");
    bench.wait_for_text("Ctrl+S propose");
    bench.type_text("about ");
    bench.wait_for_text("about thirty");
    bench.keys("ctrl-s");
    bench.accept("about thirty");
    bench.wait_for_text("Noted.");
    let expected = numbered()
        .replace("line 10\n", "ten\n")
        .replace("line 30\n", "about thirty\n");
    assert_eq!(home.read("a.txt"), expected);
    let next = server.request(3);
    let told = next.last("tool");
    assert!(
        told.contains("-thirty\n+about thirty") && told.contains("-fifty\n+line 50"),
        "{told}"
    );
    assert!(
        told.contains("a.txt:50, as proposed:\n    fifty\nthis one stays, @all"),
        "{told}"
    );
    bench.leave();
}

#[test]
fn what_a_session_changed_is_shown_against_what_was_there_also_after_it_is_taken_up_again() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "one\ntwo\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        call(
            "edit",
            json!({"path": "a.txt", "edits": [{"old": "two", "new": "zwei"}]}),
        ),
        call("write", json!({"path": "b.txt", "content": "made\n"})),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.accept("zwei");
    bench.accept("made");
    bench.wait_for_text("Noted.");
    bench.leave();
    home.file("a.txt", "one\nzwei\nthree\n");
    let again = home.bench(&["-c"]);
    again.wait_for_text("Noted.");
    again.ask("/diff session");
    again.wait_for("both files, as they are now", |screen| {
        ["two", "zwei", "three", "b.txt", "made"]
            .iter()
            .all(|text| screen.has(text))
    });
    again.keys("esc");
    again.wait_for("the prompt to have the keyboard", |screen| screen.cursor_is_shown());
    home.file("a.txt", "one\ntwo\n");
    std::fs::remove_file(home.project().join("b.txt")).expect("removes");
    again.ask("/diff session");
    again.wait_for_text("same as before this session");
    again.leave();
}

#[test]
fn a_file_that_was_deleted_by_hand_is_counted_as_one_that_the_agent_deletes() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    // There is no proposal, so nothing expands the folder in the tree.
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"edit": "allow"});
    home.configure(&settings);
    home.file("docs/one.md", "1\n2\n3\n");
    server.script([
        call("read", json!({"path": "docs/one.md"})),
        call(
            "edit",
            json!({"path": "docs/one.md", "edits": [{"old": "3\n", "new": "3\n4\n5\n"}]}),
        ),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_text("Noted.");
    bench.wait_for_text("docs/one.md");
    bench.wait_for_text("+2 -0");
    std::fs::remove_file(home.project().join("docs/one.md")).expect("removes");
    bench.wait_for_text("+0 -3");
    bench.leave();
}

#[test]
fn the_working_tree_is_shown_against_the_newest_commit_or_a_range() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    let bench = home.bench(&[]);
    bench.ask("/diff");
    bench.wait_for_text("not in a git repository");
    bench.wait_for("the line to be mended", |screen| screen.has("› /diff"));
    bench.keys("ctrl-c");
    bench.leave();
    home.file("購物車.txt", "one\ntwo\n");
    home.file("moved.txt", &numbered());
    home.repository();
    let bench = home.bench(&[]);
    bench.ask("/diff");
    bench.wait_for_text("no differences");
    home.file("購物車.txt", "one\nzwei\n");
    home.file("new/unknown.txt", "made by hand\n");
    home.file("picture.bin", "\0\u{1}\0");
    home.git(&["mv", "moved.txt", "renamed.txt"]);
    bench.ask("/diff");
    bench.wait_for("all files, with what git does not know yet", |screen| {
        [
            "zwei",
            "new/unknown.txt",
            "made by hand",
            "renamed.txt",
            "picture.bin",
            "binary: ",
        ]
        .iter()
        .all(|text| screen.has(text))
    });
    bench.keys("esc");
    bench.wait_for("the prompt to have the keyboard", |screen| screen.cursor_is_shown());
    bench.ask("/diff new");
    bench.wait_for("one folder", |screen| screen.has("made by hand") && !screen.has("zwei"));
    bench.keys("esc");
    bench.wait_for("the prompt to have the keyboard", |screen| screen.cursor_is_shown());
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "second"]);
    bench.ask("/diff HEAD~1..HEAD");
    bench.wait_for("the range", |screen| screen.has("zwei") && screen.has("made by hand"));
    bench.keys("esc");
    bench.wait_for("the prompt to have the keyboard", |screen| screen.cursor_is_shown());
    bench.ask("/diff nosuch");
    bench.wait_for_text("`nosuch` is neither a path here");
    bench.wait_for("the line to be mended", |screen| screen.has("/diff nosuch"));
    bench.keys("ctrl-c");
    bench.leave();
}
