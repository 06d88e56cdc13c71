//! Tables of `index.redb`: sessions, prompt history, drafts, trust, "Always allow" rules. Most data can be rebuilt from
//! session files.

use std::path::Path;

use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::session_file::present;
use benchdog_base::clock::Time;
use benchdog_base::id::SessionId;
use benchdog_domain::permission::Scope;
use benchdog_domain::session::SessionMeta;

const SESSIONS: TableDefinition<&str, &[u8]> = TableDefinition::new("sessions");
/// Order in which sessions were last written, as numbers that do not depend on the clock.
const USED: TableDefinition<&str, u64> = TableDefinition::new("used");
/// The session that was last written in each folder.
const LATEST: TableDefinition<&str, &str> = TableDefinition::new("latest");
const HISTORY: TableDefinition<u64, &str> = TableDefinition::new("history");
const DRAFTS: TableDefinition<&str, &str> = TableDefinition::new("drafts");
const WRITTEN: TableDefinition<&str, i64> = TableDefinition::new("drafts_written");
const TRUST: TableDefinition<&str, &[u8]> = TableDefinition::new("trust");
const VIEWS: TableDefinition<&str, &str> = TableDefinition::new("views");
const GRANTS: TableDefinition<&str, &[u8]> = TableDefinition::new("grants");

/// Key in `USED` under which the highest number is stored. No session has an empty id.
const NEWEST: &str = "";

pub(super) const HISTORY_LIMIT: u64 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustAnswer {
    pub trusted: bool,
    /// SHA-256 of the files that the person trusted. After a change, the person must decide again.
    pub hash: String,
}

/// A change of the index. Applying it twice gives the same result, so a failed write can be retried.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Row(Box<SessionMeta>),
    /// A session file without an index row, with its position in the list.
    Found {
        meta: Box<SessionMeta>,
        used: u64,
    },
    Forget(SessionId),
    Prompt(String),
    Draft {
        workspace: String,
        text: String,
        at: Time,
    },
    View {
        name: &'static str,
        value: &'static str,
    },
    Trust {
        workspace: String,
        answer: TrustAnswer,
    },
    Grant {
        workspace: String,
        scope: Scope,
    },
    Revoke {
        workspace: String,
        scope: Scope,
    },
}

/// Applies changes in order, with one open table at a time. If redb panics on a damaged table, closing a second open
/// table would panic again and abort the process.
pub(super) fn apply(transaction: &WriteTransaction, changes: &[Change]) -> Result<(), redb::Error> {
    let sessions = || transaction.open_table(SESSIONS);
    let used = || transaction.open_table(USED);
    let trust = || transaction.open_table(TRUST);
    let grants = || transaction.open_table(GRANTS);
    for change in changes {
        match change {
            Change::Row(meta) => {
                if has_grown(&sessions()?, meta)? {
                    let next = used()?.get(NEWEST)?.map_or(0, |newest| newest.value()) + 1;
                    used()?.insert(NEWEST, next)?;
                    used()?.insert(meta.id.0.as_str(), next)?;
                    if meta.parent.is_none() {
                        let mut latest = transaction.open_table(LATEST)?;
                        latest.insert(meta.workspace.as_str(), meta.id.0.as_str())?;
                    }
                }
                sessions()?.insert(meta.id.0.as_str(), json(meta)?.as_slice())?;
            }
            Change::Found { meta, used: place } => {
                sessions()?.insert(meta.id.0.as_str(), json(meta)?.as_slice())?;
                used()?.insert(meta.id.0.as_str(), place)?;
            }
            Change::Forget(id) => {
                sessions()?.remove(id.0.as_str())?;
                used()?.remove(id.0.as_str())?;
            }
            Change::Prompt(text) => remember(&mut transaction.open_table(HISTORY)?, text)?,
            Change::Draft { workspace, text, at } => keep_draft(transaction, workspace, text, *at)?,
            Change::View { name, value } => {
                transaction.open_table(VIEWS)?.insert(*name, *value)?;
            }
            Change::Trust { workspace, answer } => {
                trust()?.insert(workspace.as_str(), json(answer)?.as_slice())?;
            }
            Change::Grant { workspace, scope } => {
                let mut scopes = granted(&grants()?, workspace)?;
                if !scopes.contains(scope) {
                    scopes.push(scope.clone());
                }
                grants()?.insert(workspace.as_str(), json(&scopes)?.as_slice())?;
            }
            Change::Revoke { workspace, scope } => {
                let mut scopes = granted(&grants()?, workspace)?;
                scopes.retain(|held| held != scope);
                grants()?.insert(workspace.as_str(), json(&scopes)?.as_slice())?;
            }
        }
    }
    Ok(())
}

fn keep_draft(transaction: &WriteTransaction, workspace: &str, text: &str, at: Time) -> Result<(), redb::Error> {
    let drafts = || transaction.open_table(DRAFTS);
    let written = || transaction.open_table(WRITTEN);
    if text.is_empty() {
        drafts()?.remove(workspace)?;
        written()?.remove(workspace)?;
    } else {
        drafts()?.insert(workspace, text)?;
        written()?.insert(workspace, at.0)?;
    }
    Ok(())
}

fn has_grown(
    sessions: &impl ReadableTable<&'static str, &'static [u8]>,
    meta: &SessionMeta,
) -> Result<bool, redb::Error> {
    let row = sessions.get(meta.id.0.as_str())?;
    let known = row.and_then(|row| serde_json::from_slice::<SessionMeta>(row.value()).ok());
    Ok(known.is_none_or(|known| known.entries < meta.entries))
}

