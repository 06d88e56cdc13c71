//! Tests of partly unusable servers: an invalid tool, an unknown content type, an oversized list, an unknown revision.
//! The other parts work, and the unusable ones are named.

use serde_json::json;

use super::hostile::{dead, run};
use super::peer::home;
use super::{declared, result};
use crate::support::server::Server;

#[test]
fn schemas_without_end_leave_their_tools_out_and_no_other() {
    for behaves in ["bombs", "bottomless"] {
        let (_home, server, run) = run(behaves, &[("files__echo", json!({"text": "whole"}))]);
        let names = declared(&server, 1);
        let of_files: Vec<&String> = names.iter().filter(|name| name.starts_with("files__")).collect();
        assert_eq!(of_files, ["files__echo", "files__circle"], "{behaves}: {run}");
        assert_eq!(result(&server, 2), "whole!");
    }
}

#[test]
fn tools_that_are_none_and_parts_of_unknown_kinds_cost_only_themselves_and_are_named() {
    let (home, server, run) = run("odd", &[("files__data", json!({"text": "hologram"}))]);
    let names = declared(&server, 1);
    let of_files: Vec<&String> = names.iter().filter(|name| name.starts_with("files__")).collect();
    assert_eq!(of_files, ["files__echo", "files__data"], "{run}");
    let told = result(&server, 2);
    let parts: Vec<&str> = told.lines().collect();
    assert_eq!(
        parts,
        [
            "before",
            "[a part of the kind `hologram`, which is not known here]",
            "behind"
        ],
        "{told}"
    );
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(0);
    let row = "Not loaded: #1 (invalid name), #2 (not an object), bare (its input schema is missing, too long, too deep or not an object), #6 (invalid name).";
    assert!(checked.stdout.contains(row), "{checked}");
}

#[test]
fn that_a_list_goes_on_beyond_what_is_read_of_it_is_said() {
    for (behaves, row) in [
        ("pages without end", "Not loaded: entries beyond 50 pages"),
        (
            "more than are taken",
            "Not loaded: t1000 and all tools after it (limit: 1,000 for each server).",
        ),
    ] {
        let server = Server::start();
        let home = home(&server, &[("files", behaves)]);
        let checked = home.run(&["mcp", "check"]);
        assert!(checked.stdout.contains(row), "{behaves}: {checked}");
    }
}

#[test]
fn a_server_that_speaks_another_revision_is_not_ready() {
    let (_home, _server, run) = run("speaks another revision", &[]);
    assert!(
        dead(&run).contains("the server supports no protocol version that Benchdog supports"),
        "{run}"
    );
}

#[test]
fn of_a_server_that_is_given_up_on_it_is_said_how_it_is_started_anew() {
    let (_home, _server, run) = run("dies at start", &[]);
    assert!(dead(&run).ends_with("/mcp restart files restarts it."), "{run}");
}
