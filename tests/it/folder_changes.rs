//! Tests of changes in the folder while a session was closed. They are reported at the resume, and before files are
//! restored.

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

const REPORT: &str = "changed in this folder since the session stopped";
const GIT: &str = "Git's HEAD has moved since the session stopped";

#[test]
fn a_resumed_session_says_which_files_changed_and_nothing_if_none_did() {
    let server = Server::start();
    let home = Home::with(&server).window(240, 40);
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        home.file(name, "one\n");
    }
    home.repository();
    server.script([
        call("write", json!({"path": "made.txt", "content": "made\n"})),
        text("Done."),
        text("I see."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("make it");
    bench.accept("made");
    bench.wait_for_text("Done.");
    bench.leave();

    let again = home.bench(&["-c"]);
    again.wait_for_text("Done.");
    again.ask("/undo nothing.txt");
    again.wait_for_text("nothing.txt");
    let screen = again.look(|screen| screen.text());
    assert!(!screen.contains(REPORT) && !screen.contains(GIT), "{screen}");
    again.leave();

    for name in ["a.txt", "b.txt", "c.txt"] {
        home.file(name, "two, by the user\n");
    }
    std::fs::remove_file(home.path("d.txt")).expect("a file");
    let again = home.bench(&["-c"]);
    again.wait_for_text(&format!("4 files {REPORT}: a.txt, b.txt, c.txt and 1 more."));
    again.ask("and now?");
    again.wait_for_text("I see.");
    again.leave();

    home.git(&["checkout", "-q", "-b", "feature"]);
    home.git(&["add", "."]);
    home.git(&["commit", "-q", "-m", "second"]);
    let again = home.bench(&["-c"]);
    again.wait_for_text(&format!("{GIT}: branch was trunk, is feature; commits since: 1."));
    assert!(
        !again.look(|screen| screen.text()).contains(REPORT),
        "{}",
        again.look(|screen| screen.text())
    );

    // `/undo` reports the change before the decision, and `/rewind` shows it in its list.
    again.ask("/undo");
    again.wait_for_text("since this change: branch was trunk, is feature; commits since: 1");
    again.refuse("made");
    again.wait_for_text("denied");
    again.ask("/rewind");
    again.wait_for_text("newest first");
    again.keys("down");
    again.keys("enter");
    again.wait_for_text("Files and conversation");
    again.wait_for_text("│ branch was trunk, is feature; commits since: 1");
    again.keys("esc");
    again.wait_for("the choice to close", |screen| !screen.has("Files and conversation"));
    again.leave();
}
