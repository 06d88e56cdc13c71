//! The progress of a subagent, derived from its events, and the row that the parent's seat shows.

use std::sync::PoisonError;
use std::time::Instant;

use super::{Child, EVERY, Engine, Report, Seats};
use benchdog_base::clock::Time;
use benchdog_base::id::SeatId;
use benchdog_domain::child::{ChildEnd, ChildState};
use benchdog_domain::entry::Body;
use benchdog_domain::failure::Failure;
use benchdog_protocol::{Answer, ChildLive, Event, Live};

pub(super) struct Progress {
    pub(super) state: ChildState,
    pub(super) steps: u32,
    doing: String,
    tokens: u64,
    since: Time,
    pub(super) failure: Option<Failure>,
    changed: bool,
    told: Option<(Instant, ChildState)>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            state: ChildState::Queued,
            steps: 0,
            doing: String::new(),
            tokens: 0,
            since: Time::now(),
            failure: None,
            changed: true,
            told: None,
        }
    }
}

pub(super) fn counts(event: &Event) -> bool {
    match event {
        Event::Fact(entry) => matches!(
            entry.body,
            Body::Assistant { .. } | Body::Approval { .. } | Body::ToolResult { .. } | Body::TurnEnded { .. }
        ),
        Event::Live(live) => matches!(
            live,
            Live::ToolStarted { .. } | Live::ApprovalRequested(_) | Live::Error(_)
        ),
        Event::Answer(answer) => matches!(answer, Answer::TooLarge { .. }),
    }
}

impl Progress {
    pub(super) fn begin(&mut self, at: Time) {
        self.state = ChildState::Works;
        self.since = at;
        self.changed = true;
    }

    pub(super) fn end(&mut self, how: ChildEnd, why: Option<String>) {
        self.state = ChildState::Ended(how);
        self.doing = why.unwrap_or_default();
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::Fact(entry) => match &entry.body {
                Body::Assistant { usage, .. } => {
                    self.steps += 1;
                    self.tokens += usage.map_or(0, |usage| usage.total);
                }
                Body::TurnEnded { steps, .. } => self.steps = *steps,
                _ => return,
            },
            Event::Live(Live::ToolStarted { tool, title, .. }) => self.doing = format!("{tool} {title}"),
            Event::Live(Live::Error(failure)) => self.failure = Some(failure.clone()),
            Event::Answer(Answer::TooLarge { over, .. }) => self.failure = Some(Failure::ContextFull(*over)),
            Event::Live(_) | Event::Answer(_) => return,
        }
        self.changed = true;
    }

    fn is_due(&self) -> bool {
        match self.told {
            Some((at, state)) => state != self.state || (self.changed && at.elapsed() >= EVERY),
            None => true,
        }
    }
}

impl Child {
    pub(super) fn live(&self, seat: SeatId) -> ChildLive {
        ChildLive {
            call: self.call.clone(),
            seat,
            session: self.session.clone(),
            agent: self.agent.clone(),
            task: self.task.clone(),
            state: self.progress.state,
            step: self.progress.steps,
            doing: self.progress.doing.clone(),
            tokens: self.progress.tokens,
            since: self.progress.since,
        }
    }
}

impl Seats {
    pub(super) async fn take_overheard(&mut self, engine: &mut Engine) {
        let overheard = {
            let mut waiting = engine.overheard.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *waiting)
        };
        for (id, event) in overheard {
            if let Some(child) = self.children.open.get_mut(&id) {
                child.progress.hear(&event);
            }
            self.on_request_of_child(engine, id, &event).await;
        }
        for child in self.children.open.values_mut().filter(|child| child.session.is_some()) {
            let waits = !child.asks.is_empty();
            child.progress.state = if waits { ChildState::Waits } else { ChildState::Works };
        }
    }

    pub(super) async fn tell_rows(&mut self, engine: &Engine) {
        let ids: Vec<SeatId> = self.children.open.keys().copied().collect();
        for id in ids {
            if (self.children.open.get(&id)).is_some_and(|child| child.progress.is_due()) {
                self.tell_row(engine, id).await;
            }
        }
        let late = self.children.open.values().any(|child| child.progress.changed);
        if late && !self.children.look_is_due {
            self.children.look_is_due = true;
            let reports = engine.reports();
            tokio::spawn(async move {
                tokio::time::sleep(EVERY).await;
                let _ = reports.send(Report::LookAtChildren).await;
            });
        }
    }

    pub(super) async fn tell_row(&mut self, engine: &Engine, id: SeatId) {
        let Some(child) = self.children.open.get_mut(&id) else {
            return;
        };
        child.progress.changed = false;
        child.progress.told = Some((Instant::now(), child.progress.state));
        let (parent, live) = (child.parent, child.live(id));
        self.tell_parent(engine, parent, Live::Child(live.into())).await;
    }

    pub(in crate::engine) fn looks_at_children(&mut self) {
        self.children.look_is_due = false;
    }
}
