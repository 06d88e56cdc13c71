//! The rows of a session's log as they are stored, and beside each the checksum of its bytes: what is read is what was written.

use redb::{Range, ReadOnlyTable, ReadTransaction, ReadableTable, TableDefinition};

use super::session_file::present;
use crate::base::id::EntryId;
use crate::domain::entry::Entry;

pub(super) const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");

/// By the number of the entry. Rows that earlier versions wrote have none.
pub(super) const SUMS: TableDefinition<u64, u32> = TableDefinition::new("sums");

/// The place of the description's own checksum; entries count from 1.
pub(super) const OF_META: u64 = 0;

/// The CRC-32 of the bytes and of whose they are, so that no row passes for another.
pub(super) fn sum(id: u64, bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&id.to_le_bytes());
    sum.update(bytes);
    sum.finalize()
}

/// An entry as it is stored.
pub(super) struct Row<'r> {
    pub(super) id: u64,
    pub(super) bytes: &'r [u8],
    pub(super) sum: Option<u32>,
}

impl Row<'_> {
    /// The entry, or what is wrong with it.
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

/// Rows one behind the other. Its memory is used again for the next ones: what one thread allocates and another frees stays with the
/// process for a while, and would be as much as the log.
#[derive(Default)]
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Number, checksum and where the bytes end.
    rows: Vec<(u64, Option<u32>, usize)>,
}

impl Part {
    /// What is read of a log at a time. A log that is not longer is decoded where it is read.
    pub(super) const BYTES: usize = 128 << 10;

    /// One that is not full is the last of its log.
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

    /// Empty again, and of a usual size.
    pub(super) fn emptied(mut self) -> Self {
        self.bytes.clear();
        self.bytes.shrink_to(8 * Self::BYTES);
        self.rows.clear();
        self
    }
}

/// The rows up to an entry, oldest first. A checksum whose entry is gone is an error.
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
    /// The checksum that was not asked for yet.
    next: Option<(u64, u32)>,
}

impl Rows {
    fn advance(&mut self) -> Result<(), redb::Error> {
        let next = self.sums.as_mut().and_then(Iterator::next).transpose()?;
        self.next = next.map(|(id, sum)| (id.value(), sum.value()));
        Ok(())
    }

    /// The checksum beside an entry.
    fn beside(&mut self, id: u64) -> Result<Option<u32>, redb::Error> {
        match self.next {
            Some((next, _)) if next < id => Err(missing(next)),
            Some((next, sum)) if next == id => self.advance().map(|()| Some(sum)),
            _ => Ok(None),
        }
    }

    /// Shows the next row. `None`: there is none.
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

    /// The next rows, in a part that was used before.
    pub(super) fn part(&mut self, used: Part) -> Result<Part, redb::Error> {
        let mut part = used.emptied();
        while !part.is_full() && self.next(|row| part.push(row))?.is_some() {}
        Ok(part)
    }
}

/// Single rows, in the order in which they are asked for. One that is gone is an error.
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

/// The checksum of the description, when it was written with the newest entry: an earlier version writes a description and none.
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
