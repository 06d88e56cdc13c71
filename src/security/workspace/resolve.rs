//! Resolves a path from a model to a location beneath a root: first as text, then along existing links.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType};

use super::open::open_folder;
use super::{PathError, WorkPath, Workspace};
use benchdog_base::path_name;

/// Maximum number of links in a path, as in Linux.
const MAX_LINKS: usize = 40;
/// Maximum bytes of a path and of a name, from Linux (`PATH_MAX`, `NAME_MAX`).
const MAX_PATH: usize = 4096;
const MAX_NAME: usize = 255;

/// A path beneath a root, without `.` and `..`. After resolution, the path has no links. Empty for the root itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RootPath {
    pub(super) root: usize,
    pub(super) path: PathBuf,
}

pub(super) fn resolve(workspace: &Workspace, text: &str) -> Result<WorkPath, PathError> {
    check_text(text)?;
    let named = on_disk(workspace, text)?;
    let real = follow(workspace, &named, text)?;
    let own = follow_parent(workspace, &named, text)?;
    Ok(WorkPath::new(workspace.clone(), named, own, real))
}

fn check_text(text: &str) -> Result<(), PathError> {
    if text.is_empty() {
        return Err(PathError::because("bad_path", text, "the path is empty"));
    }
    if text.contains('\0') {
        return Err(PathError::because(
            "bad_path",
            &text.replace('\0', "\u{2400}"),
            "it holds a NUL byte",
        ));
    }
    if text.len() > MAX_PATH || text.split('/').any(|name| name.len() > MAX_NAME) {
        let start: String = text.chars().take(60).collect();
        return Err(PathError::new("too_long", &format!("{start}…")));
    }
    Ok(())
}

/// Finds the root of a path from its text. `..` may move inside the root, but not out.
fn lexical(workspace: &Workspace, text: &str) -> Result<RootPath, PathError> {
    let path = Path::new(text);
    let outside = || PathError::new("outside_workspace", text);
    if path.is_absolute() {
        let clean = clean(path).ok_or_else(outside)?;
        return beneath(workspace, &clean).ok_or_else(outside);
    }
    Ok(RootPath {
        root: 0,
        path: clean(path).ok_or_else(outside)?,
    })
}

/// Returns the path with the spelling of the disk. Removes blanks at both ends if the path exists only without them.
fn on_disk(workspace: &Workspace, text: &str) -> Result<RootPath, PathError> {
    let (exact, is_there) = respelled(workspace, lexical(workspace, text)?);
    let trimmed = text.trim();
    if is_there || trimmed.len() == text.len() || trimmed.is_empty() {
        return Ok(exact);
    }
    let (other, is_there) = respelled(workspace, lexical(workspace, trimmed)?);
    Ok(if is_there { other } else { exact })
}

/// Returns the path with each name spelled as on the disk, and whether the path exists. Tries other spellings only for
/// missing names, and never after a link.
fn respelled(workspace: &Workspace, named: RootPath) -> (RootPath, bool) {
    let Some(root) = workspace.roots.get(named.root) else {
        return (named, false);
    };
    let mut path = PathBuf::new();
    let mut here: Option<Dir> = root.dir.try_clone().ok();
    let mut is_there = true;
    let count = named.path.components().count();
    for (at, component) in named.path.components().enumerate() {
        let name = component.as_os_str();
        let found = here.as_ref().map(|dir| spelled_in(dir, name));
        let name = match found {
            Some(Some(found)) => found,
            Some(None) => {
                (is_there, here) = (false, None);
                name.to_owned()
            }
            None => name.to_owned(),
        };
        if at + 1 < count {
            here = here.and_then(|dir| open_folder(&dir, &name).ok());
        }
        path.push(name);
    }
    (RootPath { path, ..named }, is_there)
}

/// Returns the existing name in a folder that equals a name or differs only in its spelling.
fn spelled_in(dir: &Dir, name: &OsStr) -> Option<OsString> {
    if rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
        return Some(name.to_owned());
    }
    if !path_name::has_other_spelling(name) {
        return None;
    }
    let entries = dir.entries().ok()?.filter_map(Result::ok);
    path_name::find_equivalent(name, entries.map(|entry| entry.file_name()))
}

/// Removes `.` and `..`. `None` if `..` leaves the start. An absolute path stays absolute, and `/..` is `/`.
fn clean(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    let mut depth = 0_usize;
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::CurDir => {}
            Component::RootDir => out.push("/"),
            Component::Normal(name) => {
                depth += 1;
                out.push(name);
            }
            Component::ParentDir if depth == 0 && path.is_absolute() => {}
            Component::ParentDir => {
                depth = depth.checked_sub(1)?;
                out.pop();
            }
        }
    }
    Some(out)
}

/// Returns the location beneath the innermost root that contains a normalised absolute path.
pub(super) fn beneath(workspace: &Workspace, path: &Path) -> Option<RootPath> {
    let candidates = workspace.roots.iter().enumerate().flat_map(|(index, root)| {
        [&root.path, &root.named].map(|start| path.strip_prefix(start).ok().map(|rest| (index, rest.to_path_buf())))
    });
    let (root, path) = candidates
        .flatten()
        .min_by_key(|(index, rest)| (rest.as_os_str().len(), *index))?;
    Some(RootPath { root, path })
}

