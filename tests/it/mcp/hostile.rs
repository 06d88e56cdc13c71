//! Tests of servers that never answer, answer garbage, crash at each step, flood, grow without end, change, ask, shadow
//! and mislead. The turn continues with one clear row for each, and nothing happens without the person's choice.

use std::time::{Duration, Instant};

use serde_json::json;

use super::peer::{self, home, notes};
use super::{declared, result};
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

pub fn run(behaves: &str, calls: &[(&str, serde_json::Value)]) -> (Home, Server, Finished) {
    let server = Server::start();
    let home = home(&server, &[("files", behaves)]);
    server.script(calls.iter().map(|(tool, arguments)| call(tool, arguments.clone())));
    server.script([text("Done all the same.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "go"]);
    run.assert_code(0);
    (home, server, run)
}

pub fn dead(run: &Finished) -> String {
    let notices = run.events("notice");
    let rows: Vec<&str> = notices
        .iter()
        .filter(|notice| notice["code"] == "server_dead")
        .filter_map(|notice| notice["text"].as_str())
        .collect();
    assert_eq!(rows.len(), 1, "one row: {run}");
    rows[0].to_owned()
}

#[test]
fn a_program_that_is_not_there_is_one_row_and_nothing_waits_for_it() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[]);
    configuration["mcp"]["files"] = json!({"command": ["no-such-server"]});
    home.configure(&configuration);
    server.script([text("Done.")]);
    let began = Instant::now();
    let run = home.run(&["run", "--output", "stream-json", "go"]);
    run.assert_code(0);
    assert!(
        dead(&run).contains("the program `no-such-server` was not found"),
        "{run}"
    );
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn a_server_that_never_answers_holds_the_first_request_up_for_a_moment_and_no_other() {
    let (_home, server, run) = run("silent", &[]);
    assert_eq!(
        declared(&server, 1).last().map(String::as_str),
        Some("mcp_call"),
        "{run}"
    );
}

#[test]
fn a_server_that_dies_at_its_start_is_told_with_what_it_said_last() {
    let (home, _server, run) = run("dies at start", &[]);
    let row = dead(&run);
    let log = std::fs::read_to_string(home.benchdog_home().join("logs/benchdog.log")).expect("a log");
    assert!(log.contains("MCP server failed") && log.contains("kind=\"Ended\"") && !log.contains("no such database"));
    assert!(row.contains("exit code 7") && row.contains("no such database"), "{row}");
    assert!(!row.contains('\u{1b}'), "{row:?}");
}

#[test]
fn a_server_that_dies_when_it_is_listed_is_one_row() {
    let (_home, _server, run) = run("dies at list", &[]);
    assert!(dead(&run).contains("exit code 8"), "{run}");
}

#[test]
fn a_server_that_dies_in_a_call_is_started_again_for_the_next_one() {
    let calls = [("files__dies", json!({})), ("files__echo", json!({"text": "back"}))];
    let (_home, server, _run) = run("plain", &calls);
    let told = result(&server, 2);
    assert!(
        told.starts_with("server_ended: ") && told.contains("exit 9") && told.contains("out of memory"),
        "{told}"
    );
    assert_eq!(result(&server, 3), "back!");
}

#[test]
fn what_is_printed_beside_the_messages_is_passed_over() {
    let (_home, server, _run) = run("noisy", &[("files__echo", json!({"text": "heard"}))]);
    assert_eq!(result(&server, 2), "heard!");
}

#[test]
fn a_server_that_writes_only_garbage_is_told_by_its_first_line() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "garbage")]);
    configuration["mcp"]["files"]["timeout_ms"] = json!(1_000);
    home.configure(&configuration);
    server.script([text("Done.")]);
    let run = home.run(&["run", "--output", "stream-json", "go"]);
    let row = dead(&run);
    assert!(
        row.contains("not a valid message") && row.contains("Welcome to the server!"),
        "{row}"
    );
}

#[test]
fn a_flood_of_notifications_ends_nothing_and_the_answer_comes() {
    let (_home, server, _run) = run("floods", &[("files__echo", json!({"text": "dry"}))]);
    assert_eq!(result(&server, 2), "dry");
}

#[test]
fn an_answer_without_end_is_passed_over_and_said_and_the_server_goes_on() {
    let calls = [("files__huge", json!({})), ("files__echo", json!({"text": "small"}))];
    let (_home, server, _run) = run("plain", &calls);
    assert!(
        result(&server, 2).starts_with("server_oversized: "),
        "{}",
        result(&server, 2)
    );
    assert_eq!(result(&server, 3), "small!");
}

