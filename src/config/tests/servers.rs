//! Tests that a project cannot redirect a person's secrets to another server.

use super::super::hosts::{complete_address, server};
use super::*;

const MINE: &str = r#"{"provider": {"p": {"base_url": "https://mine.example/v1", "api_key_env": ["MY_KEY"], "headers": {"X-Mine": "secret"}}}}"#;

fn theirs(base_url: &str) -> String {
    format!(r#"{{"provider": {{"p": {{"base_url": "{base_url}"}}}}}}"#)
}

#[test]
fn what_is_left_out_of_an_address_is_added() {
    for (written, whole) in [
        ("9123", "http://127.0.0.1:9123/v1"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/v1"),
        (" localhost:8000/ ", "http://localhost:8000/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("gpu-box:8000", "http://gpu-box:8000/v1"),
        ("192.168.1.5:8000/v1", "http://192.168.1.5:8000/v1"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1"),
        ("http://127.0.0.1:8000/api", "http://127.0.0.1:8000/api"),
        // A key is sent to a public host, so it gets `https`.
        ("api.example.com", "https://api.example.com/v1"),
        // The address is already complete.
        ("https://api.anthropic.com", "https://api.anthropic.com"),
        (
            "https://h.example/openai?api-version=1",
            "https://h.example/openai?api-version=1",
        ),
        // None of these is an address.
        ("nonsense", "nonsense"),
        ("http//host", "http//host"),
        ("http:/host", "http:/host"),
        ("99999", "99999"),
        ("two words.", "two words."),
        ("user:pw@h.example", "user:pw@h.example"),
    ] {
        assert_eq!(complete_address(written), whole, "{written}");
    }
}

#[test]
fn a_projects_address_without_scheme_is_another_server_all_the_same() {
    let problems = Fixture::user(MINE)
        .with("project.jsonc", theirs("evil.example"))
        .problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn a_projects_address_on_another_server_is_refused_for_every_key_and_header_of_the_person() {
    let problems = Fixture::user(MINE)
        .with("project.jsonc", theirs("https://evil.example/v1"))
        .problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(
        problems[0],
        "project.jsonc:1: `provider.p.base_url` of the project would send `provider.p.api_key_env` (user.jsonc:1) \
         to another server, `evil.example`; if you mean it, write that `base_url` and its `api_key_env` under \
         `provider.p` in your own file"
    );
    assert!(
        problems[1].contains("`provider.p.headers.X-Mine` (user.jsonc:1)"),
        "{problems:?}"
    );
}

#[test]
fn scheme_and_port_are_part_of_a_server_and_the_path_is_not() {
    for (address, accepted) in [
        ("https://mine.example/v2", true),
        ("https://MINE.example:443/v1", true),
        ("https://me@mine.example./v1", true),
        ("http://mine.example/v1", false),
        ("https://mine.example:8443/v1", false),
        ("https://mine.example.evil/v1", false),
        ("https://mine.example@evil/v1", false),
        (r"https://evil\\@mine.example/v1", false),
    ] {
        let outcome = Fixture::user(MINE).with("project.jsonc", theirs(address)).load();
        assert_eq!(outcome.is_ok(), accepted, "{address}: {outcome:?}");
    }
}

#[test]
fn the_usual_key_does_not_go_to_a_server_that_only_a_project_names() {
    let alone = Fixture::new().with("project.jsonc", theirs("http://127.0.0.1:9/v1"));
    assert!(alone.load().is_ok(), "without a key there is nothing to send");
    let problems = alone.variable("BENCHDOG_API_KEY", "sk-secret").problems();
    assert!(
        problems.len() == 1 && problems[0].contains("the key in `BENCHDOG_API_KEY`"),
        "{problems:?}"
    );
    assert!(!problems[0].contains("sk-secret"));
}

#[test]
fn the_persons_own_layers_may_send_their_keys_where_they_like() {
    let named = Fixture::user(MINE).with("file.jsonc", theirs("https://other.example/v1"));
    assert!(named.load().is_ok());
    // A higher layer of the person overrides the project's value.
    let back = Fixture::user(MINE)
        .with("project.jsonc", theirs("https://evil.example/v1"))
        .with("file.jsonc", theirs("https://other.example/v1"));
    assert!(back.load().is_ok());
}

#[test]
fn addresses_with_numbers_for_names_are_read_whole() {
    let of = |address| server(address).map(|server| server.host);
    assert_eq!(of("http://[::1]:8000/v1").as_deref(), Some("[::1"));
    assert_ne!(server("http://[::1]:8000/v1"), server("http://[::1]:8001/v1"));
    assert_eq!(server("http://[::1]/v1"), server("http://[::1]:80"));
}
