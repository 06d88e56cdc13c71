//! Lists folders and compares their items with the last capture, without reading files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use benchdog_files::beneath::Held;
use benchdog_files::walker::{self, Matcher};
use rustix::fs::{AtFlags, RawDir, Stat as Raw, statat};
use rustix::io::Errno;

use crate::folders::{At, Body, Folder, Folders, Inode, Item, Known, Standing, join};
use crate::id::{ContentId, Id};
use crate::limits::Limits;
use crate::stat::{self, Stat};
use crate::state::{Content, FileState, Kind, NotCovered};
use crate::store::lock;
use crate::watch::Watcher;

pub(crate) mod look;

const GIT: &[u8] = b".git";

/// Prefix of the temporary files of a restore.
pub(crate) const TEMPORARY: &[u8] = b".benchdog-restore-";

/// Bytes of directory entries per system call.
const BUFFER: usize = 32 << 10;

/// Placeholder id of a file that was not read yet.
pub(crate) const UNREAD: ContentId = ContentId(Id([0; 32]));

pub(crate) struct Walker<'c> {
    pub(crate) root: &'c Held,
    pub(crate) path: &'c Path,
    pub(crate) limits: &'c Limits,
    /// Ignored files that git tracks, relative to the root.
    pub(crate) tracked: &'c BTreeSet<Vec<u8>>,
    /// Inode of the folder that contains all stores. The folder is never captured, even if it is below the root.
    pub(crate) excluded: Inode,
    pub(crate) known: &'c Known,
    /// Watches each folder before the folder is listed.
    pub(crate) watcher: Option<&'c Watcher>,
}

pub(crate) struct Start {
    pub(crate) at: At,
    pub(crate) parent: At,
    pub(crate) name: Box<[u8]>,
    pub(crate) path: Vec<u8>,
    pub(crate) standing: Standing,
}

/// A file or link to read, in the folder `at`.
#[derive(Debug, Clone)]
pub(crate) struct Unread {
    pub(crate) at: At,
    pub(crate) path: Box<[u8]>,
    pub(crate) is_link: bool,
}

impl Unread {
    pub(crate) fn name(&self) -> &[u8] {
        self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }
}

#[derive(Default)]
pub(crate) struct Walked {
    pub(crate) folders: Vec<(At, Folder)>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) failed: Vec<(Place, Errno)>,
    pub(crate) crowded: Vec<Place>,
}

/// Index of the folder, and name of the item.
type Place = (At, Box<[u8]>);

struct Work {
    start: Start,
    /// The topmost ignored folder above this folder, and the number of files found in it so far.
    crowd: Option<(Place, Arc<AtomicUsize>)>,
}

struct Queue {
    state: Mutex<Waiting>,
    wake: Condvar,
}

#[derive(Default)]
struct Waiting {
    works: Vec<Work>,
    busy: usize,
}

