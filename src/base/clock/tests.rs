use std::time::Duration;

use super::*;

#[test]
fn a_clock_of_any_year_is_a_time_that_can_be_shown() {
    let year = Duration::from_secs(365 * 24 * 3_600);
    let before = UNIX_EPOCH - 60 * year;
    let later = UNIX_EPOCH + 120 * year;
    assert_eq!(Time(wall(before)).rfc3339(), "1970-01-01T00:00:00.000Z");
    assert!(Time(wall(later)).rfc3339().starts_with("2089-"));
    for extreme in [i64::MIN, -1, 0, i64::MAX] {
        assert!(!Time(extreme).rfc3339().is_empty() && !Time(extreme).hh_mm(&Zone::default()).is_empty());
    }
    assert_eq!(Time(5).since(Time(i64::MAX)), 0);
}

#[test]
fn a_written_time_is_read_with_and_without_an_offset() {
    let at = Some(Time(1_700_000_000_000));
    for text in [
        "2023-11-14T22:13:20Z",
        "2023-11-14T23:13:20+01:00",
        "2023-11-14T22:13:20",
        "2023-11-14 22:13:20",
    ] {
        assert_eq!(Time::of_rfc3339(text), at, "{text}");
    }
    assert_eq!(Time::of_rfc3339("yesterday"), None);
}

#[test]
fn the_zone_of_the_machine_is_read_from_its_file() {
    // The block follows RFC 8536: no transitions, one time type, its name, and the rule for all future years.
    let mut block = b"TZif2".to_vec();
    block.extend([0; 15]);
    for count in [0_u32, 0, 0, 0, 1, 4] {
        block.extend(count.to_be_bytes());
    }
    block.extend((9 * 3_600_i32).to_be_bytes());
    block.extend(*b"\0\0JST\0");
    let rules = [&block[..], &block[..], b"\nJST-9\n"].concat();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("localtime");
    assert_eq!(of_file(&file), None);
    fs::write(&file, rules).unwrap();
    assert_eq!(Time(0).hh_mm(&Zone(of_file(&file).unwrap())), "09:00");
    fs::write(&file, "no zone").unwrap();
    assert_eq!(of_file(&file), None);
}
