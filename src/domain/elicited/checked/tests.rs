use super::*;

#[test]
fn formats_are_told_from_what_only_looks_like_them() {
    for (format, good, bad) in [
        (
            Format::Email,
            &["a@b", "rex.dog+bones@example.org"][..],
            &["rex", "@b", "a@", "a@b..c", "a b@c", "a@b@c"][..],
        ),
        (
            Format::Uri,
            &["https://example.org", "urn:isbn:1", "mailto:a@b"],
            &["example.org", "://x", "1a:b", "https:", "https://a b"],
        ),
        (
            Format::Date,
            &["2026-11-25", "2024-02-29", "2000-02-29"],
            &[
                "25.11.2026",
                "2026-13-01",
                "2026-02-29",
                "1900-02-29",
                "2026-1-1",
                "2026-04-31",
                "+026-01-01",
            ],
        ),
        (
            Format::DateTime,
            &["2026-11-25T14:30:00Z", "2026-11-25t14:30:60.25+01:00"],
            &[
                "2026-11-25",
                "2026-11-25T14:30Z",
                "2026-11-25T24:00:00Z",
                "2026-11-25T14:30:00",
                "2026-11-25T14:30:00.Z",
            ],
        ),
    ] {
        assert!(good.iter().all(|text| is(format, text)), "{format:?} {good:?}");
        let taken: Vec<_> = bad.iter().filter(|text| is(format, text)).collect();
        assert!(taken.is_empty(), "{format:?} {taken:?}");
    }
}