impl Walker<'_> {
    /// Lists all folders at and below `starts`. New folders get ascending indexes, the first of which is `next`.
    pub(crate) fn walk(&self, starts: Vec<Start>, next: At) -> Walked {
        let works: Vec<Work> = starts.into_iter().map(|start| Work { start, crowd: None }).collect();
        let queue = Queue {
            state: Mutex::new(Waiting { works, busy: 0 }),
            wake: Condvar::new(),
        };
        let next = AtomicU32::new(next);
        let matcher = walker::matcher(self.path);
        let parts: Vec<Walked> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..walker::threads())
                .map(|_| scope.spawn(|| self.work(&queue, &next, matcher.clone())))
                .collect();
            let own = self.work(&queue, &next, matcher.clone());
            let others = threads.into_iter().filter_map(|thread| thread.join().ok());
            std::iter::once(own).chain(others).collect()
        });
        let mut all = Walked::default();
        for part in parts {
            all.folders.extend(part.folders);
            all.unread.extend(part.unread);
            all.failed.extend(part.failed);
            all.crowded.extend(part.crowded);
        }
        all
    }

    fn work(&self, queue: &Queue, next: &AtomicU32, mut matcher: Option<Matcher>) -> Walked {
        let mut walked = Walked::default();
        let mut found = Vec::new();
        while let Some(work) = queue.take() {
            let named = (work.start.parent, work.start.name.clone());
            if let Err(error) = self.folder(work, next, matcher.as_mut(), &mut walked, &mut found) {
                walked.failed.push((named, error));
            }
            queue.done(&mut found);
        }
        walked
    }

    fn folder(
        &self,
        work: Work,
        next: &AtomicU32,
        mut matcher: Option<&mut Matcher>,
        walked: &mut Walked,
        found: &mut Vec<Work>,
    ) -> Result<(), Errno> {
        let Work { start, crowd } = work;
        let folder = self.open(&start.path)?;
        let inode = inode_of(&folder)?;
        let watch = self.watcher.and_then(|watcher| watcher.add(&folder));
        let known = self.known.get(inode);
        let mut items = Vec::new();
        for (name, raw) in listed(&folder)? {
            let old = known.and_then(|known| known.body(&name));
            let look = Look {
                folder: &start.path,
                standing: start.standing,
                name: &name,
            };
            let Some((body, standing)) = self.item(&look, &raw, old, matcher.as_deref_mut()) else {
                continue;
            };
            let path = || join(&start.path, &name);
            match body {
                Body::Folder { mode, .. } => {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let crowd = match (&crowd, standing) {
                        (_, Standing::Asked) => None,
                        (Some(crowd), _) => Some(crowd.clone()),
                        (None, _) => Some(((start.at, name.clone()), Arc::default())),
                    };
                    found.push(Work {
                        start: Start {
                            at,
                            parent: start.at,
                            name: name.clone(),
                            path: path(),
                            standing,
                        },
                        crowd,
                    });
                    items.push(Item {
                        name,
                        body: Body::Folder { at, mode },
                    });
                    continue;
                }
                Body::File { id, .. } | Body::Link { id, .. } if id == UNREAD => walked.unread.push(Unread {
                    at: start.at,
                    path: path().into(),
                    is_link: matches!(body, Body::Link { .. }),
                }),
                _ => {}
            }
            items.push(Item { name, body });
        }
        if let Some((top, count)) = &crowd
            && count.fetch_add(items.len(), Ordering::Relaxed) + items.len() > self.limits.max_ignored
        {
            walked.crowded.push(top.clone());
            found.clear();
        }
        items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let folder = Folder {
            parent: start.parent,
            name: start.name,
            inode,
            standing: start.standing,
            items,
            tree: None,
            base: known.and_then(|known| known.tree.or(known.base)),
            watch,
            counts: Default::default(),
        };
        walked.folders.push((start.at, folder));
        Ok(())
    }

    pub(crate) fn open(&self, path: &[u8]) -> Result<Held, Errno> {
        self.root.folder(Path::new(OsStr::from_bytes(path))).map_err(errno)
    }

    /// Returns an item, and the `Standing` of the items below it. An unchanged file keeps its previous id.
    ///
    /// Returns `None` for items that are never captured: `.git`, the store itself, and temporary files of a restore.
    pub(crate) fn item(
        &self,
        look: &Look<'_>,
        raw: &Raw,
        old: Option<Body>,
        matcher: Option<&mut Matcher>,
    ) -> Option<(Body, Standing)> {
        if look.name == GIT || look.name.starts_with(TEMPORARY) {
            return None;
        }
        let (stat, kind) = (Stat::of(raw), stat::kind(raw));
        if kind == Kind::Folder && (Inode::of(&stat) == self.excluded) {
            return None;
        }
        let standing = self.standing(look, kind, matcher);
        let body = match kind {
            Kind::Folder => Body::Folder {
                at: At::MAX,
                mode: stat.mode,
            },
            Kind::Special => not_covered(kind, &stat, NotCovered::Special),
            _ if standing == Standing::Ignored => not_covered(kind, &stat, NotCovered::Ignored),
            Kind::Link => match old {
                Some(Body::Link { stat: known, id }) if known == stat => Body::Link { stat, id },
                _ => Body::Link { stat, id: UNREAD },
            },
            Kind::File if self.is_secret(look) => not_covered(kind, &stat, NotCovered::Secret),
            Kind::File if stat.size > self.limits.max_file => not_covered(kind, &stat, NotCovered::TooLarge),
            Kind::File => match old {
                Some(Body::File {
                    stat: known,
                    id,
                    trusted: true,
                }) if known == stat => Body::File {
                    stat,
                    id,
                    trusted: true,
                },
                // Read an unreadable file again too, because the permissions of its folder may have changed.
                _ => Body::File {
                    stat,
                    id: UNREAD,
                    trusted: false,
                },
            },
        };
        Some((body, standing))
    }

    fn is_secret(&self, look: &Look<'_>) -> bool {
        (self.limits.is_secret)(Path::new(OsStr::from_bytes(&join(look.folder, look.name))))
    }

    fn standing(&self, look: &Look<'_>, kind: Kind, matcher: Option<&mut Matcher>) -> Standing {
        if look.standing == Standing::Tracked {
            return Standing::Tracked;
        }
        let asked = look.standing == Standing::Asked;
        if !asked && self.tracked.is_empty() {
            return Standing::Ignored;
        }
        let path = join(look.folder, look.name);
        let is_ignored = !asked
            || matcher.is_some_and(|matcher| {
                let path = Path::new(OsStr::from_bytes(&path));
                matcher.matched(path, kind == Kind::Folder).is_ignore()
            });
        match is_ignored {
            false => Standing::Asked,
            true if self.tracked.contains(&path) => Standing::Tracked,
            true => Standing::Ignored,
        }
    }
}

