//! Tests of configured MCP servers.

use super::*;
use crate::mcp::missing;
use crate::settings::{ServerAddress, ServerAuth, ServerPlace};
use benchdog_domain::server::Offered;

const FILES: &str = r#"{"mcp": {"files": {"command": ["files", "."], "environment": {"A": "${B}"}, "timeout_ms": 500}, "off": {"enabled": false, "command": ["x"]}}}"#;

#[test]
fn a_server_is_a_program_with_its_arguments_and_variables() {
    let servers = Fixture::user(FILES).settings().servers;
    let [files, off] = <[_; 2]>::try_from(servers).unwrap();
    assert_eq!(
        files.place,
        ServerPlace::Program {
            program: "files".to_owned(),
            arguments: vec![".".to_owned()],
            environment: vec![("A".to_owned(), "${B}".to_owned())],
            cwd: None,
        }
    );
    assert_eq!((files.timeout_ms, files.enabled), (500, true));
    assert_eq!((off.timeout_ms, off.enabled), (30_000, false));
    assert_eq!((files.start_timeout_ms, off.start_timeout_ms), (500, 30_000));
}

#[test]
fn a_server_has_a_folder_a_time_to_start_in_and_tools_that_are_off() {
    let text = r#"{"mcp": {"files": {"command": ["x"], "cwd": "../there", "start_timeout_ms": 9000, "disabled_tools": ["move"]}},
        "tools": {"files__read": {"enabled": false, "note": "Read little.", "timeout_ms": 500, "max_output_bytes": 5000}},
        "permission": {"files__read": "ask", "files__gone": "deny", "files__resources": "ask", "files__x*": "ask", "bash": "ask"}}"#;
    let settings = Fixture::user(text).settings();
    let files = &settings.servers[0];
    assert!(matches!(&files.place, ServerPlace::Program { cwd: Some(cwd), .. } if cwd == "../there"));
    assert_eq!((files.start_timeout_ms, files.timeout_ms), (9_000, 30_000));
    assert_eq!(settings.tools[0].note.as_deref(), Some("Read little."));
    let offered = |name: &str| Offered {
        name: name.to_owned(),
        description: String::new(),
        schema: serde_json::Value::Null,
    };
    let name = &files.name;
    let all = [offered("move"), offered("read")];
    assert_eq!(missing(&settings, name, &all, &[]), ["files__gone"]);
    assert_eq!(
        missing(&settings, name, &[], &[]),
        ["move", "files__read", "files__gone"]
    );
}

#[test]
fn a_project_starts_its_server_in_itself() {
    let of = |cwd: &str| format!(r#"{{"mcp": {{"docs": {{"command": ["./docs"], "cwd": "{cwd}"}}}}}}"#);
    assert_eq!(
        Fixture::new()
            .with("project.jsonc", of("./tools"))
            .settings()
            .servers
            .len(),
        1
    );
    for out in ["..", "tools/../..", "/tmp"] {
        let told = Fixture::new().with("project.jsonc", of(out)).problems();
        assert!(told[0].contains("names a folder in it"), "{told:?}");
    }
}

#[test]
fn what_no_server_can_be_is_told_at_its_line() {
    for (text, told) in [
        (
            r#"{"mcp": {"a__b": {"command": ["x"]}}}"#,
            "user.jsonc:1:10: a server is called by letters, digits, `-` and single `_`, at most 32, not `a__b`",
        ),
        (
            r#"{"mcp": {"files": {"timeout_ms": 500}}}"#,
            "user.jsonc:1: the server `files` has neither a `command` (the program, and each of its arguments) nor a `url`",
        ),
        (
            r#"{"mcp": {"files": {"command": "files ."}}}"#,
            "user.jsonc:1:31: `mcp.files.command` must be a list of strings, not a string; for example `\"command\": [\"…\", \"…\"]`",
        ),
        (
            r#"{"mcp": {"files": {"url": "ftp://x"}}}"#,
            "user.jsonc:1:27: `mcp.files.url` must be an address of the form `http://HOST:PORT/PATH` or `https://HOST/PATH`",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "command": ["x"]}}}"#,
            "user.jsonc:1: the server `files` has a `command` and a `url`; remove one of them",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "environment": {"A": "b"}}}}"#,
            "user.jsonc:1: `mcp.files.environment` has no effect for a server that is reached by a `url`",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "auth": "oauth", "token_env": ["A"]}}}"#,
            "user.jsonc:1: `mcp.files.token_env` has no effect where `auth` is `oauth`",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "client_secret_env": ["A"]}}}"#,
            "user.jsonc:1: `mcp.files.client_secret_env` has no effect without `client_id`",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "auth": "none", "scopes": ["a"]}}}"#,
            "user.jsonc:1: `mcp.files.scopes` has no effect where `auth` is `none`",
        ),
        (
            r#"{"mcp": {"files": {"url": "https://x", "cwd": "a"}}}"#,
            "user.jsonc:1: `mcp.files.cwd` has no effect for a server that is reached by a `url`",
        ),
        (
            r#"{"mcp": {"files": {"command": ["x"], "headers": {"A": "b"}}}}"#,
            "user.jsonc:1: `mcp.files.headers` has no effect for a server that is a program",
        ),
    ] {
        assert_eq!(Fixture::user(text).problems(), [told]);
    }
}

