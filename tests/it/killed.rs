//! Killed without a last word: the terminal comes back, and nothing of a call goes on.

use rustix::process::Signal;
use serde_json::json;

use crate::support::PATIENCE;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::{call, stream};
use crate::support::server::Server;

#[test]
fn the_terminal_is_given_back() {
    let server = Server::start();
    let home = Home::with(&server).kitty();
    server.script([stream().says("talking").falls_silent()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("talking");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let back = look_until(PATIENCE, || bench.left_behind().is_empty());
    assert!(back, "{:?}\n{}", bench.left_behind(), bench.raw().escape_debug());
}

/// Whether a process with this command line runs.
fn runs(line: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("the list of processes");
    let mut lines = processes
        .flatten()
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.any(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " ").trim_end() == line)
}

#[test]
fn a_terminal_that_was_given_back_before_is_left_alone() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("editor.sh", "sleep 64.5\n");
    let editor = format!("sh {}", home.path("editor.sh").display());
    let home = home.env("EDITOR", &editor);
    let bench = home.bench(&[]);
    bench.keys("ctrl-g");
    home.wait_for_process("sleep 64.5");
    assert!(
        runs(&format!("benchdog-keeper keep {}", bench.pid())),
        "the check can fail"
    );
    let before = bench.raw().len();
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let keeper = format!("benchdog-keeper keep {}", bench.pid());
    assert!(look_until(PATIENCE, || !runs(&keeper)), "the keeper has not ended");
    assert_eq!(
        bench.raw().get(before..),
        Some(""),
        "the editor's screen was written on"
    );
}

#[test]
fn what_left_the_session_of_its_call_is_ended() {
    for front_end in ["run", "bench"] {
        let server = Server::start();
        let home = Home::with(&server);
        let command = "setsid sleep 68.1 & (setsid sleep 68.2 &); sleep 68.3";
        server.script([call("bash", json!({"command": command}))]);
        if front_end == "run" {
            let run = home.start(&["run", "--approve", "all", "wait a while"], None);
            home.wait_for_process("sleep 68.2");
            home.wait_for_process("sleep 68.3");
            run.signal(Signal::KILL);
            run.wait();
        } else {
            let bench = home.bench(&[]);
            bench.ask("wait a while");
            bench.accept("sleep 68");
            home.wait_for_process("sleep 68.2");
            home.wait_for_process("sleep 68.3");
            bench.signal(Signal::KILL);
            bench.wait_exit();
        }
        home.assert_gone("sleep 68", PATIENCE);
    }
}
