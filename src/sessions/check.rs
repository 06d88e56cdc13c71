//! `sessions check`: one line per session. Under a damaged session, it lists the damage and the entries that were
//! saved.

use std::io::Write;
use std::path::Path;

use super::SessionsError;
use benchdog_base::id::SessionId;
use benchdog_base::text::clean;
use benchdog_domain::damage::Checked;
use benchdog_domain::session::SessionMeta;
use benchdog_lang as lang;
use benchdog_storage::check::{self, Repair};
use benchdog_storage::{Similar, Storage, StorageError};

/// The maximum number of problems listed per session.
const TOLD: usize = 20;

/// Checks the session with the partial id `partial`, or all sessions. Returns whether no session is damaged.
pub async fn check(
    storage: &Storage,
    data: &Path,
    partial: Option<&str>,
    repair: Repair,
    out: &mut dyn Write,
) -> Result<bool, SessionsError> {
    let listed = storage.list_all().await?;
    let ids = wanted(check::stored(data)?, &listed, partial)?;
    let mut sound = true;
    for id in ids {
        let row = listed.iter().find(|meta| meta.id == id);
        match check::check(data, &id, row, repair) {
            Ok(checked) => {
                sound &= checked.flaws.is_empty();
                tell(&checked, out)?;
            }
            // A session that another process has open is not damaged.
            Err(error @ StorageError::Held { .. }) => {
                writeln!(
                    out,
                    "{}",
                    lang::message::session_unchecked(&id.0, &clean(&error.to_string()))
                )?;
            }
            Err(error) => {
                sound = false;
                writeln!(
                    out,
                    "{}",
                    lang::message::session_unchecked(&id.0, &clean(&error.to_string()))
                )?;
            }
        }
    }
    Ok(sound)
}

/// Returns the only stored id that matches `partial`. Without `partial`, returns all stored ids. A damaged session may
/// be missing in `listed`.
fn wanted(
    stored: Vec<SessionId>,
    listed: &[SessionMeta],
    partial: Option<&str>,
) -> Result<Vec<SessionId>, StorageError> {
    let Some(partial) = partial.map(str::to_ascii_lowercase) else {
        return Ok(stored);
    };
    let mut found = stored;
    found.retain(|id| id.is_meant_by(&partial));
    match found.as_slice() {
        [_] => Ok(found),
        [] => Err(StorageError::NotFound(SessionId(partial))),
        several => {
            let known = listed.iter().filter(|meta| several.contains(&meta.id)).cloned();
            let unknown = several.iter().filter(|id| listed.iter().all(|meta| meta.id != **id));
            let unknown = unknown.map(|id| Similar {
                id: id.clone(),
                known: None,
            });
            Err(StorageError::Several {
                found: known.map(Similar::from).chain(unknown).collect(),
                partial,
            })
        }
    }
}

fn tell(checked: &Checked, out: &mut dyn Write) -> Result<(), SessionsError> {
    writeln!(out, "{}", lang::session_checked(checked))?;
    for flaw in checked.flaws.iter().take(TOLD) {
        writeln!(out, "  {}", clean(&lang::flaw(flaw)))?;
    }
    if let Some(more) = checked.flaws.len().checked_sub(TOLD).filter(|more| *more > 0) {
        writeln!(out, "  {}", lang::more_flaws(more))?;
    }
    if let Some(saved) = &checked.saved {
        writeln!(out, "  {}", lang::session_saved(saved, checked.read))?;
    }
    Ok(())
}
