//! Finds the processes of a call in `/proc`: the child, its descendants, and orphans reparented to Benchdog.
//!
//! An orphan is identified by the value of `MARK` in its environment. If the environment was wiped, it is identified by
//! its session ID, because the call's child leads the session. If it also left the session, it is treated as an orphan
//! of this call only if no other call runs.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions};

use benchdog_base::process;

use super::launch::{live, own};
use super::{GRACE, MARK, as_pid};

/// Maximum time to wait for a process that is blocked in the kernel.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum characters of a leftover process's command line in reports.
const MOST_NAME: usize = 120;

/// A process that was still running when its call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    pub pid: u32,
    /// The command line of the process.
    pub name: String,
    pub ended: bool,
}

pub(super) fn processes_of_call(mark: &str, child: u32) -> BTreeSet<u32> {
    let mut family = orphans(mark, child);
    family.insert(child);
    with_descendants(family)
}

pub(super) fn signal_all(family: &BTreeSet<u32>, signal: Signal) {
    for pid in family.iter().filter_map(|pid| as_pid(*pid)) {
        let _ = rustix::process::kill_process(pid, signal);
        // A stopped process only handles the signal after SIGCONT.
        if signal == Signal::TERM {
            let _ = rustix::process::kill_process(pid, Signal::CONT);
        }
    }
}

pub(super) fn end_leftovers(mark: &str, child: u32) -> Vec<Leftover> {
    end(GRACE, || with_descendants(orphans(mark, child)))
}

/// Ends the processes that `find` returns, until it returns none. Each gets SIGTERM, and SIGKILL after `grace`.
pub(super) fn end(grace: Duration, mut find: impl FnMut() -> BTreeSet<u32>) -> Vec<Leftover> {
    let started = Instant::now();
    let mut known: Vec<Leftover> = Vec::new();
    let mut pause = Duration::from_millis(1);
    loop {
        let running: BTreeSet<u32> = find().into_iter().filter(|pid| !reap(*pid)).collect();
        for left in &mut known {
            left.ended = !running.contains(&left.pid);
        }
        let new = running
            .iter()
            .filter(|pid| known.iter().all(|left| left.pid != **pid))
            .copied()
            .collect::<Vec<_>>();
        known.extend(new.iter().map(|pid| Leftover {
            pid: *pid,
            name: name(*pid),
            ended: false,
        }));
        if running.is_empty() || started.elapsed() > PATIENCE {
            return known;
        }
        if started.elapsed() > grace {
            signal_all(&running, Signal::KILL);
        } else {
            // Send SIGTERM only once to each process. A second signal could interrupt a clean exit.
            signal_all(&new.into_iter().collect(), Signal::TERM);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Reaps a dead child, so that it leaves the process list. Returns whether the process is dead.
fn reap(pid: u32) -> bool {
    let Some(stat) = process::stat(pid) else { return true };
    if stat.zombie
        && stat.parent == std::process::id()
        && let Some(pid) = as_pid(pid)
    {
        let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
    }
    stat.zombie
}

/// Returns the orphans of this call. They are children of Benchdog that Benchdog did not start.
fn orphans(mark: &str, child: u32) -> BTreeSet<u32> {
    let own_session = process::own_stat().map(|own| own.session);
    let ours = children(std::process::id());
    let live = live();
    let own = own();
    let alone = live.values().all(|other| other == mark);
    ours.into_iter()
        .filter(|pid| *pid != child && !live.contains_key(pid) && !own.contains(pid))
        .filter(|pid| match marked(*pid) {
            Some(found) if found == mark => true,
            Some(found) if live.values().any(|other| *other == found) => false,
            // The process is dead, or its environment is wiped, unreadable or marked by a Benchdog inside this call.
            // Benchdog's helper processes stay in Benchdog's session, which no process of a call can join.
            _ => process::stat(*pid)
                .is_some_and(|stat| stat.session == child || (alone && Some(stat.session) != own_session)),
        })
        .collect()
}

pub(super) fn with_descendants(mut family: BTreeSet<u32>) -> BTreeSet<u32> {
    let mut open: Vec<u32> = family.iter().copied().collect();
    while let Some(pid) = open.pop() {
        open.extend(children(pid).into_iter().filter(|child| family.insert(*child)));
    }
    family
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(text) => found.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok())),
            // Without kernel support for this list, search all processes. Ignore a thread that has just ended.
            Err(_) if thread.path().exists() => return children_by_search(pid),
            Err(_) => {}
        }
    }
    found
}

fn children_by_search(parent: u32) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    all.flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| process::stat(*pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

pub(super) fn marked_with(beginning: &str) -> BTreeSet<u32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return BTreeSet::new();
    };
    all.flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| marked(*pid).is_some_and(|mark| mark.starts_with(beginning)))
        .filter(|pid| process::stat(*pid).is_some_and(|stat| !stat.zombie))
        .collect()
}

fn marked(pid: u32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).ok()?;
    bytes.split(|byte| *byte == 0).find_map(|variable| {
        let (name, value) = std::str::from_utf8(variable).ok()?.split_once('=')?;
        (name == MARK).then(|| value.to_owned())
    })
}

pub(super) fn name(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words: Vec<String> = line
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words
        .join(" ")
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MOST_NAME)
        .collect()
}

#[cfg(test)]
mod tests;
