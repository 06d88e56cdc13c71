//! Tests of the words for how a command ended.

use super::*;

#[test]
fn times_read_as_people_say_them() {
    let text = |ms| seconds(Duration::from_millis(ms));
    assert_eq!(
        [text(40), text(1_940), text(12_400), text(125_000)],
        ["0.0s", "1.9s", "12s", "2m 05s"]
    );
}

#[test]
fn a_signal_without_a_common_name_is_a_number() {
    assert_eq!(signal_text(11), "signal 11 (SEGV)");
    assert_eq!(signal_text(40), "signal 40");
}
