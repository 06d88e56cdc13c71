//! Tests of the tools `diagnostics`, `definition` and `references`.

use serde_json::json;

use super::{home, result};
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
