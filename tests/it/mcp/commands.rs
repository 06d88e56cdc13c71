//! Tests of `benchdog mcp`, `--mcp` and `/mcp`. They list, check, add, remove, disable and restart servers.

use serde_json::json;

use super::peer::{self, home};
use super::{declared, result};
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_server_is_added_tried_listed_and_removed_and_the_rest_of_the_file_stays() {
    let home = Home::bare();
    home.configure_text("{\n  // mine\n  \"ui\": {\"vim\": true}\n}\n");
    let config = || std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).unwrap();
    let words = peer::server(&home, "plain")["command"].clone();
    let words: Vec<String> = serde_json::from_value(words).unwrap();
    let notes = format!("PEER_NOTES={}", home.outside().join("notes").display());
    let mut add = vec![
        "mcp",
        "add",
        "files",
        "--env",
        "PEER_BEHAVES=plain",
        "--env",
        &notes,
        "--",
    ];
    add.extend(words.iter().map(String::as_str));
    home.run(&add).assert_code(0);
    assert!(
        config().contains("// mine") && config().contains("\"vim\": true"),
        "{}",
        config()
    );
    let again = home.run(&add);
    again.assert_code(2);
    assert!(again.stderr.contains("named `files` already exists"), "{again}");
    let listed = home.run(&["mcp", "list"]);
    assert!(listed.stdout.starts_with("files: sh -c "), "{listed}");
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(0);
    assert!(
        checked
            .stdout
            .contains("files: ready\n  files__echo  a tool of the peer\n"),
        "{checked}"
    );
    home.assert_gone("mcp::peer::speaks", std::time::Duration::from_secs(5));
    home.run(&["mcp", "remove", "files"]).assert_code(0);
    assert!(
        config().contains("// mine") && !config().contains("speaks"),
        "{}",
        config()
    );
    home.run(&["mcp", "remove", "files"]).assert_code(2);
    home.run(&["mcp", "login", "files"]).assert_code(2);
    home.configure(&json!({"mcp": {"files": {"command": ["x"]}}}));
    let program = home.run(&["mcp", "login", "files"]);
    program.assert_code(2);
    assert!(program.stderr.contains("the server needs no sign-in"), "{program}");
}

#[test]
fn a_check_says_what_is_wrong_with_each_and_fails() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(
        &home,
        &server,
        &[("dead", "dies at start"), ("odd", "garbage"), ("mute", "silent")],
    );
    for name in ["odd", "mute"] {
        configuration["mcp"][name]["timeout_ms"] = json!(1_000);
    }
    configuration["mcp"]["gone"] = json!({"command": ["no-such-server"]});
    configuration["mcp"]["off"] = json!({"command": ["no-such-server"], "enabled": false});
    home.configure(&configuration);
    let run = home.run(&["mcp", "check"]);
    run.assert_code(1);
    for said in [
        "dead: unavailable\n  the server ended with exit code 7 (last output: no such database)",
        "odd: unavailable\n  the server's output is not a valid message: Welcome to the server!",
        "mute: unavailable\n  the server did not answer within 1 s",
        "gone: unavailable\n  the program `no-such-server` was not found",
    ] {
        assert!(run.stdout.contains(said), "{said}: {run}");
    }
    assert!(!run.stdout.contains("off:"), "{run}");
    let off = home.run(&["mcp", "check", "off"]);
    assert_eq!((off.stdout.as_str(), off.code), ("off: off\n", Some(0)), "{off}");
    let unknown = home.run(&["mcp", "check", "files"]);
    unknown.assert_code(2);
    assert!(
        unknown.stderr.contains("Configured: dead, odd, mute, gone, off"),
        "{unknown}"
    );
}

#[test]
fn a_file_names_servers_for_one_run_as_other_programs_write_it() {
    let server = Server::start();
    let home = Home::with(&server);
    let ours = peer::server(&home, "plain");
    let words = ours["command"].as_array().unwrap();
    let theirs = json!({"mcpServers": {"files": {
        "type": "stdio", "command": words[0], "args": &words[1..], "env": ours["environment"]
    }}});
    home.file("servers.json", &theirs.to_string());
    server.script([call("files__echo", json!({"text": "once"})), text("ok")]);
    home.run(&["run", "--approve", "all", "--mcp", "servers.json", "go"])
        .assert_code(0);
    assert_eq!(result(&server, 2), "once!");
    let wrong = json!({"mcpServers": {"files": {"command": "x", "type": "sse"}}});
    home.file("servers.json", &wrong.to_string());
    let refused = home.run(&["run", "--mcp", "servers.json", "go"]);
    refused.assert_code(2);
    assert!(
        refused
            .stderr
            .contains("`type` of the server `files` has no effect here"),
        "{refused}"
    );
    home.run(&["run", "--mcp", "nothing.json", "go"]).assert_code(2);
    // The file adds servers, but no permission rule.
    for servers in ["mcp", "mcpServers"] {
        let loose = json!({servers: {}, "permission": {"*": "allow"}});
        home.file("servers.json", &loose.to_string());
        let refused = home.run(&["run", "--mcp", "servers.json", "go"]);
        refused.assert_code(2);
        assert!(
            refused
                .stderr
                .contains("`permission` has no effect in a file of servers"),
            "{refused}"
        );
    }
}

