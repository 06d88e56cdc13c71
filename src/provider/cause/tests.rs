use super::{from_response, one_line, page_title};
use crate::failure::{Curable, Kind, Missing};

fn kind(status: u16, message: &str) -> Kind {
    from_response(
        status,
        serde_json::json!({"error": {"message": message}})
            .to_string()
            .as_bytes(),
        None,
    )
    .kind
}

#[test]
fn every_servers_words_for_too_long_are_known_with_their_limit() {
    for (status, message, limit) in [
        (
            400,
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
            Some(4096),
        ),
        (
            400,
            "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            Some(4096),
        ),
        (
            400,
            "request (9010 tokens) exceeds the available context size (512 tokens), try increasing it",
            Some(512),
        ),
        (
            400,
            "Trying to keep the first 5000 tokens when context overflows. However, the model is loaded with context length of only 4096 tokens",
            Some(4096),
        ),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", Some(200_000)),
        (
            400,
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4,097. Given: 5000",
            Some(4097),
        ),
        (
            400,
            "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
            Some(1_048_576),
        ),
        (
            400,
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            Some(131_072),
        ),
        (
            400,
            "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
            Some(32_768),
        ),
        (400, "Your input exceeds the context window of this model.", None),
        (500, "the input length exceeds the context length", None),
        (413, "Please reduce the length of the messages or completion.", None),
    ] {
        assert_eq!(kind(status, message), Kind::ContextOverflow { limit }, "{message}");
    }
}

#[test]
fn a_limit_of_requests_is_not_a_limit_of_the_window() {
    let tpm = "Request too large for model in organization x on tokens per min (TPM): Limit 30000. Please reduce the length of the messages";
    assert_eq!(kind(429, tpm), Kind::RateLimited { retry_after: None });
}

#[test]
fn llama_cpp_names_its_window_in_a_field() {
    let body = br#"{"error":{"code":400,"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":9010,"n_ctx":512}}"#;
    assert_eq!(
        from_response(400, body, None).kind,
        Kind::ContextOverflow { limit: Some(512) }
    );
}

#[test]
fn statuses_without_words_still_say_something() {
    for (status, wanted) in [
        (400, Kind::BadRequest),
        (401, Kind::Unauthorized),
        (402, Kind::Quota),
        (403, Kind::Forbidden),
        (404, Kind::NotFound(Missing::Path)),
        (405, Kind::NotFound(Missing::Path)),
        (408, Kind::Timeout),
        (422, Kind::BadRequest),
        (429, Kind::RateLimited { retry_after: None }),
        (500, Kind::Server(Curable::Perhaps)),
        (503, Kind::Unavailable { retry_after: None }),
        (504, Kind::Server(Curable::Perhaps)),
        (529, Kind::Unavailable { retry_after: None }),
    ] {
        let error = from_response(status, b"", None);
        assert_eq!(error.kind, wanted, "{status}");
        assert!(error.to_string().ends_with(&format!("(HTTP {status}).")), "{error}");
    }
}

#[test]
fn a_missing_model_and_a_missing_path_are_told_apart() {
    assert_eq!(
        kind(404, "The model `x` does not exist."),
        Kind::NotFound(Missing::Model)
    );
    assert_eq!(
        from_response(404, br#"{"detail":"Not Found"}"#, None).kind,
        Kind::NotFound(Missing::Path)
    );
    let coded = br#"{"error":{"message":"no access","code":"model_not_found"}}"#;
    assert_eq!(from_response(403, coded, None).kind, Kind::NotFound(Missing::Model));
}

#[test]
fn a_used_up_allowance_is_no_short_wait() {
    assert_eq!(
        kind(429, "You exceeded your current quota, please check your plan"),
        Kind::Quota
    );
    assert_eq!(
        kind(400, "Your credit balance is too low to access the API"),
        Kind::Quota
    );
    assert!(matches!(
        kind(429, "You exceeded your current quota. Please retry in 31s."),
        Kind::RateLimited { .. }
    ));
}

#[test]
fn a_server_error_that_can_never_pass_is_marked() {
    assert_eq!(
        kind(500, "image input is not supported - hint: you may need the mmproj"),
        Kind::Server(Curable::No)
    );
    assert_eq!(kind(500, "CUDA error"), Kind::Server(Curable::Perhaps));
}

#[test]
fn messages_are_found_in_every_shape() {
    for (body, message) in [
        (r#"{"error":"plain"}"#, "plain"),
        (r#"{"error":"not_found","message":"the long story"}"#, "the long story"),
        (r#"{"message":"flat"}"#, "flat"),
        (
            r#"{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}"#,
            "body.messages: Field required",
        ),
        (r#"[{"error":{"message":"in a list"}}]"#, "in a list"),
        ("data: {\"error\":{\"message\":\"as an event\"}}\n\n", "as an event"),
        (
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"the cause"}}}"#,
            "Provider returned error: the cause",
        ),
        ("upstream\n  connect   error", "upstream connect error"),
        (
            "<html><head><title>502 Bad Gateway</title></head></html>",
            "an HTML page titled `502 Bad Gateway`",
        ),
    ] {
        assert_eq!(from_response(500, body.as_bytes(), None).message, message, "{body}");
    }
}

#[test]
fn long_and_many_line_messages_become_one_readable_line() {
    assert_eq!(one_line("a\n\t b\u{1b}[31m\r\nc"), "a b [31m c");
    let long = one_line(&"日".repeat(2000));
    assert_eq!(long.chars().count(), 601);
    assert!(long.ends_with('…'));
}

#[test]
fn only_a_page_is_a_page() {
    assert_eq!(
        page_title("  <!DOCTYPE html><TITLE>Log in</TITLE>").as_deref(),
        Some("an HTML page titled `Log in`")
    );
    assert_eq!(page_title("<html></html>").as_deref(), Some("an HTML page"));
    assert_eq!(page_title("<think>"), None);
}

#[test]
fn an_answer_asked_for_too_long_is_no_full_window() {
    for message in [
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 26 input tokens (8192 > 4096 - 26).",
        "max_tokens=8192 cannot be greater than max_model_len=max_total_tokens=4096. Please request fewer output tokens.",
        "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
        "Range of max_tokens should be [1, 4096]",
    ] {
        assert_eq!(kind(400, message), Kind::AnswerTooLong, "{message}");
    }
    let full = "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 5000 input tokens (8192 > 4096 - 5000).";
    assert_eq!(kind(400, full), Kind::ContextOverflow { limit: Some(4096) });
}
