//! Tests that after a kill without cleanup, the terminal is restored and no process of a call remains.

use rustix::process::Signal;
use serde_json::json;

use crate::support::PATIENCE;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::{call, stream, text};
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

/// Whether the process's keeper runs, in either of its forms.
fn is_kept(pid: u32) -> bool {
    let processes = std::fs::read_dir("/proc").expect("the list of processes");
    let mut lines = processes
        .flatten()
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
    let (waits, cleans_up) = (format!("\0benchdog-keeper\0{pid}\0"), format!("\0keep\0{pid}\0"));
    lines.any(|line| line.contains(&waits) || line.contains(&cleans_up))
}

#[test]
fn a_terminal_that_was_given_back_before_is_left_alone() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("editor.sh", "sleep 64.5\n");
    let editor = format!("sh {}", home.path("editor.sh").display());
    let home = home.env("EDITOR", &editor);
    let bench = home.bench(&[]);
    // Wait until terminal answers are consumed, before the editor starts.
    bench.type_text("draft");
    bench.wait_for_text("draft");
    bench.keys("ctrl-g");
    home.wait_for_process("sleep 64.5");
    assert!(is_kept(bench.pid()), "the check can fail");
    let before = bench.raw().len();
    bench.signal(Signal::KILL);
    bench.wait_exit();
    assert!(
        look_until(PATIENCE, || !is_kept(bench.pid())),
        "the keeper has not ended"
    );
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
        let command = "touch made; setsid sleep 68.1 & (setsid sleep 68.2 &); sleep 68.3";
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

/// Number of files in the patch, enough for a kill between two of them.
const FILES: usize = 200;

#[test]
fn of_a_patch_that_was_cut_short_every_file_is_told_and_what_it_held_is_kept() {
    let met = (0..5).any(|_| a_patch_is_cut_short());
    assert!(met, "no kill fell between two files");
}

fn a_patch_is_cut_short() -> bool {
    let server = Server::start();
    let home = Home::with(&server);
    let name = |n: usize| format!("file{n:03}.txt");
    let mut patch = String::new();
    for n in 0..FILES {
        home.file(&name(n), &format!("old {n}\n"));
        patch += &format!("--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-old {n}\n+new {n}\n", name(n));
    }
    let now = |n: usize| std::fs::read_to_string(home.path(&name(n))).expect("a file that was there");
    server.script([call("patch", json!({"patch": patch}))]);
    let run = home.start(&["run", "--approve", "all", "change them"], None);
    look_until(PATIENCE, || now(1).starts_with("new"));
    run.signal(Signal::KILL);
    run.wait();
    let changed: Vec<usize> = (0..FILES).filter(|n| now(*n).starts_with("new")).collect();
    if changed.len() == FILES {
        return false;
    }

    server.script([text("I see.")]);
    home.run(&["run", "-c", "go on"]).assert_code(0);
    let request = server.request(2);
    let told = request.last("tool");
    let named = |state: &str| -> Vec<usize> {
        let list = told
            .lines()
            .find_map(|line| line.strip_prefix(state))
            .unwrap_or_default();
        (0..FILES).filter(|n| list.contains(&name(*n))).collect()
    };
    assert_eq!(named("Changed: "), changed, "{told}");
    assert_eq!(named("As before: ").len(), FILES - changed.len(), "{told}");
    // The workbench shows each change with its earlier content.
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("le000.txt +1 -1");
    bench.type_text("/diff session");
    bench.keys("enter");
    bench.wait_for_text("old 0");
    bench.keys("esc");
    bench.wait_for("the diff to close", |screen| !screen.has("old 0"));
    bench.leave();
    true
}
