use super::*;
use crate::{split, work};

fn found(text: &str, sought: &str) -> Option<usize> {
    nearest(&split(text.as_bytes()), &split(sought.as_bytes())).map(|region| region.start)
}

const CODE: &str = "\
use std::fmt;

fn area(width: u32, height: u32) -> u32 {
    width * height
}

fn perimeter(width: u32, height: u32) -> u32 {
    2 * (width + height)
}
";

#[test]
fn text_that_is_almost_there_is_found() {
    assert_eq!(
        found(CODE, "fn perimeter(w: u32, h: u32) -> u32 {\n    2 * (w + h)\n"),
        Some(6)
    );
    assert_eq!(found(CODE, "    width*height"), Some(3));
    assert_eq!(found(CODE, "fn area(width: u64, height: u64) -> u64 {"), Some(2));
}

#[test]
fn text_that_is_not_there_is_not_found() {
    assert_eq!(found(CODE, "SELECT name FROM users ORDER BY created_at;"), None);
    assert_eq!(found("", "anything"), None);
    assert_eq!(found(CODE, "\n\n"), None);
}

#[test]
fn of_a_long_text_each_line_is_compared_once_and_the_most_alike_once_more() {
    let text: String = (0..100_000)
        .map(|n| format!("let value_{n} = compute_something({n}, other);\n"))
        .collect();
    let sought = "let value_83419 = compute_something_else(83419, other);";
    let (place, compared) = work::of(|| found(&text, sought));
    assert_eq!(place, Some(83_419));
    assert!(compared < 101_000, "{compared}");
}