#[test]
fn tools_that_come_while_one_is_called_are_found_and_called_and_nothing_declared_changes() {
    let server = Server::start();
    let home = home(&server, &[("files", "changes")]);
    server.model(|request| {
        if request.number == 1 {
            return Some(call("files__echo", json!({"text": "go"})));
        }
        Some(match request.last("tool") {
            "go!" | "go" => call("mcp_find", json!({"query": "came"})),
            last if last.starts_with("files__late: came later") => call(
                "mcp_call",
                json!({"tool": "files__late", "arguments": {"text": "found"}}),
            ),
            // The server is about to be listed again. Vary the query, because a repeated one would be a loop.
            last if last.starts_with("No tool fits") => call(
                "mcp_find",
                json!({"query": format!("came {}", "later ".repeat(request.number))}),
            ),
            _ => text("Done."),
        })
    });
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "go"]);
    run.assert_code(0);
    let finished = run.events("tool_finished");
    assert!(
        finished
            .iter()
            .any(|one| one["tool"] == "files__late" && one["status"] == "ok"),
        "{run}"
    );
    let last = server.requests().len();
    assert_eq!(declared(&server, 1), declared(&server, last));
    server.assert_append_only();
}

#[test]
fn five_hundred_tools_are_found_on_demand_and_called_by_their_own_name() {
    let calls = [
        ("mcp_find", json!({"query": "number 314"})),
        (
            "mcp_call",
            json!({"tool": "files__tool_314", "arguments": {"text": "pi"}}),
        ),
    ];
    let (_home, server, run) = run("many", &calls);
    assert_eq!(declared(&server, 1).last().map(String::as_str), Some("mcp_call"));
    assert!(
        result(&server, 2).starts_with("files__tool_314: "),
        "{}",
        result(&server, 2)
    );
    assert_eq!(result(&server, 3), "pi!");
    let asked = run.events("approval_requested");
    assert!(
        asked.iter().any(|one| one["tool"] == "files__tool_314"),
        "judged as what it is: {run}"
    );
    let said = run.events("notice").iter().any(|one| {
        one["code"] == "servers_declared" && one["text"].as_str().is_some_and(|text| text.contains("500 tools"))
    });
    assert!(said, "{run}");
}

#[test]
fn a_tool_that_is_not_declared_is_called_by_its_own_name_too() {
    let (_home, server, run) = run("many", &[("files__tool_271", json!({"text": "e"}))]);
    assert_eq!(result(&server, 2), "e!", "{run}");
    let asked = run.events("approval_requested");
    assert!(asked.iter().any(|one| one["tool"] == "files__tool_271"), "{run}");
}

#[test]
fn what_is_called_on_demand_is_denied_by_the_rule_of_its_own_name() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "many")]);
    configuration["permission"] = json!({"files__tool_1*": "deny"});
    home.configure(&configuration);
    server.script([
        call(
            "mcp_call",
            json!({"tool": "files__tool_123", "arguments": {"text": "no"}}),
        ),
        text("ok"),
    ]);
    let run = home.run(&["run", "--approve", "all", "go"]);
    assert!(!notes(&home).contains("tool_123"), "{run}");
}

#[test]
fn long_descriptions_go_on_demand_too() {
    let (_home, server, _run) = run("large", &[]);
    assert_eq!(declared(&server, 1).last().map(String::as_str), Some("mcp_call"));
}

#[test]
fn a_server_that_asks_for_a_model_or_a_password_gets_neither_and_the_folder_it_works_in() {
    let (home, server, _run) = run("asks", &[("files__echo", json!({"text": "went on"}))]);
    assert_eq!(result(&server, 2), "went on");
    let notes = notes(&home);
    let answers: Vec<&str> = notes.lines().filter(|line| line.contains("\"id\":\"")).collect();
    let of = |id: &str| {
        answers
            .iter()
            .find(|line| line.contains(&format!("\"id\":\"{id}\"")))
            .copied()
            .unwrap_or_default()
    };
    assert!(of("s").contains("\"error\""), "{notes}");
    assert!(of("e").contains("decline"), "{notes}");
    let folder = home.project().canonicalize().unwrap();
    assert!(of("r").contains(&format!("file://{}", folder.display())), "{notes}");
}

#[test]
fn names_of_built_in_tools_stay_theirs() {
    let (home, server, run) = run("shadows", &[("read", json!({"path": "a.txt"}))]);
    let names = declared(&server, 1);
    assert_eq!(names.iter().filter(|name| *name == "read").count(), 1);
    assert!(
        names.contains(&"files__read".to_owned()) && names.contains(&"files__mcp_call".to_owned()),
        "{names:?}"
    );
    assert_eq!(
        names.iter().filter(|name| *name == "files__write_file").count(),
        1,
        "{names:?}"
    );
    let taken = run
        .events("notice")
        .iter()
        .any(|one| one["code"] == "server_names_taken");
    assert!(taken, "{run}");
    assert!(
        !notes(&home).contains("tools/call"),
        "the file is read by us: {}",
        notes(&home)
    );
}

#[test]
fn what_a_server_says_of_itself_steers_nothing_and_allows_nothing() {
    let (_home, server, run) = run("steers", &[]);
    let raw = server.request(1).raw;
    assert!(!raw.contains("\\u001b") && !raw.contains('\u{202e}'), "{raw}");
    assert!(declared(&server, 1).contains(&"files__help".to_owned()), "{run}");
}
