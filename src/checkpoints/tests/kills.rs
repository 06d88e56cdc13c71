//! `kill -9` at every step of a restore, and full disks. The environment variable `BENCHDOG_KILLS` is the number of
//! repetitions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use benchdog_base::environment::Environment;
use rustix::process::{Signal, getpid, kill_process};

use super::place::{Place, assert_same, plan};
use super::restore::{assert_all_or_nothing, case_at, nth};
use super::scenarios::Mounted;
use crate::{Checkpoints, Limits, RestoreError, TreeId};

const NUMBER: &str = "BENCHDOG_KILLS";
const USUAL: usize = 12;
const ORDER: &str = "BENCHDOG_CHECKPOINTS_TEST_KILL";

fn number() -> usize {
    let number = Environment::of_process().get(NUMBER).and_then(|text| text.parse().ok());
    number.unwrap_or(USUAL)
}

/// Child process for the other tests: restores, and kills itself at a step.
#[test]
fn child_restores() {
    let environment = Environment::of_process();
    let Some(order) = environment.get(ORDER) else { return };
    let parts: Vec<&str> = order.split('\n').collect();
    let [data, root, from, to, at] = parts[..] else {
        panic!("{order}")
    };
    let all = Checkpoints::open_unrecovered(Path::new(data), Path::new(root), Limits::default()).unwrap();
    let tree = |text: &str| text.parse::<TreeId>().unwrap();
    let hook = nth(at.parse().unwrap(), || Ok(kill_process(getpid(), Signal::KILL)?));
    all.restore_with(&plan(&all, &tree(from), &tree(to)), &hook).unwrap();
}

fn killed(place: &Place, [from, to]: &[TreeId; 2], at: usize) -> bool {
    let (data, root) = (place.data.display(), place.root.display());
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["tests::kills::child_restores", "--exact", "--test-threads=1"])
        .env(ORDER, format!("{data}\n{root}\n{from}\n{to}\n{at}"))
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success() || status.code().is_none(), "step {at}: {status}");
    !status.success()
}

#[test]
fn a_killed_process_leaves_all_or_nothing() {
    let (wanted, mut kills, mut done) = (number(), 0, 0);
    for seed in 100.. {
        for at in 0.. {
            let case = case_at(Place::new(), seed);
            let context = format!("seed {seed}, step {at}");
            if !killed(&case.place, &case.trees, at) {
                assert_same(&case.place.model(), &case.after, &context);
                break;
            }
            kills += 1;
            let reopened = case.place.open();
            let recovered = reopened.recovered().unwrap();
            assert!(
                recovered.is_none_or(|recovered| recovered.conflicts.is_empty()),
                "{context}"
            );
            done += usize::from(assert_all_or_nothing(&case, &context));
            if kills == wanted {
                println!("{kills} kills, {done} of them complete");
                assert!(done < kills, "none of {kills} kills came before the journal");
                return;
            }
        }
    }
}

/// Fills the disk except for this many pages.
fn fill(folder: &Path, pages: u64) -> PathBuf {
    let filling = folder.with_file_name("filling").join("all");
    let at = rustix::fs::statvfs(folder).unwrap();
    let free = (at.f_bavail * at.f_bsize).saturating_sub(pages * 4096);
    fs::write(&filling, vec![0; usize::try_from(free).unwrap()]).unwrap();
    filling
}

#[test]
fn a_disk_that_gets_full_at_any_page_leaves_all_or_nothing() {
    let (wanted, mut failures, mut rolled_back) = (number(), 0, 0);
    let mut seed = 200;
    while failures < wanted {
        seed += 1;
        for pages in 0.. {
            let top = Place::new();
            let disk = top.path("disk");
            fs::create_dir(&disk).unwrap();
            let Some(_mounted) = Mounted::new(&["-t", "tmpfs", "-o", "size=2m", "small"], disk.clone()) else {
                return;
            };
            let case = case_at(Place::below(&disk), seed);
            fs::create_dir(disk.join("filling")).unwrap();
            let filling = fill(&case.place.root, pages);
            let context = format!("seed {seed}, {pages} pages");
            let all = case.place.open();
            let restored = all.restore(&case.plan);
            fs::remove_file(filling).unwrap();
            match restored {
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
            assert_all_or_nothing(&case, &context);
        }
    }
    println!("{failures} full disks, {rolled_back} rolled back at once");
    assert!(rolled_back > 0);
}
