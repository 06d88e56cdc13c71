//! Tests of the configuration: errors with line numbers, values with their layer, and the commands that explain them.

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn an_unknown_key_is_an_error_with_file_line_and_a_suggestion() {
    let home = Home::bare();
    home.configure_text("{\n  // which model\n  \"modell\": \"kit/x\"\n}\n");
    for arguments in [&["run", "hello"][..], &["config", "check"]] {
        let run = home.run(arguments);
        run.assert_code(2);
        // `run` reports the problem on stderr, `config check` on stdout.
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("config.jsonc:3") && said.contains("modell"), "{run}");
        assert!(said.contains("`model`"), "a suggestion: {run}");
    }
}

#[test]
fn a_wrong_value_and_broken_syntax_point_at_their_line_too() {
    let home = Home::bare();
    for (text, line) in [
        ("{\n\n  \"permission\": {\"edit\": \"maybe\"}\n}\n", ":3"),
        ("{\n  \"model\": \"a\"\n  \"provider\": {}\n}\n", ":2"),
        ("{\n  \"validation\": {\"auto\": \"yes\"}\n}\n", ":2"),
    ] {
        home.configure_text(text);
        let run = home.run(&["config", "check"]);
        run.assert_code(2);
        assert!(run.stdout.contains(&format!("config.jsonc{line}")), "{text}\n{run}");
    }
}

#[test]
fn explain_names_the_value_its_place_and_what_it_overrides() {
    let home = Home::bare();
    home.configure_text("{\n  \"model\": \"far/away\"\n}\n");
    let nearer = home.path("nearer.jsonc");
    std::fs::write(&nearer, "{\n\n  \"model\": \"near/by\"\n}\n").expect("a file");
    let run = home.run(&["config", "explain", "model", "--config", &nearer.to_string_lossy()]);
    run.assert_code(0);
    for words in ["near/by", "nearer.jsonc:3", "far/away", "config.jsonc:2"] {
        assert!(run.stdout.contains(words), "{words:?} is missing\n{run}");
    }
}

#[test]
fn the_nearest_layer_wins_and_the_flag_is_the_nearest() {
    let server = Server::start();
    let home = Home::with(&server).env("BENCHDOG_MODEL", "from-environment");
    server.script([text("a"), text("b")]);
    home.run(&["run", "hello"]).assert_code(0);
    home.run(&["run", "-m", "from-flag", "hello"]).assert_code(0);
    let models: Vec<Value> = server
        .requests()
        .iter()
        .map(|request| request.body["model"].clone())
        .collect();
    assert_eq!(models, [json!("from-environment"), json!("from-flag")]);
}

#[test]
fn a_deny_of_any_layer_is_final() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"read": "deny"});
    home.configure(&settings);
    let nearer = home.path("nearer.jsonc");
    std::fs::write(&nearer, r#"{"permission": {"read": "allow"}}"#).expect("a file");
    home.file("notes.txt", "one\n");
    server.script([
        crate::support::reply::call("read", json!({"path": "notes.txt"})),
        text("ok"),
    ]);
    let run = home.run(&[
        "run",
        "--config",
        &nearer.to_string_lossy(),
        "--output",
        "stream-json",
        "read it",
    ]);
    assert_eq!(run.events("tool_finished")[0]["status"], "denied", "{run}");
}

#[test]
fn policy_explain_answers_one_object_a_command() {
    let home = Home::bare();
    home.file("existing", "old\n");
    let one = home.run(&["policy", "explain", "sudo rm -rf x"]);
    one.assert_code(0);
    let answer = &one.json_lines()[0];
    assert_eq!(
        (&answer["class"], &answer["verdict"]),
        (&json!("dangerous"), &json!("ask")),
        "{one}"
    );
    assert!(
        answer["parts"].as_array().is_some_and(|parts| !parts.is_empty()),
        "{one}"
    );
    assert!(
        answer["because"].as_str().is_some_and(|because| !because.is_empty()),
        "{one}"
    );

    let many = home.run_with_input(
        &["policy", "explain", "--stdin"],
        "ls\necho a > existing\necho a > brand_new\ncat existing\n",
    );
    many.assert_code(0);
    let answers = many.json_lines();
    let said: Vec<(&str, &str, &str)> = answers
        .iter()
        .map(|line| {
            let field = |name: &str| line[name].as_str().unwrap_or_default();
            (field("command"), field("class"), field("verdict"))
        })
        .collect();
    assert_eq!(
        said,
        [
            ("ls", "plain", "allow"),
            ("echo a > existing", "dangerous", "ask"),
            ("echo a > brand_new", "plain", "ask"),
            ("cat existing", "plain", "allow"),
        ]
    );
}

#[test]
fn doctor_parses_every_stream_of_the_corpus_as_it_says() {
    for (api, folder) in [("openai", "sse"), ("anthropic", "sse_anthropic")] {
        parses_every_stream(api, folder);
    }
}

