//! Reads `/proc` for a process.
//!
//! Groups and sessions outside a container have number 0, which the safe wrappers of system calls reject.

use std::fs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub zombie: bool,
    pub parent: u32,
    /// Process group. 0 if created outside our container.
    pub group: u32,
    pub session: u32,
    /// Foreground group of the terminal. `None` without a terminal.
    pub foreground: Option<u32>,
}

pub fn stat(pid: u32) -> Option<Stat> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

pub fn own_stat() -> Option<Stat> {
    parse(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Parses after the last bracket, because the name may contain brackets.
fn parse(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    let _terminal = fields.next()?;
    let foreground = fields.next()?.parse().ok();
    Some(Stat {
        zombie: matches!(state, "Z" | "X" | "x"),
        parent,
        group,
        session,
        foreground,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
        let running = Stat {
            zombie: false,
            parent: 5,
            group: 77,
            session: 66,
            foreground: None,
        };
        assert_eq!(parse("77 (a) R 1 (b c) S 5 77 66 0 -1 4194560"), Some(running));
        let dead = Stat {
            zombie: true,
            foreground: Some(77),
            ..running
        };
        assert_eq!(parse("78 (x) Z 5 77 66 34816 77 4194560"), Some(dead));
        assert_eq!(parse("79 (x"), None);
    }

    #[test]
    fn a_group_from_outside_the_container_is_zero() {
        let inside = parse("1 (sh) S 0 0 0 34816 0 4194560").unwrap();
        assert_eq!((inside.group, inside.session, inside.foreground), (0, 0, Some(0)));
    }

    #[test]
    fn our_own_entry_is_the_one_of_our_number() {
        let own = own_stat().unwrap();
        assert_eq!(stat(std::process::id()).map(|stat| stat.parent), Some(own.parent));
        assert!(!own.zombie);
    }
}
