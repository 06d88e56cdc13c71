//! Tests of the undo of an accepted edit. It is reviewed by hunk, written, and still possible after a resume.

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn an_accepted_edit_is_taken_back_after_a_look_also_where_edits_are_allowed() {
    let server = Server::start();
    let home = Home::with(&server);
    let before: String = (1..=60).map(|number| format!("line {number}\n")).collect();
    home.file("a.txt", &before);
    let edits = json!([{"old": "line 10\n", "new": "ten\n"}, {"old": "line 50\n", "new": "fifty\n"}]);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", json!({"path": "a.txt", "edits": edits})),
        call("write", json!({"path": "b.txt", "content": "made\n"})),
        text("Noted."),
        text("I see it."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("/undo");
    bench.wait_for_text("no more changes to undo");
    bench.ask("change it");
    bench.accept("fifty");
    bench.accept("made");
    bench.wait_for_text("Noted.");
    // The request results directly from this Enter, so it gets the focus.
    bench.ask("/undo");
    bench.refuse("made");
    bench.wait_for_text("denied");
    assert_eq!(home.read("b.txt"), "made\n");
    bench.ask("/undo");
    bench.accept("made");
    bench.wait_for("the file to go", |_| !home.path("b.txt").exists());
    bench.leave();
    // The resumed session allows edits, but an undo still needs approval.
    let again = home.bench(&["-c", "--agent", "accept-edits"]);
    again.wait_for_text("Noted.");
    again.ask("/undo a.txt");
    again.wait_for_review("fifty");
    again.enter_review();
    again.keys("]");
    again.wait_for_text("hunk 2/2");
    again.enter_review();
    again.keys("space");
    again.wait_for_text("[ ] hunk 2");
    again.accept("fifty");
    again.wait_for("the first hunk to be as it was", |_| {
        home.read("a.txt") == before.replace("line 50\n", "fifty\n")
    });
    again.ask("what now?");
    again.wait_for_text("I see it.");
    let told = server.request(5);
    for part in ["/undo a.txt", "/undo b.txt", "kept 1 of 2 hunks"] {
        assert!(told.says(part), "{part}: {:?}", told.messages());
    }
    again.leave();
}
