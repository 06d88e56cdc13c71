//! Takes the terminal, and restores it on exit, panic, signal and suspend.
//!
//! A panic report would be lost on the alternate screen. The panic hook stores the report and prints it after
//! restoring.
//! Unwinding drops the guard. If a panic aborts, the hook restores the terminal.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use ratatui::layout::Size;
use rustix::termios::{OptionalActions, QueueSelector, Termios};

use super::keeper;
use super::modes::{self, Modes};
use super::outlet;
use benchdog_base::{panics, process};

/// The maximum plausible number of rows or columns. A terminal that reports more is wrong.
const LARGEST: u16 = 1000;

static HELD: Mutex<Option<Held>> = Mutex::new(None);

static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Held {
    before: Termios,
    modes: Modes,
    /// Whether answers to terminal queries may still arrive. At exit, the shell would read them as input.
    answers_due: bool,
}

/// Owns the terminal settings, and restores them when dropped. Methods return the bytes for the caller to write.
#[derive(Debug)]
pub(crate) struct Guard {
    modes: Modes,
    before: Termios,
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

    pub(crate) fn leave(&mut self) {
        give_back();
    }

    /// Clears modes that were detected only for the previous terminal.
    pub(crate) fn forget(&mut self) {
        self.modes.kitty = false;
    }

    /// Takes the terminal after the shell used it. Reads the settings again, because the shell may have changed them.
    pub(crate) fn enter_after_shell(&mut self) -> io::Result<String> {
        self.before = rustix::termios::tcgetattr(rustix::stdio::stdin())?;
        self.enter_again()
    }

    /// Takes the terminal after a program started by Benchdog. Keeps the terminal settings that were read before,
    /// because the shell must get its own settings back.
    pub(crate) fn enter_again(&mut self) -> io::Result<String> {
        self.take()?;
        let mut opening = self.modes.enter();
        if self.modes.title {
            opening.push_str(&modes::title(&self.name));
        }
        Ok(opening)
    }

    /// Restores the terminal after a program started by Benchdog was killed. Also resets the program's modes.
    pub(crate) fn leave_after_program(&mut self) {
        // Taking the terminal resets the modes of the killed program, and `leave` undoes our own.
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

    pub(crate) fn ask(&mut self) -> &'static str {
        change_held(|held| held.answers_due = true);
        modes::QUESTIONS
    }

    pub(crate) fn answered(&mut self) {
        change_held(|held| held.answers_due = false);
    }

    pub(crate) fn use_kitty(&mut self) -> &'static str {
        if self.modes.kitty {
            // The terminal answered twice. Push the mode only once, because the exit pops it only once.
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

    /// Changes a mode. Records the change before the caller writes the sequence, because Benchdog may crash in between.
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
        // If standard error is gone too, there is nobody to report to.
        let _ = writeln!(io::stderr(), "{report}");
    }
}

fn give_back() {
    let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return;
    };
    // Errors are ignored: a closed terminal needs no restoring, and a blocked terminal must not prevent the exit.
    let _ = outlet::write_farewell(held.modes.leave().as_bytes());
    give_back_lines(&held);
    keeper::given_back();
}

fn give_back_lines(held: &Held) {
    if in_background() {
        // A background process that changes the settings would be stopped. The shell already restored its settings.
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
            // If the lock is held, the terminal is being taken or restored at the moment. It then counts as taken.
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
            // The standard library panics with one of these messages if it then aborts without unwinding.
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

pub(crate) fn size() -> Size {
    match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size {
            width: size.ws_col.min(LARGEST),
            height: size.ws_row.min(LARGEST),
        },
        _ => Size { width: 80, height: 24 },
    }
}

pub(crate) fn in_background() -> bool {
    process::own_stat().is_some_and(|own| own.foreground.is_some_and(|foreground| foreground != own.group))
}