/// Resolves the links in a path now. The file and its parent folders need not exist.
pub(super) fn follow(workspace: &Workspace, named: &RootPath, shown: &str) -> Result<RootPath, PathError> {
    let mut walk = Walk::start(workspace, named.root);
    walk.ahead.extend(
        named
            .path
            .components()
            .map(|component| component.as_os_str().to_owned()),
    );
    while let Some(name) = walk.ahead.pop_front() {
        walk.step(&name, shown)?;
    }
    Ok(RootPath {
        root: walk.root,
        path: walk.behind.iter().collect(),
    })
}

/// Resolves all links in a path, but not a link in the last name, which callers need. `None` for a root.
pub(super) fn follow_parent(
    workspace: &Workspace,
    named: &RootPath,
    shown: &str,
) -> Result<Option<RootPath>, PathError> {
    let (Some(name), Some(folder)) = (named.path.file_name(), named.path.parent()) else {
        return Ok(None);
    };
    let folder = RootPath {
        root: named.root,
        path: folder.to_path_buf(),
    };
    let mut place = follow(workspace, &folder, shown)?;
    place.path.push(name);
    Ok(Some(place))
}

struct Walk<'a> {
    workspace: &'a Workspace,
    root: usize,
    /// Resolved names, none of them a link. `handles` has the open parent folder of each.
    behind: Vec<OsString>,
    handles: Vec<Dir>,
    ahead: VecDeque<OsString>,
    /// Whether a resolved name does not exist. Later names then do not exist either.
    missing: bool,
    links: usize,
}

impl<'a> Walk<'a> {
    fn start(workspace: &'a Workspace, root: usize) -> Self {
        Self {
            workspace,
            root,
            behind: Vec::new(),
            handles: Vec::new(),
            ahead: VecDeque::new(),
            missing: false,
            links: 0,
        }
    }

    fn step(&mut self, name: &OsStr, shown: &str) -> Result<(), PathError> {
        if name == ".." {
            return self.up(shown);
        }
        if self.missing {
            self.behind.push(name.to_owned());
            return Ok(());
        }
        let here = match self.handles.last() {
            Some(dir) => dir,
            None => match self.workspace.roots.get(self.root) {
                Some(root) => &root.dir,
                None => return Err(PathError::new("outside_workspace", shown)),
            },
        };
        let stat = match rustix::fs::statat(here, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(rustix::io::Errno::NOENT) => {
                self.missing = true;
                self.behind.push(name.to_owned());
                return Ok(());
            }
            Err(error) => return Err(PathError::system(shown, error)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => {
                let target = here
                    .read_link_contents(name)
                    .map_err(|error| PathError::system(shown, error))?;
                self.link(&target, shown)
            }
            FileType::Directory => {
                if !self.ahead.is_empty() {
                    let next = open_folder(here, name).map_err(|error| PathError::system(shown, error))?;
                    self.handles.push(next);
                }
                self.behind.push(name.to_owned());
                Ok(())
            }
            _ if self.ahead.is_empty() => {
                self.behind.push(name.to_owned());
                Ok(())
            }
            _ => {
                let reason = format!("`{}` on its way is a file, not a folder", name.to_string_lossy());
                Err(PathError::because("not_a_folder", shown, reason))
            }
        }
    }

    /// Handles `..` in a link's target by removing the last resolved name. The result is the real parent folder,
    /// because no resolved name is a link.
    fn up(&mut self, shown: &str) -> Result<(), PathError> {
        if self.behind.pop().is_some() {
            self.handles.truncate(self.behind.len());
            return Ok(());
        }
        let escape = || PathError::new("symlink_escape", shown);
        let root = self.workspace.roots.get(self.root).ok_or_else(escape)?;
        let mut outside = root.path.parent().map(Path::to_path_buf).ok_or_else(escape)?;
        outside.extend(self.ahead.drain(..));
        self.jump(&outside, shown)
    }

    fn link(&mut self, target: &Path, shown: &str) -> Result<(), PathError> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(PathError::new("symlink_loop", shown));
        }
        if target.is_absolute() {
            let mut whole = target.to_path_buf();
            whole.extend(self.ahead.drain(..));
            return self.jump(&whole, shown);
        }
        for component in target.components().rev() {
            if component != Component::CurDir {
                self.ahead.push_front(component.as_os_str().to_owned());
            }
        }
        Ok(())
    }

    /// Restarts the walk at an absolute path beneath a root. Fails if the link leads out of the roots.
    fn jump(&mut self, absolute: &Path, shown: &str) -> Result<(), PathError> {
        let found = clean(absolute)
            .and_then(|path| beneath(self.workspace, &path))
            .or_else(|| {
                let real = canonical(absolute)?;
                beneath(self.workspace, &real)
            });
        let place = found.ok_or_else(|| PathError::new("symlink_escape", shown))?;
        self.root = place.root;
        self.behind.clear();
        self.handles.clear();
        self.missing = false;
        self.ahead = place
            .path
            .components()
            .map(|component| component.as_os_str().to_owned())
            .collect();
        Ok(())
    }
}

/// Returns the canonical path of a file that may not exist yet, in an existing folder.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = std::fs::canonicalize(path) {
        return Some(real);
    }
    let parent = std::fs::canonicalize(path.parent()?).ok()?;
    Some(parent.join(path.file_name()?))
}
