use serde_json::json;

use super::*;
use benchdog_domain::server::PromptArgument;

fn of(written: &str) -> Result<Value, Vec<String>> {
    let one = |(name, need): (&str, Need)| PromptArgument {
        name: name.to_owned(),
        need,
    };
    let prompt = OfferedPrompt {
        name: "review".to_owned(),
        description: String::new(),
        arguments: [("code", Need::Required), ("style", Need::Optional)].map(one).into(),
    };
    parse_arguments(&prompt, written).map(Value::Object)
}

#[test]
fn arguments_are_taken_by_place_and_by_name() {
    assert_eq!(of("a.rs strict"), Ok(json!({"code": "a.rs", "style": "strict"})));
    assert_eq!(of("style=strict a.rs"), Ok(json!({"style": "strict", "code": "a.rs"})));
    assert_eq!(
        of("\"a b.rs\" and be kind"),
        Ok(json!({"code": "a b.rs", "style": "and be kind"}))
    );
    assert_eq!(
        of("style='very strict' all of it"),
        Ok(json!({"style": "very strict", "code": "all of it"}))
    );
    assert_eq!(
        of("x=1"),
        Ok(json!({"code": "x=1"})),
        "a name that it does not take is a value"
    );
}

#[test]
fn what_it_needs_and_was_not_written_is_named() {
    assert_eq!(of(""), Err(vec!["code".to_owned()]));
    assert_eq!(of("style=strict"), Err(vec!["code".to_owned()]));
}

#[test]
fn hostile_quotes_end() {
    for written in ["\"", "'", "=\"", "code=\"open", "\u{e4}=\u{e4}\"", "  "] {
        let _ = of(written);
    }
    assert_eq!(of("code=\"open"), Ok(json!({"code": "\"open"})));
}

fn at_end(written: &str) -> Option<(String, String, usize)> {
    let one = |name: &str| PromptArgument {
        name: name.to_owned(),
        need: Need::Required,
    };
    let prompt = OfferedPrompt {
        name: "review".to_owned(),
        description: String::new(),
        arguments: vec![one("code"), one("style")],
    };
    let begun = parse_partial(&prompt, written)?;
    Some((begun.name, begun.value, begun.given.len()))
}

#[test]
fn the_argument_at_the_end_is_told_by_its_place_or_by_its_name() {
    let told = |name: &str, value: &str, given| Some((name.to_owned(), value.to_owned(), given));
    assert_eq!(at_end(""), told("code", "", 0));
    assert_eq!(at_end("ma"), told("code", "ma", 0));
    assert_eq!(at_end("main.rs "), told("style", "", 1));
    assert_eq!(at_end("main.rs style=ki"), told("style", "ki", 1));
    assert_eq!(at_end("style=kind ma"), told("code", "ma", 1));
    assert_eq!(at_end("main.rs kind more"), None);
}
