use proptest::prelude::*;

use super::*;

/// Returns the first position of each line, counted through both texts.
fn plain(old: &[&[u8]], new: &[&[u8]]) -> Vec<u32> {
    let all: Vec<&[u8]> = old.iter().chain(new).copied().collect();
    let first = |line: &&[u8]| all.iter().position(|other| other == line).unwrap();
    all.iter().map(|line| as_place(first(line))).collect()
}

fn both(old: &[&[u8]], new: &[&[u8]]) -> Vec<u32> {
    let (mut first, second) = numbers(old, new);
    first.extend(second);
    first
}

fn lines(most: usize) -> impl Strategy<Value = Vec<&'static [u8]>> {
    prop::collection::vec(prop::sample::select(vec![&b"a"[..], b"b", b"c", b"d", b""]), 0..most)
}

proptest! {
    #[test]
    fn a_line_has_the_place_at_which_it_is_first_met(old in lines(24), new in lines(24)) {
        prop_assert_eq!(both(&old, &new), plain(&old, &new));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Long texts: enough lines for many tables, with added, removed and moved parts.
    #[test]
    fn the_same_holds_of_long_texts(seed in any::<u64>()) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let pool: Vec<String> = (0..1_500).map(|n| format!("{}line {}\n", " ".repeat(n % 9), n % 1_100)).collect();
        let mut text = |from: &[usize]| {
            let mut out = from.to_vec();
            for _ in 0..dice.usize(..6) {
                let at = dice.usize(..=out.len());
                match dice.u8(..3) {
                    0 => drop(out.drain(at..out.len().min(at + 40))),
                    1 => drop(out.splice(at..at, (0..dice.usize(..90)).map(|n| n * 7))),
                    _ => out.rotate_left(at % 200),
                }
            }
            out
        };
        let old = text(&(0..pool.len()).collect::<Vec<_>>());
        let new = text(&old);
        let side = |of: &[usize]| -> Vec<&[u8]> { of.iter().map(|n| pool[n % pool.len()].as_bytes()).collect() };
        prop_assert_eq!(both(&side(&old), &side(&new)), plain(&side(&old), &side(&new)));
    }
}

#[test]
fn lines_of_one_hash_are_told_apart_by_their_bytes() {
    let open = |place| Open { hash: 7, place };
    let line = |place: u32| ["x", "y", "x", "y"][place as usize];
    let mut found = Vec::new();
    in_small_tables((0..4).map(open).collect(), |first, again| {
        let is_same = line(first) == line(again);
        found.extend(is_same.then_some((first, again)));
        is_same
    });
    assert_eq!(found, [(0, 2), (1, 3)]);
}

/// Most lines need no lookup, even after added or removed lines.
#[test]
fn after_lines_that_came_the_way_is_found_back() {
    let text: Vec<String> = (0..4_000).map(|n| format!("line {n}\n")).collect();
    let old: Vec<&[u8]> = text.iter().map(String::as_bytes).collect();
    let new = [&[&b"new\n"[..]; 20][..], &old].concat();
    let mut open: Vec<Open> = (0..)
        .zip(&old)
        .map(|(place, line)| Open {
            hash: hash(line),
            place,
        })
        .collect();
    expected(&old, &new, &mut open);
    assert!(
        open.len() - old.len() < 500,
        "{} were looked up",
        open.len() - old.len()
    );
}

#[test]
fn different_lines_of_every_length_get_different_numbers() {
    let text: Vec<String> = (0..200)
        .map(|n| "x".repeat(n))
        .chain((0..200).map(|n| format!("{n}")))
        .collect();
    let lines: Vec<&[u8]> = text.iter().map(String::as_bytes).collect();
    let (numbers, again) = numbers(&lines, &[b"xxx"]);
    assert_eq!(numbers, (0..400).collect::<Vec<_>>());
    assert_eq!(again, [3], "a line met before keeps its number");
}
