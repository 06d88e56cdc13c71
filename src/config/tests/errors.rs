//! Tests of error messages: location, problem and suggestion on one line.

use super::*;
use benchdog_base::problem::Problem;

#[track_caller]
fn wrong(text: &str, told: &str) {
    assert_eq!(Fixture::user(text).problems(), [told], "{text}");
}

#[test]
fn an_unknown_key_is_told_with_its_place_and_the_nearest_known_one() {
    wrong(
        "{\n  // which one\n  \"modle\": \"x\"\n}",
        "user.jsonc:3:3: `modle` is not a known key; did you mean `model`?",
    );
    wrong(
        r#"{"ui": {"thme": "dark"}}"#,
        "user.jsonc:1:9: `ui.thme` is not a known key; did you mean `ui.theme`?",
    );
    wrong(
        r#"{"provider": {"local": {"base_url": "http://x", "baseurl": 1}}}"#,
        "user.jsonc:1:49: `provider.local.baseurl` is not a known key; did you mean `provider.local.base_url`?",
    );
    wrong(
        r#"{"theme": "dark"}"#,
        "user.jsonc:1:2: `theme` is not a known key; did you mean `ui.theme`?",
    );
    wrong(r#"{"zzz": 1}"#, "user.jsonc:1:2: `zzz` is not a known key");
}

#[test]
fn wrong_values_are_told_with_what_they_may_be() {
    wrong(
        r#"{"model": 5}"#,
        "user.jsonc:1:11: `model` must be a string, not 5; for example `\"model\": \"…\"`",
    );
    wrong(
        r#"{"ui": {"mouse": "yes"}}"#,
        "user.jsonc:1:18: `ui.mouse` must be true or false, not a string",
    );
    wrong(
        r#"{"provider": {"p": {"base_url": "localhost"}}}"#,
        "user.jsonc:1:33: `provider.p.base_url` must be an address such as `127.0.0.1:8000` or `https://HOST/v1`",
    );
    wrong(
        r#"{"provider": {"p": {"base_url": "http://x", "api": "opanai"}}}"#,
        "user.jsonc:1:52: `provider.p.api` must be one of `openai`, `openai-responses`, `ollama`, `anthropic`, not `opanai`; did you mean `openai`?",
    );
    wrong(
        r#"{"provider": {"p": {"base_url": "http://x", "idle_timeout_s": 0}}}"#,
        "user.jsonc:1:63: `provider.p.idle_timeout_s` must be a whole number from 1 to 86400, not 0; for example `\"idle_timeout_s\": 300`",
    );
    wrong(
        r#"{"provider": {"p": {"base_url": "http://x", "models": {"m": {"context": 65.5}}}}}"#,
        "user.jsonc:1:73: `provider.p.models.m.context` must be a whole number from 1 to 100000000, not 65.5; for example `\"context\": 32768`",
    );
    wrong(
        r#"{"instructions": ["a", 7]}"#,
        "user.jsonc:1:24: `instructions` must be a list of strings, and one item is a number; for example `\"instructions\": [\"…\", \"…\"]`",
    );
    wrong(
        r#"{"ui": []}"#,
        "user.jsonc:1:8: `ui` must be an object, not a list; for example `\"ui\": { … }`",
    );
    wrong(
        r#"{"model": null}"#,
        "user.jsonc:1:11: `model` must be a string, not null; for example `\"model\": \"…\"`",
    );
    wrong(
        "[1]",
        "user.jsonc:1:1: a configuration is an object in braces, not a list",
    );
}

#[test]
fn a_rule_is_one_of_three_words() {
    wrong(
        r#"{"permission": {"bash": {"ls *": "alow"}}}"#,
        "user.jsonc:1:34: the rule `permission.bash.ls *` must be `allow`, `ask` or `deny`, not `alow`; did you mean `allow`?",
    );
    wrong(
        r#"{"permission": {"edit": true}}"#,
        "user.jsonc:1:25: the rule `permission.edit` must be `allow`, `ask` or `deny`, not true or false",
    );
}

#[test]
fn a_rule_that_nothing_asks_is_an_error_with_the_nearest_one_that_is_asked() {
    wrong(
        r#"{"permission": {"eidt": "deny"}}"#,
        "user.jsonc:1:17: no tool is called `eidt`, so its permission rule does nothing; did you mean `edit`?",
    );
    // The tools of an MCP server are unknown before its first start.
    Fixture::user(r#"{"permission": {"files__*": "ask", "files__read": {"*": "allow"}}}"#).settings();
}

#[test]
fn broken_syntax_is_told_at_its_line() {
    wrong(
        "{\n  \"model\": \"x\"\n  \"ui\": {}\n}",
        "user.jsonc:2:15: expected comma",
    );
    wrong(
        "{\n  \"model\": ",
        "user.jsonc:2:12: expected value after colon in object property",
    );
    wrong("{model: 1}", "user.jsonc:1:2: expected string for object property");
    wrong(
        "{\"model\": 'x'}",
        "user.jsonc:1:11: single-quoted strings are not allowed",
    );
    assert_eq!(Fixture::user("{\"a\": [").problems().len(), 1);
}

#[test]
fn a_key_twice_is_an_error_that_names_both_lines() {
    wrong(
        "{\n\"model\": \"a\",\n\"model\": \"b\"\n}",
        "user.jsonc:3:1: `model` is set twice; the first is on line 2",
    );
}

#[test]
fn columns_count_characters_and_marks_at_the_start_do_not_count() {
    wrong("\u{feff}{\"本\": 1}", "user.jsonc:1:2: `本` is not a known key");
    wrong(
        "{\r\n  \"ui\": {\"keys\": {\"日本\": []}}, \"modle\": 1\r\n}",
        "user.jsonc:2:31: `modle` is not a known key; did you mean `model`?",
    );
}

#[test]
fn every_mistake_is_collected_and_the_first_is_shown() {
    let error = Fixture::user(r#"{"modle": 1, "ui": {"mouse": 3}, "instructions": 1}"#)
        .with("project.jsonc", "{")
        .load()
        .unwrap_err();
    assert_eq!(error.problems.len(), 4);
    let shown = error.to_string();
    assert!(
        shown.contains("`modle`") && shown.ends_with("(and 3 more; `benchdog config check` shows all)"),
        "{shown}"
    );
}

#[test]
fn a_provider_without_an_address_is_an_error() {
    let problems = Fixture::user("{\n \"provider\": {\n  \"p\": {\"api\": \"openai\"}}}").problems();
    assert_eq!(problems, ["user.jsonc:3: the provider `p` has no `base_url`"]);
    let problems = Fixture::user(r#"{"provider": {"a/b": {"base_url": "http://x"}}}"#).problems();
    assert_eq!(
        problems,
        ["user.jsonc:1:15: the provider name `a/b` must not be empty or contain a slash"]
    );
}

#[test]
fn files_that_are_no_configuration_are_one_clear_error_each() {
    let folder = Fixture::new();
    std::fs::create_dir(folder.path("user.jsonc")).unwrap();
    assert_eq!(folder.problems(), ["user.jsonc: is a folder, not a configuration file"]);

    let device = Fixture::new();
    std::os::unix::fs::symlink("/dev/zero", device.path("user.jsonc")).unwrap();
    let told = "user.jsonc: is a pipe or a device, not a configuration file";
    assert_eq!(device.problems(), [told]);
    // Opening the pipe would wait forever for a writer.
    let pipe = Fixture::new();
    let made = std::process::Command::new("mkfifo")
        .arg(pipe.path("user.jsonc"))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(pipe.problems(), [told]);

    let huge = format!("{{\"model\": \"{}\"}}", "x".repeat(1_000_001));
    let problems = Fixture::user(&huge).problems();
    assert_eq!(
        problems,
        ["user.jsonc: is larger than 1 MB, which no configuration needs; is it the right file?"]
    );

    let latin = Fixture::new().with("user.jsonc", b"{\n\"model\": \"caf\xe9\"}");
    assert_eq!(latin.problems(), ["user.jsonc:2:1: is not UTF-8 text"]);

    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(
        Fixture::user(&format!("{{\"model\": {{\"a\": {deep}}}}}"))
            .problems()
            .len(),
        1
    );

    for nothing in ["", "  \n", "// only words\n", "\u{feff}"] {
        assert!(Fixture::user(nothing).load().is_ok(), "{nothing:?}");
    }
}

#[test]
fn an_unreadable_file_is_told_as_such() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::new();
    // A link to itself cannot be opened, even by root.
    symlink(fixture.path("user.jsonc"), fixture.path("user.jsonc")).unwrap();
    let problems = fixture.problems();
    assert!(problems[0].starts_with("user.jsonc: cannot be read: "), "{problems:?}");
}

#[test]
fn a_file_that_was_named_has_to_be_there() {
    let fixture = Fixture::new().variable("BENCHDOG_CONFIG", "/nowhere/at/all.jsonc");
    assert_eq!(fixture.problems(), ["/nowhere/at/all.jsonc: does not exist"]);
}

#[test]
fn a_bad_address_in_the_environment_names_the_variable() {
    let fixture = Fixture::new().variable("BENCHDOG_BASE_URL", "localhost");
    assert_eq!(
        fixture.problems(),
        ["BENCHDOG_BASE_URL: must be an address such as `127.0.0.1:8000` or `https://HOST/v1`"]
    );
}

#[test]
fn a_bad_filter_names_the_place_it_was_given_at() {
    let expected = "must be `off`, `error`, `warn`, `info`, `debug`, `trace`, or a list such as `info,provider=debug`";
    let fixture = Fixture::new().variable("BENCHDOG_LOG", "loud");
    assert_eq!(fixture.problems(), [format!("BENCHDOG_LOG: {expected}, not `loud`")]);
    let mut fixture = Fixture::user(r#"{"logs": {"level": "verbose"}}"#);
    let in_file = format!("user.jsonc:1:20: `logs.level` {expected}, not `verbose`");
    assert_eq!(fixture.problems(), std::slice::from_ref(&in_file));
    // A valid value in a higher layer does not fix the problem.
    fixture.flags.log_level = Some("info,h2=debug".to_owned());
    let parts = "orchestrator`, `provider`, `storage`, `children`, `files`, `terminal`, `traces`, `acp";
    let flag = format!("--log-level: names `h2`, which logs nothing; what does is `{parts}`");
    assert_eq!(fixture.problems(), [in_file, flag]);
}

#[test]
fn a_log_that_could_not_hold_a_line_is_refused() {
    let problems = Fixture::user(r#"{"logs": {"max_bytes": 100, "files": 0, "levle": "info"}}"#).problems();
    assert_eq!(
        problems,
        [
            "user.jsonc:1:24: `logs.max_bytes` must be a whole number from 4096 to 1000000000000, not 100; for example `\"max_bytes\": 10485760`",
            "user.jsonc:1:38: `logs.files` must be a whole number from 1 to 1000, not 0; for example `\"files\": 5`",
            "user.jsonc:1:41: `logs.levle` is not a known key; did you mean `logs.level`?",
        ]
    );
}

#[test]
fn secrets_are_not_repeated_in_errors() {
    let fixture =
        Fixture::user(r#"{"provider": {"p": {"base_url": "http://x", "headers": {"Authorization": ["sk-secret"]}}}}"#);
    assert!(!fixture.problems()[0].contains("sk-secret"));
}

#[test]
fn only_the_persons_own_configuration_lets_what_is_catastrophic_ask() {
    let asks = r#"{"permission": {"catastrophic": "ask"}}"#;
    wrong(
        r#"{"permission": {"catastrophic": "allow"}}"#,
        "user.jsonc:1:17: `permission.catastrophic` must be `ask` or `deny`",
    );
    assert_eq!(
        Fixture::new().with("project.jsonc", asks).problems(),
        ["project.jsonc:1:17: only your own configuration may let `permission.catastrophic` ask"]
    );
    assert_eq!(Fixture::user(asks).settings().permission.len(), 1);
}

#[test]
fn patterns_can_be_declared_dangerous_and_never_harmless() {
    wrong(
        r#"{"permission": {"dangerous": {"terraform *": "allow"}}}"#,
        "user.jsonc:1:31: `permission.dangerous.terraform *` must be `ask` or `deny`",
    );
    wrong(
        r#"{"permission": {"dangerous": "ask"}}"#,
        "user.jsonc:1:17: `permission.dangerous` must be an object of patterns",
    );
    let tightens = r#"{"permission": {"dangerous": {"make deploy": "ask"}}}"#;
    let settings = Fixture::new().with("project.jsonc", tightens).settings();
    assert_eq!(settings.permission.len(), 1, "a project may tighten");
}

#[test]
fn what_other_programs_call_a_key_of_a_server_is_told_as_it_is_called_here() {
    for (key, told) in [
        (r#""env": {}"#, "`mcp.h.env` is not a known key; write `environment`"),
        (
            r#""args": []"#,
            "`mcp.h.args` is not a known key; write the arguments into `command`, after the program",
        ),
        (
            r#""type": "stdio""#,
            "`mcp.h.type` is not a known key; remove it: `command` or `url` says which it is",
        ),
        (
            r#""disabled": true"#,
            "`mcp.h.disabled` is not a known key; write `\"enabled\": false`",
        ),
        (
            r#""comand": []"#,
            "`mcp.h.comand` is not a known key; did you mean `mcp.h.command`?",
        ),
    ] {
        let text = format!(r#"{{"mcp": {{"h": {{"command": ["x"], {key}}}}}}}"#);
        wrong(&text, &format!("user.jsonc:1:34: {told}"));
    }
}

#[test]
fn a_name_that_means_nothing_is_said_with_what_is_near_and_what_may_come_later_is_not() {
    let text = r#"{"mcp": {"files": {"command": ["x"]}},
"permission": {"fils__read": "allow", "files__read": "allow", "elsewhere__x": "ask", "*": "ask"},
"hooks": {"before_tool": [{"match": "bsah|edit", "command": ["./a"]},
{"match": "fils__*|files__*|elsewhere__x|Bash", "command": ["./b"]}]}}"#;
    let settings = Fixture::user(text).settings();
    let told = crate::unmet(&settings, &benchdog_tools::Registry::builtin().rules());
    let told: Vec<String> = told.iter().map(Problem::to_string).collect();
    let told: Vec<&str> = told
        .iter()
        .filter_map(|told| told.split_once("user.jsonc"))
        .map(|(_, rest)| rest)
        .collect();
    assert_eq!(
        told,
        [
            ":3:1: no tool is called as the `match` of the hook `./a` says: `bsah`; did you mean `bash`?",
            ":4:1: no tool is called as the `match` of the hook `./b` says: `fils__*`; did you mean `files__*`?",
            ":2:1: no server is called as the rule `fils__read` says, so it does nothing; did you mean `files__read`?",
        ]
    );
}
