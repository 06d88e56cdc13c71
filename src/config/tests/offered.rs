//! Tests of settings that can be changed: their list, their sources, and the written file.

use serde_json::json;

use super::*;
use crate::offered::{changed, is_torn, offered};
use benchdog_domain::setting::Setting;

fn of(fixture: &Fixture, name: &str) -> Option<Setting> {
    let all = offered(&fixture.load().unwrap());
    all.into_iter().find(|setting| setting.name() == name)
}

#[test]
fn each_is_offered_with_its_value_and_where_it_is_from() {
    let fixture = Fixture::user(
        r#"{"ui": {"mouse": false}, "provider": {"a.b": {"base_url": "http://x/v1", "headers": {"X-Token": "s3cret"}}}}"#,
    )
    .variable("BENCHDOG__UI__VIM", "true");
    let mouse = of(&fixture, "ui.mouse").unwrap();
    assert_eq!((mouse.value.as_str(), mouse.layer), ("false", Layer::User));
    assert!(mouse.place.contains("user.jsonc:1") && !mouse.is_held());
    assert_eq!(mouse.next(), Some("true"));
    let vim = of(&fixture, "ui.vim").unwrap();
    assert!(vim.is_held() && vim.place == "BENCHDOG__UI__VIM", "{vim:?}");
    let threshold = of(&fixture, "compaction.threshold").unwrap();
    assert_eq!((threshold.value.as_str(), threshold.layer), ("0.8", Layer::Default));
    assert!(of(&fixture, "ui.language").unwrap().at_start);
    let address = of(&fixture, "provider.a.b.base_url").unwrap();
    assert_eq!(address.path, ["provider", "a.b", "base_url"]);
    for name in [
        "provider.a.b.headers.X-Token",
        "ui.keys",
        "permission",
        "mcp",
        "$schema",
    ] {
        assert_eq!(of(&fixture, name), None);
    }
}

#[test]
fn an_empty_list_is_an_empty_line_and_other_lists_stand_on_it_whole() {
    let fixture = Fixture::user(r#"{"fallback": [], "skills": {"paths": ["~/a"]}, "compaction": {"warn": []}}"#);
    for (name, value, written) in [
        ("fallback", "[]", ""),
        ("instructions", "[]", ""),
        ("skills.paths", r#"["~/a"]"#, r#"["~/a"]"#),
        // The default is not an empty list, so the empty list stays visible.
        ("compaction.warn", "[]", "[]"),
    ] {
        let setting = of(&fixture, name).unwrap();
        assert_eq!(
            (setting.value.as_str(), setting.written.as_str()),
            (value, written),
            "{name}"
        );
    }
    let path = ["fallback".to_owned()];
    let text = changed(r#"{"fallback": []}"#, &path, "").unwrap();
    assert!(!text.contains("fallback"), "an empty line takes it out: {text}");
}

#[test]
fn what_holds_a_secret_is_not_offered() {
    let fixture = Fixture::user(r#"{"network": {"proxy": "http://me:s3cret@proxy:3128"}}"#);
    assert_eq!(of(&fixture, "network.proxy"), None);
    let fixture = Fixture::user(r#"{"network": {"proxy": "http://proxy:3128"}}"#);
    assert!(of(&fixture, "network.proxy").is_some());
}

#[test]
fn every_kind_is_written_as_it_is_typed_and_nothing_takes_it_out() {
    for (name, typed, value) in [
        ("ui.vim", "true", json!(true)),
        ("ui.vim", "perhaps", json!("perhaps")),
        ("model", "7", json!("7")),
        ("compaction.threshold", "0.6", json!(0.6)),
        ("fallback", "a/b", json!(["a/b"])),
        ("fallback", r#"["a", "b"]"#, json!(["a", "b"])),
        ("ui.theme", "x\"y", json!("x\"y")),
    ] {
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        let text = changed("// kept\n{}", &path, typed).unwrap();
        assert!(text.starts_with("// kept\n"));
        let root = benchdog_base::document::parse("f", &text).unwrap().unwrap().to_value();
        let found = path.iter().fold(&root, |value, name| &value[name]);
        assert_eq!(*found, value, "{name}");
        let without = changed(&text, &path, "").unwrap();
        let root = benchdog_base::document::parse("f", &without)
            .unwrap()
            .unwrap()
            .to_value();
        let found = path.iter().fold(&root, |value, name| &value[name]);
        assert!(found.is_null(), "{without}");
    }
    let permission = ["permission", "bash"].map(str::to_owned);
    assert_eq!(
        changed("{}", &permission, "allow"),
        None,
        "rules are written in the file"
    );
}

#[test]
fn what_begins_as_a_list_and_is_none_is_no_text_of_one() {
    let fixture = Fixture::user("{}");
    for (name, written, torn) in [
        ("fallback", "[]x", true),
        ("fallback", r#"["a/b""#, true),
        ("fallback", r#""a/b"#, true),
        ("fallback", r#"["a/b"]"#, false),
        ("fallback", "a/b", false),
        ("fallback", "", false),
        ("model", "[]x", false),
    ] {
        let setting = of(&fixture, name).unwrap();
        assert_eq!(is_torn(&setting, written), torn, "{name} = {written}");
    }
}