#[test]
fn a_project_brings_servers_of_its_own_and_takes_none_of_ours_over() {
    let own = r#"{"mcp": {"docs": {"command": ["./docs"]}}}"#;
    let servers = Fixture::user(FILES).with("project.jsonc", own).settings().servers;
    assert_eq!(servers.last().map(|server| server.layer), Some(Layer::Project));
    let other = r#"{"mcp": {"files": {"command": ["./theirs"]}}}"#;
    let told = Fixture::user(FILES).with("project.jsonc", other).problems();
    assert!(
        told[0].ends_with(
            "the server `files` is set by the project or `--mcp`, and elsewhere; call one of them otherwise"
        ),
        "{told:?}"
    );
    for borrows in [
        r#"{"mcp": {"docs": {"command": ["./docs"], "environment": {"T": "${GITHUB_TOKEN}"}}}}"#,
        r#"{"mcp": {"docs": {"url": "https://x/${GITHUB_TOKEN}"}}}"#,
        r#"{"mcp": {"docs": {"url": "https://x", "headers": {"A": "${GITHUB_TOKEN}"}}}}"#,
    ] {
        let told = Fixture::new().with("project.jsonc", borrows).problems();
        assert!(
            told[0].contains("takes a variable of yours, which a project must not"),
            "{told:?}"
        );
    }
    let named = r#"{"mcp": {"docs": {"url": "https://x", "token_env": ["GITHUB_TOKEN"]}}}"#;
    let told = Fixture::new().with("project.jsonc", named).problems();
    assert!(told[0].contains("a project cannot set"), "{told:?}");
    let off = r#"{"mcp": {"docs": {"enabled": false}}}"#;
    let servers = Fixture::user(off).with("project.jsonc", own).settings().servers;
    assert!(!servers[0].enabled, "{servers:?}");
    // A project cannot enable a server that the person disabled.
    for (user, project) in [
        (FILES, r#"{"mcp": {"off": {"enabled": true}}}"#),
        (off, r#"{"mcp": {"docs": {"enabled": true, "command": ["./docs"]}}}"#),
    ] {
        let servers = Fixture::user(user).with("project.jsonc", project).settings().servers;
        assert!(!servers.last().unwrap().enabled, "{servers:?}");
    }
    let project = r#"{"mcp": {"files": {"enabled": false}}}"#;
    let servers = Fixture::user(FILES).with("project.jsonc", project).settings().servers;
    assert!(!servers[0].enabled, "{servers:?}");
}

fn told_of_address(more: &str) -> String {
    let text = format!(r#"{{"mcp": {{"far": {{"url": "https://x/mcp", {more}}}}}}}"#);
    Fixture::user(&text).problems().join("\n")
}

#[test]
fn what_a_way_to_sign_in_needs_or_cannot_use_is_said() {
    for (more, told) in [
        (
            r#""auth": "client_credentials""#,
            "`mcp.far.auth` is `client_credentials`, which needs `client_id` beside it",
        ),
        (
            r#""auth": "client_credentials", "client_id": "a""#,
            "which needs `client_secret_env`, `client_key_env` or `client_key_file` beside it",
        ),
        (
            r#""auth": "client_credentials", "client_id": "a", "client_key_file": "k", "client_secret_env": ["S"]"#,
            "`mcp.far.client_key_file` has no effect beside `client_secret_env`; remove one of them",
        ),
        (
            r#""auth": "cross_app", "client_id": "a", "identity_url": "https://id""#,
            "which needs `identity_client_id` beside it",
        ),
        (
            r#""client_key_env": ["K"]"#,
            "`mcp.far.client_key_env` has no effect where `auth` is `oauth`",
        ),
        (
            r#""client_id": "a", "client_metadata_url": "https://x/a.json""#,
            "`mcp.far.client_metadata_url` has no effect beside `client_id`; remove one of them",
        ),
        (
            r#""auth": "none", "identity_token_env": ["I"]"#,
            "`mcp.far.identity_token_env` has no effect where `auth` is `none`",
        ),
        (
            r#""auth": "client_credentials", "client_id": "a", "client_key_file": "../k.pem""#,
            "`mcp.far.client_key_file` begins with `/` or `~/`, which `../k.pem` does not; write its whole path",
        ),
        (
            r#""auth": "cross_app", "client_id": "a", "identity_url": "https://id", "identity_client_id": "b", "identity_token_file": "t""#,
            "`mcp.far.identity_token_file` begins with `/` or `~/`, which `t` does not; write its whole path",
        ),
        (
            r#""auth": "client_credentials", "client_id": "a", "client_secret_env": ["S"], "headers": {"authorization": "Basic x"}"#,
            "`mcp.far.auth` has no effect as `client_credentials` beside the header `authorization`; remove one of them",
        ),
    ] {
        let said = told_of_address(more);
        assert!(said.contains(told), "{more}: {said}");
    }
    for placed in ["/keys/k.pem", "~/k.pem"] {
        let more = format!(r#""auth": "client_credentials", "client_id": "a", "client_key_file": "{placed}""#);
        let text = format!(r#"{{"mcp": {{"far": {{"url": "https://x/mcp", {more}}}}}}}"#);
        assert_eq!(Fixture::user(&text).settings().servers.len(), 1, "{placed}");
    }
    for key in [
        r#""client_key_file": "k""#,
        r#""identity_url": "https://id""#,
        r#""identity_token_file": "t""#,
    ] {
        let own = format!(r#"{{"mcp": {{"docs": {{"url": "https://x", {key}}}}}}}"#);
        let told = Fixture::new().with("project.jsonc", &own).problems();
        assert!(told[0].contains("a project cannot set"), "{key}: {told:?}");
    }
}

#[test]
fn variables_that_hold_what_is_signed_in_with_are_ours_alone() {
    let text = r#"{"mcp": {"far": {"url": "https://x/mcp", "auth": "cross_app", "client_id": "a", "client_key_env": ["A_KEY"],
        "identity_url": "https://id", "identity_client_id": "b", "identity_client_secret_env": ["B_SECRET"], "identity_token_env": ["WHO"]}}}"#;
    let settings = Fixture::user(text).settings();
    let own = crate::key_variables(&settings, &Environment::of([]));
    for variable in ["A_KEY", "B_SECRET", "WHO"] {
        assert!(own.iter().any(|one| one == variable), "{variable}: {own:?}");
    }
}

#[test]
fn a_server_is_an_address_with_its_headers_and_the_variables_of_its_token() {
    let text =
        r#"{"mcp": {"far": {"url": "https://x/mcp", "headers": {"X-Org": "${ORG}"}, "token_env": ["FAR_TOKEN"]}}}"#;
    let servers = Fixture::user(text).settings().servers;
    assert_eq!(
        servers[0].place,
        ServerPlace::Address(Box::new(ServerAddress {
            url: "https://x/mcp".to_owned(),
            headers: vec![("X-Org".to_owned(), "${ORG}".to_owned())],
            auth: ServerAuth::Token,
            token_env: vec!["FAR_TOKEN".to_owned()],
            client_id: None,
            client_secret_env: Vec::new(),
            scopes: Vec::new(),
            callback_port: 0,
            client_metadata_url: None,
            client_key: None,
            identity: None,
        }))
    );
}
