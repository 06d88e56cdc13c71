//! Notifications: the bell, or text where the terminal supports it.

use std::time::{Duration, Instant};

use benchdog_base::environment::Environment;
use benchdog_base::text::{clean, truncate};

const PAUSE: Duration = Duration::from_secs(1);

const LONGEST: usize = 160;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Silent,
    Bell,
    Osc9,
    Osc777,
}

#[derive(Debug, Clone)]
pub struct Bell {
    voice: Voice,
    tmux: bool,
    rang: Option<Instant>,
}

impl Bell {
    /// Chooses the method. `setting` is the value of `ui.notify`.
    pub fn of(setting: &str, environment: &Environment) -> Self {
        let voice = match setting {
            "off" => Voice::Silent,
            "bell" => Voice::Bell,
            "osc9" => Voice::Osc9,
            "osc777" => Voice::Osc777,
            _ => by_terminal(environment),
        };
        Self {
            voice,
            tmux: environment.get("TMUX").is_some_and(|socket| !socket.is_empty()),
            rang: None,
        }
    }

    /// Returns the bytes to send. Text is only used while the window has no focus.
    pub(super) fn ring(&mut self, words: &str, looked_at: bool, now: Instant) -> String {
        let early = self.rang.is_some_and(|rang| now.duration_since(rang) < PAUSE);
        if early || self.voice == Voice::Silent {
            return String::new();
        }
        self.rang = Some(now);
        let words = clean(words);
        let words = truncate(words.lines().next().unwrap_or_default(), LONGEST);
        let notice = match self.voice {
            _ if looked_at => String::new(),
            Voice::Silent | Voice::Bell => String::new(),
            Voice::Osc9 => format!("\x1b]9;{words}\x1b\\"),
            Voice::Osc777 => format!("\x1b]777;notify;Benchdog;{words}\x1b\\"),
        };
        let notice = if self.tmux && !notice.is_empty() {
            format!("\x1bPtmux;{}\x1b\\", notice.replace('\x1b', "\x1b\x1b"))
        } else {
            notice
        };
        format!("{notice}\x07")
    }
}

fn by_terminal(environment: &Environment) -> Voice {
    let term = environment.get("TERM").unwrap_or_default();
    match environment.get("TERM_PROGRAM") {
        Some("iTerm.app" | "WezTerm" | "ghostty") => Voice::Osc9,
        _ if term == "xterm-kitty" || term == "xterm-ghostty" => Voice::Osc9,
        _ if term.starts_with("foot") || term.starts_with("rxvt-unicode") || term.starts_with("contour") => {
            Voice::Osc777
        }
        _ => Voice::Bell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bell(setting: &str, pairs: &[(&str, &str)]) -> Bell {
        let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Bell::of(setting, &Environment::of(pairs))
    }

    fn first(setting: &str, pairs: &[(&str, &str)], looked_at: bool) -> String {
        bell(setting, pairs).ring("edit waits\x1b]0;evil\x07\nmore", looked_at, Instant::now())
    }

    #[test]
    fn a_terminal_that_shows_notices_gets_words_while_nobody_looks() {
        let iterm = [("TERM_PROGRAM", "iTerm.app")];
        assert!(first("auto", &iterm, false).starts_with("\x1b]9;edit waits"));
        assert_eq!(first("auto", &iterm, true), "\x07");
        assert!(first("auto", &[("TERM", "foot")], false).starts_with("\x1b]777;notify;Benchdog;edit waits"));
        assert_eq!(first("auto", &[("TERM", "xterm-256color")], false), "\x07");
        assert_eq!(first("bell", &iterm, false), "\x07");
        assert_eq!(first("off", &iterm, false), "");
        let words = first("osc9", &[], false);
        assert_eq!(
            words.matches('\x1b').count(),
            2,
            "{words:?}: nothing of the words is a command"
        );
        assert_eq!(words.matches('\x07').count(), 1, "{words:?}");
        let through = first("osc9", &[("TMUX", "x")], false);
        assert!(
            through.starts_with("\x1bPtmux;\x1b\x1b]9;") && through.ends_with("\x1b\x1b\\\x1b\\\x07"),
            "{through:?}"
        );
    }

    #[test]
    fn it_rings_once_a_second_at_most() {
        let mut bell = bell("bell", &[]);
        let begin = Instant::now();
        let rings: Vec<bool> = [0, 10, 999, 1_000, 1_500, 2_001]
            .iter()
            .map(|ms| !bell.ring("x", false, begin + Duration::from_millis(*ms)).is_empty())
            .collect();
        assert_eq!(rings, [true, false, false, true, false, true]);
    }
}
