//! A workbench on a test terminal: builds a scene from events and keys, and renders it.

mod holds;
mod work;

use std::fmt::Write;
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::{Cache, Frame, Worker, draw};
use benchdog_app::layout::Layout;
use benchdog_app::{self as app, Msg, State};
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, SessionId, TurnId};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::failure::Failure;
use benchdog_keys::{Key, Keymap};
use benchdog_protocol::{AskingChild, Event, Live, OnDisk};
use benchdog_theme::{Depth, Theme};

/// Limit of requests to the worker per frame: the syntaxes, the visible lines, and repeats for a shortened text.
const MOST_ASKED: usize = 20;

pub(super) struct Rig {
    state: State,
    theme: Theme,
    cache: Cache,
    worker: Worker,
    now: Time,
    entry: u64,
    /// The subagent whose requests are pending. `None` for the session's own.
    child: Option<AskingChild>,
    on_disk: OnDisk,
    /// The number of the pending call. `edition` counts how often its proposal was rebuilt.
    call: u32,
    edition: u32,
}

impl Rig {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let now = Time(1_795_000_000_000);
        let mut rig = Self {
            state: State::new(Keymap::default(), width, height, now),
            theme: Theme::shipped("dark", Depth::Full),
            cache: Cache::default(),
            worker: Worker::default(),
            now,
            entry: 0,
            child: None,
            on_disk: OnDisk::AsShown,
            call: 4,
            edition: 0,
        };
        rig.state.screen.conversation.tools = benchdog_tools::Registry::builtin().facts();
        rig.send(Msg::Resize { width, height });
        rig
    }

    pub(super) fn plain(&mut self) -> &mut Self {
        self.theme = Theme::shipped("plain", Depth::Plain);
        self
    }

    fn send(&mut self, msg: Msg) {
        app::update(&mut self.state, msg);
    }

    pub(super) fn unbind(&mut self, actions: &[&str]) {
        let none = actions.iter().map(|id| ((*id).to_owned(), Vec::new()));
        self.state.keymap = Keymap::with(&none.collect::<Vec<_>>()).0;
    }

    pub(super) fn works_in(&mut self, folder: &str) {
        folder.clone_into(&mut self.state.screen.session.workspace);
        self.state.screen.session.id = Some(SessionId("0198".to_owned()));
    }

    pub(super) fn close_dialog(&mut self) {
        self.state.screen.dialog = None;
    }

    pub(super) fn event(&mut self, event: impl Into<Event>) {
        let (seat, event, at) = (self.state.screen.seat, event.into(), self.now);
        self.send(Msg::Agent { seat, event, at });
    }

    pub(super) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.press(key.parse().unwrap());
        }
    }

    pub(super) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.press(Key::char(c));
        }
    }

    fn press(&mut self, key: Key) {
        // Computes the layout before each key, because a person looks at the screen before pressing it.
        app::arrange(&mut self.state);
        self.now.0 += 20;
        let at = self.now;
        self.send(Msg::Key { key, at });
    }

    pub(super) fn wait(&mut self, ms: i64) {
        app::arrange(&mut self.state);
        self.now.0 += ms;
        let at = self.now;
        self.send(Msg::Tick { at });
    }

    fn entry(&mut self, body: Body) {
        self.entry += 1;
        let entry = Entry {
            id: EntryId(self.entry),
            turn: TurnId(1),
            time: self.now,
            body,
        };
        self.event(Event::Fact(Arc::new(entry)));
    }

    pub(super) fn say(&mut self, text: &str) {
        self.entry(Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        });
    }

    pub(super) fn fail(&mut self) {
        self.event(Live::Error(Failure::Told {
            code: "unreachable".to_owned(),
            text: "`http://127.0.0.1:8000/v1` did not answer: connection refused.".to_owned(),
            server: None,
        }));
    }

    /// Returns the frame once all visible code is highlighted.
    pub(super) fn buffer(&mut self) -> Buffer {
        self.frame();
        for request in self.cache.take_requests() {
            let done = self.worker.serve(request);
            self.cache.finish(done);
        }
        self.frame().0
    }

    /// Returns two frames: one with the current cache, and one with an empty cache.
    pub(super) fn warm_and_fresh(&mut self) -> (Buffer, Buffer) {
        app::arrange(&mut self.state);
        let warm = self.settled();
        let cache = std::mem::take(&mut self.cache);
        let fresh = self.settled();
        self.cache = cache;
        (warm, fresh)
    }

    /// Renders until no more requests to the worker are made. Returns the last frame.
    fn settled(&mut self) -> Buffer {
        for _ in 0..MOST_ASKED {
            let mut frame = Frame::empty(Rect::new(0, 0, self.state.width, self.state.height));
            draw(&self.state, &self.theme, &mut self.cache, &mut frame);
            let requests = self.cache.take_requests();
            if requests.is_empty() {
                return frame.cells;
            }
            for request in requests {
                let done = self.worker.serve(request);
                self.cache.finish(done);
            }
        }
        panic!("colours are asked for without end")
    }

    pub(super) fn works_with(mut self, worker: Worker) -> Self {
        self.worker = worker;
        self
    }

    pub(super) fn into_worker(self) -> Worker {
        self.worker
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.state.layout
    }

    pub(super) fn caret(&mut self) -> Option<(u16, u16)> {
        self.frame().1
    }

    fn frame(&mut self) -> (Buffer, Option<(u16, u16)>) {
        self.frame_over(Cell::EMPTY)
    }

    /// Renders into a buffer in which all cells are `before`. Returns the frame and the cursor position.
    pub(super) fn frame_over(&mut self, before: Cell) -> (Buffer, Option<(u16, u16)>) {
        app::arrange(&mut self.state);
        let mut frame = Frame::of(Buffer::filled(
            Rect::new(0, 0, self.state.width, self.state.height),
            before,
        ));
        let caret = draw(&self.state, &self.theme, &mut self.cache, &mut frame);
        (frame.cells, caret.map(|at| (at.x, at.y)))
    }

    pub(super) fn screen(&mut self) -> String {
        let buffer = self.buffer();
        let caret = self.caret();
        let mut out = self.screen_of(&buffer);
        let _ = match caret {
            Some((x, y)) => write!(out, "caret {x},{y}"),
            None => write!(out, "no caret"),
        };
        out
    }

    /// Returns the characters of the frame. The second column of a wide character is omitted.
    pub(super) fn screen_of(&self, buffer: &Buffer) -> String {
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(benchdog_base::text::width(symbol).max(1)).unwrap();
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    /// Returns the styles of the frame, one line for each run of cells with the same style.
    pub(super) fn styles(&mut self) -> String {
        let buffer = self.buffer();
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let _ = writeln!(out, "row {y}");
            let mut x = 0;
            while x < buffer.area.width {
                let cell = &buffer[(x, y)];
                let look = (cell.fg, cell.bg, cell.modifier);
                let mut text = String::new();
                while x < buffer.area.width && (buffer[(x, y)].fg, buffer[(x, y)].bg, buffer[(x, y)].modifier) == look {
                    text.push_str(buffer[(x, y)].symbol());
                    x += 1;
                }
                if !text.trim().is_empty() || look.1 != Color::Rgb(0x1a, 0x1c, 0x20) {
                    let _ = writeln!(
                        out,
                        "  {} on {}{} {:?}",
                        colour(look.0),
                        colour(look.1),
                        weight(look.2),
                        text
                    );
                }
            }
        }
        out
    }
}

fn colour(colour: Color) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        other => format!("{other:?}"),
    }
}

fn weight(modifier: Modifier) -> String {
    if modifier.is_empty() {
        String::new()
    } else {
        format!(" {modifier:?}")
    }
}
