//! Restores: refused plans, kills and full disks at every step.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;

use super::histories::step;
use super::place::{Model, Place, assert_same, plan};
use crate::{Checkpoints, Kind, Limits, RestoreError, Step, TreeId, Wanted};

/// A workspace in its second state, with the steps that restore the first one.
pub struct Case {
    pub place: Place,
    pub before: Model,
    pub after: Model,
    pub plan: Vec<Step>,
    /// The trees of the second and the first state.
    pub trees: [TreeId; 2],
}

fn case(seed: u64) -> Case {
    case_at(Place::new(), seed)
}

pub fn case_at(place: Place, seed: u64) -> Case {
    let mut rng = Rng::with_seed(seed);
    let all = place.open_with(Limits {
        free_percent: 100,
        ..Limits::default()
    });
    for _ in 0..15 {
        step(&place, &mut rng);
    }
    let (first, after) = (all.capture().unwrap().tree, place.model());
    for _ in 0..15 {
        step(&place, &mut rng);
    }
    let (second, before) = (all.capture().unwrap().tree, place.model());
    let plan = plan(&all, &second, &first);
    Case {
        place,
        before,
        after,
        plan,
        trees: [second, first],
    }
}

/// Returns a hook that does nothing at the first steps, and calls `then` at step `at`.
pub fn nth(at: usize, then: impl Fn() -> io::Result<()> + Sync) -> impl Fn(&'static str) -> io::Result<()> + Sync {
    let count = AtomicUsize::new(0);
    move |_| {
        if count.fetch_add(1, Ordering::Relaxed) == at {
            return then();
        }
        Ok(())
    }
}

fn killed(all: &Checkpoints, plan: &[Step], at: usize) -> bool {
    let hook = nth(at, || std::panic::panic_any("killed"));
    catch_unwind(AssertUnwindSafe(|| all.restore_with(plan, &hook).map(drop))).is_err()
}

#[track_caller]
pub fn assert_all_or_nothing(case: &Case, context: &str) -> bool {
    let now = case.place.model();
    let is_done = now != case.before;
    assert_same(&now, if is_done { &case.after } else { &case.before }, context);
    assert!(
        !case.place.open().store.folder.join("restore.intent").exists(),
        "{context}"
    );
    is_done
}

fn quiet<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<&str>() != Some(&"killed") {
            hook(info);
        }
    }));
    work()
}

#[test]
fn a_kill_at_any_step_leaves_all_or_nothing() {
    let (mut kills, mut done, mut not_begun) = (0, 0, 0);
    quiet(|| {
        for seed in 0..30 {
            for at in 0.. {
                let case = case(seed);
                let context = format!("seed {seed}, step {at}");
                let all = case.place.open();
                if !killed(&all, &case.plan, at) {
                    assert_same(&case.place.model(), &case.after, &context);
                    break;
                }
                drop(all);
                kills += 1;
                // In every third round, kill the recovery too.
                if at % 3 == 0 {
                    let hook = nth(at / 3, || std::panic::panic_any("killed"));
                    let again = case.place.open_unrecovered();
                    let _ = catch_unwind(AssertUnwindSafe(|| again.recover_with(&hook).map(drop)));
                }
                let reopened = case.place.open();
                let recovered = reopened.recovered().unwrap();
                assert!(
                    recovered.is_none_or(|recovered| recovered.conflicts.is_empty()),
                    "{context}"
                );
                if assert_all_or_nothing(&case, &context) {
                    done += 1;
                } else {
                    not_begun += 1;
                }
            }
        }
    });
    assert!(
        kills > 200 && done > 50 && not_begun > 50,
        "{kills} kills, {done} done, {not_begun} not begun"
    );
}

#[test]
fn a_full_disk_at_any_step_leaves_all_or_nothing() {
    let (mut failures, mut rolled_back) = (0, 0);
    for seed in 20..50 {
        for at in 0.. {
            let case = case(seed);
            let context = format!("seed {seed}, step {at}");
            let all = case.place.open();
            let hook = nth(at, || Err(io::ErrorKind::StorageFull.into()));
            match all.restore_with(&case.plan, &hook) {
                Ok(_) => {
                    assert_same(&case.place.model(), &case.after, &context);
                    break;
                }
                Err(RestoreError::Interrupted { .. }) => {}
                Err(_) => {
                    rolled_back += 1;
                    assert_same(&case.place.model(), &case.before, &context);
                }
            }
            failures += 1;
            assert!(case.place.open().recovered().is_ok());
            assert_all_or_nothing(&case, &context);
        }
    }
    assert!(
        failures > 200 && rolled_back > 100,
        "{failures} failures, {rolled_back} rolled back"
    );
}

#[test]
fn a_file_that_changed_meanwhile_refuses_the_whole_plan() {
    let place = Place::new();
    place.write("a", "one");
    place.write("b", "one");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("a", "two");
    place.write("b", "two");
    let second = all.capture().unwrap().tree;
    place.write("b", "mine");
    match all.restore(&plan(&all, &second, &first)) {
        Err(RestoreError::Changed { paths }) => assert_eq!(paths, [PathBuf::from("b")]),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        (place.text("a"), place.text("b")),
        ("two".to_owned(), "mine".to_owned())
    );
}

