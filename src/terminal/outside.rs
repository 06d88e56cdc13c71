//! The workbench under a host: terminals come and go, and scripts send requests.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::event_loop::{Driver, Leave};
use benchdog_app::msg::OpResult;
use benchdog_app::{Op, State, seats};
use benchdog_base::id::SeatId;
use benchdog_detached::Goodbye;
use benchdog_detached::host::{Event, Handle};
use benchdog_protocol::{Command, Delivery};

/// The shortest time between two reports of the state.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Writes the state where `benchdog agents` finds it.
pub type Report = Box<dyn FnMut(&State) + Send>;

pub struct Outside {
    pub handle: Handle,
    pub events: mpsc::UnboundedReceiver<Event>,
    /// The time after which a workbench without terminal and work ends.
    pub patience: Duration,
}

/// The state of the driver towards its host.
pub(super) struct Abroad {
    outside: Option<Outside>,
    report: Option<Report>,
    /// Set while no terminal is attached: the time to look whether there is still work.
    alone_until: Option<Instant>,
    changed: bool,
    report_at: Option<Instant>,
}

impl Abroad {
    pub(super) fn new(outside: Option<Outside>, report: Option<Report>) -> Self {
        Self {
            outside,
            report,
            alone_until: None,
            changed: true,
            report_at: None,
        }
    }

    /// Returns the next event of the host. Never returns without a host.
    pub(super) async fn next(&mut self) -> Event {
        if let Some(outside) = &mut self.outside
            && let Some(event) = outside.events.recv().await
        {
            return event;
        }
        std::future::pending().await
    }

    pub(super) fn is_alone(&self) -> bool {
        self.alone_until.is_some()
    }

    /// Returns the time of the next check or report.
    pub(super) fn due(&self) -> Option<Instant> {
        let report = self.report_at.filter(|_| self.changed && self.report.is_some());
        [self.alone_until, report].into_iter().flatten().min()
    }

    pub(super) fn changed(&mut self) {
        self.changed = true;
    }

    fn is_report_due(&self) -> bool {
        self.changed && self.report_at.is_none_or(|at| at <= Instant::now())
    }
}

impl Driver {
    pub(super) fn hear(&mut self, event: Event) -> std::io::Result<()> {
        match event {
            Event::Attached => self.attach()?,
            Event::Viewed => self.draw_all(),
            Event::Left => self.go_alone(),
            Event::Prompt { session, text, reply } => {
                let prompt = Command::Prompt {
                    text,
                    pasted: Vec::new(),
                    delivery: Delivery::Queue,
                };
                reply.send(self.pass_on(&session, prompt));
            }
            Event::Stop { session, reply } => reply.send(self.pass_on(&session, Command::Interrupt)),
        }
        Ok(())
    }

    fn pass_on(&mut self, session: &str, command: Command) -> Goodbye {
        let Some(seat) = self.seat_of(session) else {
            return Goodbye::NoSession;
        };
        self.perform(Op::SendTo(seat, command));
        self.send();
        Goodbye::Done
    }

    fn seat_of(&self, session: &str) -> Option<SeatId> {
        let rows = seats::rows(&self.state);
        rows.into_iter()
            .find(|row| row.session.as_ref().is_some_and(|id| id.0 == session))
            .map(|row| row.seat)
    }

    /// Gives the terminal back and goes on without one.
    pub(super) fn detach(&mut self) {
        if self.abroad.outside.is_none() {
            self.answers
                .running
                .push(Box::pin(async { OpResult::CannotDetach.into() }));
            return;
        }
        self.give_terminal();
        self.go_alone();
        if let Some(outside) = &self.abroad.outside {
            outside.handle.detach();
        }
    }

    fn go_alone(&mut self) {
        if let Some(outside) = &self.abroad.outside {
            self.abroad.alone_until = Some(Instant::now() + outside.patience);
        }
    }

    /// Draws everything on a terminal of which nothing is known.
    fn attach(&mut self) -> std::io::Result<()> {
        self.abroad.alone_until = None;
        self.meet_terminal()
    }

    /// Ends a workbench that has been alone without work, and reports a changed state.
    pub(super) fn look_outside(&mut self) {
        let now = Instant::now();
        if self.abroad.alone_until.is_some_and(|until| until <= now) {
            if seats::has_work(&self.state) {
                self.go_alone();
            } else {
                self.leaving = Some(Leave::Asked);
            }
        }
        if self.abroad.is_report_due()
            && let Some(report) = &mut self.abroad.report
        {
            report(&self.state);
            self.abroad.changed = false;
            self.abroad.report_at = Some(now + REPORT_EVERY);
        }
    }
}
