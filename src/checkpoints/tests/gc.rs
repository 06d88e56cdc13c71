//! Garbage collection of a store.

use benchdog_base::clock::Time;
use fastrand::Rng;

use super::histories::step;
use super::place::{Model, Place, assert_same, complete, stored};
use crate::{CheckpointError, Damage, Limits, TreeId};

/// Returns a time so late that no tree counts as recent.
fn later() -> Time {
    Time(Time::now().0 + 100 * 3_600_000)
}

#[test]
fn kept_checkpoints_stay_exact_and_others_make_room() {
    let mut dropped = 0;
    for seed in 0..25 {
        let mut rng = Rng::with_seed(seed);
        let place = Place::new();
        let (all, other) = (place.open(), place.open());
        all.capture().unwrap();
        all.watch().unwrap();
        let mut history: Vec<(Time, TreeId, Model)> = Vec::new();
        for round in 0..30 {
            for _ in 0..rng.usize(1..6) {
                step(&place, &mut rng);
            }
            let by = if rng.bool() { &all } else { &other };
            let tree = by.capture().unwrap().tree;
            history.push((Time(round), tree, place.model()));
            if round % 7 == 6 {
                history.retain(|_| rng.bool());
                let keep: Vec<(Time, TreeId)> = history.iter().map(|(time, tree, _)| (*time, *tree)).collect();
                let by = if rng.bool() { &all } else { &other };
                let collected = by.collect(&keep, later()).unwrap();
                assert_eq!(collected.dropped, []);
                if complete(all.compare(&TreeId::empty(), &tree)).is_err() {
                    dropped += 1;
                }
            }
            for (time, tree, model) in &history {
                let context = format!("seed {seed}, round {round}, of {time:?}");
                assert_same(&stored(&all, tree), model, &context);
                assert_same(&stored(&other, tree), model, &context);
            }
        }
        let before = all.figures();
        let collected = all.collect(&[], later()).unwrap();
        assert_eq!((collected.before, collected.after), (before.bytes, 0));
        let again = all.capture().unwrap();
        assert_same(
            &stored(&place.open(), &again.tree),
            &place.model(),
            "after all was removed",
        );
    }
    assert!(dropped > 10, "only {dropped} trees were dropped");
}

#[test]
fn a_recent_capture_stays_without_being_named() {
    let place = Place::new();
    place.write("a", "one");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("a", "two");
    all.capture().unwrap();
    all.gc(&[]).unwrap();
    assert_eq!(stored(&all, &first).len(), 1);
}

#[test]
fn the_oldest_checkpoints_go_when_the_quota_is_reached() {
    let place = Place::new();
    let limits = Limits {
        quota: 250_000,
        ..Limits::default()
    };
    let (all, limited) = (place.open(), place.open_with(limits));
    let mut rng = Rng::with_seed(1);
    let mut keep = Vec::new();
    for time in 0..10 {
        let bytes: String = (0..100_000).map(|_| rng.alphanumeric()).collect();
        place.write("random", &bytes);
        keep.push((Time(time), all.capture().unwrap().tree));
    }
    let collected = limited.collect(&keep, later()).unwrap();
    assert!(collected.after < 420_000 && collected.before > 700_000, "{collected:?}");
    let dropped: Vec<TreeId> = keep
        .iter()
        .take(collected.dropped.len())
        .rev()
        .map(|(_, tree)| *tree)
        .collect();
    assert_eq!(collected.dropped, dropped);
    assert!(matches!(
        complete(all.compare(&keep[0].1, &keep[9].1)),
        Err(Damage::Missing { .. })
    ));
    assert_eq!(stored(&all, &keep[9].1).len(), 1);
}

#[test]
fn many_small_packs_become_one() {
    let place = Place::new();
    let all = place.open();
    let mut keep = Vec::new();
    for time in 0..40 {
        place.write("a", &time.to_string());
        keep.push((Time(time), all.capture().unwrap().tree));
    }
    assert_eq!(all.figures().packs, 40);
    all.gc(&keep).unwrap();
    let figures = all.figures();
    assert_eq!((figures.packs, figures.objects), (1, 80));
    assert!(figures.oldest.is_some() && figures.quota > 0);
    for (_, tree) in keep {
        assert_eq!(stored(&place.open(), &tree).len(), 1);
    }
    assert_eq!(all.collect(&[], later()).unwrap().after, 0);
}

#[test]
fn a_workspace_that_does_not_fit_the_quota_is_an_error_that_does_not_grow_the_store() {
    let place = Place::new();
    let limits = Limits {
        quota: 100_000,
        ..Limits::default()
    };
    let all = place.open_with(limits);
    place.write("small", "x");
    let first = all.capture().unwrap();
    let mut rng = Rng::with_seed(2);
    for n in 0..30 {
        let bytes: String = (0..20_000).map(|_| rng.alphanumeric()).collect();
        place.write(&format!("large/{n}"), &bytes);
    }
    for _ in 0..3 {
        let error = all.capture().unwrap_err();
        assert!(
            matches!(error, CheckpointError::Quota { .. }) && error.to_string().contains("122 KB"),
            "{error}"
        );
    }
    assert!(all.figures().bytes < 130_000);
    std::fs::remove_dir_all(place.path("large")).unwrap();
    assert_eq!(all.capture().unwrap().tree, first.tree);
}

#[test]
fn a_removed_store_is_filled_again() {
    let place = Place::new();
    place.write("a/b", "x");
    let all = place.open();
    let first = all.capture().unwrap();
    all.watch().unwrap();
    std::fs::remove_dir_all(&place.data).unwrap();
    let second = all.capture().unwrap();
    assert_eq!((second.tree, second.read), (first.tree, 1));
    assert_same(&stored(&place.open(), &second.tree), &place.model(), "filled");
}

#[test]
fn two_processes_that_store_the_same_have_one_pack() {
    let place = Place::new();
    place.write("a", "x");
    let (one, other) = (place.open(), place.open());
    let tree = one.capture().unwrap().tree;
    // Meanwhile, the other store does not refresh its index.
    let batch = crate::store::Batch::new(&other.store, u64::MAX);
    let mut squeezer = crate::store::Squeezer::new();
    let bytes = one.store.read_tree(&tree.0).unwrap().to_vec();
    batch.put(b"x", &mut squeezer).unwrap();
    batch.put_tree(bytes, None, &mut squeezer).unwrap();
    batch.commit().unwrap();
    for all in [&one, &other] {
        assert_eq!(all.figures().packs, 1);
        assert_eq!(stored(all, &tree).len(), 1);
    }
    let collected = other.collect(&[], later()).unwrap();
    assert_eq!(collected.after, 0);
    assert_eq!(std::fs::read_dir(other.store.packs()).unwrap().count(), 0);
}
