//! File system of a confined child: read-only except for its writable trees. `/tmp`, `/dev`, `/run` and `/proc` are
//! private. Empty mounts hide secrets, and sockets of other programs.

use std::collections::BTreeSet;
use std::ffi::{CStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags, statx};
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change, mount_remount,
};

use super::devices;
use super::plan::{Files, Layered, with_path};

/// Mounts a `/proc` of the new process namespace. The kernel allows that only if nothing is hidden in the old `/proc`.
pub(super) fn own_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    mount("proc", "/proc", "proc", flags, None).map_err(|error| with_path(Path::new("/proc"), error))
}

/// Makes all later mounts invisible outside this mount namespace.
pub(super) fn keep_to_ourselves() -> io::Result<()> {
    Ok(mount_change(
        "/",
        MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
    )?)
}

/// Sets up the child's file system. After an error, some mounts may remain.
pub(super) fn lay_out(files: &Files, folder: &Path) -> io::Result<()> {
    // Open these now, because later mounts hide their paths.
    let (no_file, no_folder) = (place(&files.stage.no_file)?, place(&files.stage.no_folder)?);
    let layered: Vec<&Layered> = files.caches.iter().filter(|cache| layer(cache).is_ok()).collect();
    cover(files, &layered, folder)?;
    for tree in &files.writable {
        bind(tree, tree)?;
    }
    for held in existing(&files.held) {
        bind(held, held)?;
    }
    let hidden = existing(&files.hidden).filter(|path| !contains_tree(files, path));
    let hidden: Vec<&PathBuf> = hidden.collect();
    for path in &hidden {
        hide(path, &no_file, &no_folder)?;
    }
    devices::own_devices()?;
    let writable: BTreeSet<&Path> = files
        .writable
        .iter()
        .map(PathBuf::as_path)
        .chain(layered.iter().map(|cache| cache.folder.as_path()))
        .chain(files.own.iter().map(PathBuf::as_path))
        .chain(devices::WRITABLE.map(Path::new))
        .collect();
    // A visible path in a layered cache stays writable, because writes go to the layer.
    let in_layer = |path: &&PathBuf| layered.iter().any(|cache| path.starts_with(&cache.folder));
    let visible = files.visible.iter().filter(|path| !in_layer(path));
    let closed: BTreeSet<&Path> = files
        .held
        .iter()
        .chain(visible)
        .chain(hidden)
        .map(PathBuf::as_path)
        .collect();
    make_read_only(&writable, &closed)
}

