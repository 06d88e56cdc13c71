//! Background jobs in the log and in notes to the model. The next request tells the model about jobs that have ended.

use std::collections::BTreeMap;

use super::Machine;
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::job::{JobEnd, JobId, JobName};
use benchdog_domain::notice::Notice;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::AppliedChange;

impl Machine {
    pub(super) fn on_job_ended(&mut self, end: JobEnd) {
        let JobEnd { name, how, untold } = end;
        if let Some(text) = untold {
            self.note_next(format!("The command in the background {name} has ended:\n{text}"));
        }
        let JobName { job, title } = name;
        self.jobs.insert(job, None);
        self.notice(Notice::JobEnded { job, title, how });
    }

    pub(super) fn note_begun(&mut self, summary: &Summary, title: &str) {
        if let Summary::Background { job } = summary {
            // The job may have ended before its call did.
            self.jobs.entry(*job).or_insert_with(|| Some(title.to_owned()));
        }
    }

    pub(super) fn standing_jobs(&self) -> Option<String> {
        let runs = self.jobs.iter().filter_map(|(job, title)| {
            let (job, title) = (*job, title.clone()?);
            Some(JobName { job, title }.to_string())
        });
        let names: Vec<String> = runs.collect();
        (!names.is_empty()).then(|| format!("These commands run in the background: {}.", names.join(", ")))
    }

    pub(super) fn on_jobs_ended(&mut self, jobs: Vec<JobName>) {
        self.jobs.clear();
        self.notice(Notice::JobsEnded { jobs });
    }

    /// Logs the changes of a job as a separate undo step, because other calls may have made changes in the meantime.
    pub(super) fn on_job_changed(&mut self, job: JobId, changes: Vec<AppliedChange>) {
        let call = self.fresh_call_id();
        self.log_changes_of(self.last_turn, &call, changes, Some(job));
    }

    /// Logs the jobs of an earlier run as ended. Adds a note about all ended jobs that no earlier note mentioned.
    pub(super) fn end_jobs_of_earlier_run(&mut self, history: &History) {
        let mut ended = untold(history);
        let lost = running(history);
        if !lost.is_empty() {
            ended.extend(lost.iter().cloned());
            self.on_jobs_ended(lost);
        }
        if !ended.is_empty() {
            let names: Vec<String> = ended.iter().map(JobName::to_string).collect();
            self.pending_notes.push(
                format!(
                    "These commands in the background do not run any more; they ended before or with the last run of this session: {}. \
                     Start again what is needed.",
                    names.join(", ")
                )
                .into(),
            );
        }
    }

    fn note_next(&mut self, text: String) {
        let begun = self.turn.as_mut().filter(|turn| turn.id == self.last_turn);
        match begun {
            Some(turn) => turn.notes.push(text.into()),
            None => self.pending_notes.push(text.into()),
        }
    }
}

fn running(history: &History) -> Vec<JobName> {
    let mut running: BTreeMap<JobId, JobName> = BTreeMap::new();
    for entry in history.entries() {
        match &entry.body {
            Body::ToolResult {
                title,
                summary: Summary::Background { job },
                ..
            } => {
                let title = title.clone();
                running.insert(*job, JobName { job: *job, title });
            }
            Body::Notice(Notice::JobEnded { job, .. }) => drop(running.remove(job)),
            Body::Notice(Notice::JobsEnded { jobs }) => jobs.iter().for_each(|name| drop(running.remove(&name.job))),
            _ => {}
        }
    }
    running.into_values().collect()
}

fn untold(history: &History) -> Vec<JobName> {
    let newest = history.entries().iter().rev().map(|entry| &entry.body);
    let unread = newest.take_while(|body| !matches!(body, Body::User { .. } | Body::ToolResult { .. }));
    let mut ended: Vec<JobName> = unread
        .flat_map(|body| match body {
            Body::Notice(Notice::JobEnded { job, title, .. }) => vec![JobName {
                job: *job,
                title: title.clone(),
            }],
            Body::Notice(Notice::JobsEnded { jobs }) => jobs.clone(),
            _ => Vec::new(),
        })
        .collect();
    ended.sort_by_key(|name| name.job);
    ended
}

pub(crate) fn last_job(history: &History) -> u32 {
    let numbers = history.entries().iter().map(|entry| match &entry.body {
        Body::ToolResult {
            summary: Summary::Background { job },
            ..
        }
        | Body::Notice(Notice::JobEnded { job, .. }) => job.0,
        Body::Notice(Notice::JobsEnded { jobs }) => jobs.iter().map(|name| name.job.0).max().unwrap_or(0),
        _ => 0,
    });
    numbers.max().unwrap_or(0)
}
