//! The loop that drives the workbench: everything that can happen becomes a `Msg`, `update` says what to do, and a frame
//! is drawn when something changed and the pace allows it. It decides nothing itself.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write as _};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::clipboard::Clipboard;
use super::colours::Colours;
use super::editor::Editor;
use super::guard::{self, Guard, Out};
use super::input::{Read, Reader};
use super::ops::Answers;
use super::pace::{Cause, Pace};
use super::paint::Painter;
use super::parse::Input;
use super::screen::Canvas;
use super::signals::{self, Signal, Signals};
use crate::app::msg::TerminalFacts;
use crate::app::{self, Msg, State};
use crate::base::clock::Time;
use crate::protocol::{Command, Event};
use crate::theme::{Choice, Depth, Ground, Theme};
use crate::ui;

/// Events taken from the engine at one time, before a frame is considered.
const BATCH: usize = 512;

/// All that a workbench is made of.
pub(crate) struct Session {
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) events: mpsc::Receiver<Event>,
    pub(crate) state: State,
    pub(crate) look: Appearance,
    pub(crate) clipboard: Clipboard,
    /// `$VISUAL` or `$EDITOR`.
    pub(crate) editor: Option<Editor>,
}

/// What the theme is chosen by.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) choice: Choice,
    pub(crate) depth: Depth,
    /// As far as the environment says; the terminal itself is asked after the first frame.
    pub(crate) ground: Option<Ground>,
}

/// Why the workbench was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    Asked,
    /// The process was asked to end by this signal.
    Signal(i32),
    /// The terminal or the engine is gone.
    Closed,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum TerminalError {
    #[error("the terminal could not be used")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Theme(#[from] crate::theme::ThemeError),
}

/// Runs the workbench until it is left. The terminal is as it was when this returns, however it returns.
pub(crate) async fn run(session: Session) -> Result<(Leave, State), TerminalError> {
    let mut driver = Driver::new(session)?;
    driver.first_frame()?;
    let leave = driver.turn().await?;
    let Driver { state, guard, .. } = driver;
    drop(guard);
    Ok((leave, state))
}

pub(super) struct Driver {
    pub(super) state: State,
    pub(super) guard: Guard,
    pub(super) clipboard: Clipboard,
    pub(super) editor: Option<Editor>,
    /// Answers of ops that take time, and the editor while it has the terminal.
    pub(super) answers: Answers,
    /// The moments somebody wants to be woken at.
    pub(super) wakes: BTreeSet<Time>,
    /// Commands the engine had no room for yet.
    pub(super) outbox: VecDeque<Command>,
    pub(super) leaving: Option<Leave>,
    commands: mpsc::Sender<Command>,
    events: mpsc::Receiver<Event>,
    signals: Signals,
    reader: Reader,
    look: Appearance,
    theme: Theme,
    cache: ui::Cache,
    colours: Colours,
    canvas: Canvas,
    painter: Painter<Out>,
    pace: Pace,
}

/// What one wait brought.
enum Woken {
    Signal(Signal),
    Input(io::Result<Read>),
    Events(usize),
    Answer(Msg),
    Room,
    Coloured(ui::Done),
    Timer,
}

impl Driver {
    fn new(session: Session) -> Result<Self, TerminalError> {
        let Session {
            commands,
            events,
            state,
            look,
            clipboard,
            editor,
        } = session;
        let theme = Theme::choose(&look.choice, look.depth, look.ground)?;
        // Signals first: from here on none ends the process before the terminal is restored.
        let signals = Signals::new()?;
        let guard = Guard::enter(state.mouse)?;
        let size = guard::size();
        Ok(Self {
            state,
            guard,
            clipboard,
            editor,
            answers: Answers::default(),
            wakes: BTreeSet::new(),
            outbox: VecDeque::new(),
            leaving: None,
            commands,
            events,
            signals,
            reader: Reader::new()?,
            look,
            theme,
            cache: ui::Cache::default(),
            colours: Colours::default(),
            canvas: Canvas::new(size),
            painter: Painter::new(Out, size),
            pace: Pace::default(),
        })
    }

