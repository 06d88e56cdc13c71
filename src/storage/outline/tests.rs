use super::LONG_ROW;
use crate::rows::Row;
use benchdog_domain::entry::Body;

fn stored(kind: &str, output: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"{{"v":1,"id":7,"turn":1,"time":1,"kind":"{kind}","call":"c","tool":"read","title":"a \"file\"","status":"ok","summary":"","output":{output}{more}}}"#
    );
    text.into_bytes()
}

fn row(bytes: &[u8]) -> Row<'_> {
    Row {
        id: 7,
        bytes,
        sum: None,
    }
}

#[test]
fn an_outline_is_the_entry_without_its_output_and_says_how_long_that_is() {
    let text = "a \"line\"\n".repeat(LONG_ROW / 8);
    let bytes = stored("tool_result", &serde_json::to_string(&text).unwrap(), r#","took_ms":5"#);
    let (outline, mut whole) = (row(&bytes).outline().unwrap(), row(&bytes).entry().unwrap());
    assert_eq!(outline.left_out, text.len());
    let Body::ToolResult { output, .. } = &mut whole.body else {
        panic!("{whole:?}");
    };
    assert_eq!(std::mem::take(output), text);
    assert_eq!(*outline.entry, whole);
}

#[test]
fn what_is_short_of_another_kind_or_not_as_we_write_it_is_read_whole() {
    let long = format!("\"{}\"", "x".repeat(LONG_ROW));
    for bytes in [
        stored("tool_result", "\"short\"", ""),
        stored("shell", &long, r#","command":"ls""#),
        stored("of_a_later_version", &long, ""),
        stored("tool_result", &long, r#","output":"another""#),
        stored("tool_result", "7", &format!(r#","more":{long}"#)),
    ] {
        let outline = row(&bytes).outline().unwrap();
        assert_eq!((outline.left_out, &*outline.entry), (0, &row(&bytes).entry().unwrap()));
    }
}

#[test]
fn damage_is_told_as_it_is_of_a_whole_entry() {
    let long = "x".repeat(LONG_ROW);
    let whole = stored("tool_result", &format!("\"{long}\""), "");
    let mut bytes = whole.clone();
    bytes[LONG_ROW / 2] = 0xff;
    let torn = whole[..LONG_ROW].to_vec();
    let half = stored("tool_result", &format!(r#""{long}\ud800""#), "");
    let control = stored("tool_result", &format!("\"{long}\n\""), "");
    for (bytes, sum) in [
        (whole, Some(1)),
        (bytes, None),
        (torn, None),
        (half, None),
        (control, None),
    ] {
        let row = Row { sum, ..row(&bytes) };
        let told = row.outline().err();
        assert!(told.is_some());
        assert_eq!(told, row.entry().err());
    }
}

#[test]
fn a_row_that_holds_another_entry_than_its_own_is_damage() {
    for output in ["short".to_owned(), "x".repeat(LONG_ROW)] {
        let bytes = stored("tool_result", &format!("\"{output}\""), "");
        let told = Row { id: 8, ..row(&bytes) }.outline().err();
        assert_eq!(told.as_deref(), Some("entry 8 says that it is entry 7"));
    }
}
