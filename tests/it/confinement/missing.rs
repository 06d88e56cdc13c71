//! Tests of messages about the sandbox: missing parts, active parts, possible causes of a failure, hidden files.

use serde_json::{Value, json};

use super::bench::{Tried, grounds, level, tried};
use crate::support::bench::waits;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn where_a_part_is_missing_a_command_asks_and_says_which() {
    let parts = [
        ("mounts", "mount namespace"),
        ("processes", "process namespace"),
        ("landlock", "Landlock"),
        ("calls", "seccomp"),
        ("network", "network namespace"),
    ];
    for (part, name) in parts {
        let sandbox = json!({"level": "workspace", "network": "none"});
        let server = Server::start();
        for (who, home) in grounds(&server, &sandbox, |_| {}) {
            let home = home.env("BENCHDOG_TEST_WITHOUT", part);
            server.script([call("bash", json!({"command": "touch made"})), text("Done.")]);
            let run = home.run(&["run", "--approve", "all", "--output", "json", "go"]);
            let end: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
            let because = end["denied"][0]["because"].as_str().unwrap_or_default();
            assert!(
                because.contains(name) && because.contains("`workspace`"),
                "{who}\n{run}"
            );
            assert!(!home.path("made").exists(), "{who}\n{run}");
            let doctor = home.run(&["doctor", "--json"]);
            doctor.assert_code(1);
            let told: Value = serde_json::from_str(doctor.stdout.trim()).expect("one object");
            let holds = |row: &&Value| row["holds"] == json!(true);
            let rows = told["confinement"]["parts"].as_array().cloned().unwrap_or_default();
            assert_eq!(rows.iter().filter(holds).count(), 4, "{who}\n{doctor}");
            assert!(
                rows.iter()
                    .any(|row| row["part"] == part && row["holds"] == json!(false)),
                "{who}\n{doctor}"
            );
        }
    }
}

#[test]
fn without_a_sandbox_a_plain_listing_still_runs_and_whatever_else_is_allowed_does_not() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({}), |_| {}) {
        let home = home.env("BENCHDOG_TEST_WITHOUT", "landlock");
        server.script([
            call("bash", json!({"command": "ls"})),
            call("bash", json!({"command": "touch made"})),
            call("bash", json!({"command": "git status"})),
            text("Done."),
        ]);
        let run = home.run(&["run", "--approve", "all", "--output", "json", "go"]);
        let end: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
        assert_eq!(end["denied"].as_array().map(Vec::len), Some(2), "{who}\n{run}");
        assert!(!home.path("made").exists(), "{who}\n{run}");
    }
}

#[test]
fn the_bottom_row_says_what_holds_and_a_person_may_let_it_run_with_less() {
    let server = Server::start();
    for (who, home) in grounds(&server, &level("workspace"), |_| {}) {
        let bench = home.bench(&[]);
        bench.wait_for_text("confined: workspace");
        bench.leave();
        let home = home.env("BENCHDOG_TEST_WITHOUT", "landlock");
        server.script([call("bash", json!({"command": "touch made"})), text("Done.")]);
        let bench = home.bench(&[]);
        bench.wait_for_text("lacks Landlock");
        bench.ask("make it");
        bench.wait_for("a question", waits);
        bench.accept("made");
        bench.wait_for_text("Done.");
        bench.leave();
        assert!(home.path("made").exists(), "{who}");
    }
}

#[test]
fn landlock_alone_keeps_what_is_outside_from_being_written() {
    let server = Server::start();
    for (without, written) in [("mounts", false), ("mounts,landlock", true)] {
        for (who, home) in grounds(&server, &level("workspace"), |home| {
            home.file(
                "Makefile",
                "all:\n\techo x >> $$OUT/kept; echo x > $$OUT/made; echo x > inside; rm -f $$OUT/gone\n",
            );
            for file in ["kept", "gone"] {
                std::fs::write(home.outside().join(file), "as it was\n").expect("a file outside");
            }
        }) {
            let home = home.env("BENCHDOG_TEST_WITHOUT", without);
            server.script([call("bash", json!({"command": "make"})), text("Done.")]);
            let bench = home.bench(&[]);
            bench.wait_for_text("lacks");
            bench.ask("make it");
            bench.accept("make");
            bench.wait_for_text("Done.");
            bench.leave();
            let kept = std::fs::read_to_string(home.outside().join("kept")).expect("a file outside");
            let changed = [
                kept != "as it was\n",
                home.outside().join("made").exists(),
                !home.outside().join("gone").exists(),
            ];
            assert_eq!(changed, [written; 3], "without {without}, as {who}");
            assert_eq!(home.read("inside"), "x\n", "without {without}, as {who}");
        }
    }
}

#[test]
fn a_command_that_fails_confined_is_told_what_may_have_stopped_it() {
    for (sandbox, told) in [(level("workspace"), true), (level("off"), false)] {
        for tried in tried(&sandbox, "echo x > $OUT/kept/made; exit 3") {
            assert_eq!(tried.said.contains("the sandbox may have refused"), told, "{tried}");
        }
    }
    for script in ["true", "exit 3"] {
        for Tried { said, .. } in tried(&level("workspace"), script) {
            assert!(!said.contains("the sandbox may have refused"), "{said}");
        }
    }
}

#[test]
fn keys_and_agents_are_in_no_environment_and_what_the_person_passes_is() {
    let server = Server::start();
    for (who, home) in grounds(&server, &json!({"pass_env": ["MY_TOKEN", "BENCHDOG_API_KEY"]}), |_| {}) {
        let home = home
            .env("MY_TOKEN", "passed-on")
            .env("OTHER_TOKEN", "not-passed")
            .env("BENCHDOG_API_KEY", "our-own-key")
            .env("SSH_AUTH_SOCK", "/nowhere/agent")
            .env("BACKEND", "postgres://app:not-passed@db/app");
        server.script([call("bash", json!({"command": "env | sort"})), text("Done.")]);
        home.run(&["run", "--approve", "all", "go"]).assert_code(0);
        let said = server
            .requests()
            .last()
            .map(|request| request.last("tool").to_owned())
            .unwrap_or_default();
        assert!(said.contains("MY_TOKEN=passed-on"), "{who}: {said}");
        for hidden in ["not-passed", "our-own-key", "/nowhere/agent"] {
            assert!(!said.contains(hidden), "{who}: {said}");
        }
        let doctor = home.run(&["doctor"]);
        for name in ["OTHER_TOKEN", "BACKEND", "SSH_AUTH_SOCK", "BENCHDOG_API_KEY"] {
            assert!(doctor.stdout.contains(name), "{name}\n{doctor}");
        }
        assert!(!doctor.stdout.contains("not-passed"), "{doctor}");
    }
}
