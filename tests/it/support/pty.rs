//! The real binary in a pseudo-terminal, shown by a terminal emulator.
//!
//! A thread reads all output, passes it to the emulator, and answers queries like an xterm.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
use rustix::termios::{LocalModes, OptionalActions};

use super::answers::{Answers, Kind};
use super::process::{SPAWNING, kill};
use super::screen::Screen;
use super::seen::Seen;
use super::{PATIENCE, Watched, keys};

type Writer = Arc<Mutex<Box<dyn Write + Send>>>;

pub struct Pty {
    pub(super) seen: Arc<Watched<Seen>>,
    master: Box<dyn MasterPty + Send>,
    writer: Writer,
    pid: u32,
    reading: Arc<Watched<bool>>,
}

impl Pty {
    pub fn spawn(command: CommandBuilder, kind: Kind, columns: u16, rows: u16) -> Self {
        let alone = SPAWNING.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a pseudo-terminal");
        keep_output(&*pair.master);
        let mut child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        drop(alone);
        let pid = child.process_id().expect("a process has an id");
        let mut reader = pair.master.try_clone_reader().expect("a reader of the terminal");
        let writer: Writer = Arc::new(Mutex::new(pair.master.take_writer().expect("a writer to the terminal")));
        let seen = Arc::new(Watched::new(Seen {
            parser: vt100::Parser::new_with_callbacks(cells(rows), cells(columns), 0, Answers::of(kind)),
            raw: Vec::new(),
            closed: false,
            exit: None,
        }));

        // Answer in a separate thread, so that output is read even if the program accepts no keys.
        let (answer, due) = mpsc::channel::<Vec<u8>>();
        let answering = Arc::clone(&writer);
        std::thread::spawn(move || {
            for bytes in due {
                let mut writer = answering.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = writer.write_all(&bytes).and_then(|()| writer.flush());
            }
        });
        let reading = Arc::clone(&seen);
        let open = Arc::new(Watched::new(true));
        let may_read = Arc::clone(&open);
        std::thread::spawn(move || {
            let mut buffer = [0_u8; 65_536];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let _ = may_read.wait(PATIENCE * 30, |reads| reads.then_some(()));
                let bytes = buffer.get(..count).unwrap_or_default();
                let answers = reading.change(|seen| {
                    seen.raw.extend_from_slice(bytes);
                    seen.parser.process(bytes);
                    std::mem::take(&mut seen.parser.callbacks_mut().answers)
                });
                if !answers.is_empty() {
                    let _ = answer.send(answers);
                }
            }
            reading.change(|seen| seen.closed = true);
        });
        let waiting = Arc::clone(&seen);
        std::thread::spawn(move || {
            let status = child.wait().expect("a child can be waited for");
            waiting.change(|seen| seen.exit = Some(status));
        });
        Self {
            seen,
            master: pair.master,
            writer,
            pid,
            reading: open,
        }
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    // --- what the person does ---

    /// Sends keys by name, each in one write: `ctrl-p di enter`. Types a word that is not the name of a key.
    pub fn keys(&self, keys: &str) {
        for word in keys.split_whitespace() {
            match keys::encoded(word) {
                Some(bytes) => self.send(&bytes),
                None => self.type_text(word),
            }
        }
    }

    pub fn type_text(&self, text: &str) {
        let mut buffer = [0_u8; 4];
        for character in text.chars() {
            self.send(character.encode_utf8(&mut buffer).as_bytes());
        }
    }

    pub fn send(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writer.write_all(bytes).and_then(|()| writer.flush()) {
            panic!("no more keys are taken: {error}\n{}", self.seen.look().report());
        }
    }

    /// Like `send`, for a program that may have ended. A write would then block forever.
    pub fn offer(&self, bytes: &[u8]) -> std::io::Result<()> {
        let (told, done) = mpsc::channel();
        let (writer, bytes) = (Arc::clone(&self.writer), bytes.to_vec());
        std::thread::spawn(move || {
            let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = told.send(writer.write_all(&bytes).and_then(|()| writer.flush()));
        });
        loop {
            match done.recv_timeout(Duration::from_millis(50)) {
                Ok(written) => return written,
                Err(_) if self.seen.look().exit.is_some() => return Err(std::io::ErrorKind::BrokenPipe.into()),
                Err(_) => {}
            }
        }
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        self.seen
            .change(|seen| seen.parser.set_size(cells(rows), cells(columns)));
        self.master
            .resize(size(columns, rows))
            .expect("the terminal takes a new size");
    }

    /// Stops reading the output until `read_on`.
    pub fn stop_reading(&self) {
        self.reading.change(|reads| *reads = false);
    }

