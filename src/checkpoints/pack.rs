//! One pack: the new objects of a capture, in one file that never changes.
//!
//! ```text
//! magic | record … | index | index offset 8, count 4, CRC of the index 4, magic 8
//! record: id 32, stored length 4, length 4, flags 1, depth 1, CRC of these 4, bytes
//! index:  id 32, offset 8, stored length 4, flags 1, in order of the ids
//! ```
//!
//! If the depth of a tree is not 0, the stored bytes are the id of its base tree and the difference to that tree.
//! "length" is the length before compression. A damaged index can be rebuilt from the records.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::id::Id;
use crate::tree::take;

const MAGIC: &[u8; 8] = b"BDPACK1\n";
const END: &[u8; 8] = b"BDPEND1\n";
pub(crate) const HEADER: usize = 32 + 4 + 4 + 1 + 1 + 4;
const ROW: usize = 32 + 8 + 4 + 1;
const TRAILER: usize = 8 + 4 + 4 + 8;

/// Maximum length of an object in bytes. A larger length in the header means that the header is damaged.
pub(crate) const MAX_OBJECT: u32 = 1 << 30;

const COMPRESSED: u8 = 1;
const TREE: u8 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) id: Id,
    pub(crate) stored: u32,
    pub(crate) len: u32,
    pub(crate) is_compressed: bool,
    pub(crate) is_tree: bool,
    /// Number of other trees to read before this one: its base, the base of that tree, and so on.
    pub(crate) depth: u8,
}

impl Header {
    pub(crate) fn of(id: Id, stored: &[u8], bytes: &[u8]) -> Self {
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        Self {
            id,
            stored: length(stored),
            len: length(bytes),
            is_compressed: false,
            is_tree: false,
            depth: 0,
        }
    }

    fn encode(&self) -> [u8; HEADER] {
        let mut out = Vec::with_capacity(HEADER);
        out.extend(self.id.0);
        out.extend(self.stored.to_le_bytes());
        out.extend(self.len.to_le_bytes());
        out.push(self.flags());
        out.push(self.depth);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        let mut bytes = [0; HEADER];
        bytes.copy_from_slice(&out);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let facts = take(&mut rest, HEADER - 4)?;
        if crc32fast::hash(facts) != u32_of(&mut rest)? {
            return None;
        }
        let mut rest = facts;
        let id = id_of(&mut rest)?;
        let (stored, len) = (u32_of(&mut rest)?, u32_of(&mut rest)?);
        let [flags, depth] = *rest else { return None };
        (len <= MAX_OBJECT && stored <= MAX_OBJECT).then_some(Self {
            id,
            stored,
            len,
            is_compressed: flags & COMPRESSED != 0,
            is_tree: flags & TREE != 0,
            depth,
        })
    }

    fn flags(&self) -> u8 {
        (if self.is_compressed { COMPRESSED } else { 0 }) | if self.is_tree { TREE } else { 0 }
    }

    /// Returns the number of bytes of the record in the pack, without its index entry.
    fn record_len(&self) -> u64 {
        HEADER as u64 + u64::from(self.stored)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: Id,
    pub(crate) offset: u64,
    pub(crate) stored: u32,
    pub(crate) is_tree: bool,
}

impl Row {
    /// Returns the number of bytes of the record and its index entry.
    pub(crate) fn record_len(&self) -> u64 {
        (HEADER + ROW) as u64 + u64::from(self.stored)
    }
}

pub(crate) struct PackWriter {
    file: BufWriter<File>,
    path: PathBuf,
    rows: Vec<Row>,
    len: u64,
}

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) len: u64,
}

