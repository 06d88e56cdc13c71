//! The minimum of a durable log entry: one redb transaction with one `fdatasync`.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableDefinition, TableError};

use crate::Failure;

const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");

pub struct Store {
    database: Database,
    next: u64,
}

impl Store {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let database = Database::create(path)?;
        let next = match database.begin_read()?.open_table(ENTRIES) {
            Ok(entries) => entries.len()?,
            Err(TableError::TableDoesNotExist(_)) => 0,
            Err(error) => return Err(error.into()),
        };
        Ok(Self { database, next })
    }

    /// Appends an entry. When this returns, the entry is on the disk: redb's default durability is immediate.
    pub fn append(&mut self, entry: &[u8]) -> Result<(), Failure> {
        let transaction = self.database.begin_write()?;
        transaction.open_table(ENTRIES)?.insert(self.next, entry)?;
        transaction.commit()?;
        self.next += 1;
        Ok(())
    }
}
