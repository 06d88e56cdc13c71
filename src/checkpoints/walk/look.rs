//! Reads the metadata of single names after file system events, in folders that an earlier capture has listed.

use std::collections::BTreeMap;
use std::os::fd::AsFd;

use benchdog_files::walker::Matcher;
use rustix::fs::{AtFlags, statat};
use rustix::io::Errno;

use super::{Look, Start, UNREAD, Unread, Walker, inode_of};
use crate::capture::Reason;
use crate::folders::{At, Body, Folder, Folders, join};
use crate::state::NotCovered;
use crate::watch::Seen;

/// Permission bits that the owner needs to list a folder and read the metadata of its items.
const LISTABLE: u16 = 0o500;

#[derive(Default)]
pub(crate) struct Looked {
    pub(crate) next: At,
    pub(crate) starts: Vec<Start>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) removed: Vec<Folder>,
}

impl Walker<'_> {
    pub(crate) fn look(
        &self,
        folders: &mut Folders,
        (at, names): (At, &BTreeMap<Box<[u8]>, Seen>),
        mut matcher: Option<&mut Matcher>,
        looked: &mut Looked,
    ) -> Result<(), Reason> {
        let Some(folder) = folders.get(at) else {
            return Ok(());
        };
        let (inode, standing, parent, own) = (folder.inode, folder.standing, folder.parent, folder.name.clone());
        let path = folders.path(at);
        let held = match self.open(&path) {
            Ok(held) => held,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {
                looked.removed.extend(folders.remove_item(parent, &own));
                return Ok(());
            }
            Err(_) => {
                let removed = folders.omit_folder(parent, &own, NotCovered::Unreadable);
                looked.removed.extend(removed);
                return Ok(());
            }
        };
        if inode_of(&held) != Ok(inode) {
            return Err(Reason::Raced);
        }
        for name in names.keys() {
            let old = folders.get(at).and_then(|folder| folder.body(name));
            let raw = match statat(held.as_fd(), &**name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(raw) => raw,
                Err(Errno::NOENT) => {
                    looked.removed.extend(folders.remove_item(at, name));
                    continue;
                }
                Err(_) => return Err(Reason::Raced),
            };
            let look = Look {
                folder: &path,
                standing,
                name,
            };
            let known = old.or_else(|| self.known.get(inode).and_then(|known| known.body(name)));
            let Some((body, below)) = self.item(&look, &raw, known, matcher.as_deref_mut()) else {
                continue;
            };
            match (old, body) {
                // If a folder's new mode forbids listing, treat it as a new folder.
                (Some(Body::Folder { at: below, mode: old }), Body::Folder { mode, .. })
                    if old == mode || mode & LISTABLE == LISTABLE =>
                {
                    if old != mode {
                        folders.set(at, name, Body::Folder { at: below, mode });
                    }
                }
                (old, body) => {
                    if let Some(Body::Folder { .. }) = old {
                        looked.removed.extend(folders.remove_item(at, name));
                    }
                    let body = match body {
                        Body::Folder { mode, .. } => {
                            looked.starts.push(Start {
                                at: looked.next,
                                parent: at,
                                name: name.clone(),
                                path: join(&path, name),
                                standing: below,
                            });
                            looked.next += 1;
                            Body::Folder {
                                at: looked.next - 1,
                                mode,
                            }
                        }
                        body => body,
                    };
                    if let Body::File { id, .. } | Body::Link { id, .. } = body
                        && id == UNREAD
                    {
                        looked.unread.push(Unread {
                            at,
                            path: join(&path, name).into(),
                            is_link: matches!(body, Body::Link { .. }),
                        });
                    }
                    if old != Some(body) {
                        folders.set(at, name, body);
                    }
                }
            }
        }
        Ok(())
    }
}
