//! Words of what goes on beside the turn: commands in the background, and prompts that are sent again and again.

use super::{count, say};
use crate::domain::summary::duration;

/// In the bottom row.
pub(crate) fn jobs_running(all: usize) -> String {
    count("jobs-running", all, &[])
}

pub(crate) fn job_runs(ms: u64) -> String {
    say("job-runs", &[("took", &duration(ms))])
}

/// What the key that ends one does when it is pressed once more.
pub(crate) fn job_ends(key: &str, job: &str) -> String {
    say("job-ends", &[("key", key), ("job", job)])
}

pub(crate) fn jobs_keys(end: &str, copy: &str) -> String {
    say("jobs-keys", &[("end", end), ("copy", copy)])
}

pub(crate) fn job_wanted() -> String {
    say("job-wanted", &[])
}

/// Nothing in the background has this ID.
pub(crate) fn no_job(job: &str) -> String {
    say("job-none", &[("job", job)])
}

pub(crate) fn job_is_over(job: &str) -> String {
    say("job-over", &[("job", job)])
}

/// In the bottom row.
pub(crate) fn loops_going(all: usize) -> String {
    count("loops-going", all, &[])
}

pub(crate) fn loop_begun(number: u32, every: &str) -> String {
    say("loop-begun", &[("number", &number.to_string()), ("every", every)])
}

pub(crate) fn loop_stopped(number: u32) -> String {
    of_loop("loop-stopped", number)
}

/// Its turn did not go well.
pub(crate) fn loop_failed(number: u32) -> String {
    of_loop("loop-failed", number)
}

pub(crate) fn no_loop(number: u32) -> String {
    of_loop("loop-unknown", number)
}

pub(crate) fn loops_stopped(all: usize) -> String {
    count("loops-stopped", all, &[])
}

/// How often one is sent, in how many seconds the next time, and how often it was skipped.
pub(crate) fn loop_stands(every: &str, seconds: u64, skipped: u32) -> String {
    let next = duration(seconds.saturating_mul(1_000));
    let next = say("loop-stands", &[("every", every), ("next", &next)]);
    match skipped {
        0 => next,
        _ => say(
            "loop-skipped-times",
            &[("stands", &next), ("times", &skipped.to_string())],
        ),
    }
}

fn of_loop(id: &str, number: u32) -> String {
    say(id, &[("number", &number.to_string())])
}
