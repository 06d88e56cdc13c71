use super::*;

fn request(call: &str) -> (SeatId, CallId) {
    (SeatId(1), CallId(call.to_owned()))
}

#[test]
fn a_request_expires_once_and_a_terminal_restarts_the_time() {
    let start = Instant::now();
    let at = |minutes: u64| start + Duration::from_secs(60 * minutes);
    let mut expiry = Expiry::new(Some(Duration::from_secs(600)));
    let mut update = |calls: &[&str], minutes: u64| expiry.update(calls.iter().map(|call| request(call)), at(minutes));
    assert_eq!(update(&["a"], 0), []);
    assert_eq!(update(&["a", "b"], 6), []);
    assert_eq!(update(&["a", "b"], 10), [request("a")]);
    assert_eq!(update(&["b"], 11), [], "it came later");
    assert_eq!(update(&[], 12), [], "a terminal is attached");
    assert_eq!(update(&["b"], 16), []);
    assert_eq!(update(&["b"], 26), [request("b")]);
    assert_eq!(expiry.due(), None);
}

#[test]
fn requests_wait_without_the_setting() {
    let mut expiry = Expiry::new(None);
    let now = Instant::now();
    assert_eq!(expiry.update([request("a")].into_iter(), now), []);
    assert_eq!(expiry.due(), None);
}
