//! Tests the event loop on a pseudo-terminal. The test binary starts itself as the workbench, with a scripted engine.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tokio::sync::mpsc;

use super::bell::Bell;
use super::clipboard::Clipboard;
use super::colouring::Appearance;
use super::event_loop::{Leave, Session, run};
use benchdog_app::State;
use benchdog_base::clock::Time;
use benchdog_base::environment::Environment;
use benchdog_domain::server_error::ServerError;
use benchdog_keys::Keymap;
use benchdog_protocol::{Command, Event, Live, Order, Told, TurnState};
use benchdog_theme::{Choice, Depth, Shelf, Theme};

/// Runs in the process that `Workbench::start` starts. Not a test by itself.
#[test]
#[ignore = "it is the other side of the tests beside it, and takes over the terminal it runs in"]
fn the_workbench_itself() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let (orders, mut asked) = mpsc::channel(64);
    let (say, told) = mpsc::channel(4096);
    let engine = runtime.spawn(async move {
        let mut draft = String::new();
        while let Some(Order { seat, command }) = asked.recv().await {
            if let Command::SaveDraft { text } = &command {
                draft.clone_from(text);
            }
            if let Command::Prompt { text, .. } = command {
                assert!(text != "die in the engine", "the engine broke");
                if text == "die in the app" {
                    for event in nonsense() {
                        let _ = say.send(Told { seat, event }).await;
                    }
                    continue;
                }
                for word in text.split_inclusive(' ') {
                    let event = Live::Text(word.to_owned()).into();
                    if say.send(Told { seat, event }).await.is_err() {
                        return draft;
                    }
                }
            }
        }
        draft
    });
    let session = Session {
        orders,
        told,
        state: State::new(Keymap::default(), 80, 24, Time::now()),
        theme: Theme::shipped("dark", Depth::Full),
        look: Appearance {
            shelf: Shelf::default(),
            choice: Choice::Auto,
            depth: Depth::Full,
            ground: None,
        },
        clipboard: Clipboard::default(),
        links: super::paint::Links::Told,
        bell: Bell::of("bell", &Environment::of([])),
        editor: None,
        log: Arc::new(|| Ok(None)),
        set_language: |_| {},
        host: None,
        report: None,
    };
    let left = runtime.block_on(run(session)).map(|(leave, _)| leave);
    println!("left: {left:?}");
    if let Ok(draft) = runtime.block_on(engine) {
        println!("draft: {draft:?}");
    }
    // A failed assertion sets the exit code that the test checks.
    assert!(matches!(left, Ok(Leave::Asked)));
}

/// Returns events of a retry with an attempt number that no engine sends.
fn nonsense() -> [Event; 2] {
    let retrying = Live::Retrying {
        attempt: u32::MAX,
        wait_ms: 1_000,
        reason: ServerError::of_message("nonsense"),
        at: Time::now(),
    };
    let started = Live::State(TurnState::Planning);
    [started.into(), retrying.into()]
}

/// Returns `true` if this process runs only this test. Otherwise runs the test in a process of its own, and returns
/// `false`.
/// The tool calls of other tests end all child processes in sessions of their own.
fn alone() -> bool {
    let thread = std::thread::current();
    let exact = std::env::args().any(|argument| argument == "--exact");
    let Some(name) = thread.name().filter(|name| !exact && name.starts_with("terminal::")) else {
        return true;
    };
    let mut itself = std::process::Command::new(std::env::current_exe().unwrap());
    let ended = itself.args(["--exact", name, "--nocapture"]).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
    false
}

struct Workbench {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    chunks: Receiver<Vec<u8>>,
    emulator: vt100::Parser,
    bytes: Vec<u8>,
    line_mode: (u32, u32, u32),
}

fn line_mode(terminal: &dyn MasterPty) -> (u32, u32, u32) {
    let mode = terminal.get_termios().unwrap();
    (
        mode.local_flags.bits(),
        mode.input_flags.bits(),
        mode.output_flags.bits(),
    )
}

impl Workbench {
    /// Starts the workbench. Returns `None` if the test has already passed in a process of its own.
    fn start() -> Option<Self> {
        if !alone() {
            return None;
        }
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let line_mode = line_mode(pair.master.as_ref());
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "tests::the_workbench_itself",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ]);
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keyboard = pair.master.take_writer().unwrap();
        let (send, chunks) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 65_536];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let emulator = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
        let mut workbench = Self {
            master: pair.master,
            child,
            keyboard,
            chunks,
            emulator,
            bytes: Vec::new(),
            line_mode,
        };
        workbench.wait_for("the first frame", |screen| screen.contents().contains("conversation"));
        assert_ne!(
            self::line_mode(workbench.master.as_ref()),
            line_mode,
            "keys come one by one"
        );
        Some(workbench)
    }

    fn press(&mut self, bytes: &str) {
        self.keyboard.write_all(bytes.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Waits until the screen fulfils `seen`. Prints the screen on timeout.
    fn wait_for(&mut self, what: &str, seen: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !seen(self.emulator.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => {
                    self.emulator.process(&chunk);
                    self.bytes.extend(chunk);
                }
                Err(_) => panic!(
                    "{what} did not come; the screen is\n{}",
                    self.emulator.screen().contents()
                ),
            }
        }
    }

    /// Reads output for the given time. Returns the number of bytes.
    fn settle(&mut self, time: Duration) -> usize {
        let before = self.bytes.len();
        let deadline = Instant::now() + time;
        while let Ok(chunk) = self
            .chunks
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            self.emulator.process(&chunk);
            self.bytes.extend(chunk);
        }
        self.bytes.len() - before
    }

    /// Waits for the exit, and checks that the terminal is restored. Returns the exit code.
    fn end(&mut self) -> u32 {
        let deadline = Instant::now() + Duration::from_secs(10);
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                panic!(
                    "the workbench did not end; the screen is\n{}",
                    self.emulator.screen().contents()
                );
            }
            self.settle(Duration::from_millis(20));
        };
        self.settle(Duration::from_millis(300));
        let screen = self.emulator.screen();
        assert!(!screen.alternate_screen(), "the shell's screen is back");
        assert!(
            !screen.hide_cursor() && !screen.bracketed_paste(),
            "cursor and paste are as they were"
        );
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        let all = String::from_utf8_lossy(&self.bytes).into_owned();
        assert!(
            all.rfind("\x1b[?1004l") > all.rfind("\x1b[?1004h"),
            "focus reports are off"
        );
        assert_eq!(
            all.matches("\x1b[>3u").count() > 0,
            all.contains("\x1b[<u"),
            "keyboard flags are popped"
        );
        assert_eq!(
            line_mode(self.master.as_ref()),
            self.line_mode,
            "lines are edited and echoed as before"
        );
        code
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), signal).unwrap();
    }
}

