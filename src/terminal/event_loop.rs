//! The event loop. Passes events to `update` as `Msg`s, runs the returned operations, and draws frames in time.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write as _};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::aside::Aside;
use super::behind::Behind;
use super::bell::Bell;
use super::clipboard::Clipboard;
use super::colouring::{Appearance, NextTheme};
use super::colours::Colours;
use super::editor::Editor;
use super::guard::{self, Guard};
use super::host_link::{HostLink, Hosting, Report};
use super::input::{Read, Reader};
use super::ops::{Answered, Answers, ReadLog};
use super::outlet::Outlet;
use super::pace::{Cause, Cost, Link, Pace};
use super::paint::{Links, Painter};
use super::parse::Input;
use super::picture::Picture;
use super::signals::{self, Signal, Signals};
use benchdog_app::msg::TerminalFacts;
use benchdog_app::picture::Old;
use benchdog_app::{self as app, Msg, State};
use benchdog_base::clock::Time;
use benchdog_base::environment::Environment;
use benchdog_base::id::SeatId;
use benchdog_detached::host;
use benchdog_protocol::{Event, Live, Order, Told};
use benchdog_theme::{Ground, Theme};
use benchdog_ui as ui;

/// Interval at which a background job checks whether it owns the terminal. A shell signals only stopped jobs.
const LOOK: Duration = Duration::from_millis(250);

/// The maximum number of engine events handled before the next frame.
const BATCH: usize = 512;

pub struct Session {
    pub orders: mpsc::Sender<Order>,
    pub told: mpsc::Receiver<Told>,
    pub state: State,
    pub look: Appearance,
    pub theme: Theme,
    pub clipboard: Clipboard,
    pub links: Links,
    pub bell: Bell,
    pub editor: Option<Editor>,
    pub log: ReadLog,
    pub set_language: fn(&'static str),
    /// The connection to the host process, if the workbench outlives its terminal.
    pub host: Option<HostLink>,
    pub report: Option<Report>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    Asked,
    Signal(i32),
    Closed,
}

#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    #[error("the terminal could not be used")]
    Io(#[from] io::Error),
    #[error("the workbench has an error in itself and had to end; the report of it stands above")]
    Broke,
}

/// Runs the workbench until exit. Restores the terminal before it returns, also after an error.
pub async fn run(session: Session) -> Result<(Leave, State), TerminalError> {
    let environment = Environment::of_process();
    let far = environment.has("SSH_CONNECTION") || environment.has("SSH_TTY");
    let mut driver = Driver::new(session, if far { Link::Far } else { Link::Here })?;
    let turn = AssertUnwindSafe(driver.turn()).catch_unwind().await;
    let result = turn.unwrap_or(Err(TerminalError::Broke));
    let state = driver.close().await;
    Ok((result?, state))
}

pub(super) struct Driver {
    pub(super) state: State,
    pub(super) guard: Guard,
    pub(super) clipboard: Clipboard,
    pub(super) bell: Bell,
    pub(super) editor: Option<Editor>,
    pub(super) log: ReadLog,
    pub(super) set_language: fn(&'static str),
    pub(super) answers: Answers,
    pub(super) wakes: BTreeSet<Time>,
    /// Commands that wait because the engine's channel is full. Sending continues in order as soon as there is space.
    pub(super) outbox: VecDeque<Order>,
    pub(super) leaving: Option<Leave>,
    pub(super) orders: mpsc::Sender<Order>,
    pub(super) told: mpsc::Receiver<Told>,
    signals: Signals,
    pub(super) reader: Reader,
    pub(super) behind: Behind,
    pub(super) aside: Aside,
    pub(super) look: Appearance,
    pub(super) theme: Theme,
    pub(super) next_theme: NextTheme,
    pub(super) cache: ui::Cache,
    colours: Colours,
    picture: Picture,
    painter: Painter<Outlet>,
    /// Whether the shell or another program uses the terminal. Benchdog then reads and writes nothing.
    away: bool,
    look_at: Option<Instant>,
    pub(super) hosting: Hosting,
    pub(super) pace: Pace,
}

enum Woken {
    Signal(Signal),
    Input(io::Result<Read>),
    Events(usize),
    Answer(Answered),
    Room,
    Coloured(ui::Done),
    Theme(Option<Theme>),
    Taken(io::Result<()>),
    Host(host::Event),
    Timer,
}

impl Driver {
    fn new(session: Session, link: Link) -> Result<Self, TerminalError> {
        let Session {
            orders,
            told,
            mut state,
            look,
            theme,
            clipboard,
            links,
            bell,
            editor,
            log,
            set_language,
            host,
            report,
        } = session;
        state.terminal.can_detach = host.is_some();
        // Handle signals first. A signal could otherwise end the process before the terminal is restored.
        let signals = Signals::new()?;
        let (guard, opening) = Guard::enter(state.mouse)?;
        let size = guard::size();
        let mut outlet = Outlet::new(host.as_ref().map(|link| link.host.clone()));
        outlet.write_all(opening.as_bytes())?;
        Ok(Self {
            state,
            guard,
            clipboard,
            bell,
            editor,
            log,
            set_language,
            answers: Answers::default(),
            wakes: BTreeSet::new(),
            outbox: VecDeque::new(),
            leaving: None,
            orders,
            told,
            signals,
            reader: Reader::new()?,
            behind: Behind::default(),
            aside: Aside::default(),
            look,
            theme,
            next_theme: NextTheme::default(),
            cache: ui::Cache::default(),
            colours: Colours::default(),
            picture: Picture::new(size),
            painter: Painter::new(outlet, size, links),
            pace: Pace::over(link),
            away: false,
            look_at: None,
            hosting: Hosting::new(host, report),
        })
    }