fn remember(history: &mut redb::Table<'_, u64, &'static str>, text: &str) -> Result<(), redb::Error> {
    let newest = history.last()?.map(|(id, prompt)| (id.value(), prompt.value() == text));
    let next = match newest {
        Some((_, true)) => return Ok(()),
        Some((id, false)) => id + 1,
        None => 1,
    };
    history.insert(next, text)?;
    while history.len()? > HISTORY_LIMIT {
        history.pop_first()?;
    }
    Ok(())
}

/// A session and its position in the list. Rows of earlier versions have position 0.
pub(super) struct Row {
    pub(super) used: u64,
    pub(super) meta: SessionMeta,
}

impl Row {
    pub(super) fn order(&self) -> (u64, Time, &SessionId) {
        (self.used, self.meta.updated, &self.meta.id)
    }
}

pub(super) fn rows(transaction: &ReadTransaction) -> Result<Vec<Row>, redb::Error> {
    let Some(table) = present(transaction.open_table(SESSIONS))? else {
        return Ok(Vec::new());
    };
    let order = present(transaction.open_table(USED))?;
    let mut order = order
        .as_ref()
        .map(|order| order.iter())
        .transpose()?
        .into_iter()
        .flatten();
    let mut next = order.next().transpose()?;
    let mut rows = Vec::new();
    for row in table.iter()? {
        let (id, value) = row?;
        // Both tables are sorted by id.
        while next.as_ref().is_some_and(|(used, _)| used.value() < id.value()) {
            next = order.next().transpose()?;
        }
        let used = next.as_ref().filter(|(used, _)| used.value() == id.value());
        let used = used.map_or(0, |(_, used)| used.value());
        // Ignore a row of another format version. The session file is read instead.
        if let Ok(meta) = serde_json::from_slice(value.value()) {
            rows.push(Row { used, meta });
        }
    }
    Ok(rows)
}

/// Returns the session that was last written in a folder. `None` if this session is deleted.
pub(super) fn latest(transaction: &ReadTransaction, workspace: &str) -> Result<Option<SessionMeta>, redb::Error> {
    let (latest, sessions) = (transaction.open_table(LATEST), transaction.open_table(SESSIONS));
    let (Some(latest), Some(sessions)) = (present(latest)?, present(sessions)?) else {
        return Ok(None);
    };
    let Some(id) = latest.get(workspace)? else {
        return Ok(None);
    };
    let row = sessions.get(id.value())?;
    Ok(row.and_then(|row| serde_json::from_slice(row.value()).ok()))
}

pub(super) fn history(transaction: &ReadTransaction, limit: usize) -> Result<Vec<String>, redb::Error> {
    let Some(table) = present(transaction.open_table(HISTORY))? else {
        return Ok(Vec::new());
    };
    let mut prompts = Vec::new();
    for row in table.iter()?.rev().take(limit) {
        prompts.push(row?.1.value().to_owned());
    }
    prompts.reverse();
    Ok(prompts)
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Draft {
    pub text: String,
    /// Time of the last change. `None` for drafts of earlier versions.
    pub written: Option<Time>,
}

pub(super) fn draft(transaction: &ReadTransaction, workspace: &str) -> Result<Draft, redb::Error> {
    let mut draft = Draft::default();
    if let Some(table) = present(transaction.open_table(DRAFTS))?
        && let Some(text) = table.get(workspace)?
    {
        text.value().clone_into(&mut draft.text);
    }
    if let Some(table) = present(transaction.open_table(WRITTEN))? {
        draft.written = table.get(workspace)?.map(|at| Time(at.value()));
    }
    Ok(draft)
}

pub(super) fn view(transaction: &ReadTransaction, name: &str) -> Result<String, redb::Error> {
    const LONGEST: usize = 64;
    let Some(table) = present(transaction.open_table(VIEWS))? else {
        return Ok(String::new());
    };
    let value = table.get(name)?;
    let value = value.map(|value| value.value().chars().take(LONGEST).collect::<String>());
    Ok(value.unwrap_or_default())
}

pub(super) fn drafts_of(transaction: &ReadTransaction, beginning: &str) -> Result<Vec<(String, String)>, redb::Error> {
    let Some(table) = present(transaction.open_table(DRAFTS))? else {
        return Ok(Vec::new());
    };
    let mut drafts = Vec::new();
    for row in table.range(beginning..)? {
        let (name, text) = row?;
        if !name.value().starts_with(beginning) {
            break;
        }
        drafts.push((name.value().to_owned(), text.value().to_owned()));
    }
    Ok(drafts)
}

pub(super) fn trust(transaction: &ReadTransaction, workspace: &str) -> Result<Option<TrustAnswer>, redb::Error> {
    let Some(table) = present(transaction.open_table(TRUST))? else {
        return Ok(None);
    };
    // Ignore an unreadable trust decision. The person must then decide again.
    Ok(table
        .get(workspace)?
        .and_then(|value| serde_json::from_slice(value.value()).ok()))
}

pub(super) fn grants(transaction: &ReadTransaction, workspace: &str) -> Result<Vec<Scope>, redb::Error> {
    match present(transaction.open_table(GRANTS))? {
        Some(table) => granted(&table, workspace),
        None => Ok(Vec::new()),
    }
}

/// Parses the stored "Always allow" rules. Drops unreadable rules, so the person is asked for approval again.
fn granted(
    table: &impl ReadableTable<&'static str, &'static [u8]>,
    workspace: &str,
) -> Result<Vec<Scope>, redb::Error> {
    let held = table.get(workspace)?;
    Ok(held
        .and_then(|value| serde_json::from_slice(value.value()).ok())
        .unwrap_or_default())
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, redb::Error> {
    serde_json::to_vec(value).map_err(|error| redb::Error::Io(error.into()))
}

pub(super) fn missing(path: &Path) -> bool {
    !path.exists()
}
