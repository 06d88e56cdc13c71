//! What is a mention and what is text.

use super::found::{Candidate, Lines, find, written};

type Reading = (String, Option<(u64, Option<u64>)>);

/// The likeliest reading of every `@`.
fn first(text: &str) -> Vec<Reading> {
    let first = |candidate: &Candidate| {
        let lines = candidate.lines.map(|Lines { first, last }| (first, last));
        (candidate.path.clone(), lines)
    };
    find(text)
        .iter()
        .filter_map(|found| found.candidates.first().map(first))
        .collect()
}

fn readings(text: &str) -> Vec<String> {
    let found = find(text).into_iter().next();
    found
        .map(|found| found.candidates.into_iter().map(|candidate| candidate.path).collect())
        .unwrap_or_default()
}

#[test]
fn paths_ranges_and_quotes_are_found() {
    let plain = |path: &str| vec![(path.to_owned(), None)];
    assert_eq!(first("look at @src/a.rs please"), plain("src/a.rs"));
    assert_eq!(first("@src/"), plain("src/"));
    assert_eq!(first("@a.rs:10-20"), [("a.rs".to_owned(), Some((10, Some(20))))]);
    assert_eq!(first("@a.rs:7"), [("a.rs".to_owned(), Some((7, Some(7))))]);
    assert_eq!(first("@a.rs:7-"), [("a.rs".to_owned(), Some((7, None)))]);
    assert_eq!(
        first("@\"my notes/a b.txt\":2-3."),
        [("my notes/a b.txt".to_owned(), Some((2, Some(3))))]
    );
    assert_eq!(first("看看@说明.md"), plain("说明.md"));
    assert_eq!(first("(@a.rs and @b.rs"), [plain("a.rs"), plain("b.rs")].concat());
}

#[test]
fn what_the_sentence_adds_is_left_off() {
    assert_eq!(readings("see @a.rs."), ["a.rs.", "a.rs"]);
    assert_eq!(
        readings("看@src/a.rs的内容。"),
        ["src/a.rs的内容。", "src/a.rs的内容", "src/a.rs"]
    );
    assert!(readings("is it @a.rs:10-20?").contains(&"a.rs".to_owned()));
    assert!(readings("(@src/a.rs)").contains(&"src/a.rs".to_owned()));
}

#[test]
fn addresses_are_text_and_decorators_need_not_exist() {
    assert_eq!(first("mail me@example.com"), []);
    assert_eq!(first("git@host:a/b.git and x/@y"), []);
    assert_eq!(first("@ alone, and @\"unclosed"), []);
    for text in [
        "@Override",
        "@app.route('/x')",
        "@types/node",
        "@user",
        "@media (x)",
        "@pytest.fixture",
        "@v1.2",
    ] {
        assert!(find(text).iter().all(|found| !found.is_path), "{text}");
    }
    for text in [
        "@gone.rs",
        "@src/gone.rs.",
        "@./gone",
        "@../up",
        "@/etc/passwd",
        "@gone.md:3",
        "@\"gone\"",
        "读@没有.txt",
    ] {
        assert!(find(text).iter().any(|found| found.is_path), "{text}");
    }
}

#[test]
fn a_range_that_is_none_is_part_of_the_name() {
    for text in ["@a.rs:20-10", "@a.rs:0", "@a.rs:x", "@a.rs:1-2-3"] {
        assert!(
            find(text)
                .iter()
                .flat_map(|found| &found.candidates)
                .all(|it| it.lines.is_none()),
            "{text}"
        );
    }
}

#[test]
fn what_is_written_is_found_again() {
    for path in [
        "src/a.rs",
        "my notes.txt",
        "说明 文件.md",
        "a\"b.txt",
        "back\\slash.txt",
        "日本語.txt",
    ] {
        assert_eq!(
            first(&format!("see {} now", written(path))),
            [(path.to_owned(), None)],
            "{path}"
        );
    }
}

#[test]
fn a_long_paste_full_of_signs_is_read_in_time() {
    let text = "@a，".repeat(50_000);
    let began = std::time::Instant::now();
    assert!(!find(&text).is_empty());
    assert!(
        began.elapsed() < std::time::Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
}
