//! Tests of what is read from `/proc`.

use super::*;

#[test]
fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
    let text = "77 (a) R 1 (b c) S 5 77 66 0 -1 4194560";
    assert_eq!(
        parse_stat(text),
        Some(Stat {
            parent: 5,
            session: 66,
            zombie: false
        })
    );
    assert_eq!(
        parse_stat("78 (x) Z 5 77 66"),
        Some(Stat {
            parent: 5,
            session: 66,
            zombie: true
        })
    );
    assert_eq!(parse_stat("79 (x"), None);
}

#[test]
fn both_ways_to_the_children_agree() {
    let mut child = std::process::Command::new("sleep").arg("61.0401").spawn().unwrap();
    let own = std::process::id();
    let kept = children(own);
    let searched = children_by_search(own);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(kept.contains(&child.id()), "{kept:?}");
    assert!(searched.contains(&child.id()), "{searched:?}");
}
