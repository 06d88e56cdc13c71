//! Tests of `benchdog review`, in which a read-only agent reviews changes and reports findings with their places.

mod workbench;

use serde_json::{Value, json};

use crate::headless::assert_scripted;
use crate::support::home::Home;
use crate::support::reply::{Reply, call, calls, text};
use crate::support::server::Server;

fn changed(server: &Server) -> Home {
    let home = Home::with(server);
    home.file("src/money.rs", "fn total() {}\nfn round() {}\n");
    home.file("gone.rs", "a\nb\n");
    home.file("old name.rs", "1\n2\n3\n4\n5\n6\n");
    home.repository();
    home.file("src/money.rs", "fn total() {}\nfn round() { 1 / 0 }\n");
    home.file("購物車/新.rs", "fn new() {}\n");
    home.git(&["rm", "-q", "gone.rs"]);
    home.git(&["mv", "old name.rs", "new name.rs"]);
    home
}

fn found(severity: &str) -> Reply {
    call(
        "findings",
        json!({"findings": [
            {"path": "src/money.rs", "line": 2, "severity": severity, "title": "divides by zero", "detail": "It panics.\nCheck first."},
            {"path": "購物車/新.rs", "line": 1, "severity": "note", "title": "no test"},
        ]}),
    )
}

#[test]
fn findings_are_one_line_each_and_the_model_reads_every_kind_of_change() {
    let server = Server::start();
    let home = changed(&server);
    server.script([found("warning"), text("One real problem.")]);
    let run = home.run(&["review"]);
    run.assert_code(0);
    assert_eq!(
        run.stdout,
        "src/money.rs:2: warning: divides by zero\n    It panics.\n    Check first.\n購物車/新.rs:1: note: no test\n"
    );
    assert!(
        run.stderr.contains("One real problem.") && run.stderr.contains("2 findings"),
        "{run}"
    );
    let request = server.request(1);
    let told = request.last("user");
    for part in [
        "-fn round() {}\n+fn round() { 1 / 0 }",
        "+++ b/購物車/新.rs\n@@ -0,0 +1 @@\n+fn new() {}",
        "--- a/gone.rs\n+++ /dev/null",
        "--- a/old name.rs\n+++ b/new name.rs",
        "change nothing",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let tools = request.body["tools"].to_string();
    assert!(tools.contains("\"findings\""), "{tools}");
    server.assert_append_only();
    // Other sessions do not have the tool.
    server.script([text("hello")]);
    home.run(&["run", "hi"]).assert_code(0);
    assert!(!server.request(3).body["tools"].to_string().contains("\"findings\""));
}

#[test]
fn a_finding_of_the_severity_that_fails_ends_with_8() {
    let server = Server::start();
    let home = changed(&server);
    for (severity, fail_on, code) in [
        ("error", "error", 8),
        ("warning", "error", 0),
        ("warning", "warning", 8),
        ("note", "warning", 0),
        ("note", "note", 8),
    ] {
        server.script([found(severity), text("done")]);
        home.run(&["review", "--fail-on", fail_on]).assert_code(code);
    }
    home.run(&["review", "--fail-on", "high"]).assert_code(2);
}

#[test]
fn json_is_one_object_and_stream_json_one_a_line() {
    let server = Server::start();
    let home = changed(&server);
    server.script([found("error"), text("done")]);
    let run = home.run(&["review", "--output", "json", "--fail-on", "error"]);
    run.assert_code(8);
    let one: Value = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(one["outcome"], "done");
    assert_eq!(one["error"], Value::Null);
    assert_eq!(
        one["findings"][0],
        json!({"path": "src/money.rs", "line": 2, "severity": "error", "title": "divides by zero", "detail": "It panics.\nCheck first."})
    );
    assert!(one["usage"]["total"].is_number(), "{run}");
    server.script([found("error"), text("done")]);
    let run = home.run(&["review", "--output", "stream-json"]);
    run.assert_code(0);
    assert_scripted(&run);
    let lines = run.events("findings");
    assert_eq!(lines.len(), 1, "{run}");
    assert_eq!(lines[0]["findings"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_place_that_is_not_there_comes_back_to_the_model_and_nothing_is_changed() {
    let server = Server::start();
    let home = changed(&server);
    let wrong =
        json!({"findings": [{"path": "src/money.rs", "line": 99, "severity": "error", "title": "behind the end"}]});
    server.script([
        calls([
            ("write", json!({"path": "src/money.rs", "content": "mended\n"})),
            ("bash", json!({"command": "echo x > planted"})),
            ("bash", json!({"command": "git log --oneline"})),
        ]),
        call("findings", wrong),
        text("I am done."),
        call("findings", json!({"findings": []})),
        text("Nothing is wrong."),
    ]);
    let status = home.git(&["status", "--porcelain"]);
    let run = home.run(&["review", "--fail-on", "note"]);
    run.assert_code(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("0 findings"), "{run}");
    assert!(
        server
            .request(3)
            .last("tool")
            .contains("has 2 lines, so there is no line 99")
    );
    assert!(server.request(4).last("user").contains("Nothing was handed over yet"));
    assert_eq!(home.git(&["status", "--porcelain"]), status);
    assert!(!home.path("planted").exists() && home.read("src/money.rs").contains("1 / 0"));
}

#[test]
fn a_model_that_hands_nothing_over_is_no_clean_review() {
    let server = Server::start();
    let home = changed(&server);
    server.script([text("fine"), text("fine"), text("fine")]);
    let run = home.run(&["review", "--output", "json"]);
    run.assert_code(5);
    let one: Value = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(one["error"]["code"], "not_handed_over");
}

#[test]
fn a_range_is_looked_at_and_what_names_none_is_refused_before_anything_is_asked() {
    let server = Server::start();
    let home = changed(&server);
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "second"]);
    let nothing = home.run(&["review"]);
    nothing.assert_code(0);
    assert!(
        nothing.stdout.is_empty() && nothing.stderr.contains("no differences"),
        "{nothing}"
    );
    let nothing = home.run(&["review", "--output", "json"]);
    assert_eq!(nothing.json_lines()[0]["findings"], json!([]));
    for (arguments, says) in [
        (&["review", "nosuch"][..], "neither a path here"),
        (&["review", "--", "--output=x"], "neither a path here"),
        (&["review", "--agent", "plan"], "--agent"),
        (&["review", "-c"], "--continue"),
    ] {
        let run = home.run(arguments);
        run.assert_code(2);
        assert!(run.stderr.contains(says), "{run}");
    }
    assert!(server.requests().is_empty());
    server.script([found("note"), text("done")]);
    home.run(&["review", "HEAD~1..HEAD"]).assert_code(0);
    assert!(server.request(1).last("user").contains("+fn round() { 1 / 0 }"));
    let bare = Home::with(&server);
    let run = bare.run(&["review"]);
    run.assert_code(2);
    assert!(run.stderr.contains("not in a git repository"), "{run}");
}

#[test]
fn secrets_stay_here_and_what_is_cut_is_said_to_both() {
    let server = Server::start();
    let home = Home::with(&server);
    home.repository();
    home.file(".env", "TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzA\n");
    home.file("config.py", "token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzA'\n");
    let long: String = (0..20_000).map(|n| format!("line {n}\n")).collect();
    home.file("long.txt", &long);
    server.script([call("findings", json!({"findings": []})), text("done")]);
    let run = home.run(&["review"]);
    run.assert_code(0);
    assert!(
        run.stderr.contains("may contain secrets: .env") && run.stderr.contains("too long"),
        "{run}"
    );
    let request = server.request(1);
    let told = request.last("user");
    assert!(!request.raw.contains("ghp_0123456789"), "{told}");
    assert!(
        told.contains("more lines of this diff are not shown") && told.contains("+++ b/config.py"),
        "{told}"
    );
}

#[test]
fn limits_end_it_as_they_end_a_run() {
    let server = Server::start();
    let home = changed(&server);
    server.script([call("read", json!({"path": "src/money.rs"})), text("never asked")]);
    home.run(&["review", "--max-steps", "1"]).assert_code(4);
}