pub(crate) struct Look<'l> {
    pub(crate) folder: &'l [u8],
    pub(crate) standing: Standing,
    pub(crate) name: &'l [u8],
}

impl Inode {
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.device,
            number: stat.inode,
        }
    }
}

pub(crate) fn inode_of(folder: &Held) -> Result<Inode, Errno> {
    Ok(Inode::of(&Stat::of(&rustix::fs::fstat(folder.as_fd())?)))
}

pub(crate) fn not_covered(kind: Kind, stat: &Stat, why: NotCovered) -> Body {
    Body::NotCovered(FileState {
        kind,
        mode: stat.mode,
        size: stat.size,
        content: Content::NotCovered {
            why,
            stamp: stat.stamp(),
        },
    })
}

type Listed = (Box<[u8]>, Raw);

/// Returns the items of a folder with their metadata. Omits files that disappear during the listing.
fn listed(folder: &Held) -> Result<Vec<Listed>, Errno> {
    let mut buffer = [MaybeUninit::uninit(); BUFFER];
    let mut names = RawDir::new(folder.as_fd(), &mut buffer);
    let mut all = Vec::new();
    while let Some(entry) = names.next() {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        match statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(raw) => all.push((name.to_bytes().into(), raw)),
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

pub(crate) fn errno(error: io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error)
}

impl Walked {
    /// Adds the listed folders to `folders`. A folder that could not be listed becomes an item without content, or is
    /// removed if it is gone.
    ///
    /// Returns the files to read, and the removed folders.
    pub(crate) fn place(self, folders: &mut Folders) -> (Vec<Unread>, Vec<Folder>) {
        let mut removed = Vec::new();
        for (at, folder) in self.folders {
            folders.place(at, folder);
        }
        for ((parent, name), error) in self.failed {
            match error {
                Errno::NOENT | Errno::NOTDIR | Errno::LOOP => removed.extend(folders.remove_item(parent, &name)),
                _ => removed.extend(folders.omit_folder(parent, &name, NotCovered::Unreadable)),
            }
        }
        for (parent, name) in self.crowded {
            removed.extend(folders.omit_folder(parent, &name, NotCovered::TooMany));
        }
        let unread = self.unread.into_iter();
        let unread = unread.filter(|unread| folders.get(unread.at).is_some());
        (unread.collect(), removed)
    }
}

impl Queue {
    /// Waits for the next folder. Returns `None` when all are done.
    fn take(&self) -> Option<Work> {
        let mut state = lock(&self.state);
        loop {
            if let Some(work) = state.works.pop() {
                state.busy += 1;
                return Some(work);
            }
            if state.busy == 0 {
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    fn done(&self, found: &mut Vec<Work>) {
        let mut state = lock(&self.state);
        state.works.append(found);
        state.busy -= 1;
        self.wake.notify_all();
    }
}