/// Mounts an overlay that receives writes to a cache. Without support for overlays, the cache stays read-only.
fn layer(cache: &Layered) -> io::Result<()> {
    let plain = |path: &Path| !path.to_string_lossy().contains([',', ':', '\\']);
    let Layered { folder, upper, work } = cache;
    if ![folder, upper, work].into_iter().all(|path| plain(path)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let options = format!(
        "lowerdir={},upperdir={},workdir={},userxattr",
        folder.display(),
        upper.display(),
        work.display()
    );
    let overlay = |options: String| {
        let options = std::ffi::CString::new(options)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        Ok(mount("overlay", folder, "overlay", flags, Some(options.as_c_str()))?)
    };
    // Without `volatile`, every command waits at its end until the whole disk is synced. With `volatile`, a crash may
    // damage a layer, so `Scratch` discards layers from before a crash.
    overlay(format!("{options},volatile")).or_else(|_: io::Error| overlay(options))
}

/// Folders in which other programs keep many files and sockets. In the sandbox, private folders are mounted over them.
const COVERED: [&str; 3] = ["/tmp", "/run", "/var/run"];

fn lies_covered(path: &Path) -> bool {
    COVERED.iter().any(|folder| path.starts_with(folder))
}

/// Options of the empty file system over a hidden folder. The size is enough for mount points and a few files.
const EMPTY: &CStr = c"size=1m,mode=0755";
const OWN: &CStr = c"size=256m,mode=0755";

/// Mounts empty folders over `COVERED` and `files.covered`, and mounts the needed paths below them again.
fn cover(files: &Files, layered: &[&Layered], folder: &Path) -> io::Result<()> {
    let caches = layered.iter().map(|cache| cache.folder.as_path());
    let needed = files
        .writable
        .iter()
        .chain(&files.visible)
        .map(PathBuf::as_path)
        .chain(caches);
    let is_covered = |path: &Path| lies_covered(path) || files.covered.iter().any(|covered| path.starts_with(covered));
    let mut kept: Vec<&Path> = needed.chain([folder]).filter(|path| is_covered(path)).collect();
    kept.sort_unstable();
    // If a tree is mounted, the paths below it need no mount.
    kept.dedup_by(|inner, outer| inner.starts_with(*outer));
    let kept: Vec<(&Path, OwnedFd)> = kept
        .into_iter()
        .filter_map(|path| Some((path, place(path).ok()?)))
        .collect();
    let stages = [
        place(&files.stage.tmp)?,
        place(&files.stage.run)?,
        place(&files.stage.run)?,
    ];
    for (covered, stage) in COVERED.iter().zip(&stages) {
        let covered = Path::new(covered);
        if covered.is_dir() && !covered.is_symlink() {
            mount_bind(by_number(stage), covered).map_err(|error| with_path(covered, error))?;
        }
    }
    for covered in &files.covered {
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        let room = if files.own.contains(covered) { OWN } else { EMPTY };
        // Create the folder, because it may be inside a folder that is empty now.
        fs::create_dir_all(covered).map_err(|error| with_path(covered, error))?;
        mount("tmpfs", covered.as_path(), "tmpfs", flags, Some(room)).map_err(|error| with_path(covered, error))?;
    }
    for (path, opened) in &kept {
        make_place(path, opened)?;
        mount_bind_recursive(by_number(opened), *path).map_err(|error| with_path(path, error))?;
    }
    Ok(())
}

/// Opens a path, so that it remains reachable when something is mounted over it.
pub(super) fn place(path: &Path) -> io::Result<OwnedFd> {
    rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(|error| with_path(path, error))
}

pub(super) fn by_number(opened: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", opened.as_raw_fd()))
}

fn make_place(path: &Path, opened: &OwnedFd) -> io::Result<()> {
    if fs::metadata(by_number(opened))?.is_dir() {
        return fs::create_dir_all(path).map_err(|error| with_path(path, error));
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map(drop::<File>)
        .map_err(|error| with_path(path, error))
}

fn bind(from: &Path, to: &Path) -> io::Result<()> {
    mount_bind_recursive(from, to).map_err(|error| with_path(to, error))
}

fn existing(paths: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    paths.iter().filter(|path| path.symlink_metadata().is_ok())
}

/// Whether a path contains a writable or visible tree, so that it must not be hidden.
fn contains_tree(files: &Files, path: &Path) -> bool {
    files
        .writable
        .iter()
        .chain(&files.visible)
        .any(|tree| tree.starts_with(path))
}

fn hide(path: &Path, no_file: &OwnedFd, no_folder: &OwnedFd) -> io::Result<()> {
    let nothing = match fs::metadata(path) {
        Ok(found) if found.is_dir() => no_folder,
        Ok(_) => no_file,
        // Nothing to hide: a dangling link, or a path without access.
        Err(_) => return Ok(()),
    };
    mount_bind(by_number(nothing), path).map_err(|error| with_path(path, error))
}

/// Makes all reachable mounts read-only, except those below `writable`. Paths in `closed` are read-only too. If both
/// sets match a mount, the longer path decides.
fn make_read_only(writable: &BTreeSet<&Path>, closed: &BTreeSet<&Path>) -> io::Result<()> {
    let length = |set: &BTreeSet<&Path>, point: &Path| {
        let above = set.iter().filter(|path| point.starts_with(path));
        above.map(|path| path.as_os_str().len()).max()
    };
    for Mounted { id, point, flags } in mounted()? {
        let open = length(writable, &point);
        let is_open = open.is_some() && open >= length(closed, &point) && !closed.contains(point.as_path());
        // If another mount hides this mount, the path leads to something else, which may not be a mount.
        if is_open || flags.contains(MountFlags::RDONLY) || !is_reached(&point, id) {
            continue;
        }
        mount_remount(&point, MountFlags::BIND | MountFlags::RDONLY | flags, "")
            .map_err(|error| with_path(&point, error))?;
    }
    Ok(())
}

/// Whether the path of a mount still leads to this mount. If the kernel does not report mount ids, returns `true`, so
/// that the caller tries to change the mount.
fn is_reached(point: &Path, id: u64) -> bool {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    let found = statx(CWD, point, flags, StatxFlags::MNT_ID);
    found.is_ok_and(|found| found.stx_mask & StatxFlags::MNT_ID.bits() == 0 || found.stx_mnt_id == id)
}

/// A mount, with the flags that a remount must preserve.
struct Mounted {
    id: u64,
    point: PathBuf,
    flags: MountFlags,
}

fn mounted() -> io::Result<Vec<Mounted>> {
    let list = fs::read("/proc/self/mountinfo")?;
    Ok(list.split(|byte| *byte == b'\n').filter_map(read).collect())
}

fn read(line: &[u8]) -> Option<Mounted> {
    let mut fields = line.split(|byte| *byte == b' ');
    let id = str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    let mut fields = fields.skip(3);
    let point = unescaped(fields.next()?);
    let words = fields.next()?.split(|byte| *byte == b',');
    let flags = words.fold(MountFlags::empty(), |flags, word| {
        flags
            | match word {
                b"ro" => MountFlags::RDONLY,
                b"nosuid" => MountFlags::NOSUID,
                b"nodev" => MountFlags::NODEV,
                b"noexec" => MountFlags::NOEXEC,
                b"noatime" => MountFlags::NOATIME,
                b"nodiratime" => MountFlags::NODIRATIME,
                b"relatime" => MountFlags::RELATIME,
                _ => MountFlags::empty(),
            }
    });
    Some(Mounted { id, point, flags })
}

/// Decodes blanks, newlines and backslashes, which the mount list writes as three octal digits.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut path = Vec::new();
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.split_at_checked(3).filter(|_| *first == b'\\');
        let written = digits.and_then(|(digits, after)| {
            let byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok()?;
            Some((byte, after))
        });
        let (byte, after) = written.unwrap_or((*first, after));
        path.push(byte);
        rest = after;
    }
    PathBuf::from(OsString::from_vec(path))
}

#[cfg(test)]
mod tests;
