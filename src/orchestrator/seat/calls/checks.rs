//! Whether the person has allowed the check after changes, and whether the files that define it have changed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use crate::validation::{self, Allowed, Plan, definition};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId};
use benchdog_config::settings::ValidationSettings;
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::permission::Verdict;
use benchdog_domain::review::Review;
use benchdog_tools::Prepared;

/// Whether the files that define the check are unchanged since the start of the session, or since a later approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::seat) enum Definition {
    Known,
    Changed,
}

pub(in crate::seat) struct Checks {
    resumed: bool,
    /// The files that define the check, with their hashes before the first call. The hash of a missing file is `None`.
    /// The whole value is `None` until the files are hashed.
    known: Option<Known>,
    planned: Option<Plan>,
    allowed: Option<String>,
    judged: Option<Judged>,
}

type Known = BTreeMap<String, Option<BlobId>>;

struct Judged {
    call: CallId,
    command: String,
    definition: Definition,
    files: Known,
}

impl Checks {
    pub(in crate::seat) fn new(history: &History) -> Self {
        Self {
            resumed: !history.entries().is_empty(),
            known: None,
            planned: None,
            allowed: None,
            judged: None,
        }
    }

    /// Adjusts the policy's verdict to the configuration, an earlier approval, and changed defining files.
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

    pub(in crate::seat) fn definition(&self, call: &CallId) -> Definition {
        let judged = self.judged.as_ref().filter(|judged| judged.call == *call);
        judged.map_or(Definition::Known, |judged| judged.definition)
    }

    pub(in crate::seat) fn runs(&mut self, call: &CallId) {
        if let Some(judged) = self.judged.take_if(|judged| judged.call == *call) {
            self.known.get_or_insert_default().extend(judged.files);
            self.allowed = Some(judged.command);
        }
    }
}

fn found(root: &Path, settings: &ValidationSettings) -> Known {
    definition::fingerprint(root, validation::definitions(root, settings.command.as_deref()))
}

/// Returns the files that define the check of a resumed session, in their state at the session's start. This state is
/// derived from the log and from the change times of the files.
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
    // Examine the change times after the log. A tool may have restored a file that a command had changed before.
    let was_there = known.iter_mut().filter(|(_, seen)| seen.is_some());
    for (name, seen) in was_there {
        if definition::changed_since(&root.join(name), created) {
            // Set a hash that matches no content, so that the file is treated as changed.
            *seen = Some(BlobId(String::new()));
        }
    }
    known
}

fn changed_tasks(root: &Path, history: &History) -> impl Iterator<Item = String> {
    let changes = history.entries().iter().filter_map(|entry| match &entry.body {
        Body::Change { path, .. } => Some(path),
        _ => None,
    });
    changes.filter(|path| definition::may_be_task(root, path)).cloned()
}

impl Seat {
    pub(in crate::seat) fn look_at_checks(&mut self, engine: &Engine) {
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

    pub(in crate::seat) fn judge_check(&mut self, engine: &Engine, prepared: &Prepared, judged: Verdict) -> Verdict {
        self.look_at_checks(engine);
        let root = engine.at(self.folder()).root();
        self.checks.judge(root, self.log.history(), prepared, judged)
    }

    pub(in crate::seat) fn plan_check(&mut self, engine: &Engine) -> Happened {
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