    /// Draws the first frame. The terminal is queried afterwards, so that no answer delays the frame.
    fn first_frame(&mut self) -> io::Result<()> {
        self.resize();
        self.frame()?;
        let questions = self.guard.ask();
        self.say(questions);
        for op in app::start() {
            self.perform(op);
        }
        self.send();
        Ok(())
    }

    async fn turn(&mut self) -> Result<Leave, TerminalError> {
        let mut inputs = Vec::new();
        let mut told = Vec::with_capacity(BATCH);
        self.first_frame()?;
        loop {
            match self.wait(&mut inputs, &mut told).await {
                Woken::Signal(signal) => self.signal(signal)?,
                Woken::Input(Ok(Read::Some)) => self.inputs(&mut inputs)?,
                Woken::Input(Ok(Read::Closed)) => return Ok(Leave::Closed),
                Woken::Input(Err(error)) => return Err(error.into()),
                Woken::Events(0) => return Ok(Leave::Closed),
                Woken::Events(_) => self.events(&mut told),
                Woken::Answer(answered) => self.answer(answered)?,
                Woken::Room => self.send(),
                Woken::Coloured(done) => self.coloured(done),
                Woken::Theme(theme) => self.read_theme(theme),
                Woken::Taken(taken) => taken?,
                Woken::Host(event) => self.host_event(event)?,
                Woken::Timer => self.tick()?,
            }
            self.check_host();
            if let Some(leave) = self.leaving {
                return Ok(leave);
            }
            self.draw_if_due()?;
        }
    }

    async fn wait(&mut self, inputs: &mut Vec<Input>, told: &mut Vec<Told>) -> Woken {
        let now = Instant::now();
        let ours = self.has_terminal();
        let clear = self.painter.to().is_clear();
        let frame = if ours && clear { self.pace.due(now) } else { None };
        let wake = self
            .wakes
            .first()
            .map(|at| now + Duration::from_millis(at.since(Time::now())));
        let look = self.away.then(|| *self.look_at.get_or_insert(now + LOOK));
        let timer = [frame, wake, look, self.hosting.due()].into_iter().flatten().min();
        // The branches are in order of priority: the user's input comes before the model's output.
        tokio::select! {
            biased;
            signal = self.signals.next() => Woken::Signal(signal),
            event = self.hosting.next() => Woken::Host(event),
            read = self.reader.next(inputs), if ours => Woken::Input(read),
            taken = self.painter.to().room(), if ours && !clear => Woken::Taken(taken),
            () = sleep_until(timer.unwrap_or(now)), if timer.is_some() => Woken::Timer,
            answered = self.answers.next() => Woken::Answer(answered),
            done = self.colours.next() => Woken::Coloured(done),
            theme = self.next_theme.next() => Woken::Theme(theme),
            room = self.orders.reserve(), if !self.outbox.is_empty() => {
                if let (Ok(permit), Some(order)) = (room, self.outbox.pop_front()) {
                    permit.send(order);
                }
                Woken::Room
            }
            count = self.told.recv_many(told, BATCH) => Woken::Events(count),
        }
    }

