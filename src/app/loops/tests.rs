use super::*;

#[test]
fn an_interval_is_a_number_of_seconds_minutes_or_hours_and_no_shorter_than_thirty_seconds() {
    for (text, ms) in [("30s", 30_000), ("5m", 300_000), ("1h", 3_600_000), ("24h", MOST_MS)] {
        assert_eq!(interval(text), Some(ms), "{text}");
    }
    for text in [
        "",
        "s",
        "29s",
        "0m",
        "25h",
        "5",
        "5d",
        "-1m",
        "1.5m",
        "99999999999999999999h",
        "5分",
    ] {
        assert_eq!(interval(text), None, "{text}");
    }
}

#[test]
fn what_is_written_begins_one_lists_them_or_stops_them() {
    assert_eq!(wanted(" "), Some(Wanted::List));
    assert_eq!(wanted("stop all"), Some(Wanted::StopAll));
    assert_eq!(wanted("stop 3"), Some(Wanted::Stop(3)));
    let begin = wanted("5m  look at the tests ");
    assert_eq!(
        begin,
        Some(Wanted::Begin {
            every: "5m",
            ms: 300_000,
            prompt: "look at the tests"
        })
    );
    for text in ["5m", "stop", "stop x", "10s look", "look at it"] {
        assert_eq!(wanted(text), None, "{text}");
    }
}

#[test]
fn one_is_sent_when_nothing_is_under_way_and_the_others_wait_for_their_next_time() {
    let mut loops = Loops::default();
    assert_eq!(loops.begin("30s", 30_000, "one", Time(0)), Some(1));
    assert_eq!(loops.begin("30s", 30_000, "two", Time(0)), Some(2));
    assert_eq!(loops.due(Time(29_999), true), None);
    assert_eq!(loops.due(Time(30_000), true), Some("one".to_owned()));
    assert_eq!(loops.list[1].skipped, 1);
    assert_eq!(loops.due(Time(60_000), true), None, "the first is under way");
    loops.went_well();
    assert_eq!(loops.due(Time(90_000), false), None, "something else is");
    assert_eq!(loops.due(Time(120_000), true), Some("one".to_owned()));
    assert_eq!(loops.failed(), Some(1));
    assert_eq!(loops.failed(), None);
    assert_eq!(loops.due(Time(150_000), true), Some("two".to_owned()));
    assert_eq!(loops.stop_all(), 1);
    assert_eq!(loops.next(), None);
}

#[test]
fn there_are_never_more_than_fifty() {
    let mut loops = Loops::default();
    for _ in 0..MOST {
        assert!(loops.begin("1h", 3_600_000, "x", Time(0)).is_some());
    }
    assert_eq!(loops.begin("1h", 3_600_000, "x", Time(0)), None);
    assert!(loops.stop(7) && !loops.stop(7));
    assert_eq!(loops.begin("1h", 3_600_000, "x", Time(0)), Some(51));
}
