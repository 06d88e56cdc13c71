use super::{Extent, thumb};

#[test]
fn the_thumb_is_at_an_end_only_when_the_list_is() {
    let at = |first| {
        thumb(
            Extent {
                first,
                shown: 10,
                all: 1_000,
            },
            10,
        )
    };
    assert_eq!(at(0), Some((0, 1)));
    assert_eq!(at(1), Some((1, 1)));
    assert_eq!(at(989), Some((8, 1)));
    assert_eq!(at(990), Some((9, 1)));
}

#[test]
fn a_list_shown_whole_has_no_bar() {
    assert_eq!(
        thumb(
            Extent {
                first: 0,
                shown: 10,
                all: 10
            },
            10
        ),
        None
    );
    assert_eq!(
        thumb(
            Extent {
                first: 0,
                shown: 0,
                all: 0
            },
            10
        ),
        None
    );
}
