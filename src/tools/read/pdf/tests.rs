//! PDF documents without a child process, which `tests/it/pdf.rs` tests.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::*;

fn document(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("../../tests/data/pdf").join(name)).unwrap()
}

fn order(pages: &str) -> Order {
    Order {
        len: 0,
        pages: Pages::of(pages).unwrap(),
        skip: 0,
        most: USUAL,
        room: 60_000,
    }
}

/// Returns the lines that the child process would write.
fn lines(bytes: Vec<u8>, order: &Order) -> String {
    let mut lines = Vec::new();
    let mut say = |line: &Line| {
        lines.push(serde_json::to_string(line).unwrap());
        Ok(())
    };
    child::extract(bytes, order, &mut say).unwrap();
    lines.join("\n")
}

fn said(how: How, output: String) -> Said {
    Said {
        how,
        output,
        errors: String::new(),
    }
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn shown(name: &str, pages: &str) -> Outcome {
    let order = order(pages);
    let mut reading = Reading::default();
    let ended = How::Ended(ExitStatus::from_raw(0));
    reading.add(&said(ended, lines(document(name), &order)), &order, later());
    reading.outcome("a.pdf", &order.pages)
}

#[test]
fn pages_are_selected_by_numbers_and_ranges() {
    let chosen = |text: &str, total| Pages::of(text).map(|pages| pages.chosen(total));
    assert_eq!(chosen("3", 9), Some(vec![3]));
    assert_eq!(chosen(" 2-4, 7 ", 9), Some(vec![2, 3, 4, 7]));
    assert_eq!(chosen("8-, 1, 8", 9), Some(vec![8, 9, 1]));
    assert_eq!(chosen("2–30", 3), Some(vec![2, 3]));
    assert_eq!(chosen("12", 9), Some(vec![]));
    assert_eq!(chosen("1-", usize::MAX).map(|chosen| chosen.len()), Some(1_000));
    for wrong in ["", ",", "0", "a", "5-2", "-3", "1-2-3", "99999999999999999999"] {
        assert_eq!(chosen(wrong, 9), None, "{wrong}");
    }
    assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    assert_eq!(ranges(&[]), "");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let outcome = shown("two-columns.pdf", "1-");
    let places: Vec<_> = (1..=24)
        .map(|number| outcome.output.find(&format!("Paragraph {number}: ")))
        .collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{}",
        outcome.output
    );
    assert!(
        outcome
            .output
            .starts_with("[PDF document of 1 page]\n[page 1 of 1]\nParagraph 1")
    );
    assert_eq!(outcome.summary.to_string(), "1 of 1 page");
}

#[test]
fn chinese_japanese_and_korean_come_from_embedded_fonts_and_from_named_tables() {
    let (zh, ja, ko) = ("中文文档", "漢字とカタカナ。", "이것은 한국어 시험 문서입니다.");
    for (name, words) in [
        ("cjk-embedded.pdf", [zh, ja].as_slice()),
        ("cjk-predefined.pdf", &[zh, ja, ko]),
        ("cjk-legacy.pdf", &[zh, ja, ko, "這是繁體中文"]),
    ] {
        let outcome = shown(name, "1-");
        for word in words {
            assert!(outcome.output.contains(word), "{name}: {}", outcome.output);
        }
    }
}

#[test]
fn characters_without_a_meaning_are_counted() {
    let outcome = shown("cjk-legacy.pdf", "1");
    let end = "[characters without a known meaning, shown as \u{fffd}: 1]\n";
    assert!(outcome.output.ends_with(end), "{}", outcome.output);
}

#[test]
fn scanned_and_empty_pages_are_named() {
    let outcome = shown("scanned.pdf", "1-");
    assert_eq!(
        outcome.output,
        "[PDF document of 3 pages]\n[page 1 of 3]\nCover with text\n[page 2 of 3: scanned, no text]\n[page 3 of 3: no text]\n\
         [scanned pages are images; text recognition, such as `ocrmypdf`, makes them readable]\n"
    );
}

#[test]
fn a_document_with_a_password_is_one_error_and_one_without_is_read() {
    let outcome = shown("encrypted-user.pdf", "1-");
    assert_eq!(outcome.code.as_deref(), Some("encrypted"));
    assert!(outcome.output.contains("needs a password"), "{}", outcome.output);
    for name in ["encrypted-owner.pdf", "encrypted-rc4.pdf"] {
        let outcome = shown(name, "5");
        assert!(
            outcome.output.contains("This is page 5 of the file, line 3."),
            "{name}: {}",
            outcome.output
        );
    }
}

