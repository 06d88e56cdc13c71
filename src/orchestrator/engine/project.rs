//! What a person asks about the folder as a whole: a look at its names, and the plan as a file in it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Engine, FolderId};
use crate::base::clock::Time;
use crate::base::id::SeatId;
use crate::context::initial::{self, Project, READ};
use crate::files::beneath::Kind;
use crate::files::walker::{Flow, Found, Ignored, shown, walk};
use crate::orchestrator::seat::Seat;
use crate::protocol::{Answer, Everyday};
use crate::security::workspace::Workspace;

/// Names that are looked at.
const MOST_FILES: usize = 20_000;

/// The largest file whose targets are read.
const MOST_BYTES: u64 = 256 * 1024;

/// Letters of the name of a plan.
const SLUG: usize = 40;

impl Engine {
    /// What one asks of a folder under git every day.
    pub(super) fn everyday(&mut self, seat: &Seat, wanted: Everyday) {
        let at = (seat.id(), seat.folder());
        match wanted {
            Everyday::LookAtProject => self.look_at_project(at),
            Everyday::ExportPlan { path } => self.export_plan(at, seat.plan(), path),
            Everyday::ProposeCommit => seat.propose_commit(self),
            Everyday::Diff { of } => self.diff(at, of),
        }
    }

    /// Finds out how the project is built, by its names.
    fn look_at_project(&self, (seat, of): (SeatId, FolderId)) {
        let (workspace, line) = (Arc::clone(&self.at(of).workspace), self.line(seat));
        tokio::task::spawn_blocking(move || {
            let prompt = initial::prompt(&looked_at(&workspace));
            line.tell_blocking(Answer::Initial { prompt });
        });
    }

    /// Writes the plan where no file is yet.
    fn export_plan(&self, (seat, of): (SeatId, FolderId), plan: Option<String>, path: String) {
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
            line.tell_blocking(Answer::PlanExported(written.map_err(|error| error.to_string())));
        });
    }
}

fn looked_at(workspace: &Workspace) -> Project {
    let files = Mutex::new(Vec::new());
    let known = &files;
    walk(workspace.root(), Ignored::Skipped, || {
        move |found: Found| {
            let mut files = known.lock().unwrap_or_else(PoisonError::into_inner);
            if found.kind == Kind::File {
                files.push(shown(&found.path));
            }
            match files.len() > MOST_FILES {
                true => Flow::Stop,
                false => Flow::On,
            }
        }
    });
    let mut files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
    let more = files.len() > MOST_FILES;
    files.truncate(MOST_FILES);
    files.sort();
    let text = |name: &'static str| {
        let bytes = workspace.resolve(name).and_then(|found| found.read(MOST_BYTES)).ok()?;
        Some((name, String::from_utf8_lossy(&bytes).into_owned()))
    };
    let there = READ
        .iter()
        .filter(|name| Path::new(workspace.root()).join(name).is_file());
    let texts = there.filter_map(|name| text(name)).collect();
    Project { files, more, texts }
}

/// `plan-2026-11-24-mend-the-rounding.md`.
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
    format!("plan-{day}-{}.md", slug.trim_matches('-')).replace("-.md", ".md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_named_by_its_day_and_its_first_words() {
        let at = Time(1_700_000_000_000);
        assert_eq!(
            name_of("# Plan: mend the *rounding*!\n1. x", at),
            "plan-2023-11-14-plan-mend-the-rounding.md"
        );
        assert_eq!(name_of("購物車の計画", at), "plan-2023-11-14-購物車の計画.md");
        assert_eq!(name_of("---\n", at), "plan-2023-11-14.md");
        assert!(name_of(&"word ".repeat(100), at).len() < 70);
        assert!(!name_of("../../etc/passwd", at).contains('/'));
    }
}
