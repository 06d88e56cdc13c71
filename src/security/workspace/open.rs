//! Opens files beneath a handle, name by name. Never follows a link, and never waits for a pipe or a device.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::Path;

use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags};

use super::resolve::RootPath;
use super::{PathError, Workspace};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parents {
    Expect,
    Create,
}

/// Opens a folder directly in `dir`. Fails if the name is a link.
pub(super) fn open_folder(dir: &Dir, name: &OsStr) -> std::io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(dir, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(File::from(fd)))
}

/// Opens a file directly in `dir`. Fails if the name is a link. A pipe does not block.
pub(super) fn open_file(dir: &Dir, name: &OsStr, flags: OFlags, mode: Mode) -> std::io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::openat(dir, name, flags, mode)?))
}

/// Returns the handle of the parent folder and the last name. `None` for the root itself.
pub(super) fn parent_of(
    workspace: &Workspace,
    place: &RootPath,
    parents: Parents,
    shown: &str,
) -> Result<Option<(Dir, OsString)>, PathError> {
    let root = workspace
        .roots
        .get(place.root)
        .ok_or_else(|| PathError::new("outside_workspace", shown))?;
    let Some(name) = place.path.file_name() else {
        return Ok(None);
    };
    let mut here = root.dir.try_clone().map_err(|error| PathError::system(shown, error))?;
    for folder in place.path.parent().unwrap_or(Path::new("")).components() {
        here = enter(&here, folder.as_os_str(), parents, shown)?;
    }
    Ok(Some((here, name.to_owned())))
}

fn enter(here: &Dir, name: &OsStr, parents: Parents, shown: &str) -> Result<Dir, PathError> {
    match open_folder(here, name) {
        Ok(dir) => Ok(dir),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && parents == Parents::Create => {
            match here.create_dir(name) {
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                    return Err(PathError::system(shown, error));
                }
                _ => {}
            }
            open_folder(here, name).map_err(|error| blocked(here, name, error, shown))
        }
        Err(error) => Err(blocked(here, name, error, shown)),
    }
}

/// Finds the reason for `ENOTDIR`. With `O_NOFOLLOW | O_DIRECTORY`, the name is either a file or a link.
fn blocked(here: &Dir, name: &OsStr, error: std::io::Error, shown: &str) -> PathError {
    let is_link = here.symlink_metadata(name).is_ok_and(|meta| meta.is_symlink());
    if is_link {
        return PathError::new("symlink_changed", shown);
    }
    match PathError::system(shown, error) {
        error if error.code == "not_a_folder" => {
            let reason = format!("`{}` on its way is a file, not a folder", name.to_string_lossy());
            PathError::because("not_a_folder", shown, reason)
        }
        error => error,
    }
}
