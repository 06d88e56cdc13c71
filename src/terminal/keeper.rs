//! The keeper: a small process that restores the terminal if the program is killed.

use std::io::{PipeWriter, Write};
use std::sync::{Mutex, PoisonError};

use rustix::termios::{InputModes, LocalModes, OptionalActions, OutputModes};

use super::modes::Modes;
use super::outlet;

#[derive(Debug)]
pub struct Keeper {
    pub tells: PipeWriter,
    pub taken: &'static str,
    pub given_back: &'static str,
}

static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

pub fn kept_by(keeper: Keeper) {
    *KEEPER.lock().unwrap_or_else(PoisonError::into_inner) = Some(keeper);
}

pub(super) fn taken() {
    tell(|keeper| keeper.taken);
}

pub(super) fn given_back() {
    tell(|keeper| keeper.given_back);
}

fn tell(word: impl FnOnce(&Keeper) -> &'static str) {
    if let Some(keeper) = KEEPER.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        let word = word(keeper);
        // Ignore the error. It means that the keeper has exited, which only matters if this process is killed.
        let _ = keeper.tells.write_all(format!("{word}\n").as_bytes());
    }
}

/// Restores the terminal on standard output, in the keeper process.
///
/// The keeper does not know the earlier settings, so it sets the flags that raw mode clears.
pub fn give_back_for_another() {
    let all = Modes {
        mouse: true,
        kitty: true,
        title: true,
    };
    let _ = outlet::write_farewell(all.leave().as_bytes());
    let terminal = rustix::stdio::stdout();
    if let Ok(mut lines) = rustix::termios::tcgetattr(terminal) {
        // If raw mode is off, the shell has already set its own settings.
        if !lines.local_modes.contains(LocalModes::ICANON) {
            lines.input_modes |= InputModes::BRKINT | InputModes::ICRNL | InputModes::IXON;
            lines.output_modes |= OutputModes::OPOST;
            lines.local_modes |= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
            let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &lines);
        }
    }
}
