//! Writes lines on a separate thread. If a reader does not accept output, only this thread waits.

use std::io::{self, Write};

use tokio::sync::mpsc;

use super::printer::{Line, To};
use super::words;

/// The maximum number of queued lines. If the queue is full, the run waits.
const WAITING: usize = 64;

pub(super) struct Fate(mpsc::Receiver<()>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    Unwritable,
    Written,
}

/// Starts the writer. Each line is written when the previous line was accepted.
pub(super) fn start(out: impl Write + Send + 'static, err: impl Write + Send + 'static) -> (mpsc::Sender<Line>, Fate) {
    let (lines, waiting) = mpsc::channel(WAITING);
    let (tells, heard) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || write(waiting, &tells, out, err));
    (lines, Fate(heard))
}

impl Fate {
    pub(super) async fn hear(&mut self) -> Heard {
        match self.0.recv().await {
            Some(()) => Heard::Unwritable,
            None => Heard::Written,
        }
    }
}

fn write(mut waiting: mpsc::Receiver<Line>, tells: &mpsc::Sender<()>, mut out: impl Write, mut err: impl Write) {
    let mut is_writable = true;
    while let Some(line) = waiting.blocking_recv() {
        match line.to {
            To::Out if is_writable => {
                let written = writeln!(out, "{}", line.text).and_then(|()| out.flush());
                if let Err(error) = written {
                    is_writable = false;
                    // A closed pipe is not an error.
                    if error.kind() != io::ErrorKind::BrokenPipe {
                        let _ = writeln!(err, "{}", words::unwritable(&error));
                    }
                    let _ = tells.blocking_send(());
                }
            }
            To::Out => {}
            To::Err => {
                let _ = writeln!(err, "{}", line.text).and_then(|()| err.flush());
            }
        }
    }
}
