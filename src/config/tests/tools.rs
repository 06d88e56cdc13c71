//! Tests of configured tools.

use super::*;
use benchdog_domain::adjustment::Switched;

#[test]
fn a_tool_is_described_limited_and_switched_off_by_whoever_says_it_nearest() {
    let theirs = r#"{"tools": {"grep": {"enabled": false}, "bash": {"timeout_ms": 9000, "note": "Be quiet."}}}"#;
    let tools = Fixture::user(
        r#"{"tools": {"Bash": {"description": "Runs.", "timeout_ms": 5}, "read": {"max_output_bytes": 5000}}}"#,
    )
    .with("project.jsonc", theirs)
    .settings()
    .tools;
    let of = |name: &str| tools.iter().find(|tool| tool.name == name).unwrap();
    assert_eq!(of("bash").told("Its own."), "Runs.\nBe quiet.");
    assert_eq!(of("bash").timeout_ms, Some(9000));
    assert_eq!(of("read").output_bytes, Some(5000));
    assert_eq!(of("read").told("Its own."), "Its own.");
    assert_eq!(of("grep").switched, Switched::Off);
}

#[test]
fn a_text_for_a_tool_is_a_file_in_prompts_beside_the_configuration_that_names_it() {
    let fixture = Fixture::user(r#"{"tools": {"bash": {"note": "bash.md"}}}"#);
    std::fs::create_dir(fixture.path("prompts")).unwrap();
    std::fs::write(fixture.path("prompts/bash.md"), "\nUse `just` here.\n").unwrap();
    assert_eq!(fixture.settings().tools[0].note.as_deref(), Some("Use `just` here."));

    let mut project = Fixture::new().with("project.jsonc", r#"{"tools": {"bash": {"description": "bash.md"}}}"#);
    project.texts.insert("prompts/bash.md".to_owned(), b"Ours.".to_vec());
    assert_eq!(project.settings().tools[0].description.as_deref(), Some("Ours."));
    project.texts.clear();
    let told = project.problems().remove(0);
    assert!(
        told.starts_with("project.jsonc:1:36: there is no file `bash.md` with a text for the model in `"),
        "{told}"
    );
}

#[test]
fn what_has_no_effect_on_a_tool_is_told_at_its_line() {
    let long = "x".repeat(2_001);
    for (of_tool, told) in [
        (r#""bsh": {}"#, "user.jsonc:1:12: no tool is called `bsh`; did you mean `tools.bash`?".to_owned()),
        (
            r#""ours": {}"#,
            "user.jsonc:1:12: no tool is called `ours`; a tool that a folder brings along is changed in the `.benchdog/config.jsonc` of that folder".to_owned(),
        ),
        (
            r#""files__move": {"enabled": false}"#,
            "user.jsonc:1: `tools.files__move`: no server is called `files`; what a folder's own server offers is changed in the `.benchdog/config.jsonc` of that folder".to_owned(),
        ),
        (
            r#""files__move": {"max_output_bytes": 60000}"#,
            "user.jsonc:1:48: `tools.files__move.max_output_bytes` can be 30000 at the most, not 60000; write `30000`".to_owned(),
        ),
        (
            r#""ask": {"timeout_ms": 5}"#,
            "user.jsonc:1:34: `tools.ask.timeout_ms` has no effect: the tool has no time limit of its own; remove it".to_owned(),
        ),
        (
            r#""bash": {"max_output_bytes": 60000}"#,
            "user.jsonc:1:41: `tools.bash.max_output_bytes` can be 30000 at the most, not 60000; write `30000`".to_owned(),
        ),
        (
            r#""plan_done": {"enabled": false}"#,
            "user.jsonc:1:37: `tools.plan_done.enabled` cannot be `false`: the agent `plan` hands its plan over with it; remove it".to_owned(),
        ),
        (
            r#""bash": {"desciption": "x"}"#,
            "user.jsonc:1:21: `tools.bash.desciption` is not a known key; did you mean `tools.bash.description`?".to_owned(),
        ),
        (
            r#""bash": {"note": " "}"#,
            "user.jsonc:1:29: `tools.bash.note` says nothing; remove it".to_owned(),
        ),
        (
            r#""bash": {"note": "\u001b[2J"}"#,
            "user.jsonc:1:29: `tools.bash.note` holds control characters; write plain text".to_owned(),
        ),
        (
            &*format!(r#""bash": {{"note": "{long}"}}"#),
            "user.jsonc:1:29: `tools.bash.note` has 2001 letters, and each request would carry them; write 2000 at the most".to_owned(),
        ),
    ] {
        assert_eq!(Fixture::user(&format!(r#"{{"tools": {{{of_tool}}}}}"#)).problems(), [told]);
    }
}

#[test]
fn a_project_switches_off_and_never_on() {
    let told = Fixture::user(r#"{"tools": {"bash": {"enabled": false}}}"#)
        .with("project.jsonc", r#"{"tools": {"bash": {"enabled": true}}}"#)
        .problems();
    assert_eq!(
        told,
        ["project.jsonc:1:32: `tools.bash.enabled` is not a project's to switch on; remove it here"]
    );
}
