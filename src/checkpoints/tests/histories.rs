//! Random changes of a workspace. Each captured state is compared with the disk.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use fastrand::Rng;

use super::place::{Model, Place, assert_same, plan, stored};
use crate::{How, TreeId, Watching};

const NAMES: [&str; 6] = ["a", "b", "c", "D", "d", "e.txt"];

/// Makes one random change. If the system refuses it, nothing changes.
pub fn step(place: &Place, rng: &mut Rng) {
    let one = random_path(place, rng);
    let other = random_path(place, rng);
    let bytes: Vec<u8> = (0..rng.usize(..40)).map(|_| rng.u8(b'a'..b'e')).collect();
    let _ = match rng.u8(..14) {
        0..=3 => fs::write(&one, &bytes),
        4 => fs::create_dir_all(&one),
        5 => fs::remove_file(&one),
        6 => fs::remove_dir_all(&one),
        7 | 8 => fs::rename(&one, &other),
        9 => symlink("target", &one),
        10 => fs::create_dir_all(one.parent().unwrap()).and_then(|()| fs::write(&one, &bytes)),
        11 => chmod(&one, rng),
        // Writes bytes of the same length, within the same clock tick.
        12 => fs::read(&one).and_then(|mut old| {
            old.reverse();
            fs::write(&one, old)
        }),
        _ => fs::OpenOptions::new()
            .append(true)
            .open(&one)
            .and_then(|mut file| std::io::Write::write_all(&mut file, &bytes)),
    };
}

fn chmod(path: &PathBuf, rng: &mut Rng) -> std::io::Result<()> {
    let facts = fs::symlink_metadata(path)?;
    if facts.is_symlink() {
        return Ok(());
    }
    // Keep the owner's read permission, because the model reads everything.
    let modes = if facts.is_dir() {
        [0o755, 0o700, 0o750, 0o711]
    } else {
        [0o644, 0o755, 0o600, 0o444]
    };
    fs::set_permissions(path, fs::Permissions::from_mode(modes[rng.usize(..modes.len())]))
}

fn random_path(place: &Place, rng: &mut Rng) -> PathBuf {
    let len = rng.usize(1..4);
    let names = (0..len).map(|_| NAMES[rng.usize(..NAMES.len())]);
    let path: PathBuf = names.collect();
    // A path through a link would leave the workspace.
    let mut parent = place.root.join(&path);
    while parent.pop() && parent != place.root {
        if parent.is_symlink() {
            return place.root.join(NAMES[rng.usize(..NAMES.len())]);
        }
    }
    place.root.join(path)
}

#[test]
fn each_capture_equals_the_disk_with_and_without_the_watcher() {
    let mut watched = 0;
    for seed in 0..30 {
        let mut rng = Rng::with_seed(seed);
        let place = Place::new();
        let (with, without) = (place.open(), place.open());
        with.capture().unwrap();
        assert!(matches!(with.watch().unwrap(), Watching::Yes { .. }));
        let mut history: Vec<(TreeId, Model)> = Vec::new();
        for round in 0..25 {
            for _ in 0..rng.usize(1..8) {
                step(&place, &mut rng);
            }
            let captured = with.capture().unwrap();
            watched += usize::from(captured.walked == How::Watched);
            let model = place.model();
            let context = format!("seed {seed}, round {round}");
            assert_same(&stored(&with, &captured.tree), &model, &context);
            assert_eq!(
                captured.files,
                model.values().filter(|seen| seen.0 != crate::Kind::Folder).count()
            );
            if round % 3 == 0 {
                assert_eq!(without.capture().unwrap().tree, captured.tree, "{context}");
            }
            history.push((captured.tree, model));
        }
        let reopened = place.open();
        for (round, (tree, model)) in history.iter().enumerate() {
            assert_same(
                &stored(&reopened, tree),
                model,
                &format!("seed {seed}, round {round}, later"),
            );
        }
        assert_eq!(reopened.capture().unwrap().tree, history.last().unwrap().0);
    }
    assert!(watched > 600, "only {watched} captures were watched");
}

#[test]
fn every_restore_brings_back_the_exact_bytes_and_modes() {
    let mut steps = 0;
    for seed in 0..50 {
        let mut rng = Rng::with_seed(seed);
        let place = Place::new();
        let all = place.open();
        let mut history: Vec<(TreeId, Model)> = vec![(all.capture().unwrap().tree, Model::new())];
        all.watch().unwrap();
        for round in 0..20 {
            for _ in 0..rng.usize(1..8) {
                step(&place, &mut rng);
            }
            let now = all.capture().unwrap().tree;
            history.push((now, place.model()));
            let (tree, model) = history[rng.usize(..history.len())].clone();
            let plan = plan(&all, &now, &tree);
            steps += plan.len();
            let context = format!("seed {seed}, round {round}");
            let restored = all.restore(&plan).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert_eq!(restored.kept, Vec::<PathBuf>::new(), "{context}");
            assert_same(&place.model(), &model, &context);
            let again = all.capture().unwrap();
            assert_eq!(again.tree, tree, "{context}");
        }
    }
    assert!(steps > 3000, "only {steps} steps");
}
