//! Tests of configured language servers.

use super::*;

#[test]
fn a_known_server_needs_only_its_name() {
    let text = r#"{"lsp": {"pyright": {}, "zls": {"command": ["zls", "-v"], "files": ["*.zig"], "settings": {"a": [1]}, "warnings": true}}}"#;
    let [pyright, zls] = <[_; 2]>::try_from(Fixture::user(text).settings().languages).unwrap();
    assert_eq!(
        (pyright.program.as_str(), pyright.arguments, pyright.files),
        (
            "pyright-langserver",
            vec!["--stdio".to_owned()],
            vec!["*.py".to_owned(), "*.pyi".to_owned()]
        )
    );
    assert!(pyright.enabled && !pyright.warnings && pyright.settings == serde_json::json!({}));
    assert_eq!((zls.program.as_str(), zls.arguments), ("zls", vec!["-v".to_owned()]));
    assert!(zls.warnings && zls.settings == serde_json::json!({"a": [1]}));
}

#[test]
fn a_server_without_command_or_files_and_a_broken_pattern_are_one_clear_error() {
    for (text, told) in [
        (r#"{"lsp": {"zls": {"files": ["*.zig"]}}}"#, "has no `command`"),
        (r#"{"lsp": {"zls": {"command": ["zls"]}}}"#, "has no `files`"),
        (
            r#"{"lsp": {"zls": {"command": ["zls"], "files": ["a[b"]}}}"#,
            "`lsp.zls.files`: `a[b` is not a pattern",
        ),
        (
            r#"{"lsp": {"a b": {"command": ["x"], "files": ["*"]}}}"#,
            "`a b` is invalid",
        ),
    ] {
        let wrong = Fixture::user(text).problems().join("\n");
        assert!(wrong.contains(told), "{wrong}");
    }
}

#[test]
fn a_server_is_of_the_person_or_of_the_project_and_never_of_both() {
    let own = r#"{"lsp": {"pyright": {"warnings": true}}}"#;
    let with = |project: &str| Fixture::user(own).with("project.jsonc", project);
    let wrong = with(r#"{"lsp": {"pyright": {"command": ["./x"]}}}"#)
        .problems()
        .join("\n");
    assert!(wrong.contains("is set by the project, and elsewhere"), "{wrong}");
    let off = with(r#"{"lsp": {"pyright": {"enabled": false}}}"#).settings();
    assert!(!off.languages[0].enabled);
}