    pub fn read_on(&self) {
        self.reading.change(|reads| *reads = true);
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid, signal);
    }

    // --- what is there ---

    pub fn look<R>(&self, look: impl FnOnce(&Screen<'_>) -> R) -> R {
        look(&self.seen.look().screen())
    }

    pub fn written(&self) -> usize {
        self.seen.look().raw.len()
    }

    /// Waits until `ready` accepts the screen. `what` describes the condition in a failure message.
    #[track_caller]
    pub fn wait_for(&self, what: &str, ready: impl Fn(&Screen<'_>) -> bool) {
        let came = self.seen.wait(PATIENCE, |seen| {
            if seen.is_between_frames() && ready(&seen.screen()) {
                Some(true)
            } else {
                // Nothing more will be drawn, so stop waiting.
                (seen.closed && seen.exit.is_some()).then_some(false)
            }
        });
        match came {
            Ok(true) => {}
            Ok(false) => panic!("waited for {what}, but it never came\n{}", self.seen.look().report()),
            Err(seen) => panic!("waited {PATIENCE:?} for {what}\n{}", seen.report()),
        }
    }

    #[track_caller]
    pub fn wait_for_text(&self, text: &str) {
        self.wait_for(&format!("{text:?}"), |screen| screen.has(text));
    }

    /// Waits until nothing was written for `still`, and then at most `window` for a write. Returns the bytes written in
    /// the window.
    pub fn written_in(&self, still: Duration, window: Duration) -> usize {
        let before = self.rests(still);
        self.grew_within(before, window);
        self.written() - before
    }

    pub(super) fn grew_within(&self, before: usize, window: Duration) -> bool {
        let grew = self.seen.wait(window, |seen| (seen.raw.len() != before).then_some(()));
        grew.is_ok()
    }

    #[track_caller]
    pub fn wait_exit(&self) -> ExitStatus {
        let exit = self.seen.wait(PATIENCE, |seen| seen.exit.clone());
        let exit = exit.unwrap_or_else(|seen| panic!("waited {PATIENCE:?} for the program to end\n{}", seen.report()));
        // A remaining process may keep the terminal open. Other checks detect it.
        let _ = self.seen.wait(Duration::from_secs(2), |seen| seen.closed.then_some(()));
        exit
    }

    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen.look().raw).into_owned()
    }

    /// Returns terminal state that was not restored: emulator modes, private modes, line discipline.
    pub fn left_behind(&self) -> Vec<String> {
        let raw = self.raw();
        let mut left: Vec<String> = self.look(|screen| screen.taken().iter().map(|name| (*name).to_owned()).collect());
        let modes = regex::Regex::new(r"\x1b\[\?([\d;]+)([hl])").expect("a fixed pattern");
        let mut on: BTreeMap<&str, bool> = BTreeMap::new();
        for found in modes.captures_iter(&raw) {
            let (_, [numbers, set]) = found.extract();
            on.extend(numbers.split(';').map(|number| (number, set == "h")));
        }
        // Modes 25 (cursor) and 7 (wrap) are set in an idle terminal.
        left.extend(
            on.iter()
                .filter(|(mode, set)| **set != matches!(**mode, "25" | "7"))
                .map(|(mode, _)| format!("mode {mode}")),
        );
        let count = |pattern: &str| {
            regex::Regex::new(pattern)
                .expect("a fixed pattern")
                .find_iter(&raw)
                .count()
        };
        if count(r"\x1b\[>\d*u") > count(r"\x1b\[<\d*u") {
            left.push("kitty keyboard".to_owned());
        }
        let termios = self.master.get_termios().expect("a terminal has settings");
        for (bit, name) in [(0o2, "line editing"), (0o10, "echo"), (0o1, "signals by key")] {
            if termios.local_flags.bits() & bit == 0 {
                left.push(format!("{name} is off"));
            }
        }
        left
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        self.read_on();
        if self.seen.look().exit.is_none() {
            kill(self.pid, Signal::KILL);
        }
    }
}

/// Prevents the kernel from discarding unread output when `Ctrl+C` is typed after the program has ended.
fn keep_output(master: &dyn MasterPty) {
    let name = master.tty_name().expect("a terminal has a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let terminal = rustix::fs::open(name, flags, Mode::empty()).expect("our own terminal");
    let mut settings = rustix::termios::tcgetattr(&terminal).expect("a terminal has settings");
    settings.local_modes |= LocalModes::NOFLSH;
    rustix::termios::tcsetattr(&terminal, OptionalActions::Now, &settings).expect("settings of a terminal");
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has rows and columns")
}
