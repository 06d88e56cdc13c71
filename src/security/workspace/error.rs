//! Reasons why a path was rejected: a stable code for scripts and models, and a text.

use rustix::io::Errno;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}`: {reason}")]
pub struct PathError {
    pub code: &'static str,
    pub path: String,
    pub reason: String,
}

/// All codes of a `PathError`, with their default reasons.
pub(crate) const CODES: &[(&str, &str)] = &[
    ("bad_path", "this is not a path"),
    ("too_long", "a name in this path is longer than the file system takes"),
    ("outside_workspace", "it lies outside the workspace"),
    ("symlink_escape", "a link on its way leads out of the workspace"),
    ("symlink_changed", "a link on its way changed since it was looked at"),
    ("symlink_loop", "the links on its way lead in a circle"),
    ("protected", "tools must not write here"),
    ("read_only", "this folder is for reading only"),
    ("not_found", "there is no such file"),
    ("not_a_file", "it is not a regular file"),
    ("not_a_folder", "a name on its way is a file, not a folder"),
    ("exists", "there is already such a file"),
    ("too_large", "it is too large"),
    ("no_access", "the system does not permit it"),
    (
        "no_room",
        "the disk, a quota or a limit for files (`ulimit -f`) has no room for it",
    ),
    ("io", "the system refused"),
];

impl PathError {
    pub(super) fn new(code: &'static str, path: &str) -> Self {
        let reason = CODES
            .iter()
            .find(|(known, _)| *known == code)
            .map_or("the system refused", |(_, reason)| reason);
        Self {
            code,
            path: path.to_owned(),
            reason: reason.to_owned(),
        }
    }

    pub(crate) fn not_found(path: &str) -> Self {
        Self::new("not_found", path)
    }

    pub(super) fn because(code: &'static str, path: &str, reason: impl Into<String>) -> Self {
        Self {
            code,
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    pub(super) fn system(path: &str, error: impl Into<std::io::Error>) -> Self {
        let error: std::io::Error = error.into();
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOENT) => Self::new("not_found", path),
            // Files are opened without following links, so a link has just replaced the file.
            Some(Errno::LOOP) => Self::new("symlink_changed", path),
            Some(Errno::NOTDIR) => Self::new("not_a_folder", path),
            Some(Errno::ISDIR) => Self::because("not_a_file", path, "it is a folder"),
            Some(Errno::EXIST) => Self::new("exists", path),
            Some(Errno::NAMETOOLONG) => Self::new("too_long", path),
            Some(Errno::ACCESS | Errno::PERM) => Self::new("no_access", path),
            // A socket, or a pipe without a reader.
            Some(Errno::NXIO) => Self::new("not_a_file", path),
            Some(Errno::ROFS) => Self::because("no_access", path, "the file system is read-only"),
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Self::new("no_room", path),
            _ => Self::because("io", path, error.to_string()),
        }
    }
}
