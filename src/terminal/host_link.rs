//! The part of the driver for a workbench under a host process. Terminals attach and detach, and scripts send requests.

use std::collections::BTreeMap;
use std::future::pending;
use std::time::Duration;

use tokio::time::Instant;

use super::event_loop::{Driver, Leave, TerminalError};
use benchdog_app::seats::{self, SeatRow, Standing};
use benchdog_app::{Op, State};
use benchdog_base::id::{CallId, SeatId};
use benchdog_detached::Goodbye;
use benchdog_detached::host::{Event, Host, Reply};
use benchdog_protocol::{Command, Delivery};

/// The shortest time between two reports of the state.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Time after which a script's prompt counts as rejected by the engine, if the turn has not begun.
const BEGINS: Duration = Duration::from_secs(3);

/// Writes the workbench's state to the place where `benchdog agents` reads it.
pub type Report = Box<dyn FnMut(&State, Stage) + Send>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Running,
    /// The workbench ends, because it had no terminal and no work for the time of `HostLink::patience`.
    EndsIdle,
}

pub struct HostLink {
    pub host: Host,
    /// The time after which a workbench without a terminal and without running work exits.
    pub patience: Duration,
    /// The time after which a request is denied while no terminal is attached.
    pub deny_after: Option<Duration>,
}

/// A prompt that a script has sent and whose turn has not begun yet.
struct Sent {
    seat: SeatId,
    reply: Reply,
    until: Instant,
}

pub(super) struct Hosting {
    host: Option<HostLink>,
    report: Option<Report>,
    /// The time of the next check for running work. Set only while no terminal is attached.
    detached_until: Option<Instant>,
    /// Whether only viewers are attached. They cannot answer requests.
    is_only_viewed: bool,
    expiry: Expiry,
    sent: Vec<Sent>,
    changed: bool,
    report_at: Instant,
}

impl Hosting {
    pub(super) fn new(host: Option<HostLink>, report: Option<Report>) -> Self {
        let deny_after = host.as_ref().and_then(|host| host.deny_after);
        Self {
            host,
            report,
            detached_until: None,
            is_only_viewed: false,
            expiry: Expiry::new(deny_after),
            sent: Vec::new(),
            changed: true,
            report_at: Instant::now(),
        }
    }

    /// Returns the next event of the host. Never returns without a host.
    pub(super) async fn next(&self) -> Event {
        match self.host() {
            Some(host) => host.next().await,
            None => pending().await,
        }
    }

    fn host(&self) -> Option<&Host> {
        self.host.as_ref().map(|link| &link.host)
    }

    /// Copies the output of the host's pseudo-terminal to the attached terminals.
    pub(super) fn pass_output(&self) {
        if let Some(host) = self.host() {
            host.pass_output();
        }
    }

    fn answer(&self, reply: &Reply, goodbye: &Goodbye) {
        if let Some(host) = self.host() {
            host.answer(reply, goodbye);
        }
    }

    pub(super) fn is_detached(&self) -> bool {
        self.detached_until.is_some()
    }

    pub(super) fn due(&self) -> Option<Instant> {
        let report = (self.changed && self.report.is_some()).then_some(self.report_at);
        let sent = self.sent.iter().map(|sent| sent.until).min();
        [self.detached_until, report, sent, self.expiry.due()]
            .into_iter()
            .flatten()
            .min()
    }

    pub(super) fn changed(&mut self) {
        self.changed = true;
    }

    fn report(&mut self, state: &State) {
        if let Some(report) = &mut self.report {
            report(state, Stage::Running);
        }
        self.changed = false;
        self.report_at = Instant::now() + REPORT_EVERY;
    }

    /// Reports the end of an idle workbench. This is the last report.
    fn report_idle_end(&mut self, state: &State) {
        if let Some(mut report) = self.report.take() {
            report(state, Stage::EndsIdle);
        }
    }

    /// Answers the scripts whose turns have begun. Reports the state first, so that `agents wait` is up to date.
    fn answer_sent(&mut self, state: &State) {
        let now = Instant::now();
        let rows = seats::rows(state);
        let is_busy = |row: &SeatRow| matches!(row.standing, Standing::Waits | Standing::Works);
        let has_begun = |sent: &Sent| rows.iter().any(|row| row.seat == sent.seat && is_busy(row));
        let sent = std::mem::take(&mut self.sent).into_iter();
        let (done, rest): (Vec<Sent>, Vec<Sent>) = sent.partition(|sent| has_begun(sent) || sent.until <= now);
        self.sent = rest;
        if !done.is_empty() {
            self.report(state);
        }
        for sent in done {
            self.answer(&sent.reply, &Goodbye::Done);
        }
    }
}

