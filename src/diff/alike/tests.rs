use proptest::prelude::*;

use super::*;

fn text(lines: &[&str]) -> Text {
    let all: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Text::of(all.as_bytes().into())
}

fn plain_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in line.chars() {
        if c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() {
            words.last_mut().unwrap().push(c);
        } else {
            words.push(c.to_string().trim().to_owned());
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words.sort();
    words
}

fn plain_likeness(a: &str, b: &str) -> u32 {
    let (a, mut b) = (plain_words(a), plain_words(b));
    let all = a.len() + b.len();
    let mut common = 0_usize;
    for word in a {
        if let Some(at) = b.iter().position(|other| *other == word) {
            b.remove(at);
            common += 1;
        }
    }
    u32::try_from((common * 2000).checked_div(all).unwrap_or(1000)).unwrap()
}

/// Returns the best total of all pairings in order, by brute force.
fn plain_best(old: &[&str], new: &[&str]) -> u32 {
    let (Some((a, old_rest)), Some((b, new_rest))) = (old.split_first(), new.split_first()) else {
        return 0;
    };
    let like = plain_likeness(a, b);
    let paired = if like >= ALIKE {
        like + plain_best(old_rest, new_rest)
    } else {
        0
    };
    paired.max(plain_best(old_rest, new)).max(plain_best(old, new_rest))
}

fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    Aligner::default().pairs((&text(old), &(0..old.len())), (&text(new), &(0..new.len())))
}

fn lines() -> impl Strategy<Value = Vec<&'static str>> {
    let line = prop::sample::select(vec![
        "a b c",
        "a b d",
        "let x = 1;",
        "let x = 2;",
        "",
        "}",
        "漢字 b",
        "d",
    ]);
    prop::collection::vec(line, 0..6)
}

proptest! {
    #[test]
    fn pairs_share_as_much_as_any_pairs_in_order_can(old in lines(), new in lines()) {
        let pairs = pairs(&old, &new);
        prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        let shares = pairs.iter().map(|(a, b)| plain_likeness(old[*a], new[*b]));
        prop_assert!(shares.clone().all(|share| share >= ALIKE));
        if old.len() * new.len() > 1 {
            prop_assert_eq!(shares.sum::<u32>(), plain_best(&old, &new));
        }
    }
}

#[test]
fn the_tables_of_one_hunk_say_nothing_of_the_next() {
    let (old, new) = (text(&["a b", "c d", "e f", "a b"]), text(&["c d", "a b", "e f", "x"]));
    let mut aligner = Aligner::default();
    let first = aligner.pairs((&old, &(0..4)), (&new, &(0..4)));
    assert_eq!(aligner.pairs((&old, &(2..4)), (&new, &(2..4))), [(0, 0)]);
    assert_eq!(aligner.pairs((&old, &(0..4)), (&new, &(0..4))), first);
    assert_eq!(first, [(1, 0), (3, 1)]);
}

#[test]
fn empty_lines_are_alike_though_they_share_no_word() {
    assert_eq!(pairs(&["", "x y"], &["p q", ""]), [(0, 1)]);
}
