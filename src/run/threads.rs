//! Async runtimes and their threads.

use std::io;

use rustix::io::Errno;
use tokio::runtime::{Builder, Runtime};

use crate::error::Trouble;
use benchdog_base::panics;
use benchdog_headless::exit::Exit;
use benchdog_lang::Obstacle;

pub(super) fn runtime() -> Result<Runtime, Trouble> {
    built(Builder::new_multi_thread().worker_threads(2))
}

pub(super) fn runtime_of_one_thread() -> Result<Runtime, Trouble> {
    built(&mut Builder::new_current_thread())
}

fn built(builder: &mut Builder) -> Result<Runtime, Trouble> {
    // If the system refuses to start a thread, the builder panics instead of returning an error.
    let built = panics::caught(|| builder.enable_all().build());
    let built = built.unwrap_or_else(|| Err(Errno::AGAIN.into()));
    built.map_err(|error| refused(&error))
}

pub(super) fn refused(error: &io::Error) -> Trouble {
    Trouble::obstacle(
        Exit::Internal,
        Obstacle::Threads {
            error: &error.to_string(),
        },
    )
}

/// Stops a runtime without waiting for blocking threads, so that an unfinished search or lookup does not delay the
/// exit.
pub(super) fn stop(runtime: Runtime) {
    runtime.shutdown_background();
}

#[cfg(test)]
mod tests;
