//! Tests of a folder's `.mcp.json`. Its servers need trust, and unsupported content from other programs is harmless.

use serde_json::{Value, json};

use super::peer::{self, notes};
use super::result;
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Configures the test server in the form that other programs use.
fn named(home: &Home) -> Value {
    let ours = peer::server(home, "plain");
    let words = ours["command"].as_array().expect("a command").clone();
    json!({"type": "stdio", "command": words[0], "args": words[1..], "env": ours["environment"]})
}

fn allowing(server: &Server) -> Home {
    let home = Home::bare();
    let mut configuration = config(&server.base_url());
    configuration["permission"] = json!({"docs__*": "allow"});
    home.configure(&configuration);
    home
}

#[test]
fn its_servers_count_where_the_folder_is_trusted_and_nowhere_else() {
    let server = Server::start();
    let home = allowing(&server);
    home.file(".mcp.json", &json!({"mcpServers": {"docs": named(&home)}}).to_string());
    server.script([call("docs__echo", json!({"text": "one"})), text("Said.")]);
    home.run(&["run", "say it"]);
    assert!(notes(&home).is_empty(), "nothing is started: {}", notes(&home));
    server.take_requests();

    server.script([call("docs__echo", json!({"text": "one"})), text("Said.")]);
    home.run(&["run", "--trust", "say it"]).assert_code(0);
    assert_eq!(result(&server, 2), "one!");
}

#[test]
fn another_file_than_was_trusted_is_asked_about_again() {
    let server = Server::start();
    let home = allowing(&server);
    home.file(".mcp.json", &json!({"mcpServers": {"docs": named(&home)}}).to_string());
    server.script([text("Here.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text(".mcp.json");
    bench.leave();
    home.run(&["run", "--trust", "go"]).assert_code(0);
    let more = json!({"mcpServers": {"docs": named(&home), "more": named(&home)}});
    home.file(".mcp.json", &more.to_string());
    let before = notes(&home);
    server.script([text("Here.")]);
    home.run(&["run", "go"]).assert_code(0);
    assert_eq!(notes(&home), before, "nothing of it is started");
}

#[test]
fn one_that_contradicts_what_else_is_configured_falls_out_alone_and_is_said_in_one_row() {
    for (own, of_person) in [(true, false), (false, true)] {
        let server = Server::start();
        let home = Home::bare();
        let mut configuration = config(&server.base_url());
        configuration["permission"] = json!({"docs__*": "allow"});
        let far = json!({"mcp": {"more": {"url": "http://127.0.0.1:9/mcp", "enabled": false}}});
        if of_person {
            configuration["mcp"] = far["mcp"].clone();
        }
        home.configure(&configuration);
        let mut of_folder = json!({"instructions": ["KENNEL.md"]});
        if own {
            of_folder["mcp"] = far["mcp"].clone();
        }
        home.file(".benchdog/config.jsonc", &of_folder.to_string());
        home.file("KENNEL.md", "Dogs sleep here.\n");
        let named = json!({"mcpServers": {"more": named(&home), "docs": named(&home)}});
        home.file(".mcp.json", &named.to_string());
        server.script([call("docs__echo", json!({"text": "one"})), text("Said.")]);
        let run = home.run(&["run", "--trust", "say it"]);
        run.assert_code(0);
        assert_eq!(result(&server, 2), "one!", "{run}");
        assert!(server.request(1).raw.contains("Dogs sleep here."), "{run}");
        let rows: Vec<&str> = run
            .stderr
            .lines()
            .filter(|line| line.contains("was not read"))
            .collect();
        assert_eq!(rows.len(), 1, "{run}");
        assert!(rows[0].contains("`.mcp.json: more`"), "{run}");
    }
}

#[test]
fn a_file_that_means_nothing_here_is_said_in_one_row_and_stops_nothing() {
    for (text_of_file, why) in [
        (
            "{\"mcpServers\": {\"docs\": {\"command\": \"x\", \"type\": \"sse\"}}}",
            "`type`",
        ),
        (
            "{\"mcpServers\": {\"docs\": {\"command\": \"x\", \"env\": {\"A\": \"${HOME}\"}}}}",
            "a variable of yours",
        ),
        ("{\"mcpServers\": [", ".mcp.json"),
        ("{\"theirs\": 1}", "mcpServers"),
        ("\u{1b}[2J", ".mcp.json"),
    ] {
        let server = Server::start();
        let home = Home::with(&server);
        home.file(".mcp.json", text_of_file);
        server.script([text("Here.")]);
        let run = home.run(&["run", "--trust", "go"]);
        run.assert_code(0);
        let rows: Vec<&str> = run
            .stderr
            .lines()
            .filter(|line| line.contains("was not read"))
            .collect();
        assert_eq!(rows.len(), 1, "{text_of_file}: {run}");
        assert!(
            rows[0].contains(".mcp.json") && rows[0].contains(why),
            "{text_of_file}: {run}"
        );
        assert!(!run.stderr.contains('\u{1b}'), "{run}");
    }
}
