//! Reads the state of a process from `/proc`.
//!
//! In a container, process groups and sessions from outside have the number 0. The safe wrappers of system calls reject
//! 0, so this module parses `/proc` itself.

use std::fs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub zombie: bool,
    pub parent: u32,
    /// Process group. 0 if the group was created outside the container.
    pub group: u32,
    pub session: u32,
    /// Foreground group of the terminal. `None` without a terminal.
    pub foreground: Option<u32>,
    /// Start time in clock ticks since system start. Together with the process id, it identifies a process.
    pub started: u64,
}

pub fn stat(pid: u32) -> Option<Stat> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

pub fn own_stat() -> Option<Stat> {
    parse(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Parses the text after the last bracket. The text before that bracket is the process name, which may contain
/// brackets.
fn parse(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    let _terminal = fields.next()?;
    let foreground = fields.next()?.parse().ok();
    // Skip the fields from `flags` to `itrealvalue`.
    let started = fields.nth(13)?.parse().ok()?;
    Some(Stat {
        zombie: matches!(state, "Z" | "X" | "x"),
        parent,
        group,
        session,
        foreground,
        started,
    })
}

#[cfg(test)]
mod tests;
