//! The threads on which the program waits for many things at once.

use tokio::runtime::{Builder, Runtime};

use crate::error::Trouble;
use crate::headless::exit::Exit;
use crate::lang::Obstacle;

pub(super) fn runtime() -> Result<Runtime, Trouble> {
    built(Builder::new_multi_thread().worker_threads(2))
}

pub(super) fn runtime_of_one_thread() -> Result<Runtime, Trouble> {
    built(&mut Builder::new_current_thread())
}

fn built(builder: &mut Builder) -> Result<Runtime, Trouble> {
    builder.enable_all().build().map_err(|error| {
        Trouble::obstacle(
            Exit::Internal,
            Obstacle::Threads {
                error: &error.to_string(),
            },
        )
    })
}

/// Leaves the threads behind: a search in a huge tree or a lookup whose result nobody needs does not delay the exit.
pub(super) fn stop(runtime: Runtime) {
    runtime.shutdown_background();
}
