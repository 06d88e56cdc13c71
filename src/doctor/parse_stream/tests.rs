use super::parse_stream;
use benchdog_domain::agent::Api;

#[test]
fn the_object_has_the_named_fields_and_a_sentence_for_an_error() {
    let body = br#"data: {"choices":[{"delta":{"content":"hi","tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"command\": ls}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#;
    assert_eq!(
        parse_stream(Api::OpenAi, body, 200).to_string(),
        r#"{"text":"hi","reasoning":"","calls":[{"name":"bash","arguments":"{\"command\": ls}"}],"usage":{"prompt":1,"completion":2,"total":3},"finish":"tool_calls","complete":true,"error":null}"#
    );
    assert_eq!(
        parse_stream(Api::OpenAi, br#"{"error":{"message":"Loading model"}}"#, 503).to_string(),
        r#"{"text":"","reasoning":"","calls":[],"usage":null,"finish":null,"complete":false,"error":"The server is still loading the model (HTTP 503): Loading model."}"#
    );
}
