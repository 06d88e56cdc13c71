//! The list of background jobs, and their output. The user can copy the output and end a job.

use super::lists::copy_text;
use crate::commands::job_to_end;
use crate::dialogs::Dialog;
use crate::dialogs::jobs::JobsDialog;
use crate::op::Op;
use crate::state::State;
use benchdog_domain::job::{Job, JobId};
use benchdog_keys::action::JobsAction;
use benchdog_lang::{self as lang, Word};
use benchdog_protocol::Command;

pub(super) fn slash(state: &mut State, arguments: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    if arguments.is_empty() {
        open(state);
        return Ok(());
    }
    let job = job_to_end(arguments).ok_or_else(|| lang::word(lang::Word::JobWanted).to_owned())?;
    match state.screen.jobs.iter().find(|one| one.id == job) {
        None => Err(lang::message::job_none(&job.to_string())),
        Some(one) if !one.runs() => Err(lang::message::job_over(&job.to_string())),
        Some(_) => {
            end(job, ops);
            Ok(())
        }
    }
}

pub(super) fn open(state: &mut State) {
    state.screen.dialog = Some(Dialog::Jobs(JobsDialog::of(&state.screen.jobs)));
}

fn end(job: JobId, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::EndJob { job }));
}

pub(super) fn act(state: &mut State, action: JobsAction, ops: &mut Vec<Op>) {
    let Some(Dialog::Jobs(shown)) = &mut state.screen.dialog else {
        return;
    };
    match action {
        JobsAction::Close => state.screen.dialog = None,
        JobsAction::Copy => {
            let text = shown
                .text(&state.screen.jobs)
                .filter(|text| !text.is_empty())
                .map(str::to_owned);
            copy_text(state, text, Word::CopiedOutput, ops);
        }
        JobsAction::End => {
            let running = shown.chosen(&state.screen.jobs).filter(|job| job.runs());
            let Some(job) = running.map(|job| job.id) else { return };
            if shown.ends.take() == Some(job) {
                end(job, ops);
            } else {
                shown.ends = Some(job);
            }
        }
    }
}

pub(super) fn stand(state: &mut State, jobs: Vec<Job>) {
    state.screen.conversation.jobs_stand(&jobs);
    state.screen.jobs = jobs;
    if let Some(Dialog::Jobs(shown)) = &mut state.screen.dialog {
        let runs = |id: JobId| state.screen.jobs.iter().any(|job| job.id == id && job.runs());
        shown.ends = shown.ends.filter(|job| runs(*job));
        shown.changed();
    }
}

pub(super) fn wrote(state: &mut State, job: JobId, text: String) {
    if let Some(Dialog::Jobs(shown)) = &mut state.screen.dialog {
        shown.fill(job, text);
    }
}

pub(super) fn asks(state: &mut State) -> Option<Op> {
    let Some(Dialog::Jobs(shown)) = &mut state.screen.dialog else {
        return None;
    };
    let job = shown.ask_once(&state.screen.jobs)?;
    Some(Op::Send(Command::ShowJob { job }))
}

pub(super) fn shows_time(state: &State) -> bool {
    matches!(state.screen.dialog, Some(Dialog::Jobs(_))) && state.screen.jobs.iter().any(Job::runs)
}
