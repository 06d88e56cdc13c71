//! The rows of a session's log as they are stored, and beside each the checksum of its bytes: what is read is what was written.

use redb::{Range, ReadTransaction, ReadableTable, TableDefinition};

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
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) sum: Option<u32>,
}

impl Row {
    /// The entry, or what is wrong with it.
    pub(super) fn entry(&self) -> Result<Entry, String> {
        if self.sum.is_some_and(|written| written != sum(self.id, &self.bytes)) {
            return Err(format!("entry {} is not what was written", self.id));
        }
        Entry::of_json(&self.bytes).map_err(|error| format!("entry {} cannot be read: {error}", self.id))
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

    fn row(&mut self) -> Result<Option<Row>, redb::Error> {
        let Some((id, bytes)) = self.entries.next().transpose()? else {
            return self.next.map_or(Ok(None), |(id, _)| Err(missing(id)));
        };
        Ok(Some(Row {
            id: id.value(),
            bytes: bytes.value().to_vec(),
            sum: self.beside(id.value())?,
        }))
    }
}

impl Iterator for Rows {
    type Item = Result<Row, redb::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.row().transpose()
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
