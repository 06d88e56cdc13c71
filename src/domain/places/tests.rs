use super::*;

fn known(lines: &[(u64, u64)]) -> Known {
    let mut known = Known::default();
    known.add(lines.iter().map(|(first, last)| Lines(*first, *last)));
    known
}

#[test]
fn stretches_that_touch_are_one() {
    let known = known(&[(5, 9), (1, 2), (3, 4), (20, 20)]);
    assert_eq!(known.lines(), [Lines(1, 9), Lines(20, 20)]);
    assert!(known.holds(9) && !known.holds(10) && known.holds(20));
}

#[test]
fn what_lies_below_a_change_is_known_by_both_numbers() {
    let mut seen = known(&[(30, 50)]);
    seen.shift(&[Moved {
        at: 10,
        went: 0,
        came: 5,
    }]);
    assert_eq!(seen.lines(), [Lines(10, 14), Lines(30, 55)]);
    let mut seen = known(&[(30, 50)]);
    seen.shift(&[Moved {
        at: 10,
        went: 10,
        came: 0,
    }]);
    assert_eq!(seen.lines(), [Lines(9, 10), Lines(20, 50)]);
}

#[test]
fn a_line_that_went_is_not_known_anew_elsewhere() {
    assert_eq!(
        shifted(
            Lines(1, 10),
            &[
                Moved {
                    at: 4,
                    went: 2,
                    came: 1
                },
                Moved {
                    at: 9,
                    went: 1,
                    came: 3
                }
            ]
        ),
        [Lines(1, 3), Lines(5, 7), Lines(11, 11)]
    );
    assert_eq!(
        shifted(
            Lines(4, 5),
            &[Moved {
                at: 4,
                went: 2,
                came: 0
            }]
        ),
        []
    );
}