fn parses_every_stream(api: &str, folder: &str) {
    let home = Home::bare();
    let folder = format!("{}/tests/data/{folder}", env!("CARGO_MANIFEST_DIR"));
    let index = std::fs::read_to_string(format!("{folder}/index.json")).expect("the corpus is there");
    let index: Value = serde_json::from_str(&index).expect("an index of cases");
    let cases = index["cases"].as_array().expect("cases");
    assert!(cases.len() > 20, "the corpus is whole");
    for case in cases.iter().filter(|case| case["contested"] != true) {
        let name = case["file"].as_str().unwrap_or_default();
        let status = case["status"].as_u64().unwrap_or(200).to_string();
        let body = std::fs::read(format!("{folder}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let run = home.run_with_input(&["doctor", "parse-stream", "--api", api, "--status", &status], body);
        run.assert_code(0);
        let (said, expected) = (&run.json_lines()[0], &case["expected"]);
        for field in ["text", "reasoning", "complete", "usage"] {
            assert!(
                expected[field].is_null() || said[field] == expected[field],
                "{name}: `{field}`\n{run}"
            );
        }
        let message = expected["error"]["message_contains"].as_str().unwrap_or_default();
        assert_eq!(said["error"].is_null(), expected["error"].is_null(), "{name}\n{run}");
        assert!(
            said["error"].as_str().unwrap_or_default().contains(message),
            "{name}\n{run}"
        );
    }
}

#[test]
fn what_has_no_effect_yet_is_refused_with_its_line_wherever_it_is_read() {
    let home = Home::bare();
    for (text, line, words) in [
        (
            "{\n\n  \"cache\": {\"hours\": 3}\n}",
            ":3",
            "`cache.hours` is not a known key",
        ),
        (
            "{\n  \"ui\": {\n  \"keys\": {\"palette.opne\": \"ctrl-p\"}}\n}",
            ":3",
            "there is no action `palette.opne`",
        ),
        (
            "{\n  \"ui\": {\n  \"keys\": {\"palette.open\": \"x\"}}\n}",
            ":3",
            "choose a key with Ctrl or Alt",
        ),
        (
            "{\n  \"ui\": {\n  \"keys\": {\"palette.open\": \"Ctrl+K\"}}\n}",
            ":3",
            "`Ctrl+K` cannot be both `palette.open` and `text.delete_line_right`",
        ),
        (
            "{\n  \"agent\": {\"title\": {}}\n}",
            ":2",
            "`agent.title` has no effect without `model`",
        ),
    ] {
        home.configure_text(text);
        for arguments in [&["run", "hello"][..], &["config", "check"], &["config", "show"]] {
            let run = home.run(arguments);
            run.assert_code(2);
            let said = format!("{}{}", run.stdout, run.stderr);
            assert!(
                said.contains(&format!("config.jsonc{line}")) && said.contains(words),
                "{text}\n{run}"
            );
        }
    }
    home.configure_text("{\"$schema\": \"https://example.org/x.json\", \"ui\": {\"language\": \"en\"}}");
    home.run(&["config", "check"]).assert_code(0);
}

#[test]
fn a_prompt_that_begins_with_such_a_name_is_a_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("I look at it.")]);
    let bench = home.bench(&["review this"]);
    bench.wait_for_text("I look at it.");
    assert_eq!(server.request(1).last("user").trim_end(), "review this");
    bench.leave();
}

#[test]
fn flags_that_are_not_built_yet_are_refused() {
    let home = Home::bare();
    for line in [
        "-y",
        "--worktree",
        "--temperature 1",
        "--fork x",
        "run --tools +a hello",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        home.run(&arguments).assert_code(2);
    }
}

#[test]
fn doctor_finds_the_written_calls_of_the_corpus() {
    let home = Home::bare();
    let folder = format!("{}/tests/data/toolcalls", env!("CARGO_MANIFEST_DIR"));
    let tools = format!("{folder}/tools.json");
    let cases = std::fs::read_to_string(format!("{folder}/toolcalls.jsonl")).expect("the corpus is there");
    assert!(cases.lines().count() > 40, "the corpus is whole");
    for case in cases.lines() {
        let case: Value = serde_json::from_str(case).expect("a case");
        let text = case["text"].as_str().unwrap_or_default();
        let run = home.run_with_input(&["doctor", "parse-calls", "--tools", &tools], text);
        run.assert_code(0);
        let said = &run.json_lines()[0];
        assert_eq!(said["calls"], case["expected"], "{}\n{run}", case["id"]);
        assert!(
            case["content"].is_null() || said["text"] == case["content"],
            "{}\n{run}",
            case["id"]
        );
    }
    let run = home.run(&["doctor", "parse-calls", "<Read><file_path>a</file_path></Read>"]);
    assert_eq!(run.json_lines()[0]["calls"][0]["name"], "read", "{run}");
    home.run(&["doctor", "parse-calls", "--tools", "/nonexistent", "x"])
        .assert_code(2);
}
