use std::time::Duration;

use super::{Failures, Output, retry_after};
use crate::failure::{Curable, Doubt, Kind, Missing, ProviderError};

/// Returns the delays in milliseconds if a request always fails with `error`, at the maximum random factor.
fn waits(error: &ProviderError) -> Vec<u128> {
    let mut failures = Failures::default();
    std::iter::from_fn(|| failures.wait_after(error, Output::Nothing, 1.0))
        .map(|wait| wait.as_millis())
        .take(50)
        .collect()
}

fn error(kind: Kind) -> ProviderError {
    ProviderError::new(kind, "")
}

#[test]
fn connection_errors_are_tried_twice_more() {
    assert_eq!(waits(&error(Kind::Unreachable)), [500, 1000]);
    assert_eq!(waits(&error(Kind::StreamEndedEarly)), [500, 1000]);
}

#[test]
fn busy_and_failing_servers_are_tried_four_times_more() {
    assert_eq!(
        waits(&error(Kind::Server(Curable::Perhaps)).with_status(500)),
        [500, 1000, 2000, 4000]
    );
    assert_eq!(
        waits(&error(Kind::RateLimited { retry_after: None }).with_status(429)),
        [500, 1000, 2000, 4000]
    );
    assert_eq!(
        waits(&error(Kind::Unavailable { retry_after: None }).with_status(503)),
        [500, 1000, 2000, 4000]
    );
}

#[test]
fn a_long_silence_is_not_waited_for_twice() {
    assert!(waits(&error(Kind::Timeout)).is_empty());
    assert_eq!(waits(&error(Kind::Timeout).with_status(408)).len(), 4);
}

#[test]
fn what_cannot_help_is_never_tried_again() {
    for kind in [
        Kind::BadRequest,
        Kind::Unauthorized,
        Kind::Forbidden,
        Kind::NotFound(Missing::Model),
        Kind::Quota,
        Kind::ContextOverflow { limit: None },
        Kind::Server(Curable::No),
        Kind::UnknownHost(Curable::No),
        Kind::Certificate(Doubt::Name),
        Kind::Tls,
        Kind::NotHttp,
        Kind::NotAnApi,
        Kind::CallCut,
        Kind::RecordingEnded,
    ] {
        assert!(waits(&error(kind)).is_empty(), "{kind:?}");
    }
}

#[test]
fn nothing_is_tried_again_once_text_was_shown() {
    let mut failures = Failures::default();
    let error = error(Kind::Server(Curable::Perhaps));
    assert_eq!(failures.wait_after(&error, Output::Text, 0.5), None);
}

#[test]
fn chance_spreads_the_wait_over_its_whole_length() {
    let wait = |chance| Failures::default().wait_after(&error(Kind::Unreachable), Output::Nothing, chance);
    assert_eq!(wait(0.0), Some(Duration::ZERO));
    assert_eq!(wait(0.5), Some(Duration::from_millis(250)));
    assert_eq!(wait(7.0), Some(Duration::from_millis(500)));
}

#[test]
fn waits_double_and_end_at_twenty_seconds() {
    assert_eq!(super::backoff(5), Duration::from_secs(16));
    assert_eq!(super::backoff(6), Duration::from_secs(20));
    assert_eq!(super::backoff(60), Duration::from_secs(20));
}

#[test]
fn a_wait_the_server_names_is_kept_to_up_to_two_minutes() {
    let asked = |seconds| {
        error(Kind::RateLimited {
            retry_after: Some(Duration::from_secs(seconds)),
        })
    };
    assert_eq!(waits(&asked(0)), [500, 1000, 2000, 4000], "at once is no wait");
    assert_eq!(waits(&asked(120)), [120_000; 4]);
    assert!(waits(&asked(121)).is_empty());
    for (seconds, told) in [
        (90, "90 s"),
        (300, "5 min"),
        (7_200, "2 h"),
        (7_201, "3 h"),
        (259_200, "3 days"),
        (u64::MAX, "more than 30 days"),
    ] {
        assert_eq!(
            asked(seconds).with_status(429).with_endpoint("http://h/v1").to_string(),
            format!("`http://h/v1` gets too many requests (HTTP 429); it asks to wait {told}.")
        );
    }
}

#[test]
fn both_kinds_are_counted_apart() {
    let mut failures = Failures::default();
    let mut after = |kind| failures.wait_after(&error(kind), Output::Nothing, 1.0).is_some();
    assert!(after(Kind::Unreachable));
    assert!(after(Kind::Server(Curable::Perhaps)));
    assert!(after(Kind::Unreachable));
    assert!(!after(Kind::Unreachable));
    assert!(after(Kind::Server(Curable::Perhaps)));
    assert_eq!(failures.count(), 4);
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    assert_eq!(retry_after("30", 0), Some(Duration::from_secs(30)));
    assert_eq!(retry_after(" 1.5 ", 0), Some(Duration::from_millis(1500)));
    // The time 2015-10-21T07:28:00Z.
    assert_eq!(
        retry_after("Wed, 21 Oct 2015 07:28:00 GMT", 1_445_412_470),
        Some(Duration::from_secs(10))
    );
    assert_eq!(
        retry_after("Wed, 21 Oct 2015 07:28:00 GMT", 1_445_412_999),
        Some(Duration::ZERO)
    );
    assert_eq!(retry_after("soon", 0), None);
    assert_eq!(retry_after("-3", 0), None);
    assert_eq!(retry_after("NaN", 0), None);
}
