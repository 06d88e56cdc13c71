//! Tests of custom tools: executables with a JSON file. They need approval like every started program.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn put(folder: &Path, name: &str, described: &Value, body: &str) {
    std::fs::create_dir_all(folder).expect("a folder of tools");
    std::fs::write(folder.join(format!("{name}.json")), described.to_string()).expect("a description");
    let program = folder.join(format!("{name}.sh"));
    std::fs::write(&program, format!("#!/bin/sh\n{body}\n")).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program that can be run");
}

fn weather() -> Value {
    json!({
        "description": "What the weather is in a town.",
        "parameters": {
            "type": "object",
            "properties": {"town": {"type": "string", "minLength": 2}, "days": {"type": "integer", "maximum": 7}},
            "required": ["town"],
            "additionalProperties": false
        },
        "timeout_ms": 60_000
    })
}

fn home_that(server: &Server, permission: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = permission.clone();
    home.configure(&settings);
    home
}

#[test]
fn a_tool_of_ones_own_is_declared_last_asks_by_default_and_answers_with_what_it_writes() {
    let server = Server::start();
    let home = Home::with(&server);
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "cat > \"$PWD/asked.json\"; echo rain",
    );
    server.script([call("weather", json!({"town": "Ulm"})), text("No.")]);
    home.run(&["run", "go"]).assert_code(3);
    assert!(!home.path("asked.json").exists(), "nobody allowed it");
    let declared = server.request(1).body["tools"].as_array().expect("tools").clone();
    let last = declared.last().expect("a tool");
    assert_eq!(last["function"]["name"], "weather");
    assert_eq!(last["function"]["description"], "What the weather is in a town.");

    let server = Server::start();
    let home = home_that(&server, &json!({"weather": "allow"}));
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "cat > \"$PWD/asked.json\"; echo rain",
    );
    server.script([
        call("weather", json!({"town": "Ulm", "days": 2})),
        text("Rain."),
        text("Still."),
    ]);
    home.run(&["run", "go"]).assert_code(0);
    let told = server.request(2).last("tool").to_owned();
    assert!(told.contains("rain"), "{told}");
    let asked: Value = serde_json::from_str(&home.read("asked.json")).expect("JSON on its input");
    assert_eq!(
        (&asked["version"], &asked["tool"], &asked["arguments"]),
        (&json!(1), &json!("weather"), &json!({"town": "Ulm", "days": 2}))
    );
    home.run(&["run", "--continue", "and now?"]).assert_code(0);
    server.assert_append_only();
}

#[test]
fn arguments_are_held_to_the_schema_before_anybody_is_asked() {
    let server = Server::start();
    let home = home_that(&server, &json!({"weather": "allow"}));
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "touch \"$PWD/ran.txt\"",
    );
    let wrong = [
        (json!({}), "`town` is missing"),
        (json!({"town": "U"}), "fewer than 2 characters"),
        (json!({"town": "Ulm", "days": 8}), "at most 7"),
        (json!({"town": "Ulm", "days": "two"}), "of type integer"),
        (json!({"town": "Ulm", "planet": "Mars"}), "has no argument `planet`"),
    ];
    for (arguments, _) in &wrong {
        server.script([call("weather", arguments.clone()), text("So.")]);
    }
    for (number, (_, said)) in wrong.iter().enumerate() {
        home.run(&["run", "go"]);
        let told = server.request(2 * number + 2).last("tool").to_owned();
        assert!(told.contains(said), "{said}: {told}");
    }
    assert!(!home.path("ran.txt").exists());
}

