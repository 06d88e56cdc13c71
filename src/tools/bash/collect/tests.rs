//! Tests of what is kept of an output.

use super::*;
use crate::tools::bench::Bench;

#[test]
fn the_file_begins_where_the_output_began() {
    let bench = Bench::new();
    let mut collected = Collected::new(&bench.cx);
    for number in 0..20_000 {
        collected.push(format!("{number}\n").as_bytes());
    }
    let (kept, whole) = collected.into_kept();
    let Whole::In { path, complete } = whole else {
        panic!("kept in a file")
    };
    assert!(complete);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 20_000);
    assert!(text.starts_with("0\n1\n2\n") && text.starts_with(&kept.head) && text.ends_with(&kept.tail));
    assert_eq!(
        kept.head.lines().count() as u64 + kept.lost_lines + kept.tail.lines().count() as u64,
        20_000
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_said_and_not_fatal() {
    let mut bench = Bench::with(&[("file", "")]);
    bench.cx.overflow = bench.root().join("file/inside");
    let mut collected = Collected::new(&bench.cx);
    collected.push("x\n".repeat(40_000).as_bytes());
    let (kept, whole) = collected.into_kept();
    assert!(matches!(whole, Whole::Nowhere(_)));
    assert!(kept.lost_bytes > 40_000);
}
