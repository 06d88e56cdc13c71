//! One level of a folder for the tree pane: folders first, ignored items last, with the letters of `git status`.

use std::io;
use std::path::Path;

use super::beneath::{Held, Kind};
use super::git::Marks;
use super::walker;
use benchdog_base::path_name;
use benchdog_protocol::FolderItem;

/// Lists a folder. `path` is relative, with `/`. An empty path or `.` means the workspace.
pub(crate) fn folder(root: &Path, path: &str, marks: &Marks) -> io::Result<Vec<FolderItem>> {
    let inside = path.trim_end_matches('/').trim_start_matches("./");
    let inside = if inside == "." { "" } else { inside };
    let items = Held::open(root)?.folder(Path::new(inside))?.items()?;
    let mut matcher = walker::matcher(root);
    let mut level: Vec<FolderItem> = items
        .into_iter()
        .filter(|item| item.name != ".git")
        .map(|item| {
            let name = path_name::display(Path::new(&item.name));
            let path = if inside.is_empty() {
                name.into_owned()
            } else {
                format!("{inside}/{name}")
            };
            let folder = item.kind == Kind::Folder;
            let ignored = matcher
                .as_mut()
                .is_some_and(|matcher| matcher.matched(&path, folder).is_ignore());
            FolderItem {
                git: if ignored { None } else { marks.of(&path) },
                path,
                folder,
                ignored,
            }
        })
        .collect();
    level.sort_by_cached_key(|item| (item.ignored, !item.folder, item.path.to_lowercase(), item.path.clone()));
    Ok(level)
}

#[cfg(test)]
mod tests;