    fn inputs(&mut self, inputs: &mut Vec<Input>) -> Result<(), TerminalError> {
        let at = Time::now();
        for input in inputs.drain(..) {
            let ours = if self.answers.editing() {
                self.behind.keep(input)
            } else {
                Some(input)
            };
            let Some(input) = ours else { continue };
            match input {
                Input::Key(key) => {
                    self.show_review()?;
                    self.update(Msg::Key { key, at }, Cause::Person);
                }
                Input::Paste(text) => self.update(Msg::Paste { text, at }, Cause::Person),
                Input::Mouse { kind, x, y } => self.update(Msg::Mouse { kind, x, y, at }, Cause::Person),
                Input::Focus(focused) => self.update(Msg::Focus(focused), Cause::Event),
                Input::Kitty => {
                    let bytes = self.guard.use_kitty();
                    self.say(bytes);
                    self.update(
                        Msg::Terminal(TerminalFacts {
                            kitty: true,
                            ..self.state.terminal
                        }),
                        Cause::Event,
                    );
                }
                Input::Attributes => self.guard.answered(),
                Input::Ground(red, green, blue) => self.ground(Ground::of_colour(red, green, blue)),
            }
            if self.answers.suspend_asked() {
                self.suspend();
            }
        }
        Ok(())
    }

    fn events(&mut self, told: &mut Vec<Told>) {
        let at = Time::now();
        let mut text: Option<(SeatId, String, usize)> = None;
        for Told { seat, event } in told.drain(..) {
            match (event, &mut text) {
                (Event::Live(Live::Text(piece)), Some((of, gathered, pieces))) if *of == seat => {
                    gathered.push_str(&piece);
                    *pieces += 1;
                }
                (Event::Live(Live::Text(piece)), _) => {
                    self.text(text.take(), at);
                    text = Some((seat, piece, 1));
                }
                (event, _) => {
                    self.text(text.take(), at);
                    self.update(Msg::Agent { seat, event, at }, Cause::Event);
                }
            }
        }
        self.text(text.take(), at);
    }

    fn text(&mut self, gathered: Option<(SeatId, String, usize)>, at: Time) {
        if let Some((seat, text, pieces)) = gathered {
            let event = Event::Live(Live::Text(text));
            self.update(Msg::Agent { seat, event, at }, Cause::Text(pieces));
        }
    }

    /// Stores highlighted code. Redraws with the same low priority as for streamed text.
    fn coloured(&mut self, done: ui::Done) {
        if self.cache.finish(done) {
            self.outdate(Old::All, Cause::Text(1));
        }
    }

    fn tick(&mut self) -> io::Result<()> {
        if self.away && self.look_at.is_some_and(|look| look <= Instant::now()) {
            self.look_at = None;
            self.take_terminal()?;
        }
        let at = Time::now();
        if self.wakes.first().is_some_and(|wake| *wake <= at) {
            self.wakes.retain(|wake| *wake > at);
            self.update(Msg::Tick { at }, Cause::Event);
        }
        Ok(())
    }

    fn answer(&mut self, answered: Answered) -> io::Result<()> {
        let left = self.answers.editor_left();
        if left {
            self.take_terminal()?;
        }
        self.say(&answered.bytes);
        if left {
            // Update the clock first. The screen is visible again only now, so the delay before keys decide a request
            // must start now.
            self.update(Msg::Tick { at: Time::now() }, Cause::Event);
        }
        self.update(answered.msg, Cause::Person);
        if left && let Some(text) = self.typed_behind() {
            let at = Time::now();
            self.update(Msg::Paste { text, at }, Cause::Person);
        }
        Ok(())
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            // The editor uses the terminal, so the interrupt was meant for the editor.
            Signal::End(2 | 3) if self.answers.editing() => {}
            Signal::End(number) => self.leaving = Some(Leave::Signal(number)),
            Signal::Resize => self.resize(),
            Signal::Stop if self.answers.editing() => signals::stop(),
            Signal::Stop => self.suspend(),
            Signal::Continue if self.answers.editing() => {}
            Signal::Continue => {
                // After SIGSTOP, the shell has Benchdog's terminal modes, so restore the modes of the shell first.
                self.give_terminal();
                self.away = true;
                self.take_terminal()?;
            }
        }
        Ok(())
    }

    pub(super) fn keys(&mut self, keys: &[u8]) -> Result<(), TerminalError> {
        let mut inputs = Vec::new();
        self.reader.feed(keys, &mut inputs);
        self.inputs(&mut inputs)
    }

    pub(super) fn has_terminal(&self) -> bool {
        !self.answers.editing() && !self.away && !self.hosting.is_detached()
    }

    /// Stops the process for Ctrl+Z. If SIGCONT is lost, the check every `LOOK` takes the terminal again.
    fn suspend(&mut self) {
        if signals::can_stop() {
            self.give_terminal();
            self.away = true;
            signals::stop();
        }
    }

