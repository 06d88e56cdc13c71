//! Journal of a restore. It first lists the temporary files, and later the renames.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Hook;
use super::disk::{Identity, Op, OpKind};
use crate::folders::Inode;
use crate::state::Kind;
use crate::store::batch::temporary_name;
use crate::store::create_private;
use crate::tree::{number, take, take_number};

const MAGIC: &[u8; 8] = b"BDREST1\n";
const OPS: [OpKind; 4] = [OpKind::Remove, OpKind::Replace, OpKind::Create, OpKind::Mode];
const KINDS: [Kind; 4] = [Kind::File, Kind::Link, Kind::Folder, Kind::Special];

pub(crate) type Renames = (Vec<Op>, Vec<Vec<u8>>);

const INTENT: &str = "restore.intent";

pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(INTENT).exists()
}

pub(crate) struct Journal<'j> {
    folder: PathBuf,
    hook: Hook<'j>,
}

impl<'j> Journal<'j> {
    pub(crate) fn new(folder: &Path, hook: Hook<'j>) -> Self {
        Self {
            folder: folder.to_owned(),
            hook,
        }
    }

    fn intent(&self) -> PathBuf {
        self.folder.join(INTENT)
    }

    fn complete(&self) -> PathBuf {
        self.folder.join("restore.journal")
    }

    pub(crate) fn write_intent(&mut self, temporaries: &[Vec<u8>]) -> io::Result<()> {
        let mut out = Vec::new();
        paths(&mut out, temporaries);
        self.save(&self.intent(), &out)
    }

    /// Writes the list of renames. From then on, a recovery completes the restore instead of reverting it.
    pub(crate) fn write(&mut self, ops: &[Op], folders: &[Vec<u8>]) -> io::Result<()> {
        let mut out = Vec::new();
        number(&mut out, ops.len() as u64);
        ops.iter().for_each(|op| encode(&mut out, op));
        paths(&mut out, folders);
        self.save(&self.complete(), &out)
    }

    fn save(&self, path: &Path, payload: &[u8]) -> io::Result<()> {
        (self.hook)("write the journal")?;
        let temporary = self.folder.join(temporary_name());
        let written = create_private(&temporary).and_then(|mut file| {
            file.write_all(MAGIC)?;
            file.write_all(&crc32fast::hash(payload).to_le_bytes())?;
            file.write_all(payload)?;
            file.sync_data()?;
            (self.hook)("rename the journal")?;
            std::fs::rename(&temporary, path)
        });
        match written {
            Ok(()) => File::open(&self.folder)?.sync_all(),
            Err(error) => {
                let _ = std::fs::remove_file(&temporary);
                Err(error)
            }
        }
    }

    /// Returns the paths of the temporary files. `None` if there is no unfinished restore.
    pub(crate) fn read_intent(&self) -> io::Result<Option<Vec<Vec<u8>>>> {
        let Some(payload) = read(&self.intent())? else {
            return Ok(None);
        };
        take_paths(&mut payload.as_slice()).map(Some).ok_or_else(damaged)
    }

    pub(crate) fn read(&self) -> io::Result<Option<Renames>> {
        let Some(payload) = read(&self.complete())? else {
            return Ok(None);
        };
        decode(&payload).map(Some).ok_or_else(damaged)
    }

    /// Removes the journal. The intent file is removed last, because a recovery starts only if this file exists.
    pub(crate) fn remove(&self) -> io::Result<()> {
        for path in [self.complete(), self.intent()] {
            (self.hook)("remove the journal")?;
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the journal of the restore is damaged")
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let crc = take(&mut rest, 4).ok_or_else(damaged)?;
    if crc32fast::hash(rest).to_le_bytes() != crc {
        return Err(damaged());
    }
    Ok(Some(rest.to_vec()))
}

fn decode(payload: &[u8]) -> Option<Renames> {
    let mut rest = payload;
    let count = take_number(&mut rest)?;
    let ops: Option<Vec<Op>> = (0..count).map(|_| take_op(&mut rest)).collect();
    Some((ops?, take_paths(&mut rest)?))
}

fn paths(out: &mut Vec<u8>, all: &[Vec<u8>]) {
    number(out, all.len() as u64);
    all.iter().for_each(|path| bytes(out, path));
}

fn take_paths(rest: &mut &[u8]) -> Option<Vec<Vec<u8>>> {
    let count = take_number(rest)?;
    (0..count).map(|_| take_bytes(rest)).collect()
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend(bytes);
}

fn take_bytes(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let len = usize::try_from(take_number(rest)?).ok()?;
    Some(take(rest, len)?.to_vec())
}

fn position<T: PartialEq>(all: &[T], one: &T) -> u8 {
    let at = all.iter().position(|other| other == one);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

fn encode(out: &mut Vec<u8>, op: &Op) {
    out.push(position(&OPS, &op.kind));
    for part in [&op.folder, &op.name, &op.temporary] {
        bytes(out, part);
    }
    for identity in [&op.old, &op.new] {
        match identity {
            None => out.push(0),
            Some(identity) => {
                out.push(1 + position(&KINDS, &identity.kind));
                out.extend(identity.inode.device.to_le_bytes());
                out.extend(identity.inode.number.to_le_bytes());
                out.extend(identity.size.to_le_bytes());
                out.extend(identity.modified.to_le_bytes());
            }
        }
    }
    out.extend(op.old_mode.to_le_bytes());
    out.extend(op.new_mode.to_le_bytes());
}

fn take_op(rest: &mut &[u8]) -> Option<Op> {
    Some(Op {
        kind: *OPS.get(usize::from(*take(rest, 1)?.first()?))?,
        folder: take_bytes(rest)?,
        name: take_bytes(rest)?,
        temporary: take_bytes(rest)?,
        old: take_identity(rest)?,
        new: take_identity(rest)?,
        old_mode: u16::from_le_bytes(take(rest, 2)?.try_into().ok()?),
        new_mode: u16::from_le_bytes(take(rest, 2)?.try_into().ok()?),
    })
}

fn take_identity(rest: &mut &[u8]) -> Option<Option<Identity>> {
    let Some(kind) = usize::from(*take(rest, 1)?.first()?).checked_sub(1) else {
        return Some(None);
    };
    Some(Some(Identity {
        kind: *KINDS.get(kind)?,
        inode: Inode {
            device: u32::from_le_bytes(take(rest, 4)?.try_into().ok()?),
            number: u64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        },
        size: u64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        modified: i64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
    }))
}
