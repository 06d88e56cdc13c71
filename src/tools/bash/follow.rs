//! Watches one command from its start until all its processes have ended: output, exit, timeout.

use std::io;
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use super::collect::Collected;
use super::environment::Withheld;
use super::live::Live;
use super::{BashPlan, environment};
use crate::ToolContext;
use crate::confinement::Confined;
use crate::last_words::lying_in;
use benchdog_base::environment::Environment;
use benchdog_children::{self as children, Launch, Leftover};

/// Maximum waits for more output after the command has ended: `QUIET` since the last byte, `LAST_WORDS` in total.
/// Without these limits, a grandchild with the open pipe would block the result.
const QUIET: Duration = Duration::from_millis(50);
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Pipe capacity in bytes, if the system allows it. `READ` is the maximum bytes of one read.
const PIPE: usize = 1 << 20;
const READ: usize = 256 << 10;
/// Pause that lets the pipe fill once the stored output is full, because reads of a few KB each would use most of a
/// core. Even at 300 MB/s the pipe does not fill in that time.
const FILLING: Duration = Duration::from_millis(3);

/// Additional delay between displays once the stored output is full. One display costs as much as processing a thousand
/// lines, and nobody reads that fast.
const GLANCES: Duration = Duration::from_millis(450);

/// Practically unlimited time, for stopped commands, which are killed soon anyway, and for background jobs without a
/// time limit.
const EVER: Duration = Duration::from_secs(u32::MAX as u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Itself,
    /// Benchdog ended the command at the timeout.
    Timeout,
    /// Benchdog ended the command on request.
    Interrupt,
}

pub(super) struct End {
    pub(super) status: io::Result<ExitStatus>,
    pub(super) by: By,
    pub(super) took: Duration,
    /// Processes that the command left running.
    pub(super) left: Vec<Leftover>,
}

pub(super) async fn follow(
    plan: &BashPlan,
    cx: &ToolContext,
    confined: Option<&Confined>,
    collected: &Mutex<Collected>,
    mut live: Live,
) -> io::Result<End> {
    let started = Instant::now();
    let (mut running, reader) = children::start(launch_of(plan, cx, confined)).await?;
    let is_roomy = rustix::pipe::fcntl_setpipe_size(&reader, PIPE).is_ok();
    let mut pipe = Some(pipe::Receiver::from_owned_fd(OwnedFd::from(reader))?);
    let limit = started + plan.runs.limit_ms().map_or(EVER, Duration::from_millis);
    let mut buffer = vec![0; READ];
    let mut by = By::Itself;
    let mut ended: Option<(io::Result<ExitStatus>, Instant)> = None;
    let mut heard = Instant::now();
    let status = loop {
        let until = match (&ended, by) {
            (Some((_, at)), _) => (heard.max(*at) + QUIET).min(*at + LAST_WORDS),
            (None, By::Itself) => limit,
            (None, By::Timeout | By::Interrupt) => started + EVER,
        };
        let (is_full, is_waiting) = {
            let collected = lock(collected);
            (collected.is_full(), collected.is_waiting())
        };
        let look = if is_full { live.due() + GLANCES } else { live.due() };
        tokio::select! {
            read = read_of(pipe.as_mut(), &mut buffer), if pipe.is_some() => match read {
                Ok(0) | Err(_) => pipe = None,
                Ok(count) => {
                    heard = Instant::now();
                    let text = lock(collected).push(buffer.get(..count).unwrap_or(&buffer));
                    live.push(&text);
                    if is_roomy && is_full && count < READ {
                        pipe = filled(pipe).await;
                        // Without the pipe, further output would be lost. Stop the command, and report the output so
                        // far.
                        if pipe.is_none() {
                            running.stop();
                        }
                    }
                }
            },
            status = &mut running.exited, if ended.is_none() => {
                let status = status.unwrap_or_else(|_| Err(io::Error::other("its thread is gone")));
                ended = Some((status, Instant::now()));
            }
            () = cx.stop.stopped(), if ended.is_none() && by == By::Itself => {
                by = By::Interrupt;
                running.stop();
            }
            () = tokio::time::sleep_until(look.into()), if live.is_waiting() || is_waiting => {
                let mut collected = lock(collected);
                live.push(&collected.look());
                live.flush(&collected.unfinished());
            }
            () = tokio::time::sleep_until(until.into()) => match ended.take() {
                Some((status, _)) => {
                    let last = pipe.as_ref().map(|pipe| lying_in(pipe, PIPE)).unwrap_or_default();
                    let text = lock(collected).push(&last);
                    live.push(&text);
                    break status;
                }
                None => {
                    by = By::Timeout;
                    running.stop();
                }
            },
        }
        if pipe.is_none()
            && let Some((status, _)) = ended.take_if(|_| true)
        {
            break status;
        }
    };
    let took = started.elapsed();
    let left = running.finish().await;
    live.push(&lock(collected).finish());
    live.finish();
    Ok(End { status, by, took, left })
}

/// Returns 0 after the pipe was closed.
async fn read_of(pipe: Option<&mut pipe::Receiver>, buffer: &mut [u8]) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.read(buffer).await,
        None => Ok(0),
    }
}

/// Returns the pipe after a pause without polling, because each of a hundred thousand small writes would wake the task.
/// Returns `None` if the pipe cannot be registered again.
async fn filled(pipe: Option<pipe::Receiver>) -> Option<pipe::Receiver> {
    let pipe = pipe?.into_nonblocking_fd().ok()?;
    tokio::time::sleep(FILLING).await;
    pipe::Receiver::from_owned_fd(pipe).ok()
}

/// Every holder releases the lock soon, and never holds it across an await.
fn lock(collected: &Mutex<Collected>) -> MutexGuard<'_, Collected> {
    collected.lock().unwrap_or_else(PoisonError::into_inner)
}

fn launch_of(plan: &BashPlan, cx: &ToolContext, confined: Option<&Confined>) -> Launch {
    let ours = Environment::of_process();
    let variables = environment::variables(
        &ours,
        &Withheld {
            keys: &cx.hidden_variables,
            passed: &cx.confines.passed,
            view: cx.confines.wanted.view,
            tmp: confined.map(|confined| &confined.tmp),
        },
        &plan.folder.to_string_lossy(),
    );
    Launch {
        launcher: cx.launcher.clone(),
        program: environment::shell(&ours),
        arguments: vec!["-c".to_owned(), plan.command.clone()],
        variables: environment::with_port_offset(variables, cx.port_offset),
        folder: plan.folder.clone(),
        confined: confined.map(|confined| confined.plan.clone()),
        then: confined.and_then(Confined::afterwards),
    }
}
