//! Every process we start, from its start to its end. A child of a call starts through our own `exec-child`, in a session of its own,
//! and dies with us; a program of the person gets the terminal; a server that the person had us start goes on; a keeper outlives us and cleans up.
//!
//! Nothing here decides whether a program may run, and nothing here reads what it says.

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

/// Every process of a call carries this variable; its value tells the calls apart.
const MARK: &str = "BENCHDOG_CALL";

/// From a polite signal to the one that cannot be refused.
const GRACE: Duration = Duration::from_millis(200);

/// Makes orphans of our children come to us, so that they can be found and ended. Once, at the start of the program.
pub fn become_subreaper() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Finds a program in the folders of `PATH`.
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
