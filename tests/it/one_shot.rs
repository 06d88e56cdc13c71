//! Tests of runs that a person starts: `-p`, a prompt on standard input, `-q`, and `--approve ask`.

use std::process::Command;

use serde_json::json;

use crate::support::home::Home;
use crate::support::process::Running;
use crate::support::reply::{Reply, call, text};
use crate::support::server::Server;

fn write_call(path: &str) -> Reply {
    call("write", json!({"path": path, "content": "new\n"}))
}

#[test]
fn p_is_run_in_every_place_and_takes_its_flags() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script((0..8).map(|_| text("yes")));
    for arguments in [
        vec!["-p", "one"],
        vec!["--prompt", "one", "--output", "json"],
        vec!["--output", "json", "-p", "one"],
        vec!["--temperature", "0", "-p", "one"],
        vec!["one", "-p"],
        vec!["-p", "--quiet", "one"],
        vec!["--prompt=one"],
        vec!["-p\u{3000}one"],
        vec!["run\u{3000}one"],
    ] {
        if arguments.first() == Some(&"--output") {
            // Flags of `run` must follow `-p`.
            home.run(&arguments).assert_code(2);
            continue;
        }
        let run = home.run(&arguments);
        run.assert_code(0);
        assert!(run.stdout.contains("yes"), "{arguments:?}\n{run}");
        assert_eq!(server.requests().last().expect("a request").last("user"), "one");
    }
}

#[test]
fn the_prompt_on_standard_input_is_context_and_has_a_limit() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("a"), text("b")]);
    home.run_with_input(&["-p", "explain"], "a log\n").assert_code(0);
    home.run_with_input(&["run", "-"], "only this\n").assert_code(0);
    let prompts: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.last("user").to_owned())
        .collect();
    assert_eq!(prompts, ["explain\n\na log", "only this"]);
    let run = home.run_with_input(&["-p", "explain"], vec![b'x'; 10 * 1024 * 1024 + 1]);
    run.assert_code(2);
    assert!(run.stderr.contains("10 MiB") && run.stdout.is_empty(), "{run}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn quiet_prints_the_answer_only() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    server.script([call("read", json!({"path": "notes.txt"})), text("One line.")]);
    let run = home.run(&["run", "-q", "how many?"]);
    run.assert_code(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("One line.\n", ""));
}

#[test]
fn ask_without_a_terminal_is_one_error() {
    let server = Server::start();
    let home = Home::with(&server);
    let inner = home.command(&["run", "--approve", "ask", "make it"]);
    // `setsid` gives the run a new session without a terminal, even if the tests run in one.
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(inner.get_program()).args(inner.get_args());
    command.current_dir(home.project()).env_clear();
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let run = Running::spawn(command, None).wait();
    run.assert_code(2);
    assert!(run.stderr.contains("--approve ask") && run.stdout.is_empty(), "{run}");
    assert!(server.requests().is_empty());
}

#[test]
fn ask_uses_the_terminal_when_standard_streams_are_pipes() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([write_call("made.txt"), text("Done with it.")]);
    let shell = home.shell();
    shell.type_text("echo context | benchdog -p --approve ask 'make it' >out.txt 2>err.txt");
    shell.keys("enter");
    shell.wait_for_text("your answer:");
    shell.type_text("yes");
    shell.keys("enter");
    shell.wait_for("the end", |screen| screen.text().matches("shell$").count() == 2);
    assert_eq!(home.read("made.txt"), "new\n");
    assert_eq!(home.read("out.txt"), "Done with it.\n");
    assert_eq!(server.request(1).last("user"), "make it\n\ncontext");
}

#[test]
fn ask_on_a_terminal_shows_the_change_and_takes_whole_words() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([write_call("made.txt"), write_call("other.txt"), text("Done with it.")]);
    let pty = home.open(&["run", "--approve", "ask", "make it"]);
    pty.wait_for_text("your answer:");
    pty.wait_for_text("+new");
    pty.type_text("y");
    pty.keys("enter");
    pty.wait_for_text("Answer not recognised.");
    pty.wait_for("the question again", |screen| {
        screen.text().matches("your answer:").count() == 2
    });
    assert!(!home.path("made.txt").exists());
    pty.type_text("yes");
    pty.keys("enter");
    pty.wait_for_text("other.txt");
    pty.wait_for("the next question", |screen| {
        screen.text().matches("your answer:").count() == 3
    });
    pty.type_text("no");
    pty.keys("enter");
    pty.wait_for_text("Done with it.");
    assert_eq!(pty.wait_exit().exit_code(), 3, "{}", pty.raw());
    assert_eq!(home.read("made.txt"), "new\n");
    assert!(!home.path("other.txt").exists());
    assert!(!pty.raw().contains('\u{1b}'), "{}", pty.raw().escape_debug());
}
