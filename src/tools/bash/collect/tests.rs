use super::*;
use crate::bench::Bench;
use benchdog_base::id::SessionId;

/// Outputs whose folder cannot be created.
fn nowhere(bench: &Bench) -> Outputs {
    Outputs::of(&bench.root().join("file"), &SessionId("session".to_owned()))
}

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
    bench.cx.outputs = nowhere(&bench);
    let mut collected = Collected::new(&bench.cx);
    collected.push("x\n".repeat(40_000).as_bytes());
    let (kept, whole) = collected.into_kept();
    assert!(matches!(whole, Whole::Nowhere(_)));
    assert!(kept.lost_bytes > 40_000);
}

#[test]
fn an_output_without_end_is_counted_and_only_its_newest_part_is_looked_at() {
    let mut bench = Bench::with(&[("file", "")]);
    bench.cx.outputs = nowhere(&bench);
    let mut collected = Collected::new(&bench.cx);
    let many = 400_000;
    let mut seen = 0;
    for first in (0..many).step_by(1_000) {
        let lines: String = (first..first + 1_000).map(|number| format!("{number}\n")).collect();
        seen += collected.push(lines.as_bytes()).len();
        assert!(collected.waiting.len() <= 2 * WINDOW);
    }
    let text = collected.finish();
    assert!(
        text.ends_with("399999\n") && seen + text.len() < 4 * WINDOW,
        "{}",
        text.len()
    );
    let (kept, _) = collected.into_kept();
    let numbers: Vec<u32> = kept.tail.lines().map(|line| line.parse().unwrap()).collect();
    assert!(numbers.len() > 1_000 && numbers.windows(2).all(|two| two[0] + 1 == two[1]));
    assert_eq!(
        kept.head.lines().count() as u64 + kept.lost_lines + numbers.len() as u64,
        many
    );
}

#[test]
fn the_end_of_a_line_without_end_is_its_end() {
    let mut bench = Bench::with(&[("file", "")]);
    bench.cx.outputs = nowhere(&bench);
    let mut collected = Collected::new(&bench.cx);
    for _ in 0..8 {
        collected.push("漢".repeat(20_000).as_bytes());
    }
    collected.push(b"end");
    collected.finish();
    let (kept, _) = collected.into_kept();
    assert!(kept.tail.ends_with("漢漢end") && !kept.tail.contains('\u{fffd}'));
    let all = kept.head.len() as u64 + kept.lost_bytes + kept.tail.len() as u64;
    // Each half of the split character becomes a replacement character.
    assert!(all.abs_diff(480_003) <= 6, "{all}");
}
