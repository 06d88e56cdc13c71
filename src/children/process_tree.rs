//! Finds the processes of a call in `/proc`: the child, its descendants, and orphans reparented to Benchdog.
//!
//! Orphans are identified by a mark in their environment. If the environment was wiped, the session ID identifies them, because
//! the call's child leads the session. If they also left the session, an unknown child of Benchdog counts as an orphan once no
//! other call runs.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions};

use benchdog_base::process;

use super::launch::{live, own};
use super::{GRACE, MARK, as_pid};

/// A process that sits in the kernel cannot be waited for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum length of a leftover process's command line in reports.
const MOST_NAME: usize = 120;

/// A process that was still there when its call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    pub pid: u32,
    /// Its command line.
    pub name: String,
    /// False when it could not be ended.
    pub ended: bool,
}

/// Every process of the call: what descends from the child, and the call's orphans with their descendants.
pub(super) fn processes_of_call(mark: &str, child: u32) -> BTreeSet<u32> {
    let mut family = orphans(mark, child);
    family.insert(child);
    with_descendants(family)
}

pub(super) fn signal_all(family: &BTreeSet<u32>, signal: Signal) {
    for pid in family.iter().filter_map(|pid| as_pid(*pid)) {
        let _ = rustix::process::kill_process(pid, signal);
        // A stopped process sees the signal only once it is continued.
        if signal == Signal::TERM {
            let _ = rustix::process::kill_process(pid, Signal::CONT);
        }
    }
}

/// Ends the call's orphans. The child itself is gone already.
pub(super) fn end_leftovers(mark: &str, child: u32) -> Vec<Leftover> {
    end(GRACE, || with_descendants(orphans(mark, child)))
}

/// Ends what `find` finds, again and again until it finds nothing more. Each process is asked to end, and killed after
/// `grace`.
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
            // Asked once each: a second signal would cut a clean end short.
            signal_all(&new.into_iter().collect(), Signal::TERM);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Waits for a child that is dead, so that it leaves the list of processes. Answers whether the process is dead.
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

/// Children of ours that we did not start, as far as they are this call's.
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
            // Wiped, unreadable, dead already, or marked by a Benchdog inside this call. What we start for ourselves stays in our session,
            // which nothing of a call can come back to.
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

/// The children of all threads of a process.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(text) => found.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok())),
            // A thread that has just ended, or a kernel that does not keep the list.
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

/// Returns the living processes whose mark starts with `beginning`.
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

/// The mark in a process's environment.
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
