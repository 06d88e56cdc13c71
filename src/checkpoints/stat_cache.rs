//! Cache of the metadata of captured files, so that the next process need not read these files again.
//!
//! The file is a log of folders. Later records of a folder add to earlier records. Reading stops at a damaged record.
//! Without the cache, the next capture only takes longer.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::folders::{Body, Folder, Inode, Item, Known, Standing};
use crate::id::{ContentId, Id, TreeId};
use crate::stat::Stat;
use crate::store::batch::temporary_name;
use crate::store::create_private;
use crate::tree::{number, take, take_number};

const MAGIC: &[u8; 8] = b"BDSTAT1\n";

/// Maximum length of a record in bytes. A larger length means that the log is damaged.
const MAX_RECORD: usize = 1 << 30;

/// Minimum number of appended bytes before the log is rewritten.
const MIN_GARBAGE: u64 = 4 << 20;

const FILE: u8 = 0;
const LINK: u8 = 1;
const LINKED_FILE: u8 = 2;

pub(crate) struct StatCache {
    folder: PathBuf,
    /// Size of the log in bytes after its last rewrite.
    whole: u64,
    appended: u64,
}

impl StatCache {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            whole: 0,
            appended: 0,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("stats")
    }

    pub(crate) fn load(&mut self) -> Known {
        let mut known = Known::default();
        let bytes = std::fs::read(self.path()).unwrap_or_default();
        let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
            return known;
        };
        while let Some(payload) = record(&mut rest) {
            let Some(folder) = decode(payload) else { break };
            match known.get_mut(folder.inode) {
                Some(earlier) => merge(earlier, folder),
                None => known.add(folder),
            }
        }
        self.whole = bytes.len() as u64;
        self.appended = 0;
        known
    }

    /// Appends a record for each folder, with the given items.
    pub(crate) fn append<'f>(&mut self, read: impl Iterator<Item = (&'f Folder, Vec<&'f Item>)>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (folder, items) in read {
            encode(&mut bytes, folder, items.into_iter());
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(self.path())?;
        if file.metadata()?.len() == 0 {
            bytes.splice(0..0, *MAGIC);
        }
        self.appended += bytes.len() as u64;
        // Use one write, so that records of several processes do not mix.
        file.write_all(&bytes)
    }

    pub(crate) fn is_mostly_garbage(&self) -> bool {
        self.appended > MIN_GARBAGE.max(self.whole)
    }

    pub(crate) fn replace<'f>(&mut self, folders: impl Iterator<Item = &'f Folder>) -> io::Result<()> {
        let path = self.folder.join(temporary_name());
        let written = write(&path, folders).and_then(|len| {
            std::fs::rename(&path, self.path())?;
            Ok(len)
        });
        match written {
            Ok(len) => {
                (self.whole, self.appended) = (len, 0);
                Ok(())
            }
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }
}

fn write<'f>(path: &Path, folders: impl Iterator<Item = &'f Folder>) -> io::Result<u64> {
    let mut file: BufWriter<File> = BufWriter::new(create_private(path)?);
    file.write_all(MAGIC)?;
    let mut len = MAGIC.len();
    let mut bytes = Vec::new();
    for folder in folders {
        bytes.clear();
        encode(&mut bytes, folder, folder.items.iter());
        file.write_all(&bytes)?;
        len += bytes.len();
    }
    file.flush()?;
    Ok(len as u64)
}

fn encode<'f>(out: &mut Vec<u8>, folder: &Folder, items: impl Iterator<Item = &'f Item>) {
    let start = out.len();
    out.extend([0; 8]);
    out.extend(folder.inode.device.to_le_bytes());
    out.extend(folder.inode.number.to_le_bytes());
    match folder.tree.or(folder.base) {
        Some(tree) => {
            out.push(1);
            out.extend(tree.0.0);
        }
        None => out.push(0),
    }
    for item in items {
        let (tag, stat, id) = match &item.body {
            Body::File {
                stat,
                id,
                trusted: true,
            } => (if stat.is_linked { LINKED_FILE } else { FILE }, stat, id),
            Body::Link { stat, id } => (LINK, stat, id),
            _ => continue,
        };
        if stat.device != folder.inode.device {
            continue;
        }
        out.push(tag);
        number(out, item.name.len() as u64);
        out.extend(&item.name);
        out.extend(stat.modified.to_le_bytes());
        out.extend(stat.changed.to_le_bytes());
        number(out, stat.size);
        out.extend(stat.inode.to_le_bytes());
        out.extend(stat.mode.to_le_bytes());
        out.extend(id.0.0);
    }
    let payload = out.get(start + 8..).unwrap_or_default();
    let len = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes();
    let crc = crc32fast::hash(payload).to_le_bytes();
    if let Some(head) = out.get_mut(start..start + 8) {
        head.copy_from_slice(&[len, crc].concat());
    }
}

fn record<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = usize::try_from(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?)).ok()?;
    let crc = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?);
    let payload = take(rest, len.min(MAX_RECORD))?;
    (crc32fast::hash(payload) == crc).then_some(payload)
}

fn decode(mut payload: &[u8]) -> Option<Folder> {
    let rest = &mut payload;
    let inode = Inode {
        device: u32::from_le_bytes(take(rest, 4)?.try_into().ok()?),
        number: u64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
    };
    let base = match take(rest, 1)? {
        [0] => None,
        _ => Some(TreeId(Id(take(rest, Id::LEN)?.try_into().ok()?))),
    };
    let mut items = Vec::new();
    while !rest.is_empty() {
        items.push(item(rest, inode.device)?);
    }
    Some(Folder {
        parent: 0,
        name: Box::default(),
        inode,
        standing: Standing::Asked,
        items,
        tree: None,
        base,
        watch: None,
        counts: Default::default(),
    })
}

fn item(rest: &mut &[u8], device: u32) -> Option<Item> {
    let tag = *take(rest, 1)?.first()?;
    let len = usize::try_from(take_number(rest)?).ok()?;
    let name = take(rest, len)?.into();
    let stat = Stat {
        modified: i64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        changed: i64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        size: take_number(rest)?,
        inode: u64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        device,
        mode: u16::from_le_bytes(take(rest, 2)?.try_into().ok()?),
        is_linked: tag == LINKED_FILE,
    };
    let id = ContentId(Id(take(rest, Id::LEN)?.try_into().ok()?));
    let body = match tag {
        FILE | LINKED_FILE => Body::File {
            stat,
            id,
            trusted: true,
        },
        _ => Body::Link { stat, id },
    };
    Some(Item { name, body })
}

/// Merges a later record into an earlier one. The items of both are sorted by name.
fn merge(earlier: &mut Folder, later: Folder) {
    earlier.base = later.base.or(earlier.base);
    let mut items = later.items;
    items.append(&mut earlier.items);
    // The stable sort puts the later of two items with the same name first, and the deduplication keeps the first.
    items.sort_by(|a, b| a.name.cmp(&b.name));
    items.dedup_by(|second, first| second.name == first.name);
    earlier.items = items;
}