#[test]
fn a_person_sees_how_they_stand_and_switches_one_off_before_anything_is_sent() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain"), ("dead", "dies at start")]);
    server.script([text("Sent.")]);
    let bench = home.bench(&[]);
    bench.ask("/mcp");
    bench.wait_for("both", |screen| {
        screen.has("files  ready") && screen.has("12 tools") && screen.has("no such database")
    });
    bench.keys("esc");
    bench.ask("/mcp off files");
    bench.wait_for_text("files  off");
    bench.keys("esc");
    bench.ask("go");
    bench.wait_for_text("Sent.");
    assert_eq!(declared(&server, 1).last().map(String::as_str), Some("mcp_call"));
    bench.ask("/mcp restart nosuch");
    bench.wait_for("that there is none, and those there are", |screen| {
        screen.has("There is no MCP server `nosuch`") && screen.has("files  off")
    });
    // The first key press closes the message, the second the dialog.
    bench.keys("esc");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("files  off"));
    bench.leave();
}

#[test]
fn what_cannot_be_added_is_said_without_lines_that_were_never_written_and_without_a_secret() {
    let home = Home::bare();
    home.configure_text("{\n  // mine\n  \"ui\": {\"vim\": true}\n}\n");
    let add = |more: &[&str]| {
        let added = home.run(&[&["mcp", "add", "far"], more].concat());
        added.assert_code(2);
        assert!(!added.to_string().contains("pa55word"), "{added}");
        added.stderr
    };
    let told = add(&["--url", "kennel.example"]);
    assert!(
        told.contains("mcp.far: `mcp.far.url` must be an address of the form `http://HOST:PORT/PATH`"),
        "{told}"
    );
    for more in [
        &["--env", "=1", "--", "x"][..],
        &["--env", "A B=1", "--", "x"],
        &["--env", "1A", "--", "x"],
        &["--url", "https://x.example", "--header", "X=a\nY: b"],
        &["--url", "https://x.example", "--header", "X Y=a"],
    ] {
        let told = add(more);
        assert!(told.contains("NAME=VALUE"), "{more:?}: {told}");
    }
    for url in [
        "https://me:pa55word@x.example/mcp",
        "https://x.example/mcp?api_key=pa55word",
    ] {
        let told = add(&["--url", url]);
        assert!(told.contains("`https://x.example/mcp` contains a password"), "{told}");
    }
    let config = || std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).unwrap();
    assert!(!config().contains("far"), "{}", config());
    home.run(&["mcp", "add", "far", "--url", "https://me:${PW}@x.example/mcp"])
        .assert_code(0);
}

#[test]
fn a_list_shows_commands_in_one_row_each_and_no_token() {
    let home = Home::bare();
    home.configure(&json!({"mcp": {"a": {"command": [
        "sh", "-c", "one\ntwo", "--token", "t0ken1", "--api-key=t0ken2", "Authorization: Bearer t0ken3", "X-Key: t0ken7", "ghp_t0ken4",
        "https://me:t0ken5@x.example/?key=t0ken6", "--token", "${MINE}", "--at", "C:/x"
    ]}}}));
    let listed = home.run(&["mcp", "list"]);
    let shown = "a: sh -c one␊two --token (hidden) --api-key=(hidden) (hidden) X-Key:(hidden) (hidden) \
         https://me:(hidden)@x.example/?key=(hidden) --token ${MINE} --at C:/x\n";
    assert_eq!(listed.stdout, shown);
    let whole = home.run(&["config", "show"]);
    assert!(
        !whole.stdout.contains("t0ken") && whole.stdout.contains("--api-key=(hidden)"),
        "{whole}"
    );
}

#[test]
fn a_file_for_one_run_names_variables_in_every_word_and_one_that_is_not_set_is_said() {
    let server = Server::start();
    let home = Home::with(&server).env("KENNEL_WORD", "once");
    let theirs = |word: &str| json!({"mcpServers": {"files": {"command": "sh", "args": ["-c", "echo $1 > $2", "x", word, "${HOME}/seen"]}}});
    home.file(
        "servers.json",
        &theirs("${KENNEL_WORD}-${KENNEL_NONE:-none}").to_string(),
    );
    home.run(&["mcp", "check", "--mcp", "servers.json"]).assert_code(1);
    let seen = std::fs::read_to_string(home.user_home().join("seen")).expect("what it wrote");
    assert_eq!(seen, "once-none\n");
    home.file("servers.json", &theirs("${KENNEL_NONE}").to_string());
    let lacking = home.run(&["mcp", "check", "--mcp", "servers.json"]);
    assert!(
        lacking.stdout.contains("variable `KENNEL_NONE` is not set"),
        "{lacking}"
    );
}
