//! Tests of the English sentences, and of the form in the log.

use super::*;
use crate::failure::Failure;

fn error(kind: ServerErrorKind) -> ServerError {
    ServerError {
        kind,
        endpoint: "http://h:1/v1".to_owned(),
        status: Some(429),
        wait: Some(300),
        message: "slow down".to_owned(),
    }
}

#[test]
fn a_sentence_has_the_status_the_wait_and_the_message() {
    assert_eq!(
        error(ServerErrorKind::RateLimited).to_string(),
        "`http://h:1/v1` gets too many requests (HTTP 429); it asks to wait 5 min: slow down."
    );
    let unknown = ServerError {
        endpoint: String::new(),
        status: None,
        wait: None,
        message: String::new(),
        ..error(ServerErrorKind::Loading)
    };
    assert_eq!(unknown.to_string(), "The server is still loading the model.");
    assert_eq!(ServerError::of_message("Is it on?").to_string(), "Is it on?");
}

#[test]
fn an_error_is_logged_as_data_and_entries_of_earlier_and_later_versions_are_read() {
    let server = error(ServerErrorKind::ContextOverflow { limit: Some(4096) });
    let failure = Failure::Told {
        code: "server".to_owned(),
        text: server.to_string(),
        server: Some(Box::new(server)),
    };
    let json = serde_json::to_string(&failure).unwrap();
    assert!(
        json.contains(r#""server":{"kind":"context_overflow","limit":4096,"#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<Failure>(&json).unwrap(), failure);
    let earlier = r#"{"code":"unauthorized","text":"It did not accept the API key."}"#;
    let Failure::Told { text, server, .. } = serde_json::from_str(earlier).unwrap() else {
        panic!("another failure");
    };
    assert_eq!((text.as_str(), server), ("It did not accept the API key.", None));
    let later = r#"{"kind":"something_new","message":"A new error"}"#;
    let later: ServerError = serde_json::from_str(later).unwrap();
    assert_eq!(later.to_string(), "A new error.");
}