    /// The first picture, and only then the questions: no answer is worth waiting for.
    fn first_frame(&mut self) -> io::Result<()> {
        self.resize();
        self.frame()?;
        self.guard.ask()?;
        for op in app::start(&self.state) {
            self.perform(op);
        }
        self.send();
        Ok(())
    }

    async fn turn(&mut self) -> Result<Leave, TerminalError> {
        let mut inputs = Vec::new();
        let mut events = Vec::with_capacity(BATCH);
        loop {
            match self.wait(&mut inputs, &mut events).await {
                Woken::Signal(signal) => self.signal(signal)?,
                Woken::Input(Ok(Read::Some)) => self.inputs(&mut inputs)?,
                Woken::Input(Ok(Read::Closed)) => return Ok(Leave::Closed),
                Woken::Input(Err(error)) => return Err(error.into()),
                Woken::Events(0) => return Ok(Leave::Closed),
                Woken::Events(_) => self.events(&mut events),
                Woken::Answer(msg) => self.answer(msg)?,
                Woken::Room => self.send(),
                Woken::Coloured(done) => self.coloured(done),
                Woken::Timer => self.tick(),
            }
            if let Some(leave) = self.leaving {
                return Ok(leave);
            }
            self.draw_if_due()?;
        }
    }

    async fn wait(&mut self, inputs: &mut Vec<Input>, events: &mut Vec<Event>) -> Woken {
        let now = Instant::now();
        let frame = if self.answers.editing() {
            None
        } else {
            self.pace.due(now)
        };
        let wake = self
            .wakes
            .first()
            .map(|at| now + Duration::from_millis(at.since(Time::now())));
        let timer = [frame, wake].into_iter().flatten().min();
        // In this order: what the person does comes before what the model says.
        tokio::select! {
            biased;
            signal = self.signals.next() => Woken::Signal(signal),
            read = self.reader.next(inputs), if !self.answers.editing() => Woken::Input(read),
            () = sleep_until(timer.unwrap_or(now)), if timer.is_some() => Woken::Timer,
            msg = self.answers.next() => Woken::Answer(msg),
            done = self.colours.next() => Woken::Coloured(done),
            room = self.commands.reserve(), if !self.outbox.is_empty() => {
                if let (Ok(permit), Some(command)) = (room, self.outbox.pop_front()) {
                    permit.send(command);
                }
                Woken::Room
            }
            count = self.events.recv_many(events, BATCH) => Woken::Events(count),
        }
    }

    fn inputs(&mut self, inputs: &mut Vec<Input>) -> Result<(), TerminalError> {
        let at = Time::now();
        for input in inputs.drain(..) {
            match input {
                Input::Key(key) => self.update(Msg::Key { key, at }, Cause::Person),
                Input::Paste(text) => self.update(Msg::Paste { text, at }, Cause::Person),
                Input::Mouse { kind, x, y } => self.update(Msg::Mouse { kind, x, y, at }, Cause::Person),
                Input::Focus(focused) => self.update(Msg::Focus(focused), Cause::Event),
                Input::Kitty => {
                    self.guard.use_kitty()?;
                    self.update(Msg::Terminal(TerminalFacts { kitty: true }), Cause::Event);
                }
                Input::Attributes => self.guard.answered(),
                Input::Ground(red, green, blue) => self.ground(Ground::of_colour(red, green, blue))?,
            }
            if self.answers.suspend_asked() {
                self.suspend()?;
            }
        }
        Ok(())
    }

    /// The terminal said what its ground is: the theme follows, unless the person named one.
    fn ground(&mut self, ground: Ground) -> Result<(), TerminalError> {
        self.look.ground = Some(ground);
        let theme = Theme::choose(&self.look.choice, self.look.depth, self.look.ground)?;
        if theme.ground() != self.theme.ground() {
            self.theme = theme;
            self.pace.changed(Cause::Event);
        }
        Ok(())
    }

