//! The check of one session: what was allowed, and whether the session itself changed what the check does.

use std::collections::BTreeMap;
use std::path::Path;

use super::Seat;
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId};
use crate::config::settings::ValidationSettings;
use crate::domain::entry::Body;
use crate::domain::history::History;
use crate::domain::permission::Verdict;
use crate::domain::review::Review;
use crate::orchestrator::engine::Engine;
use crate::orchestrator::input::Happened;
use crate::orchestrator::validation::{self, Allowed, Plan, definition};
use crate::tools::Prepared;

/// Knows whether the files that define a check are still those the session began with, or those a person has allowed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Definition {
    Known,
    Changed,
}

pub(super) struct Checks {
    /// The session was begun earlier and is taken up again.
    resumed: bool,
    /// The files that say what a check does, as they were before the first call ran; `None` for one that was not there.
    known: Option<Known>,
    /// What may run without a question, by the configuration.
    planned: Option<Plan>,
    /// The person allowed it once, which counts for the session.
    allowed: Option<String>,
    /// The check that was judged last.
    judged: Option<Judged>,
}

type Known = BTreeMap<String, Option<BlobId>>;

struct Judged {
    call: CallId,
    command: String,
    definition: Definition,
    /// Its files as they were when it was judged.
    files: Known,
}

impl Checks {
    pub(super) fn new(history: &History) -> Self {
        Self {
            resumed: !history.entries().is_empty(),
            known: None,
            planned: None,
            allowed: None,
            judged: None,
        }
    }

    /// The verdict on a check, as the configuration, an earlier answer, and what happened to its definition change it.
    fn judge(&mut self, root: &Path, history: &History, prepared: &Prepared, judged: Verdict) -> Verdict {
        let Review::Command(review) = &*prepared.review else {
            return judged;
        };
        let command = review.command.clone();
        let mut files = definition::files(root, &command);
        if definition::runs_tasks(root, &command) {
            files.extend(changed_tasks(root, history));
        }
        let files = definition::fingerprint(root, files);
        let known = self.known.get_or_insert_default();
        let changed = files
            .iter()
            .find(|(name, now)| known.get(*name).unwrap_or(&None) != *now)
            .map(|(name, _)| name.clone());
        let allowed = match &changed {
            Some(file) => Allowed::NotAnyMore(file.clone()),
            None if self.allowed.as_ref() == Some(&command) => Allowed::BySession,
            None => self.planned.take().map_or(Allowed::No, |plan| plan.allowed),
        };
        self.judged = Some(Judged {
            call: prepared.call.clone(),
            command: command.clone(),
            definition: if changed.is_some() {
                Definition::Changed
            } else {
                Definition::Known
            },
            files,
        });
        validation::verdict(judged, &allowed, &command)
    }

    /// Whether a call is a check whose definition this session changed.
    pub(super) fn definition(&self, call: &CallId) -> Definition {
        let judged = self.judged.as_ref().filter(|judged| judged.call == *call);
        judged.map_or(Definition::Known, |judged| judged.definition)
    }

    /// A check was allowed and runs now: what it does is known from here on.
    pub(super) fn runs(&mut self, call: &CallId) {
        if let Some(judged) = self.judged.take_if(|judged| judged.call == *call) {
            self.known.get_or_insert_default().extend(judged.files);
            self.allowed = Some(judged.command);
        }
    }
}

/// The files that say what a check does, as they are.
fn found(root: &Path, settings: &ValidationSettings) -> Known {
    definition::fingerprint(root, validation::definitions(root, settings.command.as_deref()))
}

/// The same in a session that is resumed: every change since the session was made counts, whoever made it. The log tells what
/// tools wrote, and the file system when a file last changed.
fn found_again(root: &Path, settings: &ValidationSettings, history: &History, created: Time) -> Known {
    let mut known = found(root, settings);
    let mut met = Vec::new();
    for entry in history.entries() {
        if let Body::Change { path, before, .. } = &entry.body
            && let Some(first) = known.get_mut(path)
            && !met.contains(&path)
        {
            met.push(path);
            first.clone_from(before);
        }
    }
    // After the log: a tool may have put back what a command had written.
    let was_there = known.iter_mut().filter(|(_, seen)| seen.is_some());
    for (name, seen) in was_there {
        if definition::changed_since(&root.join(name), created) {
            // No file has this hash, so whatever lies there counts as changed.
            *seen = Some(BlobId(String::new()));
        }
    }
    known
}

/// The scripts and parts of build files that tools of this session wrote, wherever they lie.
fn changed_tasks(root: &Path, history: &History) -> impl Iterator<Item = String> {
    let changes = history.entries().iter().filter_map(|entry| match &entry.body {
        Body::Change { path, .. } => Some(path),
        _ => None,
    });
    changes.filter(|path| definition::may_be_task(root, path)).cloned()
}

impl Seat {
    /// Before the first call runs, which may change them: looks at the files that say what a check does.
    pub(super) fn look_at_checks(&mut self, engine: &Engine) {
        if self.checks.known.is_none() {
            let root = engine.at(self.folder()).root();
            let settings = &self.settings.validation;
            self.checks.known = Some(if self.checks.resumed {
                found_again(root, settings, self.log.history(), self.session.created)
            } else {
                found(root, settings)
            });
        }
    }

    /// The policy's verdict on a check, as the session changes it.
    pub(super) fn judge_check(&mut self, engine: &Engine, prepared: &Prepared, judged: Verdict) -> Verdict {
        self.look_at_checks(engine);
        let root = engine.at(self.folder()).root();
        self.checks.judge(root, self.log.history(), prepared, judged)
    }

    /// Finds the check that proves the changes.
    pub(super) fn plan_check(&mut self, engine: &Engine) -> Happened {
        match validation::plan(&self.settings.validation, engine.at(self.folder()).root()) {
            Some(plan) => {
                let command = plan.command.clone();
                self.checks.planned = Some(plan);
                Happened::CheckPlanned { command }
            }
            None => Happened::CheckSkipped,
        }
    }
}
