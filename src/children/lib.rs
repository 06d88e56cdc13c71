//! All processes that Benchdog starts. The child process of a tool call starts through `exec-child` in its own session
//! and dies with Benchdog. A program that the person uses, such as an editor, gets the terminal. Servers started for
//! the person outlive Benchdog. A keeper also outlives Benchdog, and cleans up.
//!
//! This crate neither decides whether a program may run nor interprets its output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

pub mod confined;
mod exec;
mod foreground;
pub mod keeper;
mod launch;
pub mod memory;
mod privacy;
mod process_tree;
mod service;
mod standby;

pub use exec::{EXEC_CHILD, exec_child};
pub use foreground::Foreground;
pub use launch::{Launch, Running, Spoken, start, start_with_input, start_with_pipes, wait_for_exits};
pub use privacy::{hide_environment, hides_environment};
pub use process_tree::Leftover;
pub use service::{Service, start_service};
pub use standby::prepare as prepare_standby;

/// Environment variable of every process of a call. Its value identifies the call.
const MARK: &str = "BENCHDOG_CALL";

/// Delay between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_millis(200);

/// Makes Benchdog the parent of orphaned descendants, so that it can find and end them. Call once at the start.
pub fn become_subreaper() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Finds a program in the absolute folders of `PATH`.
pub fn find_program(name: &str, path: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    path.split(':')
        .filter(|folder| folder.starts_with('/'))
        .map(|folder| Path::new(folder).join(name))
        .find(|file| {
            std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        })
}

fn as_pid(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}

#[cfg(test)]
pub(crate) mod tests;
