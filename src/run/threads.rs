//! The threads on which the program waits for many things at once.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::error::Trouble;
use crate::headless::exit::Exit;
use crate::lang::Obstacle;

/// What runs side by side where much is waited for.
const WORKERS: usize = 2;

/// A thread that has nothing to do is kept as long as the program runs, in effect: it does what the system gives no other for.
const KEPT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub(super) fn runtime() -> Result<Runtime, Trouble> {
    // And one for work that may not hold them up.
    there_are(WORKERS + 1, thread::Builder::new)?;
    built(Builder::new_multi_thread().worker_threads(WORKERS))
}

pub(super) fn runtime_of_one_thread() -> Result<Runtime, Trouble> {
    there_are(1, thread::Builder::new)?;
    built(&mut Builder::new_current_thread())
}

/// Whether the system gives so many at the same time. The runtime panics where it does not.
fn there_are(threads: usize, thread: fn() -> thread::Builder) -> Result<(), Trouble> {
    let mut waiting = Vec::new();
    for _ in 0..threads {
        let (ends, ended) = mpsc::channel::<()>();
        let begun = thread().spawn(move || {
            let _ = ended.recv();
        });
        waiting.push((ends, begun.map_err(|error| refused(&error))?));
    }
    for (ends, begun) in waiting {
        drop(ends);
        // Nothing in it can panic.
        let _ = begun.join();
    }
    Ok(())
}

/// The system gives no thread that is needed.
pub(super) fn refused(error: &std::io::Error) -> Trouble {
    Trouble::obstacle(
        Exit::Internal,
        Obstacle::Threads {
            error: &error.to_string(),
        },
    )
}

fn built(builder: &mut Builder) -> Result<Runtime, Trouble> {
    let runtime = builder.enable_all().thread_keep_alive(KEPT).build();
    let runtime = runtime.map_err(|error| refused(&error))?;
    // Without any the runtime panics once the system refuses one.
    drop(runtime.spawn_blocking(|| ()));
    Ok(runtime)
}

/// Leaves the threads behind: a search in a huge tree or a lookup whose result nobody needs does not delay the exit.
pub(super) fn stop(runtime: Runtime) {
    runtime.shutdown_background();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_system_refuses_threads_one_sentence_says_so() {
        // No memory has room for such a stack.
        let none = || thread::Builder::new().stack_size(1 << 47);
        let error = none().spawn(|| ()).unwrap_err();
        let told = there_are(1, none).unwrap_err();
        assert_eq!(told.to_string(), refused(&error).to_string());
        assert!(there_are(WORKERS + 1, thread::Builder::new).is_ok());
    }
}
