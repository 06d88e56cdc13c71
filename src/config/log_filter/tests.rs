//! Tests of log filters.

use super::{BadFilter, LogFilter, LogLevel};

fn level_of(text: &str, part: &str) -> LogLevel {
    let filter = LogFilter::parse(text).unwrap();
    let found = filter.levels().find(|(named, _)| *named == part);
    found.unwrap().1
}

#[test]
fn a_level_is_for_every_part() {
    for part in ["orchestrator", "provider", "storage", "children", "traces"] {
        assert_eq!(level_of("debug", part), LogLevel::Debug, "{part}");
    }
}

#[test]
fn a_part_that_is_named_has_its_own_level_and_the_last_word_counts() {
    assert_eq!(level_of("warn,provider=debug", "provider"), LogLevel::Debug);
    assert_eq!(level_of("warn,provider=debug", "storage"), LogLevel::Warn);
    let twice = "provider=debug, info, provider=off";
    assert_eq!(level_of(twice, "provider"), LogLevel::Off);
    assert_eq!(level_of("benchdog_storage=TRACE", "storage"), LogLevel::Trace);
}

#[test]
fn what_is_not_named_stays_at_info() {
    assert_eq!(level_of("provider=trace", "storage"), LogLevel::Info);
}

#[test]
fn off_is_off_only_when_no_part_is_on() {
    let off = |text: &str| LogFilter::parse(text).unwrap().is_off();
    assert!(off("off") && off("OFF") && off("off,provider=off"));
    assert!(!off("off,provider=error") && !off("error") && !off("provider=off"));
}

#[test]
fn a_word_that_says_nothing_is_an_error_that_names_it() {
    assert_eq!(LogFilter::parse("loud"), Err(BadFilter::Level("loud".to_owned())));
    for text in ["", "info,", "provider="] {
        assert_eq!(LogFilter::parse(text), Err(BadFilter::Level(String::new())), "{text}");
    }
    for part in ["h2", "provider::nothing", ""] {
        let filter = format!("info,{part}=debug");
        assert_eq!(LogFilter::parse(&filter), Err(BadFilter::Part(part.to_owned())));
    }
}
