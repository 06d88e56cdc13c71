//! The scratch folder for temporary files, opened name by name so that no link can replace it. Benchdog records the
//! files that it creates in this folder, because only these files may be overwritten without approval.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};

use super::open::{Parents, open_folder, parent_of};
use super::{Access, PathError, Root, WorkPath};

/// Maximum number of recorded files. Writes to further files need approval.
const MOST: usize = 20_000;

/// Device and inode number.
type Inode = (u64, u64);

/// The files created in the scratch folder since it was opened.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<BTreeSet<Inode>>);

impl Made {
    fn files(&self) -> MutexGuard<'_, BTreeSet<Inode>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, stat: &Stat) {
        let mut files = self.files();
        if files.len() < MOST {
            files.insert(inode(stat));
        }
    }
}

/// Opens the folder, makes it private, and locks it as in use.
pub(super) fn open(data: &Path, below: &Path) -> Result<Root, PathError> {
    let named = std::path::absolute(data.join(below)).unwrap_or_else(|_| data.join(below));
    let shown = named.to_string_lossy();
    let system = |error: std::io::Error| PathError::system(&shown, error);
    let canonical = std::fs::canonicalize(data).map_err(system)?;
    let mut dir = Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(system)?;
    for name in below.components() {
        dir = open_folder(&dir, name.as_os_str()).map_err(system)?;
    }
    let stat = rustix::fs::fstat(&dir).map_err(|error| system(error.into()))?;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(PathError::because("not_ours", &shown, "it belongs to somebody else"));
    }
    rustix::fs::fchmod(&dir, Mode::RWXU).map_err(|error| system(error.into()))?;
    // Ignore other errors. Without file locks, no folder is ever detected as unused.
    let locked = rustix::fs::flock(&dir, FlockOperation::NonBlockingLockShared);
    if locked == Err(rustix::io::Errno::WOULDBLOCK) {
        return Err(PathError::because("being_removed", &shown, "it is being removed"));
    }
    Ok(Root {
        path: canonical.join(below),
        named,
        dir,
        access: Access::Scratch(Made::default()),
    })
}

/// Locks a scratch folder that nobody uses. `None` if it is in use. The lock prevents others from using it.
pub fn lock_unused(folder: &Path) -> Option<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let flags = i32::try_from(flags.bits()).ok()?;
    let open = File::options().read(true).custom_flags(flags).open(folder).ok()?;
    rustix::fs::flock(&open, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(open)
}

fn inode(stat: &Stat) -> Inode {
    (stat.st_dev, stat.st_ino)
}

impl WorkPath {
    /// Returns the scratch folder that contains this path, both as given and with links resolved. A link from outside
    /// into the folder does not count.
    pub fn scratch(&self) -> Option<&Path> {
        let places = [Some(&self.named), self.own.as_ref(), Some(&self.real)];
        let root = self.workspace.roots.get(self.real.root)?;
        let all_there = places.into_iter().flatten().all(|place| place.root == self.real.root);
        (all_there && matches!(root.access, Access::Scratch(_))).then_some(root.path.as_path())
    }

    /// Whether the file may be written without approval: new or created in this scratch folder, without other hard
    /// links.
    pub(crate) fn is_disposable(&self) -> bool {
        let Some(made) = self.made().filter(|_| self.scratch().is_some()) else {
            return false;
        };
        match parent_of(&self.workspace, &self.real, Parents::Expect, &self.shown) {
            Ok(Some((dir, name))) => match rustix::fs::statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => has_one_name(&stat) && made.files().contains(&inode(&stat)),
                Err(error) => error == rustix::io::Errno::NOENT,
            },
            Ok(None) => false,
            Err(error) => error.code == "not_found",
        }
    }

    pub(super) fn made(&self) -> Option<&Made> {
        match &self.workspace.roots.get(self.real.root)?.access {
            Access::Scratch(made) => Some(made),
            Access::Write | Access::Read => None,
        }
    }

    pub(super) fn note_made(&self, file: &File) {
        if let Some(made) = self.made()
            && let Ok(stat) = rustix::fs::fstat(file)
        {
            made.note(&stat);
        }
    }

    /// Forgets a file before its removal, because its inode number may be used again.
    pub(super) fn note_removed(&self, dir: &Dir, name: &OsStr) {
        if let Some(made) = self.made()
            && let Ok(stat) = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
        {
            made.files().remove(&inode(&stat));
        }
    }

    /// Rejects a file with several hard links, because a write would also change the other names.
    pub(super) fn check_one_name(&self, file: &File) -> Result<(), PathError> {
        if self.made().is_none() {
            return Ok(());
        }
        let stat = rustix::fs::fstat(file).map_err(|error| self.system(error.into()))?;
        match has_one_name(&stat) {
            true => Ok(()),
            false => Err(self.error_because("several_names", "it has a name elsewhere, too")),
        }
    }
}

fn has_one_name(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink == 1
}
