//! Tests of job control in a shell. The terminal has one owner at a time.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::PATIENCE;
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::process::{kill, look_until};
use crate::support::pty::Pty;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

const FRAME: &str = "\x1b[?2026h";

#[track_caller]
fn start(home: &Home) -> Pty {
    let shell = home.shell();
    shell.send(b"benchdog\n");
    shell.wait_for("the prompt", |screen| screen.has("›") && screen.cursor_is_shown());
    shell
}

#[track_caller]
fn assert_the_shell_has_it(shell: &Pty) {
    shell.wait_for("the shell's prompt", |screen| screen.row("shell$").is_some());
    let given_back = look_until(PATIENCE, || shell.left_behind().is_empty());
    assert!(given_back, "{:?}", shell.left_behind());
}

#[test]
fn ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_screen_back() {
    let server = Server::start();
    let home = Home::with(&server);
    let shell = start(&home);
    shell.type_text("half a draft");
    shell.wait_for("the draft", |screen| draft_of(screen).contains("half a draft"));
    // Wait for results of background work, which also change the screen after the start.
    shell.written_in(Duration::from_millis(300), Duration::ZERO);
    let before = shell.look(|screen| screen.picture());
    for again in ["stop by key", "stop by signal"] {
        match again {
            "stop by key" => shell.keys("ctrl-z"),
            _ => home
                .processes()
                .iter()
                .filter(|(_, line)| line == "benchdog")
                .for_each(|(pid, _)| kill(*pid, Signal::TSTP)),
        }
        shell.wait_for_text("Stopped");
        assert_the_shell_has_it(&shell);
        let raw = shell.raw().len();
        shell.send(b"fg\n");
        shell.wait_for("the draft", |screen| draft_of(screen).contains("half a draft"));
        shell.wait_for("the whole picture", |screen| screen.picture() == before);
        // The screen is painted only once.
        shell.written_in(Duration::from_millis(100), Duration::ZERO);
        let raw = shell.raw().split_off(raw);
        assert_eq!(raw.matches("\x1b[2J").count(), 1, "{again}: {}", raw.escape_debug());
    }
    shell.keys("ctrl-c ctrl-d");
    assert_the_shell_has_it(&shell);
}

#[test]
fn in_the_background_it_works_on_and_leaves_the_terminal_alone() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    home.file("total.txt", "one\n");
    let look = |limit: usize| json!({"path": "total.txt", "limit": limit});
    server.script([stream().says("Let me look.").holds(&gate).calls("read", look(9)).ends()]);
    server.script((0..4).map(|step| call("read", look(step + 1))));
    server.script([text("It says one.")]);
    let shell = start(&home);
    shell.ask("what does it say?");
    shell.wait_for_text("Let me look.");
    shell.keys("ctrl-z");
    shell.wait_for_text("Stopped");
    assert_the_shell_has_it(&shell);
    let before = shell.raw().len();
    shell.send(b"bg\n");
    shell.wait_for_text("benchdog &");
    gate.open();
    // The agent makes four steps. Without the suspension, each would cause a frame.
    server.request(6);
    shell.send(b"echo still'' the shell\n");
    shell.wait_for_text("still the shell");
    assert_the_shell_has_it(&shell);
    let since = shell.raw().split_off(before);
    assert!(!since.contains(FRAME), "{}", since.escape_debug());
    shell.send(b"fg\n");
    shell.wait_for_text("It says one.");
    shell.keys("ctrl-d");
    assert_the_shell_has_it(&shell);
}

#[test]
fn without_a_shell_that_could_continue_it_ctrl_z_does_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.keys("ctrl-z");
    bench.type_text("still here");
    bench.wait_for_text("still here");
    bench.keys("ctrl-c");
    bench.leave();
}
