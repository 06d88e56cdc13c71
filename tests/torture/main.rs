//! The torture suite exposes the real binary to hostile inputs, kills and damaged files. It prints a table with one row
//! for each test.
//!
//! `cargo bench --bench torture` runs all tests. `cargo bench --bench torture -- kills damage` runs the tests whose
//! names contain one of the words. The exit code is 1 if a test exceeds its limit. All data is in temporary folders of
//! this machine.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "../it/damages.rs"]
#[expect(dead_code, reason = "the gate's own count is not used here")]
mod damages;
#[path = "../it/kill.rs"]
#[expect(dead_code, reason = "the gate's own counts are not used here")]
mod kill;
#[path = "../it/noise.rs"]
mod noise;
#[path = "../it/pouring.rs"]
mod pouring;
#[path = "../it/support/mod.rs"]
#[allow(dead_code, reason = "the kit of the tests has more than is needed here")]
mod support;

mod big;
mod children;
mod clock;
mod disk;
mod floods;
mod hostile;
mod hosts;
mod keyboard;
mod kills;
mod writers;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

/// A test. Each has one row in the table.
pub struct Row {
    pub test: &'static str,
    /// The requirement, as the table shows it.
    pub limit: &'static str,
    pub run: fn() -> Measured,
}

pub struct Measured {
    pub figure: String,
    pub holds: bool,
}

fn rows() -> Vec<Row> {
    [
        kills::rows(),
        hosts::rows(),
        writers::rows(),
        kills::damages(),
        clock::rows(),
        disk::rows(),
        big::rows(),
        hostile::rows(),
        keyboard::rows(),
        floods::rows(),
        children::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |row: &Row| words.is_empty() || words.iter().any(|word| row.test.contains(word.as_str()));
    println!("{:<58} {:<44} {:<30} verdict", "test", "figure", "limit");
    let mut all_hold = true;
    for row in rows().into_iter().filter(chosen) {
        let began = Instant::now();
        let measured = catch_unwind(AssertUnwindSafe(row.run)).unwrap_or_else(|_| Measured {
            figure: "it failed, see above".to_owned(),
            holds: false,
        });
        all_hold &= measured.holds;
        let verdict = if measured.holds { "holds" } else { "FAILS" };
        let seconds = began.elapsed().as_secs();
        println!(
            "{:<58} {:<44} {:<30} {verdict} ({seconds} s)",
            row.test, measured.figure, row.limit
        );
    }
    if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub fn peak_of(pid: u32) -> u64 {
    kilobytes(pid, "status", "VmHWM:") / 1_024
}

/// Returns the memory of a process in kilobytes, including its proportional part of shared memory.
pub fn proportional(pid: u32) -> u64 {
    kilobytes(pid, "smaps_rollup", "Pss:")
}

fn kilobytes(pid: u32, file: &str, name: &str) -> u64 {
    let told = std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    kilobytes.unwrap_or_default()
}