#[test]
fn typing_shows_and_the_real_cursor_is_at_the_caret() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    workbench.press("漢字 ok");
    workbench.wait_for("what was typed", |screen| screen.contents().contains("漢字 ok"));
    assert_eq!(workbench.emulator.screen().cursor_position(), (22, 3 + 7));
    assert!(!workbench.emulator.screen().hide_cursor());
    workbench.press("\x03\x04");
    assert_eq!(workbench.end(), 0);
}

#[test]
fn idle_writes_nothing_and_one_key_few_bytes() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    workbench.press("a");
    workbench.wait_for("the key", |screen| screen.contents().contains("› a"));
    workbench.settle(Duration::from_millis(700));
    assert_eq!(
        workbench.settle(Duration::from_millis(1_500)),
        0,
        "an idle workbench writes nothing"
    );
    workbench.press("b");
    let bytes = workbench.settle(Duration::from_millis(200));
    assert!((1..=80).contains(&bytes), "a key costs {bytes} bytes");
    workbench.press("\x03\x04");
    assert_eq!(workbench.end(), 0);
}

#[test]
fn questions_are_asked_after_the_first_frame_and_their_answers_are_no_typing() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    workbench.settle(Duration::from_millis(200));
    let asked = String::from_utf8_lossy(&workbench.bytes).into_owned();
    assert!(asked.find("\x1b[?u").unwrap() > asked.find("conversation").unwrap());
    workbench.press("\x1b[?0u\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c");
    let light = |screen: &vt100::Screen| screen.cell(2, 2).unwrap().bgcolor() == vt100::Color::Rgb(0xfb, 0xfa, 0xf7);
    workbench.wait_for("the light theme", light);
    assert!(
        String::from_utf8_lossy(&workbench.bytes).contains("\x1b[>3u"),
        "the keyboard protocol is switched on"
    );
    assert!(!workbench.emulator.screen().contents().contains("rgb:"));
    workbench.press("\x1b[97;1u\x1b[99;5u\x1b[100;5u");
    assert_eq!(workbench.end(), 0);
}

#[test]
fn a_resize_is_a_picture_of_the_new_size() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    workbench
        .emulator
        .screen_mut()
        .set_size(40.try_into().unwrap(), 120.try_into().unwrap());
    let size = PtySize {
        rows: 40,
        cols: 120,
        pixel_width: 0,
        pixel_height: 0,
    };
    workbench.master.resize(size).unwrap();
    workbench.wait_for("the files", |screen| {
        screen.rows(0, 120).next().unwrap().starts_with(" files ")
    });
    workbench.wait_for("the bottom row", |screen| {
        screen.rows(0, 120).nth(39).unwrap().contains("no model")
    });
    workbench.press("\x04");
    assert_eq!(workbench.end(), 0);
}

#[test]
fn every_ending_gives_the_terminal_back() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let Some(mut workbench) = Workbench::start() else {
            return;
        };
        workbench.press("half a draft");
        workbench.wait_for("the draft", |screen| screen.contents().contains("draft"));
        workbench.signal(signal);
        assert_ne!(workbench.end(), 0, "{signal:?}");
    }
}

#[test]
fn a_panic_elsewhere_is_told_once_the_terminal_is_back() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    workbench.press("die in the engine\r");
    workbench.end();
    let after = String::from_utf8_lossy(&workbench.bytes).into_owned();
    let (before, after) = after.rsplit_once("\x1b[?1049l").unwrap();
    assert!(after.contains("the engine broke"), "{after}");
    assert!(!before.contains("the engine broke"));
}

#[test]
fn a_panic_in_a_frame_restores_the_terminal_is_told_and_loses_no_draft() {
    let Some(mut workbench) = Workbench::start() else {
        return;
    };
    // Send everything in one write, so that the keys are handled before the engine's answer. The arrow key prevents the
    // keys from counting as a paste.
    workbench.press("die in the app\r\x1b[Ca new draft");
    assert_ne!(workbench.end(), 0);
    let all = String::from_utf8_lossy(&workbench.bytes).into_owned();
    let (before, after) = all.rsplit_once("\x1b[?1049l").unwrap();
    assert!(after.contains("panicked at") && after.contains("overflow"), "{after}");
    assert!(!before.contains("panicked at"));
    assert!(after.contains("left: Err(Broke)"), "{after}");
    assert!(after.contains("draft: \"a new draft\""), "{after}");
}
