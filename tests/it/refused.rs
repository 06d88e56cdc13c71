//! Tests of a run that is refused at its start. The error is reported once, in its last object, and the run has no
//! effects.

use serde_json::json;

use crate::headless::assert_scripted;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn an_agent_that_is_not_there_is_refused_and_nothing_is_done() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call("write", json!({"path": "made.txt", "content": "new\n"})),
        text("ok"),
    ]);
    let run = home.run(&["run", "-a", "plna", "--approve", "edits", "make it"]);
    run.assert_code(2);
    assert!(
        run.stderr.contains("`plna`") && run.stderr.contains("`-a plan`"),
        "{run}"
    );
    assert!(server.requests().is_empty() && !home.path("made.txt").exists(), "{run}");
    home.run(&["run", "-a", "build", "--approve", "edits", "make it"])
        .assert_code(0);
    assert!(home.path("made.txt").exists());
}

#[test]
fn a_flag_that_would_do_nothing_is_refused() {
    let home = Home::bare();
    let refused: [&[&str]; 15] = [
        &["demo", "-m", "other/model"],
        &["demo", "-C", "."],
        &["demo", "-c"],
        &["demo", "--resume", "feedfeed"],
        &["demo", "--replay", "none.jsonl"],
        &["demo", "--trust"],
        &["sessions", "list", "--continue"],
        &["config", "check", "--record", "kept.jsonl"],
        &["policy", "explain", "ls", "--resume", "feedfeed"],
        &["doctor", "--replay", "none.jsonl"],
        &["sessions", "list", "-m", "other/model"],
        &["sessions", "list", "-C", "."],
        &["config", "check", "--add-dir", "."],
        &["config", "schema", "--trust"],
        &["sessions", "list", "-a", "build"],
    ];
    for arguments in refused {
        let run = home.run(arguments);
        run.assert_code(2);
        assert!(run.stderr.contains("has no effect here"), "{arguments:?}\n{run}");
    }
    assert!(!home.benchdog_home().join("data/demo").exists(), "nothing was laid out");
    assert!(!home.path("kept.jsonl").exists());
}

#[test]
fn a_run_that_never_began_still_ends_with_its_last_object_and_one_complaint() {
    let server = Server::start();
    let nothing = Home::bare();
    let wrong = Home::bare();
    wrong.configure_text("{\"modle\": 1}");
    let fine = Home::with(&server);
    for (home, arguments, code) in [
        (&nothing, &["hello"][..], "no_model"),
        (&wrong, &["hello"], "config"),
        (&fine, &[], "no_prompt"),
        (&fine, &["-C", "/nowhere/at/all", "hello"], "no_workspace"),
        (&fine, &["-r", "feedfeed", "hello"], "session_not_found"),
        (&fine, &["-c", "hello"], "no_session"),
        (&fine, &["-a", "nosuch", "hello"], "no_agent"),
        (&fine, &["--replay", "/nowhere/at/all", "hello"], "usage"),
    ] {
        let whole = |output| [&["run", "--output", output], arguments].concat();
        let run = home.run(&whole("stream-json"));
        run.assert_code(2);
        let lines = assert_scripted(&run);
        assert!(lines.iter().all(|line| line["session"].is_null()), "{run}");
        assert_eq!(run.events("error")[0]["code"], code, "{run}");
        assert_eq!(lines.last().expect("a line")["outcome"], "error", "{run}");
        assert_eq!(run.stderr.matches("benchdog: ").count(), 1, "{run}");

        let run = home.run(&whole("json"));
        run.assert_code(2);
        let lines = run.json_lines();
        assert_eq!(lines.len(), 1, "{run}");
        assert!(lines[0]["session"].is_null() && lines[0]["outcome"] == "error", "{run}");

        let run = home.run(&whole("text"));
        run.assert_code(2);
        assert!(run.stdout.is_empty(), "{run}");
    }
    assert!(server.requests().is_empty());
}
