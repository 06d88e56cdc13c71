//! Tests that commands run without a person's answer are in the sandbox, and that commands allowed by a person are not.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::bench::grounds;
use super::obeyed::git;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

const OF_MINE: &str = "a-note-of-mine-4711";

/// Creates a build that reads and writes outside the project, and writes inside it.
fn arrange(home: &Home) {
    fs::write(home.user_home().join("notes"), OF_MINE).expect("a note");
    home.file(
        "Makefile",
        "all:\n\tcat ../user/notes; echo x > made; echo y > ../left; echo $$STRANGE; exit 3\n",
    );
}

fn said(server: &Server) -> String {
    let requests = server.requests();
    requests.last().expect("a request").last("tool").to_owned()
}

#[test]
fn what_nobody_was_asked_about_writes_in_the_workspace_and_sees_nothing_outside() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), arrange) {
        let home = home.env("STRANGE", "not-listed-0815");
        server.script([call("bash", json!({"command": "make"})), text("Done.")]);
        home.run(&["run", "--approve", "all", "go"]);
        let said = said(&server);
        assert!(home.path("made").exists(), "{who}: {said}");
        assert!(!home.outside().join("left").exists(), "{who}: {said}");
        assert!(
            !said.contains(OF_MINE) && !said.contains("not-listed-0815"),
            "{who}: {said}"
        );
        assert!(
            said.contains("the sandbox may have refused") && said.contains("`unconfined: true`"),
            "{who}: {said}"
        );
    }
}

#[test]
fn what_a_person_allowed_runs_as_they_would_run_it() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), arrange) {
        server.script([call("bash", json!({"command": "make"})), text("Done.")]);
        let bench = home.bench(&[]);
        bench.ask("make it");
        bench.accept("make");
        bench.wait_for_text("Done.");
        bench.leave();
        assert!(home.outside().join("left").exists(), "{who}");
        assert!(said(&server).contains(OF_MINE), "{who}");
    }
}

#[test]
fn what_a_person_allowed_in_the_sandbox_runs_there_and_the_session_says_so() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), arrange) {
        server.script([call("bash", json!({"command": "make"})), text("Done.")]);
        let bench = home.bench(&[]);
        bench.ask("make it");
        bench.accept_confined("make");
        bench.wait_for_text("Done.");
        bench.wait_for_text("in the sandbox");
        bench.leave();
        assert!(
            home.path("made").exists() && !home.outside().join("left").exists(),
            "{who}: {}",
            said(&server)
        );
        assert!(!said(&server).contains(OF_MINE), "{who}");
        let sessions = home.benchdog_home().join("data/sessions");
        let logged = Command::new("grep")
            .args(["-rl", r#""decision":"confined""#])
            .arg(sessions)
            .output()
            .expect("grep");
        assert!(!logged.stdout.is_empty(), "{who}");
    }
}

#[test]
fn the_sandbox_is_not_offered_where_there_is_none() {
    let server = Server::start();
    let off = [json!({"level": "off"}), json!({})];
    for (sandbox, without) in off.into_iter().zip(["", "landlock"]) {
        for (who, home) in grounds(&server, &sandbox, arrange) {
            let home = home.env("BENCHDOG_TEST_WITHOUT", without);
            server.script([call("bash", json!({"command": "make"})), text("Done.")]);
            let bench = home.bench(&[]);
            bench.ask("make it");
            bench.wait_for_review("make");
            bench.enter_review();
            assert!(!bench.look(|screen| screen.has("in the sandbox")), "{who}");
            bench.keys("s n");
            bench.wait_for_text("Done.");
            bench.leave();
            assert!(!home.path("made").exists(), "{who}");
        }
    }
}

#[test]
fn lines_can_choose_the_sandbox_too() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), arrange) {
        server.script([call("bash", json!({"command": "make"})), text("Done.")]);
        let pty = home.open(&["--linear"]);
        pty.wait_for("the mark", |screen| {
            screen
                .rows()
                .iter()
                .rev()
                .find(|row| !row.is_empty())
                .is_some_and(|row| row == ">")
        });
        pty.type_text("make it");
        pty.keys("enter");
        pty.wait_for_text("Or type sandbox");
        pty.wait_for_text("your answer:");
        pty.keys("sandbox enter");
        pty.wait_for_text("Done.");
        assert!(
            home.path("made").exists() && !home.outside().join("left").exists(),
            "{who}: {}",
            said(&server)
        );
    }
}

#[test]
fn what_only_reads_writes_nothing_and_goes_past_secrets_that_the_result_names() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), |home| {
        home.file("notes.txt", "main\n")
            .file("deploy/prod.env", "main-secret-4711\n");
    }) {
        server.script([call("bash", json!({"command": "grep -r main ."})), text("Done.")]);
        home.run(&["run", "go"]).assert_code(0);
        let said = said(&server);
        assert!(
            said.contains("notes.txt") && !said.contains("main-secret-4711"),
            "{who}: {said}"
        );
        assert!(
            said.contains("secret files are closed to it: `deploy/prod.env`"),
            "{who}: {said}"
        );
    }
}

#[test]
fn leaving_the_sandbox_takes_a_person() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), arrange) {
        let outside = call("bash", json!({"command": "ls", "unconfined": true}));
        server.script([outside, text("Done.")]);
        let run = home.run(&["run", "--approve", "all", "--output", "json", "go"]);
        let end: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
        assert_eq!(end["denied"].as_array().map(Vec::len), Some(1), "{who}\n{run}");
    }
}

#[test]
fn a_program_that_runs_as_its_owner_cannot_be_made() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), |home| {
        home.file(
            "Makefile",
            "all:\n\tcp /bin/ls own; chmod 4755 own; chmod u+s own; install -m 2755 /bin/ls group; ls -l; exit 3\n",
        );
    }) {
        server.script([call("bash", json!({"command": "make"})), text("Done.")]);
        home.run(&["run", "--approve", "all", "go"]);
        let said = said(&server);
        assert!(
            said.contains("not permitted") && !said.contains("-rws") && !said.contains("r-s"),
            "{who}: {said}"
        );
    }
}

#[test]
fn git_compares_beside_a_tracked_secret_that_is_hidden_from_it() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), |home| {
        home.file("notes.txt", "one\n").file("secrets.json", "committed-4711\n");
        git(home, ".", &["init", "--quiet", "--template="]);
        git(home, ".", &["add", "notes.txt", "secrets.json"]);
        home.file("notes.txt", "two\n")
            .file("secrets.json", "changed-4711-unseen\n");
    }) {
        server.script([call("bash", json!({"command": "git diff"})), text("Done.")]);
        home.run(&["run", "go"]).assert_code(0);
        let said = said(&server);
        assert!(said.contains("+two") && !said.contains("unseen"), "{who}: {said}");
        assert!(!said.contains("fatal:"), "{who}: {said}");
    }
}