impl PackWriter {
    /// Creates the temporary file of a pack. `finish` renames it.
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        let file = crate::store::create_private(&path)?;
        let mut file = BufWriter::with_capacity(256 << 10, file);
        file.write_all(MAGIC)?;
        Ok(Self {
            file,
            path,
            rows: Vec::new(),
            len: MAGIC.len() as u64,
        })
    }

    pub(crate) fn append(&mut self, header: &Header, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(&header.encode())?;
        self.file.write_all(bytes)?;
        self.rows.push(Row {
            id: header.id,
            offset: self.len,
            stored: header.stored,
            is_tree: header.is_tree,
        });
        self.len += header.record_len();
        Ok(())
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn finish(mut self, packs: &Path) -> io::Result<Finished> {
        self.rows.sort_unstable_by_key(|row| row.id);
        let mut index = Vec::with_capacity(self.rows.len() * ROW);
        for row in &self.rows {
            index.extend(row.id.0);
            index.extend(row.offset.to_le_bytes());
            index.extend(row.stored.to_le_bytes());
            index.push(if row.is_tree { TREE } else { 0 });
        }
        self.file.write_all(&index)?;
        self.file.write_all(&self.len.to_le_bytes())?;
        let count = u32::try_from(self.rows.len()).map_err(io::Error::other)?;
        self.file.write_all(&count.to_le_bytes())?;
        self.file.write_all(&crc32fast::hash(&index).to_le_bytes())?;
        self.file.write_all(END)?;
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        let name: String = Id::of(&index).to_string().chars().take(32).collect();
        let name = format!("{name}.pack");
        std::fs::rename(&self.path, packs.join(&name))?;
        File::open(packs)?.sync_all()?;
        Ok(Finished {
            name,
            rows: std::mem::take(&mut self.rows),
            len: self.len + (index.len() + TRAILER) as u64,
        })
    }
}

impl Drop for PackWriter {
    fn drop(&mut self) {
        // Remove an unfinished pack. A finished pack already has another name.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Reads the index, or rebuilds it from the records if it is damaged.
pub(crate) fn read_index(file: &mut File) -> io::Result<Vec<Row>> {
    let len = file.metadata()?.len();
    match index(file, len)? {
        Some(rows) => Ok(rows),
        None => records(file, len),
    }
}

fn index(file: &mut File, len: u64) -> io::Result<Option<Vec<Row>>> {
    let Some(end) = len.checked_sub(TRAILER as u64) else {
        return Ok(None);
    };
    let mut trailer = [0; TRAILER];
    file.read_exact_at(&mut trailer, end)?;
    let mut rest = trailer.as_slice();
    let (Some(offset), Some(count), Some(crc)) = (u64_of(&mut rest), u32_of(&mut rest), u32_of(&mut rest)) else {
        return Ok(None);
    };
    let size = u64::from(count) * ROW as u64;
    if rest != END || offset.checked_add(size) != Some(end) {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, offset)?;
    if crc32fast::hash(&bytes) != crc {
        return Ok(None);
    }
    Ok(bytes.chunks_exact(ROW).map(row).collect())
}

fn row(mut bytes: &[u8]) -> Option<Row> {
    let rest = &mut bytes;
    Some(Row {
        id: id_of(rest)?,
        offset: u64_of(rest)?,
        stored: u32_of(rest)?,
        is_tree: take(rest, 1)? != [0],
    })
}

/// Reads the record headers in sequence, up to the first damaged one.
fn records(file: &mut File, len: u64) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut offset = MAGIC.len() as u64;
    let mut bytes = [0; HEADER];
    while offset + (HEADER as u64) < len {
        file.seek(SeekFrom::Start(offset))?;
        if file.read_exact(&mut bytes).is_err() {
            break;
        }
        let Some(header) = Header::decode(&bytes) else { break };
        rows.push(Row {
            id: header.id,
            offset,
            stored: header.stored,
            is_tree: header.is_tree,
        });
        offset += header.record_len();
    }
    Ok(rows)
}

pub(crate) fn id_of(rest: &mut &[u8]) -> Option<Id> {
    Some(Id(take(rest, Id::LEN)?.try_into().ok()?))
}

fn u32_of(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?))
}

fn u64_of(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?))
}
