//! Rules of subfolders of the workspace. Each rule file is sent once per session, together with the first file that is
//! read in its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use benchdog_base::id::CallId;
use benchdog_context::rules::{self, Nearer};
use benchdog_domain::entry::Entry;
use benchdog_domain::history::History;
use benchdog_domain::note::Note;
use benchdog_domain::permission::Subject;
use benchdog_domain::tool::{CallStatus, Success, ToolFacts};
use benchdog_tools::Prepared;

pub(in crate::seat) struct Near {
    rules: Arc<Nearer>,
    told: BTreeSet<String>,
    reads: BTreeMap<CallId, String>,
}

impl Near {
    pub(in crate::seat) fn of(rules: Arc<Nearer>, history: &History) -> Self {
        let mut near = Self {
            rules,
            told: BTreeSet::new(),
            reads: BTreeMap::new(),
        };
        history.entries().iter().for_each(|entry| near.logged(entry));
        near
    }

    pub(in crate::seat) fn logged(&mut self, entry: &Entry) {
        let folders = entry.body.notes().iter().filter_map(Note::folder);
        self.told.extend(folders.map(str::to_owned));
    }

    fn notes(&self, path: &str, room: usize) -> Vec<(String, Note)> {
        rules::nearer(&self.rules, path, room, |folder| self.told.contains(folder))
    }
}

impl Seat {
    pub(in crate::seat) fn note_what_is_read(&mut self, call: &CallId, prepared: &Prepared) {
        if ToolFacts::success_of(&self.facts, &prepared.tool) != Success::FileRead {
            return;
        }
        if let Some(Subject::Path { path, .. }) = prepared.subjects.first() {
            self.near.reads.insert(call.clone(), path.clone());
        }
    }

    pub(in crate::seat) fn with_rules(&mut self, engine: &Engine, happened: &mut Happened) {
        let Happened::Finished { call, outcome, .. } = happened else {
            return;
        };
        let Some(path) = self
            .near
            .reads
            .remove(call)
            .filter(|_| outcome.status == CallStatus::Ok)
        else {
            return;
        };
        let notes = self.near.notes(&path, self.result_bytes(engine));
        for (folder, note) in notes {
            // Record the folder now: results are logged in the order of calls, so the note may be logged later.
            self.near.told.insert(folder);
            outcome.notes.push(note);
        }
    }

    pub(in crate::seat) fn rules_for<'p>(&self, engine: &Engine, paths: impl Iterator<Item = &'p str>) -> Vec<Note> {
        let room = self.result_bytes(engine);
        let mut notes: Vec<Note> = Vec::new();
        for (_, note) in paths.flat_map(|path| self.near.notes(path, room)) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}