    pub(super) fn give_terminal(&mut self) {
        self.painter.to().discard();
        self.guard.leave();
        self.hosting.pass_output();
    }

    /// Sets the modes, reads the size, and redraws. Does nothing in the background, where the shell owns the terminal.
    fn take_terminal(&mut self) -> io::Result<()> {
        if guard::in_background() {
            self.away = true;
            return Ok(());
        }
        self.hosting.pass_output();
        let opening = if std::mem::take(&mut self.away) {
            self.guard.enter_after_shell()?
        } else {
            self.guard.enter_again()?
        };
        self.painter.to().write_all(opening.as_bytes())?;
        self.painter.forget();
        self.resize();
        Ok(())
    }

    /// Takes a newly attached terminal: sets modes, queries features of the terminal, redraws.
    pub(super) fn enter_new_terminal(&mut self) -> io::Result<()> {
        if self.answers.editing() {
            return Ok(());
        }
        self.painter.to().discard();
        self.guard.forget();
        let opening = self.guard.enter_again()?;
        self.painter.to().write_all(opening.as_bytes())?;
        self.painter.forget();
        self.resize();
        let questions = self.guard.ask();
        self.say(questions);
        Ok(())
    }

    pub(super) fn draw_all(&mut self) {
        self.painter.forget();
        self.outdate(Old::All, Cause::Event);
    }

    fn resize(&mut self) {
        let size = guard::size();
        let (width, height) = (size.width, size.height);
        self.update(Msg::Resize { width, height }, Cause::Event);
        self.picture.resize(size);
        self.outdate(Old::All, Cause::Event);
    }

    pub(super) fn update(&mut self, msg: Msg, cause: Cause) {
        for op in app::update(&mut self.state, msg) {
            self.perform(op);
        }
        let old = self.state.take_old();
        if old != Old::Nothing {
            self.hosting.changed();
        }
        self.outdate(old, cause);
        self.send();
    }

    pub(super) fn send(&mut self) {
        while let Some(order) = self.outbox.pop_front() {
            match self.orders.try_send(order) {
                Ok(()) => {}
                Err(mpsc::error::TrySendError::Full(order) | mpsc::error::TrySendError::Closed(order)) => {
                    self.outbox.push_front(order);
                    return;
                }
            }
        }
    }

    pub(super) fn outdate(&mut self, old: Old, cause: Cause) {
        if old != Old::Nothing {
            self.picture.outdate(old);
            self.pace.changed(cause);
        }
    }

    fn draw_if_due(&mut self) -> io::Result<()> {
        self.say_aside();
        let now = Instant::now();
        let may = self.has_terminal() && self.painter.to().is_clear();
        if may && self.pace.due(now).is_some_and(|due| due <= now) {
            self.frame()?;
        }
        Ok(())
    }

    /// Draws pending changes before a key of the review is handled, because users decide by what they see.
    fn show_review(&mut self) -> io::Result<()> {
        if self.state.screen.approvals.has_focus() && self.picture.is_old() && self.has_terminal() {
            self.frame()?;
        }
        Ok(())
    }

    fn frame(&mut self) -> io::Result<()> {
        let (state, painter) = (&mut self.state, &mut self.painter);
        let bytes = self.picture.show(state, &self.theme, &mut self.cache, painter)?;
        let taken = painter.to().is_clear();
        self.pace.drawn(Instant::now(), Cost { bytes, taken });
        let unfinished = self.state.take_old();
        self.outdate(unfinished, Cause::Text(1));
        for request in self.cache.take_requests() {
            self.colours.ask(request);
        }
        Ok(())
    }

    /// Sends the window title and notification when the terminal accepts output. While another program uses the
    /// terminal, notifications are dropped and the title waits.
    pub(super) fn say_aside(&mut self) {
        if self.has_terminal() && !self.painter.to().is_clear() {
            return;
        }
        let (title, ring) = self.aside.take();
        if let Some(title) = title {
            let bytes = self.guard.title(&title);
            self.say(&bytes);
        }
        if let Some(ring) = ring {
            self.say(&ring);
        }
    }

    /// Writes bytes outside frames, such as a bell or a title. Drops them while another program uses the terminal.
    pub(super) fn say(&mut self, bytes: &str) {
        if self.has_terminal() {
            // Ignore the error. If writing fails, the next frame fails as well and reports the error.
            let _ = self.painter.to().write_all(bytes.as_bytes());
        }
    }
}
