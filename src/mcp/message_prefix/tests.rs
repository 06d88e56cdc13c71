use super::*;

fn of(text: &str) -> MessagePrefix {
    MessagePrefix::of(text.as_bytes())
}

#[test]
fn an_answer_is_known_by_the_id_before_it_and_by_no_other() {
    let number = MessagePrefix::Response(RequestId::Number(7));
    assert_eq!(of(r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"te"#), number);
    assert_eq!(of(r#" { "id" : 7 , "error" : {"id":8"#), number);
    assert_eq!(
        of(r#"{"id":"a","jsonrpc":"2.0","result":{"#),
        MessagePrefix::Response(RequestId::String("a".into()))
    );
    for unknown in [
        r#"{"result":{"id":7}},"id":8"#,
        r#"{"jsonrpc":"2.0","result":"\"id\":7"#,
        r#"{"id":7"#,
        r#"[{"id":7,"result":{}}]"#,
        "",
    ] {
        assert_eq!(of(unknown), MessagePrefix::Unknown, "{unknown}");
    }
}

#[test]
fn what_a_server_asks_or_tells_answers_nothing() {
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":7,"method":"roots/list""#),
        MessagePrefix::Request
    );
    assert_eq!(
        of(r#"{"method":"notifications/message","params":{"#),
        MessagePrefix::Request
    );
}

#[test]
fn an_id_that_may_go_on_is_none() {
    let cut = format!(r#"{{"x":"{}","id":1"#, "x".repeat(WINDOW - 14));
    assert_eq!(cut.len(), WINDOW);
    assert_eq!(of(&format!("{cut}23,\"result\":{{}}")), MessagePrefix::Unknown);
}
