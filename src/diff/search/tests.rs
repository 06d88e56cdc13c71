use proptest::prelude::*;

use super::*;

/// Returns the length of the longest common subsequence.
fn common(old: &[&[u8]], new: &[&[u8]]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut corner = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    row[new.len()]
}

fn lines(most: usize) -> impl Strategy<Value = Vec<&'static [u8]>> {
    prop::collection::vec(prop::sample::select(vec![&b"a"[..], b"b", b"c", b"d"]), 0..most)
}

fn total(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.len).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn few_edits_are_as_few_as_can_be(old in lines(24), new in lines(24)) {
        let runs = few_edits(&old, &new).unwrap();
        prop_assert_eq!(total(&runs), common(&old, &new), "{:?}", runs);
    }

    #[test]
    fn stretches_that_share_a_line_are_told_from_those_that_do_not(old in lines(40), new in lines(40)) {
        let number = |line: &&[u8]| u32::from(line[0]);
        let mut anchored = Anchored {
            old: old.iter().map(number).collect(),
            new: new.iter().map(number).collect(),
            seen: vec![Seen::default(); 256],
            runs: Vec::new(),
        };
        let shares = old.iter().any(|line| new.contains(line));
        prop_assert_eq!(anchored.shares_a_line(0..old.len(), 0..new.len()), shares);
        prop_assert!(anchored.seen.iter().all(|seen| seen.old == 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Unique lines in long texts serve as anchors.
    #[test]
    fn runs_are_equal_lines_in_order(old in lines(40), new in lines(40), seed in any::<u64>()) {
        let unique: Vec<String> = (0..1200).map(|n| format!("unique {n}")).collect();
        let mix = |with: &[&'static [u8]], salt: u64| -> Vec<Vec<u8>> {
            let mut dice = fastrand::Rng::with_seed(seed ^ salt);
            let mut out = Vec::new();
            for (at, line) in unique.iter().enumerate() {
                if dice.u8(..4) != 0 {
                    out.push(line.clone().into_bytes());
                }
                if let Some(extra) = with.get(at % 97) {
                    out.push(extra.to_vec());
                }
            }
            out
        };
        let (old, new) = (mix(&old, 1), mix(&new, 2));
        let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
        let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
        prop_assert!(few_edits(&old, &new).is_none());
        let mut at = (0, 0);
        let runs = runs(&old, &new);
        for run in &runs {
            prop_assert!(run.old >= at.0 && run.new >= at.1, "{:?}", runs);
            prop_assert_eq!(&old[run.old..run.old + run.len], &new[run.new..run.new + run.len]);
            at = (run.old + run.len, run.new + run.len);
        }
        // The search found at least nine tenths of the common lines.
        prop_assert!(total(&runs) * 10 >= common(&old, &new) * 9);
    }
}
