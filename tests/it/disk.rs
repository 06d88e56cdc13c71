//! A session that cannot be written: nothing is done that the log does not know, and the code says so.

use serde_json::json;

use crate::headless::assert_scripted;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_disk_that_is_full_ends_the_turn_with_1_and_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    let noise = "x".repeat(20_000);
    home.file("noise.txt", &noise.replace("xxxxxxxxxx", "0123456789\n"));
    server.script((0..40).map(|_| call("read", json!({"path": "noise.txt"}))));
    let run = home.run_on_small_disk(400, &["run", "--output", "stream-json", "read on and on"]);
    run.assert_code(1);
    let lines = assert_scripted(&run);
    assert_eq!(lines.last().expect("a line")["outcome"], "error", "{run}");
    assert_eq!(run.events("error")[0]["code"], "storage_full", "{run}");
    assert!(server.requests().len() < 40, "nothing went on that was not saved");
}

#[test]
fn a_session_that_cannot_be_written_does_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::write(home.benchdog_home().join("data"), "in the way").expect("a file where the folder should be");
    server.script([call("bash", json!({"command": "touch made"})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "make it"]);
    run.assert_code(1);
    assert!(run.stderr.contains("data"), "{run}");
    assert!(!home.project().join("made").exists(), "nothing is done without a log");
    assert!(server.requests().is_empty());
}
