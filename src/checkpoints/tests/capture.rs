//! Captures and comparisons.

use std::fs;
use std::path::Path;

use super::place::{Place, text};
use crate::{CheckpointError, ContentId, Limits, NotCovered};

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

#[test]
fn secret_files_are_left_out_under_each_of_their_names() {
    let place = Place::new();
    let limits = Limits {
        is_secret: |path| path == Path::new("secret"),
        ..Limits::default()
    };
    let checkpoints = place.open_with(limits);
    place.write("secret", "key");
    place.write("plain", "text");
    fs::hard_link(place.root.join("secret"), place.root.join("another")).unwrap();
    let captured = checkpoints.capture().unwrap();
    let mut omitted: Vec<_> = captured
        .omitted
        .iter()
        .map(|one| (one.path.display().to_string(), one.why))
        .collect();
    omitted.sort();
    assert_eq!(
        omitted,
        [
            ("another".to_owned(), NotCovered::Secret),
            ("secret".to_owned(), NotCovered::Secret)
        ]
    );
    assert!(checkpoints.content(&ContentId::of(b"key")).is_err());
    assert_eq!(checkpoints.content(&ContentId::of(b"text")).unwrap(), b"text");
}

#[test]
fn a_folder_that_needs_more_than_the_quota_is_an_error_and_a_smaller_one_is_not() {
    let place = Place::new();
    let limits = Limits {
        quota: 10_000,
        ..Limits::default()
    };
    let checkpoints = place.open_with(limits);
    place.write("small", "text");
    checkpoints.capture().unwrap();
    let noise: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..)).take(20_000).collect();
    fs::write(place.path("large"), &noise).unwrap();
    assert!(matches!(checkpoints.capture(), Err(CheckpointError::Full)));
    fs::remove_file(place.root.join("large")).unwrap();
    checkpoints.capture().unwrap();
}
