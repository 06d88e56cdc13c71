//! Watches one command from its start until nothing of it is left: output, end, time limit.

use std::io;
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use super::super::launch::{self, Launch, Left};
use super::collect::Collected;
use super::live::Live;
use super::{BashPlan, environment};
use crate::base::environment::Environment;
use crate::tools::ToolContext;

/// Once the command has ended, its last words are waited for this long without one, and so long altogether: a grandchild may hold the pipe.
const QUIET: Duration = Duration::from_millis(50);
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How a command ended.
pub(super) struct End {
    pub(super) status: io::Result<ExitStatus>,
    /// It was ended by us because its time was over.
    pub(super) timed_out: bool,
    pub(super) took: Duration,
    /// What it had left running.
    pub(super) left: Vec<Left>,
}

pub(super) async fn follow(
    plan: &BashPlan,
    cx: &ToolContext,
    collected: &mut Collected,
    mut live: Live,
) -> io::Result<End> {
    let started = Instant::now();
    let (mut running, reader) = launch::start(launch_of(plan, cx)).await?;
    let mut pipe = pipe::Receiver::from_owned_fd(OwnedFd::from(reader))?;
    let limit = started + Duration::from_millis(plan.timeout_ms);
    let mut buffer = vec![0; 64 * 1024];
    let (mut open, mut timed_out) = (true, false);
    let mut ended: Option<(io::Result<ExitStatus>, Instant)> = None;
    let mut heard = Instant::now();
    let status = loop {
        let until = match &ended {
            Some((_, at)) => (heard.max(*at) + QUIET).min(*at + LAST_WORDS),
            None if timed_out => started + Duration::from_secs(u64::from(u32::MAX)),
            None => limit,
        };
        tokio::select! {
            read = pipe.read(&mut buffer), if open => match read {
                Ok(0) | Err(_) => open = false,
                Ok(count) => {
                    heard = Instant::now();
                    let text = collected.push(buffer.get(..count).unwrap_or(&buffer));
                    live.push(&text);
                }
            },
            status = &mut running.exited, if ended.is_none() => {
                let status = status.unwrap_or_else(|_| Err(io::Error::other("its thread is gone")));
                ended = Some((status, Instant::now()));
            }
            () = tokio::time::sleep_until(live.due().into()), if live.is_waiting() => live.flush(),
            () = tokio::time::sleep_until(until.into()) => match ended.take() {
                Some((status, _)) => break status,
                None => {
                    timed_out = true;
                    running.stop();
                }
            },
        }
        if !open && let Some((status, _)) = ended.take_if(|_| true) {
            break status;
        }
    };
    let took = started.elapsed();
    let left = running.finish().await;
    live.push(&collected.finish());
    live.flush();
    Ok(End {
        status,
        timed_out,
        took,
        left,
    })
}

fn launch_of(plan: &BashPlan, cx: &ToolContext) -> Launch {
    let ours = Environment::of_process();
    Launch {
        launcher: cx.launcher.clone(),
        program: environment::shell(&ours),
        arguments: vec!["-c".to_owned(), plan.command.clone()],
        variables: environment::variables(&ours, &cx.hidden_variables, &plan.folder.to_string_lossy()),
        folder: plan.folder.clone(),
    }
}
