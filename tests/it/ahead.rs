//! Tests of several proposals in one reply. Each can be previewed before the first decision, and they are decided in
//! order.

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{calls, text};
use crate::support::server::Server;

fn three(home: &Home, server: &Server) {
    let edit = |path: &str, new: &str| json!({"path": path, "edits": [{"old": "old", "new": new}]});
    for file in ["one.txt", "two.txt", "three.txt"] {
        home.file(file, "old\n");
    }
    server.script([
        calls([
            ("edit", edit("one.txt", "first-new")),
            ("bash", json!({"command": "rm -rf three.txt"})),
            ("edit", edit("two.txt", "second-new")),
        ]),
        text("All is done."),
    ]);
}

#[test]
fn what_comes_behind_is_looked_at_and_nothing_of_it_decided() {
    let server = Server::start();
    let home = Home::with(&server).window(110, 40);
    three(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("change them");
    bench.wait_for_review("first-new");
    bench.wait_for("the count over both kinds", |screen| screen.has("1 of 3"));
    bench.enter_review();
    bench.keys(">");
    bench.wait_for("the command behind it", |screen| {
        screen.has("2 of 3") && screen.has("rm -rf three.txt")
    });
    bench.keys(">");
    bench.wait_for("the last", |screen| screen.has("3 of 3") && screen.has("second-new"));
    bench.keys("y");
    bench.wait_for_text("Preview only");
    assert_eq!(home.read("two.txt"), "old\n");
    bench.keys("<");
    bench.wait_for_text("2 of 3");
    bench.keys("<");
    bench.wait_for("the first again", |screen| {
        screen.has("1 of 3") && screen.has("first-new")
    });
    bench.accept("first-new");
    bench.wait_for("the command is asked about", |screen| {
        screen.has("2 of 3") && !screen.has("preview only")
    });
    bench.refuse("rm -rf three.txt");
    bench.wait_for_text("3 of 3");
    bench.accept("second-new");
    bench.wait_for_text("All is done.");
    assert_eq!(home.read("one.txt"), "first-new\n");
    assert_eq!(home.read("two.txt"), "second-new\n");
    assert!(home.path("three.txt").exists());
    bench.leave();
}

#[test]
fn behind_a_kill_the_count_goes_on() {
    let server = Server::start();
    let home = Home::with(&server).window(110, 40);
    three(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("change them");
    bench.accept("first-new");
    bench.wait_for_text("2 of 3");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for("where it was", |screen| {
        screen.has("2 of 3") && screen.has("rm -rf three.txt")
    });
    bench.leave();
}
