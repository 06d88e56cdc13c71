//! Commands for stored sessions: list, show, search, export, import, fork, delete, check. They write to the given
//! writer and ask no questions.

pub mod check;
pub mod export;
mod html;
pub mod import;
pub mod search;
mod transcript;

#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use benchdog_base::environment::Folders;
use benchdog_base::id::EntryId;
use benchdog_base::json;
use benchdog_base::text::clean;
use benchdog_domain::history::History;
use benchdog_domain::session::{LeaseHolder, SessionMeta, beneath, tree};
use benchdog_lang::{Word, word};
use benchdog_storage::{Storage, StorageError, trash};
use benchdog_tools::outputs::Outputs;
use benchdog_tools::scratch;
use transcript::write_markdown;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One JSON value on one line.
    Json,
    /// The description on the first line, then one complete entry per line, for import.
    Jsonl,
    Markdown,
}

#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error("the output could not be written: {0}")]
    Output(#[from] io::Error),
    #[error("an entry could not be encoded: {0}")]
    Encoding(#[from] serde_json::Error),
    #[error("`{}` exists", .0.display())]
    Exists(PathBuf),
    #[error("`{}` could not be created: {error}", file.display())]
    Unwritable { file: PathBuf, error: io::Error },
    #[error("the search index could not be used: {0}")]
    Index(io::Error),
    #[error("`{}` could not be read: {error}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    #[error("`{}{}` cannot be imported: {flaw}", file.display(), at_line(*line))]
    Flawed {
        file: PathBuf,
        line: Option<u64>,
        flaw: import::Flaw,
    },
}

fn at_line(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(":{line}"))
}

pub async fn list(storage: &Storage, format: Format, out: &mut dyn Write) -> Result<(), SessionsError> {
    write_list(storage.list().await?, Word::NoSessions, format, out)
}

/// Lists the deleted sessions that can be restored. `data` is Benchdog's data folder.
pub fn list_deleted(data: &Path, format: Format, out: &mut dyn Write) -> Result<(), SessionsError> {
    write_list(trash::list(data), Word::NoDeletedSessions, format, out)
}

fn write_list(all: Vec<SessionMeta>, none: Word, format: Format, out: &mut dyn Write) -> Result<(), SessionsError> {
    match format {
        Format::Json => writeln!(out, "{}", json::line(&json!(all)))?,
        Format::Jsonl => {
            for meta in &all {
                writeln!(out, "{}", json::line(&json!(meta)))?;
            }
        }
        Format::Text | Format::Markdown if all.is_empty() => writeln!(out, "{}", word(none))?,
        Format::Text | Format::Markdown => {
            for (depth, meta) in tree(all) {
                writeln!(
                    out,
                    "{}  {}  {:>5} {}  {}  {}{}",
                    meta.id.short(),
                    meta.updated.minute(),
                    meta.entries,
                    word(Word::Entries),
                    clean(&meta.workspace),
                    beneath(depth),
                    clean(&title(&meta))
                )?;
            }
        }
    }
    Ok(())
}

/// Writes one session. `partial` is its id, or the beginning or end of the id.
pub async fn show(storage: &Storage, partial: &str, format: Format, out: &mut dyn Write) -> Result<(), SessionsError> {
    let id = storage.find_one(partial).await?;
    let (meta, log) = storage.read_session(&id).await?;
    match format {
        // Write the whole log for import, including undone entries.
        Format::Jsonl => {
            writeln!(out, "{}", json::line(&json!({"session": meta})))?;
            for entry in &log {
                writeln!(out, "{}", json::line(&json!(entry.as_ref())))?;
            }
        }
        Format::Json => {
            let history = History::of(log);
            let entries: Vec<_> = history.entries().iter().map(|entry| json!(entry.as_ref())).collect();
            writeln!(out, "{}", json::line(&json!({"session": meta, "entries": entries})))?;
        }
        Format::Text | Format::Markdown => write_markdown(&meta, &History::of(log), out)?,
    }
    Ok(())
}

/// Copies a session up to an entry or to the end, without undone entries. Writes the id of the new session.
pub async fn fork(
    storage: &Storage,
    partial: &str,
    upto: Option<EntryId>,
    out: &mut dyn Write,
) -> Result<(), SessionsError> {
    let fork = storage.fork_of(partial, upto).await?;
    writeln!(out, "{fork}")?;
    Ok(())
}

/// Changes the title of a session. Refuses a session that another process has open, because that process writes the
/// title.
pub async fn rename(
    storage: &Storage,
    partial: &str,
    title: &str,
    holder: LeaseHolder,
    out: &mut dyn Write,
) -> Result<(), SessionsError> {
    let id = storage.find_one(partial).await?;
    storage.retitle(&id, title.to_owned(), holder).await?;
    writeln!(out, "{id}")?;
    Ok(())
}

/// Deletes a session with its subagents, cached outputs and scratch folders. Refuses an open session.
pub async fn delete(
    storage: &Storage,
    folders: &Folders,
    partial: &str,
    out: &mut dyn Write,
) -> Result<(), SessionsError> {
    let id = storage.find_one(partial).await?;
    storage.delete(&id).await?;
    Outputs::of(&folders.cache, &id).forget();
    scratch::forget(&folders.data, &id);
    // Delete the sessions of subagents, too, because no other session refers to them any more.
    let all = storage.list_all().await?;
    let is_child = |meta: &&SessionMeta| meta.parent.as_ref().is_some_and(|parent| parent.session == id);
    for child in all.iter().filter(is_child) {
        storage.delete(&child.id).await?;
        Outputs::of(&folders.cache, &child.id).forget();
        scratch::forget(&folders.data, &child.id);
    }
    writeln!(out, "{} {id}", word(Word::Deleted))?;
    Ok(())
}

fn title(meta: &SessionMeta) -> String {
    if meta.title.is_empty() {
        word(Word::Untitled).to_owned()
    } else {
        meta.title.clone()
    }
}
