//! Messages about background jobs and loops.

use super::{count, say};
use benchdog_domain::summary::duration;

pub fn jobs_running(all: usize) -> String {
    count("jobs-running", all, &[])
}

pub fn job_runs(ms: u64) -> String {
    say("job-runs", &[("took", &duration(ms))])
}

pub fn job_ends(key: &str, job: &str) -> String {
    say("job-ends", &[("key", key), ("job", job)])
}

pub fn jobs_keys(end: &str, copy: &str) -> String {
    say("jobs-keys", &[("end", end), ("copy", copy)])
}

pub fn job_wanted() -> String {
    say("job-wanted", &[])
}

pub fn no_job(job: &str) -> String {
    say("job-none", &[("job", job)])
}

pub fn job_is_over(job: &str) -> String {
    say("job-over", &[("job", job)])
}

pub fn loops_going(all: usize) -> String {
    count("loops-going", all, &[])
}

pub fn loop_begun(number: u32, every: &str) -> String {
    say("loop-begun", &[("number", &number.to_string()), ("every", every)])
}

pub fn loop_stopped(number: u32) -> String {
    of_loop("loop-stopped", number)
}

pub fn loop_failed(number: u32) -> String {
    of_loop("loop-failed", number)
}

pub fn no_loop(number: u32) -> String {
    of_loop("loop-unknown", number)
}

pub fn loops_stopped(all: usize) -> String {
    count("loops-stopped", all, &[])
}

/// The interval, the seconds until the next run, and the number of skipped runs.
pub fn loop_stands(every: &str, seconds: u64, skipped: u32) -> String {
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
