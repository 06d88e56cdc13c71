//! Captures and comparisons.

use std::path::Path;

use super::place::{Place, text};

#[test]
fn a_capture_holds_every_file_and_a_second_one_stores_nothing() {
    let place = Place::new();
    place.write("a.txt", "one");
    place.write("src/b.txt", &"two ".repeat(1000));
    let all = place.open();
    let first = all.capture().unwrap();
    assert_eq!(first.files, 2);
    assert_eq!(text(&all, &first, "src/b.txt"), Some("two ".repeat(1000)));
    let second = all.capture().unwrap();
    assert_eq!((second.tree, second.stored_bytes), (first.tree, 0));
    place.write("a.txt", "two");
    let third = all.capture().unwrap();
    let changed = all.compare(&first.tree, &third.tree).unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].path, Path::new("a.txt"));
    assert_eq!(text(&all, &first, "a.txt").as_deref(), Some("one"));
    assert_eq!(text(&place.open(), &third, "a.txt").as_deref(), Some("two"));
}
