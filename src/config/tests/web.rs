//! Tests that the web tools are off until the person's own configuration enables them.

use super::*;
use crate::settings::SearchEngine;

#[test]
fn nothing_is_on_by_default_and_offline_switches_all_off() {
    let settings = Fixture::new().settings();
    assert!(settings.web().is_none() && !settings.web.is_on());
    let text = r#"{"web": {"fetch": true, "search": {"duckduckgo": true}}}"#;
    let settings = Fixture::user(text).settings();
    assert!(settings.web().is_some_and(|web| web.fetch && web.searches()));
    let text = r#"{"web": {"fetch": true}, "network": {"offline": true}}"#;
    let settings = Fixture::user(text).settings();
    assert!(settings.web().is_none() && settings.web.is_on());
}

#[test]
fn an_engine_is_read_with_its_headers_and_locale() {
    let text = r#"{"web": {"search": {
        "json": "https://api.example/s?q={query}&hl={locale}",
        "headers": {"X-Key": "${MY_KEY}"}, "locale": "ja-JP"
    }, "private_hosts": ["wiki.corp.example"]}}"#;
    let web = Fixture::user(text).settings().web;
    let address = "https://api.example/s?q={query}&hl={locale}".to_owned();
    assert_eq!(web.search.engine, Some(SearchEngine::Json(address)));
    assert_eq!(web.search.headers, [("X-Key".to_owned(), "${MY_KEY}".to_owned())]);
    assert_eq!(web.search.locale.as_deref(), Some("ja-JP"));
    assert_eq!(web.private_hosts, ["wiki.corp.example"]);
    assert!(web.searches() && !web.fetch);
}

#[test]
fn a_key_that_would_have_no_effect_is_an_error() {
    for (search, said) in [
        (
            r#"{"searxng": "http://a.example", "json": "http://b.example/{query}"}"#,
            "`web.search.json` has no effect beside `web.search.searxng`",
        ),
        (r#"{"json": "http://b.example/"}"#, "`web.search.json` has no `{query}`"),
        (
            r#"{"duckduckgo": true, "headers": {"a": "b"}}"#,
            "`web.search.headers` has no effect without",
        ),
        (
            r#"{"json": "http://b.example/{query}", "locale": "de-DE"}"#,
            "`web.search.locale` has no effect without",
        ),
        (r#"{"locale": "de-DE"}"#, "`web.search.locale` has no effect without"),
    ] {
        let problems = Fixture::user(&format!(r#"{{"web": {{"search": {search}}}}}"#)).problems();
        assert!(
            problems.len() == 1 && problems[0].starts_with("user.jsonc:1:") && problems[0].contains(said),
            "{search}: {problems:?}"
        );
    }
}

#[test]
fn a_pattern_that_no_host_can_match_is_an_error() {
    for (pattern, said) in [
        ("Pastebin.com", "write it in lowercase"),
        ("例え.jp", "write it in ASCII"),
        ("https://x.example", "write the host alone"),
        ("x.example/a", "write the host alone"),
    ] {
        let text = format!(r#"{{"web": {{"private_hosts": ["{pattern}"]}}}}"#);
        let problems = Fixture::user(&text).problems();
        assert!(
            problems.len() == 1 && problems[0].contains(said),
            "{text}: {problems:?}"
        );
    }
    for pattern in ["http://docs.rs:80", "*.rust-lang.org", "*", "[2001:db8::1]"] {
        assert_eq!(crate::rule_names::no_host(pattern), None, "{pattern}");
    }
}
