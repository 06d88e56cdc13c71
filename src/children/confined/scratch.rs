//! Folders for confined children: their `/tmp`, the empty file and folder that hide paths, and the cache layers that
//! receive writes. Created on first use, removed at exit. After a kill, the next start removes them.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::placeholder::{Placeholder, remove_placeholders};
use super::plan::{Layered, Stage};
use benchdog_base::clock::Time;
use benchdog_base::disk;
use benchdog_domain::confinement::Stand;

/// Number of days before the cache layers are renewed.
pub const KEPT_DAYS: u64 = 30;

/// File with the boot id of the system in which the layers were created. Its modification time is the creation time of
/// the layers.
const BOOT: &str = "boot";
const LOCK: &str = "lock";

/// The sandbox folders of one running Benchdog. Drop removes everything that is temporary.
#[derive(Debug)]
pub struct Scratch {
    /// The folder `confined` in Benchdog's cache.
    home: PathBuf,
    own: PathBuf,
    /// Lock that prevents another Benchdog from removing this folder.
    _lock: File,
}

/// Cache layers for one child. Only one child at a time uses the persistent layers. Other children get temporary
/// layers.
#[derive(Debug)]
pub struct CacheLayers {
    pub caches: Vec<Layered>,
    _lock: Option<File>,
    discarded: Option<PathBuf>,
}

impl Scratch {
    pub fn new(cache: &Path) -> io::Result<Self> {
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
        // The file is readable, because programs such as `git diff` abort at a file that they cannot open.
        File::create(&stage.no_file)?.set_permissions(Permissions::from_mode(0o444))?;
        Ok(ground)
    }

    pub fn stage(&self) -> Stage {
        Stage {
            tmp: self.own.join("tmp"),
            run: self.own.join("run"),
            no_file: self.own.join("no-file"),
            no_folder: self.own.join("no-folder"),
        }
    }

    /// Creates a placeholder at an unused path in a workspace. The placeholder exists until the result is dropped.
    pub fn create(&self, path: &Path, stand: Stand) -> Option<Placeholder> {
        Placeholder::new(&self.own, path, stand)
    }

    pub fn lend(&self, caches: &[PathBuf]) -> io::Result<CacheLayers> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let kept = self.home.join("layers");
        folder(&kept, 0o700)?;
        let lock = File::create(kept.join(LOCK))?;
        let (base, lock, discarded) = match lock.try_lock() {
            Ok(()) => {
                renew(&kept)?;
                (kept, Some(lock), None)
            }
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
            // Renew the overlay's work folder. After a mount with `volatile`, the old one may prevent a new mount.
            remove(&work);
            folder(&work, 0o700)?;
            Ok(Layered {
                folder: cache.clone(),
                upper,
                work,
            })
        });
        Ok(CacheLayers {
            caches: layered.collect::<io::Result<_>>()?,
            _lock: lock,
            discarded,
        })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.own);
    }
}

impl Drop for CacheLayers {
    fn drop(&mut self) {
        if let Some(folder) = &self.discarded {
            remove(folder);
        }
    }
}

/// Removes the unused persistent layers if they are too old or from before the last boot, or if the disk is full. A
/// crash may damage layers, because they are not synced after each command. Tools can create their content again.
fn renew(kept: &Path) -> io::Result<()> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let is_of_this_start = fs::read_to_string(kept.join(BOOT)).is_ok_and(|written| written == boot);
    if is_of_this_start && !is_old(&kept.join(BOOT)) && disk::has_room(kept, 0) {
        return Ok(());
    }
    for layer in fs::read_dir(kept)?.flatten().filter(|item| item.file_name() != LOCK) {
        remove(&layer.path());
    }
    fs::write(kept.join(BOOT), boot)
}

fn is_old(file: &Path) -> bool {
    let limit = Time::now()
        .0
        .saturating_sub(i64::try_from(KEPT_DAYS * 86_400_000).unwrap_or(i64::MAX));
    fs::metadata(file).is_ok_and(|found| found.mtime().saturating_mul(1_000) < limit)
}

fn name(cache: &Path) -> String {
    cache.to_string_lossy().replace('%', "%25").replace('/', "%2F")
}

fn folder(path: &Path, mode: u32) -> io::Result<()> {
    match DirBuilder::new().recursive(true).mode(0o700).create(path) {
        Err(error) => Err(error),
        Ok(()) => fs::set_permissions(path, Permissions::from_mode(mode)),
    }
}

/// Removes the folders of each Benchdog that has ended. A free lock shows that the process has ended.
fn remove_abandoned(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let own = entry.path();
        let held = File::open(own.join("lock")).map(|lock| lock.try_lock().is_err());
        // A folder without a lock file is just being created. The persistent layers do not belong to a single Benchdog.
        if entry.file_name() != "layers" && matches!(held, Ok(false)) {
            remove_placeholders(&own);
            remove(&own);
        }
    }
}

/// Removes a file, or a folder with its content. Overlays and programs may leave subfolders without access rights,
/// which are removed too.
fn remove(folder: &Path) {
    if fs::remove_file(folder).is_ok() {
        return;
    }
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
mod tests;
