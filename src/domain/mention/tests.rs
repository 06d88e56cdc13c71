use super::found::{Candidate, Lines, Wanted, find, unclear, with_lines, written};

type Reading = (String, Option<(u64, Option<u64>)>);

fn first(text: &str) -> Vec<Reading> {
    let first = |candidate: &Candidate| {
        let lines = match candidate.wanted {
            Wanted::Lines(Lines { first, last }) => Some((first, last)),
            Wanted::Whole | Wanted::Unclear(_) => None,
        };
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
fn numbers_that_name_no_lines_are_unclear_and_what_is_no_number_is_part_of_the_name() {
    for text in [
        "@a.rs:20-10",
        "@a.rs:99999-1",
        "@a.rs:0",
        "@a.rs:1-2-3",
        "@a.rs:1,5",
        "@说明.txt：9-1",
        "@\"a b.rs\":9-1",
    ] {
        let found = find(text);
        let unclear = |candidate: &Candidate| matches!(candidate.wanted, Wanted::Unclear(_));
        assert!(found[0].candidates.first().is_some_and(unclear), "{text}: {found:?}");
        assert!(found[0].is_path, "{text}");
    }
    let found = find("@a.rs:x");
    assert!(found[0].candidates.iter().all(|it| it.wanted == Wanted::Whole));
    assert_eq!(
        first("@a.rs:10, and"),
        [("a.rs:10,".to_owned(), None)],
        "the comma is the sentence's"
    );
    assert!(
        find("@a.rs:10, and")[0]
            .candidates
            .iter()
            .all(|it| !matches!(it.wanted, Wanted::Unclear(_)))
    );
}

#[test]
fn lines_are_read_with_full_width_colons_other_dashes_and_the_column_of_a_compiler() {
    for (text, lines) in [
        ("@long.txt：10-20", (10, Some(20))),
        ("@说明.txt：10–20", (10, Some(20))),
        ("@é.md:3–5", (3, Some(5))),
        ("@a.rs:3—5", (3, Some(5))),
        ("@a.rs:10:5", (10, Some(10))),
        ("看@说明.txt：7。", (7, Some(7))),
        ("@\"a b.txt\"：2-3", (2, Some(3))),
    ] {
        let found = find(text);
        let asked = found[0].candidates.iter().find_map(|candidate| match candidate.wanted {
            Wanted::Lines(Lines { first, last }) => Some((first, last)),
            _ => None,
        });
        assert_eq!(asked, Some(lines), "{text}: {found:?}");
    }
    let sentence = find("@说明.txt：3个问题");
    assert!(
        sentence[0].candidates.iter().all(|it| it.wanted == Wanted::Whole),
        "a number that begins the next words: {sentence:?}"
    );
}

#[test]
fn names_one_after_the_other_are_all_found_whatever_letters_they_have() {
    let plain = |path: &str| vec![(path.to_owned(), None)];
    for (text, wanted) in [
        ("see @é.md,@b.rs", ["é.md", "b.rs"]),
        ("see @a.rs,@é.md", ["a.rs", "é.md"]),
        ("(@说明.txt，@b.rs)", ["说明.txt", "b.rs"]),
        ("@说明.txt和@🐕.txt", ["说明.txt", "🐕.txt"]),
        ("@🐕.txt和@说明.txt", ["🐕.txt", "说明.txt"]),
    ] {
        let found = find(text);
        assert_eq!(found.len(), 2, "{text}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(
                found.candidates.iter().any(|candidate| candidate.path == wanted),
                "{text}: {found:?}"
            );
            assert!(found.is_path, "{text}: {found:?}");
        }
    }
    assert_eq!(first(&format!("see {}", written("图@2x.png"))), plain("图@2x.png"));
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

#[test]
fn the_lines_behind_a_name_are_told_from_it_while_it_is_written() {
    for (name, parts) in [
        ("a.rs", ("a.rs", "")),
        ("a.rs:", ("a.rs", ":")),
        ("a.rs:10-", ("a.rs", ":10-")),
        ("src/a:10-20", ("src/a", ":10-20")),
        ("a.rs：10", ("a.rs", "：10")),
        ("a.rs:20-10", ("a.rs", ":20-10")),
        ("docs:", ("docs:", "")),
        ("github:12", ("github:12", "")),
        ("a:12", ("a:12", "")),
        ("docs:file:///a.md:10", ("docs:file:///a.md:10", "")),
        ("a.rs:ten", ("a.rs:ten", "")),
        (":10", (":10", "")),
    ] {
        assert_eq!(with_lines(name), parts, "{name}");
    }
    for (behind, range) in [
        (":20-10", Some("20-10")),
        (":0", Some("0")),
        (":10,20", Some("10,20")),
        (":20-1", None),
        (":20-", None),
        (":10:", None),
        (":10,", None),
        (":10-20", None),
        (":", None),
        ("", None),
    ] {
        assert_eq!(unclear(behind), range, "{behind}");
    }
}
