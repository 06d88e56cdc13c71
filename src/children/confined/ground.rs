//! The folders of ours that confined children stand on: their `/tmp`, what stands in for what they must not see, and the layers that take
//! what they write to caches. Made when the first is needed, removed with the program; what a killed one left is removed by the next.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::laid::{Laid, take_away_all};
use super::plan::{Layered, Stage};
use crate::domain::confinement::Stand;

/// The ground of one running program. Dropping it removes what is not kept.
#[derive(Debug)]
pub(crate) struct Ground {
    /// `confined` in the cache.
    home: PathBuf,
    own: PathBuf,
    /// Held while we live: nobody else removes our folder.
    _lock: File,
}

/// Layers for one child. The kept ones belong to one child at a time, so whoever finds them taken writes to what is thrown away.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) caches: Vec<Layered>,
    _lock: Option<File>,
    thrown_away: Option<PathBuf>,
}

impl Ground {
    pub(crate) fn new(cache: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let home = cache.join("confined");
        folder(&home, 0o700)?;
        remove_abandoned(&home);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let own = home.join(format!("{}.{number}", std::process::id()));
        remove(&own);
        folder(&own, 0o700)?;
        let lock = File::create(own.join("lock"))?;
        lock.try_lock().map_err(io::Error::from)?;
        let ground = Self { home, own, _lock: lock };
        let stage = ground.stage();
        folder(&stage.tmp, 0o1777)?;
        folder(&stage.run, 0o755)?;
        folder(&stage.no_folder, 0)?;
        File::create(&stage.no_file)?.set_permissions(Permissions::from_mode(0o000))?;
        Ok(ground)
    }

    pub(crate) fn stage(&self) -> Stage {
        Stage {
            tmp: self.own.join("tmp"),
            run: self.own.join("run"),
            no_file: self.own.join("no-file"),
            no_folder: self.own.join("no-folder"),
        }
    }

    /// Takes a name in a workspace that nothing has, for as long as the answer lives.
    pub(crate) fn lay(&self, path: &Path, stand: Stand) -> Option<Laid> {
        Laid::new(&self.own, path, stand)
    }

    /// The folder of kept layers. They are not written to the disk with the end of each command, so those from before the system was last started
    /// may be torn, and are let go of: they hold what can be had again.
    fn kept(&self) -> io::Result<PathBuf> {
        let kept = self.home.join("layers");
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        if fs::read_to_string(kept.join("boot")).is_ok_and(|written| written != boot) {
            remove(&kept);
        }
        folder(&kept, 0o700)?;
        if !kept.join("boot").exists() {
            fs::write(kept.join("boot"), boot)?;
        }
        Ok(kept)
    }

    /// A layer for each of these folders.
    pub(crate) fn lend(&self, caches: &[PathBuf]) -> io::Result<Lent> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let kept = self.kept()?;
        let lock = File::create(kept.join("lock"))?;
        let (base, lock, thrown_away) = match lock.try_lock() {
            Ok(()) => (kept, Some(lock), None),
            Err(_) => {
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                let folder = self.own.join(format!("layers.{number}"));
                (folder.clone(), None, Some(folder))
            }
        };
        let layered = caches.iter().map(|cache| {
            let place = base.join(name(cache));
            let (upper, work) = (place.join("upper"), place.join("work"));
            folder(&upper, 0o700)?;
            // What it was used for is over; a mark in it would keep it from being used again.
            remove(&work);
            folder(&work, 0o700)?;
            Ok(Layered {
                folder: cache.clone(),
                upper,
                work,
            })
        });
        Ok(Lent {
            caches: layered.collect::<io::Result<_>>()?,
            _lock: lock,
            thrown_away,
        })
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        remove(&self.own);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(folder) = &self.thrown_away {
            remove(folder);
        }
    }
}

/// A folder's name among the layers.
fn name(cache: &Path) -> String {
    cache.to_string_lossy().replace('%', "%25").replace('/', "%2F")
}

fn folder(path: &Path, mode: u32) -> io::Result<()> {
    match DirBuilder::new().recursive(true).mode(0o700).create(path) {
        Err(error) => Err(error),
        Ok(()) => fs::set_permissions(path, Permissions::from_mode(mode)),
    }
}

/// Those whose program is gone: nobody holds the lock any more.
fn remove_abandoned(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let own = entry.path();
        let held = File::open(own.join("lock")).map(|lock| lock.try_lock().is_err());
        // Without a lock it is just being made, or the layers that are kept.
        if entry.file_name() != "layers" && matches!(held, Ok(false)) {
            take_away_all(&own);
            remove(&own);
        }
    }
}

/// Also what has modes that let nobody in: work folders of layers, and what programs left.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        open_up(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_a_living_one_has_stays() {
        let cache = tempfile::tempdir().unwrap();
        let living = Ground::new(cache.path()).unwrap();
        let dead = cache.path().join("confined/4711.1");
        folder(&dead.join("tmp/closed"), 0).unwrap();
        File::create(dead.join("lock")).unwrap();
        let next = Ground::new(cache.path()).unwrap();
        assert!(!dead.exists());
        assert!(living.stage().tmp.exists() && next.stage().tmp.exists());
        let own = living.own.clone();
        drop(living);
        assert!(!own.exists() && next.stage().tmp.exists());
    }

    #[test]
    fn layers_from_before_the_system_was_started_are_let_go_of() {
        let cache = tempfile::tempdir().unwrap();
        let ground = Ground::new(cache.path()).unwrap();
        let caches = [PathBuf::from("/home/u/.cache")];
        let layer = || ground.lend(&caches).unwrap().caches[0].upper.clone();
        fs::write(layer().join("stored"), "").unwrap();
        assert!(layer().join("stored").exists());
        fs::write(cache.path().join("confined/layers/boot"), "another").unwrap();
        assert!(!layer().join("stored").exists());
    }

    #[test]
    fn kept_layers_belong_to_one_child_at_a_time() {
        let cache = tempfile::tempdir().unwrap();
        let ground = Ground::new(cache.path()).unwrap();
        let caches = [PathBuf::from("/home/u/.cache")];
        let first = ground.lend(&caches).unwrap();
        let second = ground.lend(&caches).unwrap();
        assert_ne!(first.caches[0].upper, second.caches[0].upper);
        let (kept, thrown_away) = (first.caches[0].upper.clone(), second.caches[0].upper.clone());
        drop((first, second));
        assert!(kept.exists() && !thrown_away.exists());
        assert_eq!(ground.lend(&caches).unwrap().caches[0].upper, kept);
    }
}
