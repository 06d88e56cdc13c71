//! Captures with the watcher, and cases that need a full walk.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use super::place::{Place, assert_same, complete, stored};
use crate::{Checkpoints, How, Limits, Reason, Watching};

fn watched(place: &Place) -> Checkpoints {
    let all = place.open();
    all.capture().unwrap();
    assert!(matches!(all.watch().unwrap(), Watching::Yes { .. }));
    all
}

#[track_caller]
fn assert_captured(place: &Place, all: &Checkpoints, how: How) {
    let captured = all.capture().unwrap();
    assert_same(&stored(all, &captured.tree), &place.model(), "captured");
    assert_eq!(captured.walked, how);
}

#[test]
fn an_overflow_is_followed_by_one_full_walk() {
    let place = Place::new();
    place.write("a", "x");
    let all = watched(&place);
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    for n in 0..limit.trim().parse::<usize>().unwrap() / 2 {
        place.write(&n.to_string(), "x");
    }
    assert_captured(&place, &all, How::FullWalk(Reason::Overflow));
    place.write("a", "y");
    assert_captured(&place, &all, How::Watched);
}

#[test]
fn more_folders_than_watches_are_walked_each_time() {
    let place = Place::new();
    for n in 0..10 {
        place.write(&format!("{n}/f"), "x");
    }
    let all = place.open_with(Limits {
        max_watches: 5,
        ..Limits::default()
    });
    all.capture().unwrap();
    assert_eq!(all.watch().unwrap(), Watching::No(Reason::WatchLimit));
    place.write("9/f", "y");
    assert_captured(&place, &all, How::FullWalk(Reason::WatchLimit));
    let all = place.open_with(Limits {
        max_watches: 12,
        ..Limits::default()
    });
    all.capture().unwrap();
    assert_eq!(all.watch().unwrap(), Watching::Yes { folders: 11 });
    place.write("new/deeper/f", "y");
    assert_captured(&place, &all, How::Watched);
    assert_captured(&place, &all, How::FullWalk(Reason::WatchLimit));
}

#[test]
fn a_replaced_root_is_walked_and_watched_again() {
    let place = Place::new();
    place.write("a", "x");
    let all = watched(&place);
    fs::rename(&place.root, place.data.join("old")).unwrap();
    fs::create_dir(&place.root).unwrap();
    place.write("b", "y");
    assert_captured(&place, &all, How::FullWalk(Reason::RootReplaced));
    place.write("c/d", "z");
    assert_captured(&place, &all, How::Watched);
}

#[test]
fn a_missing_root_is_an_error_and_no_empty_checkpoint() {
    let place = Place::new();
    place.write("a", "x");
    let all = watched(&place);
    fs::rename(&place.root, place.data.join("old")).unwrap();
    assert!(all.capture().unwrap_err().to_string().contains("work"));
    fs::rename(place.data.join("old"), &place.root).unwrap();
    assert_captured(&place, &all, How::FullWalk(Reason::First));
}

#[test]
fn changed_ignore_rules_move_files_in_and_out() {
    let place = Place::new();
    place.write("sub/a.tmp", "x");
    place.write("sub/deep/b.tmp", "x");
    place.write("c.tmp", "x");
    let all = watched(&place);
    let counts = |how| {
        let captured = all.capture().unwrap();
        assert_eq!(captured.walked, how);
        (captured.files, captured.ignored)
    };
    assert_eq!(counts(How::Watched), (3, 0));
    place.write("sub/.gitignore", "*.tmp");
    assert_eq!(counts(How::Watched), (2, 2));
    place.write(".ignore", "*.tmp");
    assert_eq!(counts(How::FullWalk(Reason::Rules)), (2, 3));
    fs::remove_file(place.path(".ignore")).unwrap();
    fs::remove_file(place.path("sub/.gitignore")).unwrap();
    assert_eq!(counts(How::FullWalk(Reason::Rules)), (3, 0));
}

#[test]
fn folders_that_are_filled_and_moved_during_captures_are_not_missed() {
    let place = Place::new();
    let all = watched(&place);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let changes = scope.spawn(|| {
            let mut rng = fastrand::Rng::with_seed(3);
            while !stop.load(Ordering::Relaxed) {
                for _ in 0..20 {
                    super::histories::step(&place, &mut rng);
                }
            }
        });
        for _ in 0..150 {
            all.capture().unwrap();
        }
        stop.store(true, Ordering::Relaxed);
        changes.join().unwrap();
    });
    let captured = all.capture().unwrap();
    assert_same(&stored(&all, &captured.tree), &place.model(), "at the end");
    assert_eq!(place.open().capture().unwrap().tree, captured.tree);
}

#[test]
fn two_processes_capture_and_collect_at_the_same_time() {
    let place = Place::new();
    place.write("a/b", "x");
    let (one, other) = (watched(&place), watched(&place));
    std::thread::scope(|scope| {
        for all in [&one, &other] {
            scope.spawn(|| {
                for n in 0..60 {
                    place.write(&format!("a/{}", n % 7), &n.to_string());
                    let captured = all.capture().unwrap();
                    assert!(
                        complete(all.compare(&crate::TreeId::empty(), &captured.tree))
                            .unwrap()
                            .len()
                            > 2
                    );
                    if n % 10 == 0 {
                        all.gc(&[]).unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(one.capture().unwrap().tree, other.capture().unwrap().tree);
}