#[test]
fn an_edit_between_a_kill_and_the_recovery_is_kept_and_reported() {
    let place = Place::new();
    place.write("a", "one");
    place.write("b", "one");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("a", "two");
    place.write("b", "two");
    let second = all.capture().unwrap().tree;
    let plan = plan(&all, &second, &first);
    // The hook acts at the second exchange, after intent, two files, journal, and the first exchange.
    let steps = ["exchange"];
    let count = AtomicUsize::new(0);
    let hook = |what| {
        if steps.contains(&what) && count.fetch_add(1, Ordering::Relaxed) == 1 {
            std::panic::panic_any("killed");
        }
        Ok(())
    };
    quiet(|| catch_unwind(AssertUnwindSafe(|| all.restore_with(&plan, &hook).map(drop)))).unwrap_err();
    let open = ["a", "b"]
        .into_iter()
        .find(|name| place.text(name) == "two")
        .expect("one is left");
    place.write(open, "my own edit");
    let reopened = place.open();
    let recovered = reopened.recovered().unwrap().expect("a recovery");
    assert_eq!(recovered.conflicts, [PathBuf::from(open)]);
    assert_eq!(place.text(open), "my own edit");
    assert_eq!(place.model().len(), 2, "no temporary file is left");
}

#[test]
fn a_folder_with_files_outside_of_the_plan_stays() {
    let place = Place::new();
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("made/by/command.txt", "x");
    let second = all.capture().unwrap().tree;
    place.write("made/mine.txt", "mine");
    let restored = all.restore(&plan(&all, &second, &first)).unwrap();
    assert_eq!(restored.kept, [PathBuf::from("made")]);
    assert_eq!(restored.removed, 3);
    assert_eq!(
        place
            .model()
            .keys()
            .map(|path| path.to_str().unwrap())
            .collect::<Vec<_>>(),
        ["made", "made/mine.txt"]
    );
}

#[test]
fn a_folder_in_the_place_of_a_file_goes_only_if_the_plan_names_all_of_it() {
    let place = Place::new();
    place.write("a", "file");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    fs::remove_file(place.path("a")).unwrap();
    place.write("a/b/c", "x");
    let second = all.capture().unwrap().tree;
    place.write("a/b/mine", "mine");
    match all.restore(&plan(&all, &second, &first)) {
        Err(RestoreError::NotEmpty { path }) => assert_eq!(path, Path::new("a/b")),
        other => panic!("{other:?}"),
    }
    fs::remove_file(place.path("a/b/mine")).unwrap();
    all.restore(&plan(&all, &second, &first)).unwrap();
    assert_eq!(place.text("a"), "file");
}

#[test]
fn no_restore_leaves_the_root_through_a_link_or_writes_to_git() {
    let place = Place::new();
    let outside = place.data.parent().unwrap().join("outside");
    fs::create_dir_all(&outside).unwrap();
    let all = place.open();
    let write = |path: &str| Step {
        path: path.into(),
        expected: None,
        wanted: Wanted::Bytes {
            bytes: b"x".to_vec(),
            mode: 0o644,
        },
    };
    symlink(&outside, place.path("link")).unwrap();
    assert!(matches!(
        all.restore(&[write("link/x")]),
        Err(RestoreError::Blocked { .. })
    ));
    for path in ["../outside/x", "/etc/x", ".git/config", "sub/.Git/hooks/x", ""] {
        assert!(
            matches!(all.restore(&[write(path)]), Err(RestoreError::Invalid { .. })),
            "{path}"
        );
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn merged_bytes_and_missing_folders_are_written() {
    let place = Place::new();
    let all = place.open();
    let step = Step {
        path: "new/deep/file.sh".into(),
        expected: None,
        wanted: Wanted::Bytes {
            bytes: b"#!/bin/sh\n".to_vec(),
            mode: 0o755,
        },
    };
    let restored = all.restore(std::slice::from_ref(&step)).unwrap();
    assert_eq!(restored.written, 3);
    let model = place.model();
    assert_eq!(
        model[Path::new("new/deep/file.sh")],
        (Kind::File, 0o755, b"#!/bin/sh\n".to_vec())
    );
    assert_eq!(model[Path::new("new/deep")].1, 0o755);
}

#[test]
fn a_read_only_folder_is_an_error_before_anything_begins() {
    let place = Place::new();
    place.write("locked/a", "one");
    place.write("b", "one");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    place.write("locked/a", "two");
    place.write("b", "two");
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    let second = all.capture().unwrap().tree;
    let mut plan: Vec<Step> = plan(&all, &second, &first);
    plan.retain(|step| step.path != Path::new("locked"));
    let result = all.restore(&plan);
    // Root may write everywhere.
    if rustix::process::geteuid().is_root() {
        result.unwrap();
    } else {
        assert!(matches!(result, Err(RestoreError::Io { .. })), "{result:?}");
        assert_eq!(place.text("b"), "two");
    }
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_name_that_is_taken_in_another_case_is_never_overwritten() {
    let place = Place::new();
    place.write("a", "x");
    let all = place.open();
    let first = all.capture().unwrap().tree;
    fs::rename(place.path("a"), place.path("A")).unwrap();
    let second = all.capture().unwrap().tree;
    // Two hard links simulate a case-insensitive disk, on which both names are one file. In this simulation the second
    // name is taken.
    fs::hard_link(place.path("A"), place.path("a")).unwrap();
    let result = all.restore(&plan(&all, &second, &first));
    assert!(matches!(result, Err(RestoreError::Changed { .. })), "{result:?}");
    assert_eq!(
        (place.text("a"), place.text("A"), place.model().len()),
        ("x".to_owned(), "x".to_owned(), 2)
    );
}
