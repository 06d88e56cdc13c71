//! Messages about background jobs and loops.

use super::message;
use benchdog_domain::summary::duration;

pub fn job_runs(ms: u64) -> String {
    message::job_runs(&duration(ms))
}

pub fn loop_begun(number: u32, every: &str) -> String {
    message::loop_begun(every, &number.to_string())
}

pub fn loop_stopped(number: u32) -> String {
    loop_text(message::loop_stopped, number)
}

pub fn loop_failed(number: u32) -> String {
    loop_text(message::loop_failed, number)
}

pub fn no_loop(number: u32) -> String {
    loop_text(message::loop_unknown, number)
}

/// Describes a loop: its interval, the seconds until the next run, and the number of skipped runs.
pub fn loop_stands(every: &str, seconds: u64, skipped: u32) -> String {
    let next = duration(seconds.saturating_mul(1_000));
    let next = message::loop_stands(every, &next);
    match skipped {
        0 => next,
        _ => message::loop_skipped_times(&next, &skipped.to_string()),
    }
}

fn loop_text(said: fn(&str) -> String, number: u32) -> String {
    said(&number.to_string())
}
