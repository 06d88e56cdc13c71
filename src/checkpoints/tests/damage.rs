//! Tests: a damaged pack loses only the objects in its damaged part.

use std::fs;
use std::path::PathBuf;

use super::place::{Place, complete, stored, text};
use crate::{Checkpoints, Content, Damage, TreeId};

fn packs(all: &Checkpoints) -> Vec<PathBuf> {
    let entries = fs::read_dir(all.store.packs()).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Checks that no file has wrong bytes. Returns the number of readable files.
fn readable(all: &Checkpoints, tree: &TreeId, names: &[&str]) -> Option<usize> {
    let rows = complete(all.compare(&TreeId::empty(), tree)).ok()?;
    assert_eq!(rows.len(), names.len());
    let read = rows.iter().filter(|row| {
        let Content::Stored(id) = row.after.unwrap().content else {
            panic!()
        };
        match all.content(&id) {
            Ok(bytes) => {
                assert_eq!(bytes, row.path.to_str().unwrap().repeat(40).as_bytes());
                true
            }
            Err(Damage::Damaged { .. } | Damage::Missing { .. }) => false,
            Err(other) => panic!("{other}"),
        }
    });
    Some(read.count())
}

#[test]
fn a_flipped_byte_costs_at_most_one_object() {
    let place = Place::new();
    let names = ["a", "b", "c", "d"];
    for name in names {
        place.write(name, &name.repeat(40));
    }
    let all = place.open();
    let tree = all.capture().unwrap().tree;
    let pack = packs(&all).remove(0);
    let good = fs::read(&pack).unwrap();
    let (mut lost, mut unreadable) = (0, 0);
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&pack, &bad).unwrap();
        let opened = place.open();
        match readable(&opened, &tree, &names) {
            Some(4) => {}
            Some(3) => lost += 1,
            None => unreadable += 1,
            other => panic!("byte {at}: {other:?}"),
        }
        let again = opened.capture().unwrap();
        assert_eq!(again.tree, tree, "byte {at}");
        let found = readable(&opened, &tree, &names);
        if found != Some(4) {
            // The first read detects damage, and the capture after it repairs.
            opened.capture().unwrap();
            assert_eq!(readable(&opened, &tree, &names), Some(4), "byte {at}");
        }
        for other in packs(&opened) {
            if other != pack {
                fs::remove_file(other).unwrap();
            }
        }
    }
    assert!(lost > 50 && unreadable > 50, "{lost} lost, {unreadable} unreadable");
}

#[test]
fn cut_and_foreign_packs_are_no_panic_and_the_rest_works() {
    let place = Place::new();
    place.write("a", &"a".repeat(40));
    let all = place.open();
    let first = all.capture().unwrap();
    let pack = packs(&all).remove(0);
    place.write("b", &"b".repeat(40));
    let second = all.capture().unwrap();
    let good = fs::read(&pack).unwrap();
    for len in 0..good.len() {
        fs::write(&pack, &good[..len]).unwrap();
        let opened = place.open();
        assert_eq!(text(&opened, &second, "b"), Some("b".repeat(40)));
        let _ = readable(&opened, &first.tree, &["a"]);
    }
    fs::write(
        all.store.packs().join("foreign.pack"),
        b"not a pack at all, but long enough for a trailer",
    )
    .unwrap();
    fs::remove_file(&pack).unwrap();
    let opened = place.open();
    let error = complete(opened.compare(&first.tree, &second.tree)).unwrap_err();
    assert!(matches!(error, Damage::Missing { .. }), "{error}");
    assert!(error.to_string().contains(&first.tree.to_string()));
    let third = opened.capture().unwrap();
    assert_eq!(third.tree, second.tree);
    assert_eq!(stored(&opened, &third.tree).len(), 2);
}

#[test]
fn a_damaged_stat_cache_costs_only_time() {
    let place = Place::new();
    for name in ["a", "b/c"] {
        place.write(name, name);
    }
    let all = place.open();
    std::thread::park_timeout(std::time::Duration::from_millis(60));
    let first = all.capture().unwrap();
    let stats = all.store.folder.join("stats");
    let good = fs::read(&stats).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        fs::write(&stats, &bad).unwrap();
        assert_eq!(place.open().capture().unwrap().tree, first.tree, "byte {at}");
    }
    fs::write(&stats, &good).unwrap();
    assert_eq!(place.open().capture().unwrap().read, 0);
}

#[test]
fn a_damaged_folder_leaves_the_rest_of_a_comparison() {
    let place = Place::new();
    for name in ["one/a", "two/b"] {
        place.write(name, name);
    }
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("one/a", "changed");
    let second = all.capture().unwrap().tree;
    fs::remove_file(place.path("two/b")).unwrap();
    let third = all.capture().unwrap().tree;
    let pack = packs(&all).into_iter().find(|pack| {
        let bytes = fs::read(pack).unwrap();
        bytes.windows(5).any(|part| part == b"one/a")
    });
    let pack = pack.unwrap();
    let mut bytes = fs::read(&pack).unwrap();
    // Find the tree of `two` by its bytes: a mode, and its only name `b`.
    let at = bytes.windows(4).position(|part| part == [0xa4, 0x01, 1, b'b']).unwrap();
    bytes[at] ^= 1;
    fs::write(&pack, &bytes).unwrap();
    let opened = place.open();
    assert_eq!(complete(opened.compare(&first, &second)).unwrap().len(), 1);
    let compared = opened.compare(&first, &third);
    assert_eq!(compared.changed.len(), 1);
    assert_eq!(compared.damaged[0].0, PathBuf::from("two"));
    assert!(complete(opened.compare(&first, &third)).is_err());
}
