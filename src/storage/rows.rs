//! Reads the rows of a session log with their checksums.

use redb::{Range, ReadOnlyTable, ReadTransaction, ReadableTable, TableDefinition};

use super::session_file::present;
use benchdog_base::id::EntryId;
use benchdog_domain::entry::Entry;

pub(super) const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");

/// Checksums by entry id. Rows of earlier versions have none.
pub(super) const SUMS: TableDefinition<u64, u32> = TableDefinition::new("sums");

/// Key of the metadata's checksum. Entry ids start at 1, so 0 is free.
pub(super) const OF_META: u64 = 0;

/// Returns the CRC-32 of the id and the bytes. The id makes swapped rows detectable.
pub(super) fn sum(id: u64, bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&id.to_le_bytes());
    sum.update(bytes);
    sum.finalize()
}

pub(super) struct Row<'r> {
    pub(super) id: u64,
    pub(super) bytes: &'r [u8],
    pub(super) sum: Option<u32>,
}

impl Row<'_> {
    pub(super) fn entry(&self) -> Result<Entry, String> {
        self.check()?;
        self.decode()
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.sum.is_some_and(|written| written != sum(self.id, self.bytes)) {
            return Err(format!("entry {} is not what was written", self.id));
        }
        Ok(())
    }

    pub(super) fn decode(&self) -> Result<Entry, String> {
        let entry = Entry::of_json(self.bytes).map_err(|error| format!("entry {} cannot be read: {error}", self.id))?;
        if entry.id.0 != self.id {
            return Err(format!("entry {} says that it is entry {}", self.id, entry.id.0));
        }
        Ok(entry)
    }
}

/// A reusable buffer of consecutive rows. New buffers would need more memory, because the allocator does not return
/// memory freed by another thread.
#[derive(Default)]
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Id, checksum, and end offset in `bytes` of each row.
    rows: Vec<(u64, Option<u32>, usize)>,
}

impl Part {
    /// Size of a part in bytes. A log below this size is decoded on the reading thread.
    pub(super) const BYTES: usize = 128 << 10;

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() > Self::BYTES
    }

    pub(super) fn push(&mut self, row: &Row<'_>) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(Self::BYTES + row.bytes.len());
        }
        self.bytes.extend_from_slice(row.bytes);
        self.rows.push((row.id, row.sum, self.bytes.len()));
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let mut begin = 0;
        self.rows.iter().map(move |(id, sum, end)| Row {
            id: *id,
            bytes: self
                .bytes
                .get(std::mem::replace(&mut begin, *end)..*end)
                .unwrap_or_default(),
            sum: *sum,
        })
    }

    pub(super) fn emptied(mut self) -> Self {
        self.bytes.clear();
        self.bytes.shrink_to(8 * Self::BYTES);
        self.rows.clear();
        self
    }
}

/// Returns all rows up to the entry `upto`, oldest first. A checksum without its entry is an error.
pub(super) fn upto(transaction: &ReadTransaction, upto: EntryId) -> Result<Rows, redb::Error> {
    let entries = transaction.open_table(ENTRIES)?.range(OF_META + 1..=upto.0)?;
    let sums = match present(transaction.open_table(SUMS))? {
        Some(table) => Some(table.range(OF_META + 1..=upto.0)?),
        None => None,
    };
    let mut rows = Rows {
        entries,
        sums,
        next: None,
    };
    rows.advance()?;
    Ok(rows)
}

pub(super) struct Rows {
    entries: Range<'static, u64, &'static [u8]>,
    sums: Option<Range<'static, u64, u32>>,
    next: Option<(u64, u32)>,
}

impl Rows {
    fn advance(&mut self) -> Result<(), redb::Error> {
        let next = self.sums.as_mut().and_then(Iterator::next).transpose()?;
        self.next = next.map(|(id, sum)| (id.value(), sum.value()));
        Ok(())
    }

    fn beside(&mut self, id: u64) -> Result<Option<u32>, redb::Error> {
        match self.next {
            Some((next, _)) if next < id => Err(missing(next)),
            Some((next, sum)) if next == id => self.advance().map(|()| Some(sum)),
            _ => Ok(None),
        }
    }

    pub(super) fn next<T>(&mut self, see: impl FnOnce(&Row<'_>) -> T) -> Result<Option<T>, redb::Error> {
        let Some((id, bytes)) = self.entries.next().transpose()? else {
            return self.next.map_or(Ok(None), |(id, _)| Err(missing(id)));
        };
        Ok(Some(see(&Row {
            id: id.value(),
            bytes: bytes.value(),
            sum: self.beside(id.value())?,
        })))
    }

    pub(super) fn part(&mut self, used: Part) -> Result<Part, redb::Error> {
        let mut part = used.emptied();
        while !part.is_full() && self.next(|row| part.push(row))?.is_some() {}
        Ok(part)
    }
}

pub(super) struct Picked<'i> {
    entries: ReadOnlyTable<u64, &'static [u8]>,
    sums: Option<ReadOnlyTable<u64, u32>>,
    ids: std::slice::Iter<'i, EntryId>,
}

pub(super) fn picked<'i>(transaction: &ReadTransaction, ids: &'i [EntryId]) -> Result<Picked<'i>, redb::Error> {
    Ok(Picked {
        entries: transaction.open_table(ENTRIES)?,
        sums: present(transaction.open_table(SUMS))?,
        ids: ids.iter(),
    })
}

impl Picked<'_> {
    pub(super) fn part(&mut self, used: Part) -> Result<Part, redb::Error> {
        let mut part = used.emptied();
        while !part.is_full()
            && let Some(EntryId(id)) = self.ids.next()
        {
            let bytes = self.entries.get(id)?.ok_or_else(|| missing(*id))?;
            let sum = self.sums.as_ref().map(|sums| sums.get(id)).transpose()?.flatten();
            part.push(&Row {
                id: *id,
                bytes: bytes.value(),
                sum: sum.map(|sum| sum.value()),
            });
        }
        Ok(part)
    }
}

fn missing(id: u64) -> redb::Error {
    redb::Error::Corrupted(format!("entry {id} is missing"))
}

/// Returns the checksum of the metadata. `None` if the last writer was an earlier version without checksums.
pub(super) fn sum_of_meta(transaction: &ReadTransaction) -> Result<Option<u32>, redb::Error> {
    let Some(sums) = present(transaction.open_table(SUMS))? else {
        return Ok(None);
    };
    let newest = transaction.open_table(ENTRIES)?.last()?.map(|(id, _)| id.value());
    if newest.is_some_and(|id| sums.get(id).is_ok_and(|sum| sum.is_none())) {
        return Ok(None);
    }
    Ok(sums.get(OF_META)?.map(|sum| sum.value()))
}
