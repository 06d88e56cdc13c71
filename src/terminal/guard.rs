//! Takes the terminal and gives it back: on a normal end, a panic, a signal, a suspend.
//!
//! A panic while the screen is ours would be printed into it and lost. The hook keeps the report instead, and it is
//! printed to standard error once the terminal is the shell's again. Unwinding drops the guard; a panic that cannot
//! unwind, after which the process aborts, restores from the hook itself.

use std::io::{self, PipeWriter, Write};
use std::sync::{Mutex, Once, PoisonError};

use ratatui::layout::Size;
use rustix::termios::{InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, Termios};

use crate::base::process;

use super::modes::{self, Modes};

/// What is needed to give the terminal back, from wherever that has to happen.
static HELD: Mutex<Option<Held>> = Mutex::new(None);

/// Who gives the terminal back when we cannot any more, and hears of every taking and giving back.
static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

/// Reports of panics that came while the screen was ours.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Held {
    before: Termios,
    modes: Modes,
    /// Questions were asked whose answers may still come; the shell must not read them as typed.
    answers_due: bool,
}

/// The keeper's ear, and the words it understands.
#[derive(Debug)]
pub(crate) struct Keeper {
    pub(crate) tells: PipeWriter,
    pub(crate) taken: u8,
    pub(crate) given_back: u8,
}

/// Standard output without a buffer: one write a frame is one write to the terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Out;

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(rustix::stdio::stdout(), bytes) {
                // Whoever started us may have made the terminal non-blocking; waiting is all there is to do.
                Err(rustix::io::Errno::AGAIN) => std::thread::sleep(std::time::Duration::from_millis(1)),
                Err(rustix::io::Errno::INTR) => {}
                other => return Ok(other?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The terminal is ours while this lives.
#[derive(Debug)]
pub(crate) struct Guard {
    modes: Modes,
}

impl Guard {
    pub(crate) fn enter(mouse: bool) -> io::Result<Self> {
        catch_panics();
        let guard = Self {
            modes: Modes {
                mouse,
                ..Modes::default()
            },
        };
        take(guard.modes)?;
        Ok(guard)
    }

    /// Gives the terminal away for a while: to the shell, or to an editor.
    pub(crate) fn leave(&mut self) {
        give_back();
    }

    /// Takes it again, with the modes it had.
    pub(crate) fn enter_again(&mut self) -> io::Result<()> {
        take(self.modes)
    }

    /// Asks the terminal what it can do.
    pub(crate) fn ask(&mut self) -> io::Result<()> {
        change_held(|held| held.answers_due = true);
        Out.write_all(modes::QUESTIONS.as_bytes())
    }

    pub(crate) fn answered(&mut self) {
        change_held(|held| held.answers_due = false);
    }

    /// The terminal confirmed the kitty keyboard protocol.
    pub(crate) fn use_kitty(&mut self) -> io::Result<()> {
        self.switch(|modes| modes.kitty = true, modes::KITTY_ON)
    }

    pub(crate) fn capture_mouse(&mut self, capture: bool) -> io::Result<()> {
        let bytes = if capture { modes::MOUSE_ON } else { modes::MOUSE_OFF };
        self.switch(|modes| modes.mouse = capture, bytes)
    }

    pub(crate) fn title(&mut self, text: &str) -> io::Result<()> {
        if !self.modes.title {
            self.switch(|modes| modes.title = true, modes::TITLE_KEEP)?;
        }
        Out.write_all(modes::title(text).as_bytes())
    }

    fn switch(&mut self, change: impl FnOnce(&mut Modes), bytes: &str) -> io::Result<()> {
        change(&mut self.modes);
        // Noted first: undoing what was never set is harmless, the other way round is not.
        change_held(|held| held.modes = self.modes);
        Out.write_all(bytes.as_bytes())
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

pub(crate) fn kept_by(keeper: Keeper) {
    *KEEPER.lock().unwrap_or_else(PoisonError::into_inner) = Some(keeper);
}

fn tell(word: impl FnOnce(&Keeper) -> u8) {
    if let Some(keeper) = KEEPER.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        let word = word(keeper);
        // A keeper that is gone is missed only after a kill.
        let _ = keeper.tells.write_all(&[word]);
    }
}

/// Gives the terminal of a process back that could not do it itself. Standard output is that terminal.
///
/// What it was before is not known here, but what is taken from every line discipline is.
pub(crate) fn give_back_for_another() {
    let all = Modes {
        mouse: true,
        kitty: true,
        title: true,
    };
    let _ = Out.write_all(all.leave().as_bytes());
    let terminal = rustix::stdio::stdout();
    if let Ok(mut lines) = rustix::termios::tcgetattr(terminal) {
        // A shell may have been quicker, with what it knows.
        if !lines.local_modes.contains(LocalModes::ICANON) {
            lines.input_modes |= InputModes::BRKINT | InputModes::ICRNL | InputModes::IXON;
            lines.output_modes |= OutputModes::OPOST;
            lines.local_modes |= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
            let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &lines);
        }
    }
}

fn take(modes: Modes) -> io::Result<()> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let terminal = rustix::stdio::stdin();
    let before = rustix::termios::tcgetattr(terminal)?;
    let mut raw = before.clone();
    raw.make_raw();
    tell(|keeper| keeper.taken);
    rustix::termios::tcsetattr(terminal, OptionalActions::Now, &raw)?;
    *held = Some(Held {
        before,
        modes,
        answers_due: false,
    });
    Out.write_all(modes.enter().as_bytes())
}

/// Does nothing when the terminal is not ours.
fn give_back() {
    let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return;
    };
    // A terminal that is gone cannot be restored and need not be.
    let _ = Out.write_all(held.modes.leave().as_bytes());
    let terminal = rustix::stdio::stdin();
    if held.answers_due {
        let _ = rustix::termios::tcflush(terminal, QueueSelector::IFlush);
    }
    let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &held.before);
    tell(|keeper| keeper.given_back);
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
            let ours = HELD.try_lock().is_ok_and(|held| held.is_some());
            if !ours {
                return before(info);
            }
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
            width: size.ws_col,
            height: size.ws_row,
        },
        _ => Size { width: 80, height: 24 },
    }
}

/// Whether the shell has given us the terminal: a background process must not take it.
pub(crate) fn in_foreground() -> bool {
    process::own_stat().is_some_and(|own| own.foreground == Some(own.group))
}
