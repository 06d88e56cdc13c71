use std::time::Duration;

use tokio::time::Instant;

use super::{Cause, Cost, Link, Pace};

const CHEAP: Cost = Cost { bytes: 50, taken: true };

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn nothing_is_due_when_nothing_changed() {
    let now = Instant::now();
    let mut pace = Pace::default();
    assert_eq!(pace.due(now), None);
    pace.changed(Cause::Event);
    pace.drawn(now, CHEAP);
    assert_eq!(pace.due(now + ms(500)), None);
}

#[test]
fn a_change_after_a_pause_is_due_at_once() {
    let start = Instant::now();
    for cause in [Cause::Person, Cause::Text(1), Cause::Event] {
        let mut pace = Pace::default();
        pace.changed(Cause::Event);
        pace.drawn(start, CHEAP);
        pace.changed(cause);
        let now = start + ms(50);
        assert!(pace.due(now).unwrap() <= now, "{cause:?}");
    }
}

#[test]
fn changes_within_eight_milliseconds_are_gathered() {
    let start = Instant::now();
    let mut pace = Pace::default();
    pace.changed(Cause::Text(1));
    pace.drawn(start, CHEAP);
    pace.changed(Cause::Text(1));
    assert_eq!(pace.due(start + ms(1)), Some(start + ms(8)));
    pace.changed(Cause::Event);
    assert_eq!(pace.due(start + ms(2)), Some(start + ms(8)));
}

#[test]
fn a_key_does_not_wait_for_streamed_text() {
    let start = Instant::now();
    let mut pace = Pace::default();
    pace.changed(Cause::Text(40));
    pace.drawn(start, CHEAP);
    pace.changed(Cause::Text(40));
    pace.changed(Cause::Person);
    let now = start + ms(1);
    assert!(pace.due(now).unwrap() <= now);
    pace.drawn(now, CHEAP);
    pace.changed(Cause::Person);
    assert_eq!(pace.due(now + ms(1)), Some(now + ms(8)), "held-down keys are gathered");
}

#[test]
fn a_flood_of_text_is_drawn_thirty_times_a_second_and_its_end_at_the_latest_then() {
    let start = Instant::now();
    let mut pace = Pace::default();
    pace.changed(Cause::Text(200));
    pace.drawn(start, CHEAP);
    pace.changed(Cause::Text(1));
    assert_eq!(pace.due(start + ms(1)), Some(start + ms(33)));
    pace.drawn(start + ms(33), CHEAP);
    pace.changed(Cause::Text(1));
    assert_eq!(pace.due(start + ms(34)), Some(start + ms(41)), "a trickle is no flood");
}

#[test]
fn over_a_connection_text_waits_for_what_the_last_frame_cost_and_a_key_does_not() {
    let start = Instant::now();
    let dear = Cost {
        bytes: 1_024,
        taken: true,
    };
    let held_up = Cost { taken: false, ..dear };
    for (link, cost, wait) in [
        (Link::Here, dear, 8),
        (Link::Far, CHEAP, 12),
        (Link::Far, dear, 250),
        (Link::Here, held_up, 250),
    ] {
        let mut pace = Pace::over(link);
        pace.drawn(start, cost);
        pace.changed(Cause::Text(1));
        assert_eq!(pace.due(start), Some(start + ms(wait)), "{link:?} {cost:?}");
        pace.changed(Cause::Person);
        assert_eq!(pace.due(start), Some(start), "{link:?} {cost:?}");
    }
}

#[test]
fn a_terminal_that_takes_everything_for_a_while_is_no_longer_slow() {
    let start = Instant::now();
    let mut pace = Pace::default();
    let dear = |taken| Cost { bytes: 4_096, taken };
    pace.drawn(start, dear(false));
    pace.drawn(start + ms(2_000), dear(true));
    pace.changed(Cause::Text(1));
    assert_eq!(pace.due(start + ms(2_000)), Some(start + ms(2_008)));
}
