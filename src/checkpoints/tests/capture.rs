//! Captures and comparisons.

use std::fs;
use std::path::Path;

use benchdog_base::clock::Time;

use super::place::{Place, assert_same, complete, stored, text};
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
    let changed = complete(all.compare(&first.tree, &third.tree)).unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].path, Path::new("a.txt"));
    assert_eq!(text(&all, &first, "a.txt").as_deref(), Some("one"));
    assert_eq!(text(&place.open(), &third, "a.txt").as_deref(), Some("two"));
}

#[test]
fn another_name_of_an_ignored_secret_is_left_out() {
    let place = Place::new();
    let limits = Limits {
        is_secret: |path| path == Path::new("deep/secret"),
        ..Limits::default()
    };
    let checkpoints = place.open_with(limits);
    place.write(".gitignore", "secret\n");
    place.write("deep/secret", "key");
    checkpoints.capture().unwrap();
    fs::hard_link(place.root.join("deep/secret"), place.root.join("another")).unwrap();
    let captured = checkpoints.capture().unwrap();
    let omitted: Vec<_> = captured
        .omitted
        .iter()
        .map(|one| (one.path.as_path(), one.why))
        .collect();
    assert_eq!(omitted, [(Path::new("another"), NotCovered::Secret)]);
    assert!(checkpoints.content(&ContentId::of(b"key")).is_err());
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
    assert!(matches!(checkpoints.capture(), Err(CheckpointError::Quota { .. })));
    fs::remove_file(place.root.join("large")).unwrap();
    checkpoints.capture().unwrap();
}

#[test]
fn a_change_in_a_large_folder_stores_the_change_and_every_version_stays_readable() {
    let place = Place::new();
    for n in 0..500 {
        place.write(&format!("large/{n}"), &n.to_string());
    }
    let all = place.open();
    let first = all.capture().unwrap();
    let mut trees = vec![(first.tree, place.model())];
    let mut grown = 0;
    for n in 0..80 {
        place.write(&format!("large/{}", n * 6), &format!("changed {n}"));
        let captured = all.capture().unwrap();
        grown += captured.stored_bytes;
        trees.push((captured.tree, place.model()));
    }
    assert!(grown / 80 < 2_000, "{} bytes per change", grown / 80);
    for keep in [&trees[..], &trees[40..60]] {
        let named: Vec<_> = (0..).map(Time).zip(keep.iter().map(|(tree, _)| *tree)).collect();
        all.collect(&named, Time(Time::now().0 + 10 * 3_600_000)).unwrap();
        let opened = place.open();
        for (tree, model) in keep {
            assert_same(&stored(&opened, tree), model, "later");
        }
    }
}

#[test]
fn a_file_whose_times_cannot_tell_a_later_write_is_read_again() {
    let place = Place::new();
    place.write("old", "x");
    place.write("future", "x");
    let set = |name: &str, seconds| {
        let file = std::fs::File::open(place.path(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds))
            .unwrap();
    };
    set("old", 1_000_000_000);
    set("future", 4_000_000_000);
    std::thread::park_timeout(std::time::Duration::from_millis(60));
    let all = place.open();
    assert_eq!(all.capture().unwrap().read, 2);
    assert_eq!(all.capture().unwrap().read, 1);
    assert_eq!(place.open().capture().unwrap().read, 1);
}

#[test]
fn checkpoints_may_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<crate::Checkpoints>();
}
