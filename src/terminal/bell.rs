//! Notifications: the terminal bell, or a text if the terminal supports it.

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
    /// Chooses bell or text. `setting` is the value of `ui.notify`.
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

    /// Returns the bytes to send to the terminal. If the window has the focus, the bytes contain only the bell.
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
mod tests;