    /// Pieces of text that arrived together are one: nobody sees them apart.
    fn events(&mut self, events: &mut Vec<Event>) {
        let at = Time::now();
        let mut text: Option<(String, usize)> = None;
        for event in events.drain(..) {
            match event {
                Event::TextDelta { text: piece } => match &mut text {
                    Some((gathered, pieces)) => {
                        gathered.push_str(&piece);
                        *pieces += 1;
                    }
                    None => text = Some((piece, 1)),
                },
                event => {
                    self.text(text.take(), at);
                    self.update(Msg::Agent { event, at }, Cause::Event);
                }
            }
        }
        self.text(text.take(), at);
    }

    fn text(&mut self, gathered: Option<(String, usize)>, at: Time) {
        if let Some((text, pieces)) = gathered {
            let event = Event::TextDelta { text };
            self.update(Msg::Agent { event, at }, Cause::Text(pieces));
        }
    }

    /// Colours come with the next piece of text where text streams in.
    fn coloured(&mut self, done: ui::Done) {
        self.cache.finish(done);
        self.pace.changed(Cause::Text(1));
    }

    fn tick(&mut self) {
        let at = Time::now();
        if self.wakes.first().is_some_and(|wake| *wake <= at) {
            self.wakes.retain(|wake| *wake > at);
            self.update(Msg::Tick { at }, Cause::Event);
        }
    }

    fn answer(&mut self, msg: Msg) -> io::Result<()> {
        if self.answers.editor_left() {
            self.take_terminal()?;
        }
        self.update(msg, Cause::Person);
        Ok(())
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            // The editor has the terminal; an interrupt was typed to it.
            Signal::End(2) if self.answers.editing() => {}
            Signal::End(number) => self.leaving = Some(Leave::Signal(number)),
            Signal::Resize => self.resize(),
            Signal::Stop if self.answers.editing() => signals::stop(),
            Signal::Stop => self.suspend()?,
            Signal::Continue if self.answers.editing() => {}
            Signal::Continue => self.take_terminal()?,
        }
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.guard.leave();
        signals::stop();
        self.take_terminal()
    }

    /// After the shell or an editor had it: modes, size and picture anew. In the background it stays the shell's.
    fn take_terminal(&mut self) -> io::Result<()> {
        if guard::in_foreground() {
            self.guard.leave();
            self.guard.enter_again()?;
            self.painter.forget();
            self.resize();
        }
        Ok(())
    }

    fn resize(&mut self) {
        let size = guard::size();
        self.canvas.resize(size);
        let (width, height) = (size.width, size.height);
        self.update(Msg::Resize { width, height }, Cause::Event);
        self.pace.changed(Cause::Event);
    }

    pub(super) fn update(&mut self, msg: Msg, cause: Cause) {
        for op in app::update(&mut self.state, msg) {
            self.perform(op);
        }
        if self.state.take_dirty() {
            self.pace.changed(cause);
        }
        self.send();
    }

    /// Hands commands over in order, as far as there is room now.
    fn send(&mut self) {
        while let Some(command) = self.outbox.pop_front() {
            match self.commands.try_send(command) {
                Ok(()) => {}
                Err(mpsc::error::TrySendError::Full(command) | mpsc::error::TrySendError::Closed(command)) => {
                    self.outbox.push_front(command);
                    return;
                }
            }
        }
    }

    fn draw_if_due(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if !self.answers.editing() && self.pace.due(now).is_some_and(|due| due <= now) {
            self.frame()?;
        }
        Ok(())
    }

    fn frame(&mut self) -> io::Result<()> {
        let Self {
            state,
            theme,
            cache,
            canvas,
            painter,
            pace,
            colours,
            ..
        } = self;
        app::arrange(state);
        canvas.draw(
            |frame| ui::draw(state, theme, cache, frame),
            |buffer, caret| painter.show(buffer, caret),
        )?;
        pace.drawn(Instant::now());
        for request in cache.take_requests() {
            colours.ask(request);
        }
        Ok(())
    }

    pub(super) fn say(&mut self, bytes: &str) {
        // A terminal that takes no bell is found out by the next frame.
        let _ = Out.write_all(bytes.as_bytes());
    }
}
