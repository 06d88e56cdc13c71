//! Tests of a folder's hooks. They run only with trust, only with the trusted bytes, and before the person's hooks.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::{bash, guard, home_with, script};
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn of_project(home: &Home, body: &str) {
    home.file(
        ".benchdog/config.jsonc",
        &json!({"hooks": {"before_tool": [{"name": "ours", "command": ["./tools/check"]}]}}).to_string(),
    );
    home.file("tools/check", &format!("#!/bin/sh\n{body}\n"));
    let file = home.path("tools/check");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("a script that can be run");
}

#[test]
fn one_of_a_project_counts_when_it_is_trusted_with_the_bytes_of_its_program() {
    let server = Server::start();
    let home = home_with(&server, &json!({}), &json!({"bash": "allow", "edit": "allow"}));
    of_project(&home, "touch ran.txt; exit 2");
    server.script([
        bash("touch made.txt"),
        text("So."),
        bash("touch other.txt"),
        text("So."),
    ]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    assert!(
        run.stderr.contains("tools/check"),
        "trust is asked for the program, too: {run}"
    );
    assert!(home.path("made.txt").exists() && !home.path("ran.txt").exists());
    home.run(&["run", "--trust", "go"]).assert_code(3);
    assert!(home.path("ran.txt").exists() && !home.path("other.txt").exists());
}

#[test]
fn a_guard_whose_file_was_changed_in_the_session_is_not_run_and_refuses() {
    let server = Server::start();
    let home = home_with(&server, &json!({}), &json!({"bash": "allow", "edit": "allow"}));
    of_project(&home, "exit 0");
    let other = json!({"path": "tools/check", "edits": [{"old": "exit 0", "new": "touch ran.txt"}]});
    server.script([
        call("read", json!({"path": "tools/check"})),
        call("edit", other),
        bash("touch made.txt"),
        text("So."),
    ]);
    let run = home.run(&["run", "--trust", "go"]);
    assert!(home.read("tools/check").contains("ran.txt"), "{run}");
    assert!(
        !home.path("ran.txt").exists() && !home.path("made.txt").exists(),
        "{run}"
    );
    assert!(
        run.stderr.contains("`tools/check` has changed since you trusted it"),
        "{run}"
    );
}

#[test]
fn those_of_the_project_are_asked_before_those_of_the_person_and_none_replaces_another() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(&home, "guard", "echo person >> \"$PWD/order.txt\"");
    of_project(&home, "echo project >> \"$PWD/order.txt\"");
    server.script([bash("true"), text("So.")]);
    home.run(&["run", "--trust", "go"]).assert_code(0);
    assert_eq!(home.read("order.txt"), "project\nperson\n");
}

#[test]
fn a_relative_program_of_the_person_is_never_one_that_a_folder_happens_to_have() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    home.file("guard", "#!/bin/sh\ntouch ran.txt\n");
    let file = home.path("guard");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("a script that can be run");
    server.script([bash("true"), text("So.")]);
    home.run(&["run", "go"]);
    assert!(!home.path("ran.txt").exists());
}
