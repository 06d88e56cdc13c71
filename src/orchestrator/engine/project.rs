//! Commands about the whole folder: a scan of its file names, and a review of its changes.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Engine, FolderId, Report};
use crate::input::Happened;
use crate::seat::Seat;
use benchdog_base::id::SeatId;
use benchdog_context::initial::{self, Project, READ};
use benchdog_context::reviewing;
use benchdog_files::beneath::Kind;
use benchdog_files::walker::{Flow, Found, Ignored, shown, walk};
use benchdog_protocol::{Answer, Everyday, Live};
use benchdog_security::workspace::Workspace;
use benchdog_tools::review::{self, Looked};

const MOST_FILES: usize = 20_000;

const MOST_BYTES: u64 = 256 * 1024;

impl Engine {
    pub(super) fn everyday(&mut self, seat: &Seat, wanted: Everyday) {
        let at = (seat.id(), seat.folder());
        match wanted {
            Everyday::LookAtProject => self.look_at_project(at),
            Everyday::ExportPlan { path } => self.export_plan(at, seat.plan(), path),
            Everyday::ListPlans => self.list_plans(at),
            Everyday::OpenPlan { named } => self.open_plan(seat, named),
            Everyday::ProposeCommit => seat.propose_commit(self),
            Everyday::LookAtStaged => seat.look_at_staged(self),
            Everyday::LookAtUnstaged => seat.look_at_unstaged(self),
            Everyday::Review { range } => self.look_at_changes(seat, range),
            Everyday::Diff { of } => self.diff(at, of),
            // Handled by `Seats`.
            Everyday::Watch { .. } | Everyday::Voice(_) => {}
        }
    }

    fn look_at_project(&self, (seat, of): (SeatId, FolderId)) {
        let (workspace, line) = (Arc::clone(&self.at(of).workspace), self.line(seat));
        tokio::task::spawn_blocking(move || {
            let prompt = initial::prompt(&looked_at(&workspace));
            line.tell_blocking(Answer::Initial { prompt });
        });
    }

    fn look_at_changes(&self, seat: &Seat, range: String) {
        let window = seat.model().map(|model| self.window(seat.settings(), &model));
        let (id, room) = (seat.id(), reviewing::room(window.unwrap_or_default()));
        let (workspace, redactor) = (Arc::clone(&self.at(seat.folder()).workspace), seat.redactor(self));
        let (line, reports) = (self.line(id), self.reports());
        tokio::task::spawn_blocking(move || {
            let (review, notices) = match review::look(workspace.root(), range.trim(), room, &redactor) {
                Ok(Some(Looked { review, notices })) => (review, notices),
                Ok(None) => return line.tell_blocking(Answer::NotReviewed(None)),
                Err(why) => return line.tell_blocking(Answer::NotReviewed(Some(why))),
            };
            for notice in notices {
                line.say_blocking(Live::Notice(notice));
            }
            let line = ["review", range.trim()].join(" ").trim_end().to_owned();
            let happened = Happened::Review { line, review };
            let _ = reports.blocking_send(Report::Happened { seat: id, happened });
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
