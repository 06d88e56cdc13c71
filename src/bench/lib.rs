//! `benchdog bench`: compares models and agents on coding tasks. A run is one attempt of one contender at one task.
//! Each run has a private copy of the task and one result file. There is no queue: to use several machines, a person
//! distributes commands and merges the result files.

mod agent;
mod check;
mod copy;
mod html;
mod own;
mod peer;
mod report;
mod results;
mod runs;
mod task;
mod trouble;

pub use html::{page, status_text};
pub use report::{Row, rows, table};
pub use results::{Contender, Record, Run, Status, UnusableFile, read_all};
pub use runs::{RunContext, RunEnd, perform};
pub use task::{Task, find};
pub use trouble::{RunError, TaskError};

/// Lists the runs of these tasks: all runs of the first contender, then all runs of the next one.
pub fn plan<'t>(
    tasks: &'t [Task],
    contenders: &[Contender],
    attempts: std::ops::RangeInclusive<u32>,
) -> Vec<(&'t Task, Run)> {
    let mut runs = Vec::new();
    for contender in contenders {
        for attempt in attempts.clone() {
            runs.extend(tasks.iter().map(|task| {
                let run = Run {
                    task: task.name.clone(),
                    contender: contender.clone(),
                    attempt,
                };
                (task, run)
            }));
        }
    }
    runs
}