/// The pending requests of a workbench in which nobody can type, each with the time of its denial.
struct Expiry {
    /// The time until a request is denied. `None` lets requests wait without limit.
    after: Option<Duration>,
    pending: BTreeMap<(SeatId, CallId), Instant>,
}

impl Expiry {
    fn new(after: Option<Duration>) -> Self {
        Self {
            after,
            pending: BTreeMap::new(),
        }
    }

    fn due(&self) -> Option<Instant> {
        self.pending.values().min().copied()
    }

    /// Returns each expired request once. `pending` must be empty while a person can type.
    fn update(&mut self, pending: impl Iterator<Item = (SeatId, CallId)>, now: Instant) -> Vec<(SeatId, CallId)> {
        let Some(after) = self.after else { return Vec::new() };
        let mut before = std::mem::take(&mut self.pending);
        let mut expired = Vec::new();
        for request in pending {
            let at = before.remove(&request).unwrap_or(now + after);
            if at <= now {
                expired.push(request);
            } else {
                self.pending.insert(request, at);
            }
        }
        expired
    }
}

impl Driver {
    pub(super) fn host_event(&mut self, event: Event) -> Result<(), TerminalError> {
        match event {
            Event::Keys(keys) if self.has_terminal() => self.keys(&keys)?,
            Event::Keys(keys) => {
                if let Some(host) = self.hosting.host() {
                    host.type_keys(&keys);
                }
            }
            Event::Attached => {
                self.hosting.detached_until = None;
                self.hosting.is_only_viewed = false;
                self.enter_new_terminal()?;
            }
            Event::Viewed => self.draw_all(),
            Event::Left => self.go_detached(),
            Event::OnlyViewed => self.hosting.is_only_viewed = true,
            Event::Prompt { session, text, reply } => {
                let prompt = Command::Prompt {
                    text,
                    pasted: Vec::new(),
                    delivery: Delivery::Queue,
                };
                match self.pass_on(&session, prompt) {
                    Some(seat) => self.hosting.sent.push(Sent {
                        seat,
                        reply,
                        until: Instant::now() + BEGINS,
                    }),
                    None => self.hosting.answer(&reply, &Goodbye::NoSession),
                }
            }
            Event::Stop { session, reply } => {
                let found = self.pass_on(&session, Command::Interrupt);
                let goodbye = found.map_or(Goodbye::NoSession, |_| Goodbye::Done);
                self.hosting.answer(&reply, &goodbye);
            }
        }
        Ok(())
    }

    fn pass_on(&mut self, session: &str, command: Command) -> Option<SeatId> {
        let has = |row: &SeatRow| row.session.as_ref().is_some_and(|id| id.0 == session);
        let seat = seats::rows(&self.state).into_iter().find(has)?.seat;
        self.perform(Op::SendTo(seat, command));
        self.send();
        Some(seat)
    }

    /// Restores the terminal. The workbench continues without a terminal.
    pub(super) fn detach(&mut self) {
        let Some(host) = self.hosting.host().cloned() else {
            return;
        };
        self.give_terminal();
        self.go_detached();
        host.detach();
    }

    fn go_detached(&mut self) {
        let patience = self.hosting.host.as_ref().map(|host| host.patience);
        self.hosting.detached_until = patience.map(|patience| Instant::now() + patience);
    }

    pub(super) fn check_host(&mut self) {
        let now = Instant::now();
        let nobody_types = self.hosting.is_detached() || self.hosting.is_only_viewed;
        let pending = seats::pending_requests(&self.state).filter(|_| nobody_types);
        for (seat, call) in self.hosting.expiry.update(pending, now) {
            self.perform(Op::SendTo(seat, Command::Expire { call }));
            self.send();
        }
        if self.hosting.detached_until.is_some_and(|until| until <= now) {
            if seats::has_work(&self.state) {
                self.go_detached();
            } else {
                self.hosting.report_idle_end(&self.state);
                self.leaving = Some(Leave::Asked);
            }
        }
        if !self.hosting.sent.is_empty() {
            self.hosting.answer_sent(&self.state);
        }
        if self.hosting.changed && self.hosting.report_at <= now {
            self.hosting.report(&self.state);
        }
    }
}

#[cfg(test)]
mod tests;
