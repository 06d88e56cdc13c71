//! Tests of the tools `diagnostics`, `definition` and `references`.

use serde_json::json;

use super::{edit, edited, home, notes, result};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn tools_tell_errors_and_places_and_read_nothing_outside() {
    let server = Server::start();
    let home = home(&server, "honest");
    home.file("a.txt", "über def total\n");
    home.file("b.txt", "first\n\n// 😀 total\nERROR bad\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("diagnostics", json!({"path": "b.txt"})),
        call("diagnostics", json!({})),
        call("definition", json!({"path": "b.txt", "line": 2, "symbol": "total"})),
        call("references", json!({"path": "b.txt", "line": 3, "symbol": "total"})),
        call("definition", json!({"path": "b.txt", "line": 1, "symbol": "nothing"})),
        text("done"),
    ]);
    home.run(&["run", "look"]).assert_code(0);
    assert_eq!(result(&server, 3), "b.txt:4:1: error: bad [fake]");
    assert_eq!(result(&server, 4), "b.txt:4:1: error: bad [fake]");
    assert_eq!(result(&server, 5), "a.txt:1: über def total");
    assert_eq!(
        result(&server, 6),
        "a.txt:1: über def total\nb.txt:3: // 😀 total\n/usr/lib/elsewhere.txt:1"
    );
    assert!(
        result(&server, 7).contains("`nothing` is not on line 1 of `b.txt`; it is nowhere in the file"),
        "{}",
        result(&server, 7)
    );
}

#[test]
fn files_without_a_server_are_an_error_that_names_those_with_one() {
    let server = Server::start();
    let home = home(&server, "honest");
    home.file("a.md", "total\n");
    server.script([
        call("diagnostics", json!({"path": "a.md"})),
        call("definition", json!({"path": "a.md", "line": 1, "symbol": "total"})),
        text("done"),
    ]);
    home.run(&["run", "look"]);
    for request in [2, 3] {
        let told = result(&server, request);
        assert_eq!(
            told,
            "no_server: No language server runs for this. Servers are configured for *.txt."
        );
    }
}

#[test]
fn a_server_that_still_loads_the_project_is_named_with_that_reason() {
    let told = edited("loading", "one\n", "one", "ERROR brought");
    assert_eq!(
        told,
        "updated `a.txt` +1 -1.\n\nfake is still loading the project; `diagnostics` shows its results later.\n"
    );
}

#[test]
fn a_problem_that_the_server_reports_is_told_once_and_with_each_list() {
    let server = Server::start();
    let home = home(&server, "unhealthy");
    home.file("a.txt", "one\n");
    server.script([
        call("diagnostics", json!({"path": "a.txt"})),
        call("edit", edit("a.txt", "one", "two")),
        text("done"),
    ]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "look"]);
    run.assert_code(0);
    assert_eq!(
        result(&server, 2),
        "fake may miss errors. It reports: cannot load the project\nNo errors in `a.txt`."
    );
    let told: Vec<_> = (run.events("notice").into_iter())
        .filter(|notice| notice["code"] == "language_server")
        .collect();
    assert_eq!(told.len(), 1, "{run}");
    let words = told[0]["text"].as_str().unwrap_or_default();
    assert!(
        words.ends_with("may miss errors. It reports: cannot load the project"),
        "{words}"
    );
}

#[test]
fn the_reason_why_a_server_is_no_longer_used_is_told() {
    let server = Server::start();
    let home = home(&server, "absent");
    home.file("a.txt", "total\n");
    let place = json!({"path": "a.txt", "line": 1, "symbol": "total"});
    server.script([
        call("definition", place.clone()),
        call("definition", place.clone()),
        call("definition", place),
        call("diagnostics", json!({})),
        text("done"),
    ]);
    home.run(&["run", "look"]).assert_code(0);
    for request in [4, 5] {
        let told = result(&server, request);
        assert!(
            told.starts_with("no_server: fake is no longer used: it has ended (exit 1)"),
            "{told}"
        );
    }
}

/// rust-analyzer runs Cargo, which would wait for the network.
#[test]
fn cargo_in_a_server_uses_no_network() {
    let server = Server::start();
    let home = home(&server, "honest");
    home.file("a.txt", "one\n");
    server.script([call("diagnostics", json!({"path": "a.txt"})), text("done")]);
    home.run(&["run", "look"]).assert_code(0);
    let all = notes(&home);
    assert!(all.contains("cargo true None\n"), "{all}");
}
