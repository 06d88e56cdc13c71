//! Tests of a session's scratch folder. It is announced with the first prompt, writable without approval, outside the
//! project, and deleted with the session.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{Reply, call, text};
use crate::support::request::Request;
use crate::support::server::Server;

fn told(request: &Request) -> PathBuf {
    let (_, rest) = request
        .raw
        .split_once("Folder for temporary files, without approval: `")
        .expect("a scratch folder");
    let (path, _) = rest.split_once('`').expect("its end");
    PathBuf::from(path)
}

fn writes_there(server: &Server, name: &'static str) {
    let mut replies = 0;
    server.model(move |request| -> Option<Reply> {
        replies += 1;
        Some(match replies {
            1 => call("write", json!({"path": told(request).join(name), "content": "note\n"})),
            _ => text("Written."),
        })
    });
}

fn sent(server: &Server, number: usize) -> Value {
    server.request(number).body["messages"].clone()
}

#[test]
fn a_file_is_written_there_without_a_question_and_is_no_change() {
    let server = Server::start();
    let home = Home::with(&server);
    writes_there(&server, "a/note.txt");
    let bench = home.bench(&[]);
    bench.ask("note it");
    bench.wait_for_text("Written.");
    let folder = told(&server.request(1));
    assert_eq!(std::fs::read_to_string(folder.join("a/note.txt")).unwrap(), "note\n");
    bench.leave();
    // The folder stays for the next run, is announced once, and is deleted with its session.
    home.run(&["run", "-c", "and now?"]).assert_code(0);
    let messages = sent(&server, 3).to_string();
    assert_eq!(messages.matches("Folder for temporary files").count(), 1, "{messages}");
    assert!(folder.join("a/note.txt").exists());
    let session = folder.file_name().unwrap().to_string_lossy().into_owned();
    home.run(&["sessions", "delete", &session]).assert_code(0);
    assert!(!folder.exists());
    server.assert_append_only();
}

#[test]
fn an_agent_that_changes_nothing_writes_nothing_there_and_an_empty_one_is_not_left() {
    let server = Server::start();
    let home = Home::with(&server);
    writes_there(&server, "note.txt");
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "note it"]);
    let folder = told(&server.request(1));
    assert!(sent(&server, 2).to_string().contains("which changes nothing"), "{run}");
    assert!(!folder.exists(), "{run}");
}

#[test]
fn a_confined_command_writes_there() {
    let server = Server::start();
    let home = Home::with(&server);
    let mut config = crate::support::home::config(&server.base_url());
    config["sandbox"] = json!({"level": "workspace"});
    home.configure(&config);
    let mut replies = 0;
    server.model(move |request| -> Option<Reply> {
        replies += 1;
        Some(match replies {
            1 => call(
                "bash",
                json!({"command": format!("echo made > {}/made.txt", told(request).display())}),
            ),
            _ => text("Made."),
        })
    });
    let bench = home.bench(&[]);
    bench.ask("make it");
    // A command in this folder needs approval, like every command that writes outside the working folder.
    bench.accept("made.txt");
    bench.wait_for_text("Made.");
    let made = told(&server.request(1)).join("made.txt");
    assert_eq!(std::fs::read_to_string(&made).unwrap_or_default(), "made\n");
    bench.leave();
}
