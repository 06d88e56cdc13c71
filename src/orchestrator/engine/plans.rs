//! Plan files in the workspace: export, list, open.

use std::sync::Arc;

use super::{Engine, FolderId, Report};
use crate::input::Happened;
use crate::seat::Seat;
use benchdog_base::clock::Time;
use benchdog_base::id::SeatId;
use benchdog_domain::plan::NoPlanFile;
use benchdog_protocol::{Answer, PlanFile};
use benchdog_security::workspace::Workspace;

const BEGINS: &str = "plan-";
const ENDS: &str = ".md";

const SLUG: usize = 40;

const MOST_BYTES: u64 = 64 * 1024;

const MOST: usize = 50;

impl Engine {
    pub(super) fn export_plan(&self, (seat, of): (SeatId, FolderId), plan: Option<String>, path: String) {
        let (workspace, line) = (Arc::clone(&self.at(of).workspace), self.line(seat));
        tokio::task::spawn_blocking(move || {
            let Some(mut text) = plan else { return };
            let path = match path.is_empty() {
                true => name_of(&text, Time::now()),
                false => path,
            };
            text.push('\n');
            let written = workspace.resolve(&path).and_then(|found| {
                found.create_new(text.as_bytes(), None)?;
                Ok(found.shown().to_owned())
            });
            line.tell_blocking(Answer::Plan(PlanFile::Exported(
                written.map_err(|error| error.to_string()),
            )));
        });
    }

    pub(super) fn list_plans(&self, (seat, of): (SeatId, FolderId)) {
        let (workspace, line) = (Arc::clone(&self.at(of).workspace), self.line(seat));
        tokio::task::spawn_blocking(move || line.tell_blocking(Answer::Plan(PlanFile::Listed(names(&workspace)))));
    }

    pub(super) fn open_plan(&self, seat: &Seat, named: String) {
        let (workspace, redactor) = (Arc::clone(&self.at(seat.folder()).workspace), seat.redactor(self));
        let (seat, line, reports) = (seat.id(), self.line(seat.id()), self.reports());
        tokio::task::spawn_blocking(move || {
            let read = found(&workspace, named.trim()).and_then(|path| Ok((text_of(&workspace, &path)?, path)));
            match read {
                Ok((text, path)) => {
                    let text = redactor.text(&text).into_owned();
                    let happened = Happened::PlanOpened { path, text };
                    let _ = reports.blocking_send(Report::Happened { seat, happened });
                }
                Err(why) => line.tell_blocking(Answer::Plan(PlanFile::Opened(Err(why)))),
            }
        });
    }
}

/// Returns the names of plan files, sorted by the date in the name, newest first.
fn names(workspace: &Workspace) -> Vec<String> {
    let entries = std::fs::read_dir(workspace.root()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.starts_with(BEGINS) && name.ends_with(ENDS))
        .collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    names.truncate(MOST);
    names
}

/// Finds a plan by path or by a part of its name. For an empty name, finds the newest plan.
fn found(workspace: &Workspace, named: &str) -> Result<String, NoPlanFile> {
    let none = || NoPlanFile::NoSuch {
        named: named.to_owned(),
    };
    let all = names(workspace);
    if named.is_empty() {
        return all.into_iter().next().ok_or_else(none);
    }
    if let Ok(path) = workspace.resolve(named)
        && matches!(path.stat(), Ok(Some(_)))
    {
        return Ok(path.shown().to_owned());
    }
    let part = named.to_lowercase();
    let mut fit: Vec<String> = all
        .into_iter()
        .filter(|name| name.to_lowercase().contains(&part))
        .collect();
    match fit.len() {
        0 | 1 => fit.pop().ok_or_else(none),
        _ => Err(NoPlanFile::Several { names: fit }),
    }
}

fn text_of(workspace: &Workspace, path: &str) -> Result<String, NoPlanFile> {
    let read = workspace.resolve(path).and_then(|found| found.read(MOST_BYTES));
    let bytes = read.map_err(|error| NoPlanFile::Unread {
        said: error.to_string(),
    })?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    match text.is_empty() {
        true => Err(NoPlanFile::Empty { path: path.to_owned() }),
        false => Ok(text),
    }
}

/// Returns the file name of a plan, such as `plan-2026-11-24-mend-the-rounding.md`.
fn name_of(plan: &str, now: Time) -> String {
    let first = plan
        .lines()
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default();
    let mut slug = String::new();
    for letter in first.chars().flat_map(char::to_lowercase) {
        match letter.is_alphanumeric() {
            true => slug.push(letter),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    let slug: String = slug.chars().take(SLUG).collect();
    let day = now.rfc3339();
    let day = day.get(..10).unwrap_or_default();
    format!("{BEGINS}{day}-{}{ENDS}", slug.trim_matches('-')).replace("-.md", ENDS)
}

#[cfg(test)]
mod tests;
