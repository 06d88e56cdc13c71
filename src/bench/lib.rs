//! `benchdog bench`: models and agents compared on coding tasks. A run is a task, a contender and an attempt. It has a private
//! copy of the task, and one result file. There is no queue: machines share the list of commands and merge the result files.

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

pub use html::{page, status_word};
pub use report::{Row, rows, table};
pub use results::{Contender, Record, Run, Status, UnusableFile, read_all};
pub use runs::{RunContext, RunEnd, perform};
pub use task::{Task, find};
pub use trouble::{RunError, TaskError};

/// Lists the runs of some tasks: all of the first contender, then all of the next one.
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