#[test]
fn a_person_sees_the_program_and_its_arguments_before_it_runs() {
    let server = Server::start();
    let home = Home::with(&server);
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "echo '{\"output\": \"sun in Ulm\"}'",
    );
    server.script([call("weather", json!({"town": "Ulm"})), text("Sun.")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.accept("weather.sh");
    bench.wait_for_text("Sun.");
    assert!(server.request(2).last("tool").starts_with("sun in Ulm\n"));
    bench.leave();
}

#[test]
fn one_that_fails_is_slow_or_writes_without_end_is_ended_and_told() {
    for (body, said) in [
        ("echo half; echo broken >&2; exit 3", "broken"),
        ("sleep 654", "was ended after 700 ms"),
        ("yes", "wrote more than"),
        ("echo '{\"error\": \"no such town\"}'", "no such town"),
    ] {
        let server = Server::start();
        let home = home_that(&server, &json!({"weather": "allow"}));
        let mut described = weather();
        if body.starts_with("sleep") {
            described["timeout_ms"] = json!(700);
        }
        put(&home.benchdog_home().join("tools"), "weather", &described, body);
        server.script([call("weather", json!({"town": "Ulm"})), text("So.")]);
        home.run(&["run", "go"]).assert_code(0);
        let told = server.request(2).last("tool").to_owned();
        assert!(told.contains(said), "{body}: {told}");
        home.assert_gone("sleep 654", Duration::from_secs(5));
    }
}

#[test]
fn those_of_a_project_count_with_trust_and_another_byte_is_another_tool() {
    let server = Server::start();
    let home = home_that(&server, &json!({"*": "allow"}));
    let folder = home.path(".benchdog/tools");
    put(&folder, "weather", &weather(), "echo rain");
    server.script([text("None."), call("weather", json!({"town": "Ulm"})), text("Rain.")]);
    home.run(&["run", "go"]).assert_code(0);
    assert!(!server.request(1).body["tools"].to_string().contains("weather"));
    home.run(&["run", "--trust", "go"]).assert_code(0);
    assert!(server.request(3).last("tool").contains("rain"));

    server.script([
        call(
            "bash",
            json!({"command": "echo 'touch ran.txt' >> .benchdog/tools/weather.sh"}),
        ),
        call("weather", json!({"town": "Ulm"})),
        text("So."),
    ]);
    home.run(&["run", "--trust", "--approve", "all", "go"]);
    assert!(!home.path("ran.txt").exists(), "what changed since is not started");
}

#[test]
fn what_is_wrong_with_a_tool_is_said_and_no_name_of_a_built_in_one_is_taken() {
    let server = Server::start();
    let home = Home::with(&server);
    let folder = home.benchdog_home().join("tools");
    put(&folder, "bash", &weather(), "echo mine");
    put(&folder, "shell", &weather(), "echo mine");
    put(&folder, "odd", &json!({"description": "x", "efect": "reads"}), "echo");
    put(
        &folder,
        "deep",
        &json!({"description": "x", "parameters": {"type": "object", "oneOf": []}}),
        "echo",
    );
    std::fs::write(folder.join("alone.json"), weather().to_string()).expect("a description");
    server.script([text("Fine.")]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    for said in [
        "`bash` is a built-in tool",
        "`shell` is a built-in tool",
        "a tool has no `efect`",
        "the word `oneOf` of JSON Schema is not understood here",
        "there is no executable `alone` next to it",
    ] {
        assert!(run.stderr.contains(said), "{said}: {run}");
    }
    assert!(!server.request(1).body["tools"].to_string().contains("weather"));
}

#[test]
fn a_check_names_a_program_that_nothing_describes_and_what_no_tool_is_called_by() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["hooks"] = json!({"before_tool": [{"match": "wether|weather", "command": ["./guard"]}]});
    home.configure(&settings);
    let folder = home.benchdog_home().join("tools");
    put(&folder, "weather", &weather(), "echo rain");
    std::fs::write(folder.join("notes.txt"), "no program").expect("a file");
    let check = home.run(&["config", "check"]);
    check.assert_code(2);
    assert!(check.stdout.contains("`wether`; did you mean `weather`?"), "{check}");
    put(&folder, "lost", &json!({}), "echo");
    std::fs::remove_file(folder.join("lost.json")).expect("a file");
    settings["hooks"] = json!({});
    home.configure(&settings);
    let check = home.run(&["config", "check"]);
    check.assert_code(2);
    assert!(
        check
            .stdout
            .contains("lost.sh: this program is not a tool, because `lost.json` is missing; create that file"),
        "{check}"
    );
    assert!(check.stdout.ends_with("Custom tools: `weather`\n"), "{check}");
    assert!(!check.stdout.contains("notes.txt"), "{check}");
}

#[test]
fn where_nothing_may_be_written_none_is_started_because_nothing_holds_it_in() {
    let server = Server::start();
    let home = home_that(&server, &json!({"weather": "allow"}));
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "touch \"$PWD/ran.txt\"",
    );
    server.script([call("weather", json!({"town": "Ulm"})), text("No.")]);
    home.run(&["run", "-a", "plan", "go"]);
    assert!(!home.path("ran.txt").exists());
    assert!(
        server.request(2).last("tool").contains("Nothing was done"),
        "{}",
        server.request(2).raw
    );
}

#[test]
fn further_folders_with_tools_go_first_and_only_a_person_names_them() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["tools"] = json!({"paths": ["~/further"], "rain": {"note": "In English."}});
    settings["permission"] = json!({"weather": "allow", "rain": "allow"});
    home.configure(&settings);
    put(
        &home.benchdog_home().join("tools"),
        "weather",
        &weather(),
        "echo from beside",
    );
    for (name, body) in [("weather", "echo from further away"), ("rain", "echo rain")] {
        put(&home.user_home().join("further"), name, &weather(), body);
    }
    server.script([call("weather", json!({"town": "Ulm"})), text("Fine.")]);
    home.run(&["run", "go"]).assert_code(0);
    let told = server.request(2).last("tool").to_owned();
    assert!(told.starts_with("from further away"), "{told}");
    let check = home.run(&["config", "check"]);
    check.assert_code(0);
    assert!(check.stdout.ends_with("Custom tools: `rain`, `weather`\n"), "{check}");
    settings["tools"]["paths"] = json!(["further"]);
    home.configure(&settings);
    let wrong = home.run(&["config", "check"]);
    wrong.assert_code(2);
    assert!(
        wrong.stdout.contains("begins with `/` or `~/`; write its whole path"),
        "{wrong}"
    );
}