#[test]
fn damage_hides_only_its_own_page() {
    let outcome = shown("damaged-page.pdf", "1-3");
    assert!(
        outcome
            .output
            .contains("[page 2 of 5: not readable, its content is missing or broken]\n[page 3 of 5]\n")
    );
    for name in ["damaged-xref.pdf", "object-streams.pdf"] {
        assert!(shown(name, "4").output.contains("This is page 4 of the file"), "{name}");
    }
    let outcome = shown("hostile-cyclic.pdf", "1-");
    assert_eq!(outcome.code.as_deref(), Some("damaged"));
}

#[test]
fn a_part_says_how_to_go_on() {
    let outcome = shown("damaged-xref.pdf", "2-");
    assert!(!outcome.truncated, "{}", outcome.output);
    let two = Order { most: 2, ..order("1-") };
    let mut reading = Reading::default();
    let ended = || How::Ended(ExitStatus::from_raw(0));
    reading.add(&said(ended(), lines(document("damaged-xref.pdf"), &two)), &two, later());
    let outcome = reading.outcome("a.pdf", &two.pages);
    assert!(outcome.truncated);
    assert!(
        outcome
            .output
            .ends_with("[2 of 5 pages shown; go on with offset 3, or with pages \"3-5\"]\n"),
        "{}",
        outcome.output
    );
    // The limit allows the text of one and a half pages.
    let tight = Order {
        room: 200,
        ..order("1,3-5")
    };
    let mut reading = Reading::default();
    reading.add(
        &said(ended(), lines(document("damaged-xref.pdf"), &tight)),
        &tight,
        later(),
    );
    let outcome = reading.outcome("a.pdf", &tight.pages);
    assert!(
        outcome
            .output
            .ends_with("[1 of 5 pages shown; go on with offset 3, or with pages \"3-5\"]\n"),
        "{}",
        outcome.output
    );
    let outcome = shown("damaged-xref.pdf", "9");
    assert_eq!(outcome.output, "`a.pdf` has 5 pages; page 9 is past its end.");
}

#[test]
fn a_page_that_is_too_long_says_how_much_is_missing() {
    let small = Order { room: 50, ..order("1") };
    let mut reading = Reading::default();
    let ended = How::Ended(ExitStatus::from_raw(0));
    reading.add(
        &said(ended, lines(document("damaged-xref.pdf"), &small)),
        &small,
        later(),
    );
    let outcome = reading.outcome("a.pdf", &small.pages);
    assert!(
        outcome.truncated && outcome.output.contains("more on this page; `pdftotext -f "),
        "{}",
        outcome.output
    );
}

#[test]
fn a_page_that_ends_the_reader_is_named_and_the_next_start_goes_on_after_it() {
    let order = order("1-");
    let all = lines(document("damaged-xref.pdf"), &order);
    let first: Vec<&str> = all.lines().take(2).collect();
    let mut reading = Reading::default();
    let mut early = said(How::Ended(ExitStatus::from_raw(6)), first.join("\n"));
    "memory allocation of 9 bytes failed".clone_into(&mut early.errors);
    reading.add(&early, &order, later());
    assert!(!reading.is_done);
    let rest = Order {
        skip: reading.pages.len(),
        ..order
    };
    let ended = How::Ended(ExitStatus::from_raw(0));
    reading.add(&said(ended, lines(document("damaged-xref.pdf"), &rest)), &rest, later());
    let outcome = reading.outcome("a.pdf", &rest.pages);
    assert!(
        outcome
            .output
            .contains("[page 2 of 5: not readable, it needs too much memory]\n[page 3 of 5]\nThis is page 3"),
        "{}",
        outcome.output
    );
    // Without the number of pages, the call cannot continue.
    let mut reading = Reading::default();
    reading.add(
        &said(How::Ended(ExitStatus::from_raw(11)), String::new()),
        &rest,
        later(),
    );
    let outcome = reading.outcome("a.pdf", &rest.pages);
    assert_eq!(outcome.code.as_deref(), Some("damaged"));
}

#[test]
fn a_document_is_known_by_its_first_bytes() {
    assert!(Pdf::of(b"%PDF-1.4\n".to_vec(), "a").is_ok());
    assert!(Pdf::of(b"junk\n%PDF-1.4\n".to_vec(), "a.PDF").is_ok());
    assert!(Pdf::of(b"junk\n%PDF-1.4\n".to_vec(), "a.txt").is_err());
    assert!(Pdf::of(b"".to_vec(), "a.pdf").is_err());
}
