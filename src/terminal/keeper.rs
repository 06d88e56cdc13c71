//! The keeper: a process that restores the terminal when the program was killed. It is told whenever the terminal is taken or given back.

use std::io::{PipeWriter, Write};
use std::sync::{Mutex, PoisonError};

use rustix::termios::{InputModes, LocalModes, OptionalActions, OutputModes};

use super::modes::Modes;
use super::outlet;

/// The pipe to the keeper process, and the two lines it understands.
#[derive(Debug)]
pub(crate) struct Keeper {
    pub(crate) tells: PipeWriter,
    pub(crate) taken: &'static str,
    pub(crate) given_back: &'static str,
}

static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

pub(crate) fn kept_by(keeper: Keeper) {
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
        // This fails only when the keeper is gone, which matters only if we are killed.
        let _ = keeper.tells.write_all(format!("{word}\n").as_bytes());
    }
}

/// Runs in the keeper: restores the terminal of a process that could not do it itself. Standard output is that terminal.
///
/// The earlier settings are not known here; the flags that raw mode clears are, and they are set again.
pub(crate) fn give_back_for_another() {
    let all = Modes {
        mouse: true,
        kitty: true,
        title: true,
    };
    let _ = outlet::write_farewell(all.leave().as_bytes());
    let terminal = rustix::stdio::stdout();
    if let Ok(mut lines) = rustix::termios::tcgetattr(terminal) {
        // If a shell has set the terminal in the meantime, its settings are the better ones.
        if !lines.local_modes.contains(LocalModes::ICANON) {
            lines.input_modes |= InputModes::BRKINT | InputModes::ICRNL | InputModes::IXON;
            lines.output_modes |= OutputModes::OPOST;
            lines.local_modes |= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
            let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &lines);
        }
    }
}
