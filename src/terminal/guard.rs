//! Takes the terminal and gives it back: on a normal end, a panic, a signal, a suspend.
//!
//! A panic while the screen is ours would be printed into it and lost. The hook keeps the report instead, and it is
//! printed to standard error once the terminal is the shell's again. Unwinding drops the guard; a panic that cannot
//! unwind, after which the process aborts, restores from the hook itself.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use ratatui::layout::Size;
use rustix::termios::{OptionalActions, QueueSelector, Termios};

use super::keeper;
use super::modes::{self, Modes};
use super::outlet;
use crate::base::{panics, process};

/// Larger than any screen: a terminal that reports more is wrong.
const LARGEST: u16 = 1000;

/// What is needed to give the terminal back, from wherever that has to happen.
static HELD: Mutex<Option<Held>> = Mutex::new(None);

/// Reports of panics that came while the screen was ours.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Held {
    before: Termios,
    modes: Modes,
    /// Questions were asked whose answers may still come; the shell must not read them as typed.
    answers_due: bool,
}

/// The terminal is ours while this lives. What is to be written to it is returned, not written.
#[derive(Debug)]
pub(crate) struct Guard {
    modes: Modes,
    /// How the shell had set it.
    before: Termios,
    /// What the window is called while the terminal is ours.
    name: String,
}

impl Guard {
    pub(crate) fn enter(mouse: bool) -> io::Result<(Self, String)> {
        catch_panics();
        let guard = Self {
            modes: Modes {
                mouse,
                ..Modes::default()
            },
            before: rustix::termios::tcgetattr(rustix::stdio::stdin())?,
            name: String::new(),
        };
        guard.take()?;
        let opening = guard.modes.enter();
        Ok((guard, opening))
    }

    /// Gives the terminal away for a while: to the shell, or to an editor.
    pub(crate) fn leave(&mut self) {
        give_back();
    }

    /// Takes it again after the shell had it, with the modes it had. The shell may have set it anew in between.
    pub(crate) fn enter_after_shell(&mut self) -> io::Result<String> {
        self.before = rustix::termios::tcgetattr(rustix::stdio::stdin())?;
        self.enter_again()
    }

    /// Takes it again after a program we started ourselves. The shell will get its own settings back, not those the
    /// program left.
    pub(crate) fn enter_again(&mut self) -> io::Result<String> {
        self.take()?;
        let mut opening = self.modes.enter();
        if self.modes.title {
            opening.push_str(&modes::title(&self.name));
        }
        Ok(opening)
    }

    /// Gives the terminal to the shell after a program of ours had it and was ended in the middle: none of its modes is left.
    pub(crate) fn leave_after_program(&mut self) {
        // Taking it puts back what a program may have changed, and is undone by `leave`.
        if !in_background()
            && let Ok(opening) = self.enter_again()
        {
            let _ = outlet::write_farewell(opening.as_bytes());
        }
        self.leave();
    }

    fn take(&self) -> io::Result<()> {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        let mut raw = self.before.clone();
        raw.make_raw();
        keeper::taken();
        rustix::termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &raw)?;
        *held = Some(Held {
            before: self.before.clone(),
            modes: self.modes,
            answers_due: false,
        });
        Ok(())
    }

    /// Asks the terminal what it can do.
    pub(crate) fn ask(&mut self) -> &'static str {
        change_held(|held| held.answers_due = true);
        modes::QUESTIONS
    }

    pub(crate) fn answered(&mut self) {
        change_held(|held| held.answers_due = false);
    }

    /// The terminal confirmed the kitty keyboard protocol.
    pub(crate) fn use_kitty(&mut self) -> &'static str {
        if self.modes.kitty {
            // Answered twice: pushed once, because it is popped once.
            return "";
        }
        self.switch(|modes| modes.kitty = true);
        modes::KITTY_ON
    }

    pub(crate) fn capture_mouse(&mut self, capture: bool) -> &'static str {
        self.switch(|modes| modes.mouse = capture);
        if capture { modes::MOUSE_ON } else { modes::MOUSE_OFF }
    }

    pub(crate) fn title(&mut self, text: &str) -> String {
        let keep = if self.modes.title { "" } else { modes::TITLE_KEEP };
        self.switch(|modes| modes.title = true);
        text.clone_into(&mut self.name);
        keep.to_owned() + &modes::title(text)
    }

    /// Noted before it is written: undoing what was never set is harmless, the other way round is not.
    fn switch(&mut self, change: impl FnOnce(&mut Modes)) {
        change(&mut self.modes);
        change_held(|held| held.modes = self.modes);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
        print_reports();
    }
}

fn print_reports() {
    let reports = std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner));
    for report in reports {
        // Nothing is left to tell it to when standard error is gone too.
        let _ = writeln!(io::stderr(), "{report}");
    }
}

/// Does nothing when the terminal is not ours.
fn give_back() {
    let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return;
    };
    // A terminal that is gone cannot be restored and need not be; one that takes nothing must not keep us from ending.
    let _ = outlet::write_farewell(held.modes.leave().as_bytes());
    give_back_lines(&held);
    keeper::given_back();
}

fn give_back_lines(held: &Held) {
    if in_background() {
        // The shell has set the terminal for itself; setting it from here would stop us.
        return;
    }
    let terminal = rustix::stdio::stdin();
    if held.answers_due {
        let _ = rustix::termios::tcflush(terminal, QueueSelector::IFlush);
    }
    let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &held.before);
}

fn change_held(change: impl FnOnce(&mut Held)) {
    if let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        change(held);
    }
}

fn catch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // Locked: it is just being taken or given back, and is ours either way.
            if panics::is_caught() || HELD.try_lock().is_ok_and(|held| held.is_none()) {
                return before(info);
            }
            panics::log(info);
            let trace = std::backtrace::Backtrace::capture();
            let report = match trace.status() {
                std::backtrace::BacktraceStatus::Captured => format!("{info}\n{trace}"),
                _ => info.to_string(),
            };
            REPORTS.lock().unwrap_or_else(PoisonError::into_inner).push(report);
            // The library's words for a panic after which it aborts without unwinding.
            let last = info
                .payload_as_str()
                .is_some_and(|text| text.contains("destructor during cleanup") || text.contains("cannot unwind"));
            if last {
                give_back();
                print_reports();
            }
        }));
    });
}

/// How large the terminal is; 80 × 24 where it does not say.
pub(crate) fn size() -> Size {
    match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size {
            width: size.ws_col.min(LARGEST),
            height: size.ws_row.min(LARGEST),
        },
        _ => Size { width: 80, height: 24 },
    }
}

/// Whether the shell has given the terminal to somebody else. Where there is no shell, nobody can have it.
pub(crate) fn in_background() -> bool {
    process::own_stat().is_some_and(|own| own.foreground.is_some_and(|foreground| foreground != own.group))
}
