//! Subagents: their start, the events that front ends get, and their end. A call in the parent session starts a
//! subagent and can stop it.

mod answers;
mod ended;
mod progress;
mod requests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use super::seats::Seats;
use super::{Engine, FolderId, Report};
use crate::input::Happened;
use crate::seat::{Begin, Seat};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::child::{ChildEnd, ChildEntry, Parent};
use benchdog_protocol::{Answer, Delivery, Event, Live};
use benchdog_tools::Stop;
use benchdog_tools::task::{Delegation, Returned};
use progress::Progress;

/// Maximum number of subagents that run at the same time per seat. Further subagents are queued.
pub const AT_ONCE: usize = 8;
pub const TIME: Duration = Duration::from_secs(300);
/// Time limit of a review that the person requested. It is longer than `TIME`, because the person can stop a review.
const REVIEW_TIME: Duration = Duration::from_secs(1_800);
pub const STEPS: u32 = 10;
/// Maximum number of model requests of a subagent. The configuration of an agent cannot raise this limit.
pub const MOST_STEPS: u32 = 50;
/// Minimum interval between progress events of a subagent.
const EVERY: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldOfChildren {
    /// Front ends get only progress rows. They read a subagent's conversation when a person opens it.
    Rows,
    /// Front ends get all events, under the subagent's own seat id.
    All,
}

#[derive(Default)]
pub(super) struct Children {
    open: BTreeMap<SeatId, Child>,
    queue: VecDeque<(SeatId, Delegation)>,
    leaving: BTreeMap<SeatId, Seat>,
    look_is_due: bool,
}

struct Child {
    parent: SeatId,
    call: CallId,
    agent: AgentName,
    task: String,
    session: Option<SessionId>,
    reply: oneshot::Sender<Returned>,
    ending: Option<ChildEnd>,
    watch: AbortHandle,
    progress: Progress,
    /// Pending requests: maps each call id of the subagent to the id under which the parent's seat shows it.
    asks: BTreeMap<CallId, CallId>,
}

impl Drop for Child {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

impl Engine {
    pub(super) fn overhear(&self, seat: SeatId, event: &Event) -> bool {
        if !self.kin.contains(&seat) {
            return true;
        }
        let is_request = matches!(event, Event::Live(Live::ApprovalRequested(_)));
        if progress::counts(event) {
            let mut overheard = self.overheard.lock().unwrap_or_else(PoisonError::into_inner);
            overheard.push((seat, event.clone()));
        }
        // A request is normally sent only under the parent's call id. If the subagent is on screen, the request is also
        // sent under the subagent's id.
        self.watched == Some(seat) || self.is_heard(seat) && !is_request
    }

    pub(super) fn is_heard(&self, seat: SeatId) -> bool {
        !self.kin.contains(&seat) || self.watched == Some(seat) || self.setup.children == ToldOfChildren::All
    }

    fn watch_child(&self, seat: SeatId, stop: Stop, time: Option<Duration>) -> AbortHandle {
        let reports = self.reports();
        let watch = async move {
            let how = tokio::select! {
                () = stop.stopped() => ChildEnd::Stopped,
                () = over(time) => ChildEnd::TimeOver,
            };
            let _ = reports.send(Report::ChildIsOver { seat, how }).await;
        };
        tokio::spawn(watch).abort_handle()
    }

    pub(super) fn is_child(&self, seat: SeatId) -> bool {
        self.kin.contains(&seat)
    }

    fn read_child(&self, seat: SeatId, session: SessionId) {
        let (storage, line) = (self.setup.storage.clone(), self.line(seat));
        tokio::spawn(async move {
            let log = storage.read_session(&session).await.map(|(_, log)| log);
            let log = log.map_err(|error| error.to_string());
            line.tell(Event::Answer(Answer::Child { session, log })).await;
        });
    }
}

async fn over(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

impl Seats {
    /// Shows the session of a subagent. A running subagent then sends its events under its own seat id.
    pub(super) async fn show_child(&mut self, engine: &mut Engine, parent: SeatId, session: SessionId) {
        let is_it = |child: &Child| child.parent == parent && child.session.as_ref() == Some(&session);
        let works = self.children.open.iter().find(|(_, child)| is_it(child));
        engine.watched = works.map(|(seat, _)| *seat);
        match engine.watched.and_then(|seat| self.get(seat)) {
            Some(seat) => seat.show(engine).await,
            None => engine.read_child(parent, session),
        }
    }

    pub(super) async fn delegated(&mut self, engine: &mut Engine, delegation: Delegation) {
        let seat = self.next();
        let child = Child {
            parent: delegation.seat,
            call: delegation.call.clone(),
            agent: delegation.agent.clone(),
            task: delegation.task.clone(),
            session: None,
            reply: oneshot::channel().0,
            ending: None,
            watch: engine.watch_child(seat, delegation.stop.clone(), None),
            progress: Progress::default(),
            asks: BTreeMap::new(),
        };
        let parent = child.parent;
        self.children.open.insert(seat, child);
        self.children.queue.push_back((seat, delegation));
        self.begin_queued(engine, parent).await;
        self.tell_rows(engine).await;
    }

    pub(super) async fn begin_queued(&mut self, engine: &mut Engine, parent: SeatId) {
        loop {
            let works = |child: &&Child| child.parent == parent && child.session.is_some();
            if self.children.open.values().filter(works).count() >= AT_ONCE {
                return;
            }
            let may_begin = |(_, delegation): &(SeatId, Delegation)| {
                delegation.seat == parent && self.has_free_slot(engine, delegation)
            };
            let next = self.children.queue.iter().position(may_begin);
            let Some((seat, delegation)) = next.and_then(|next| self.children.queue.remove(next)) else {
                return;
            };
            // The subagent may have been stopped while it was queued.
            match delegation.stop.is_said() {
                true => self.never_begins(engine, seat, delegation, ChildEnd::Stopped).await,
                false => self.begin_child(engine, seat, delegation).await,
            }
        }
    }

    /// Starts queued subagents of all parents, because several parents may use slots of the same server.
    pub(super) async fn begin_all_queued(&mut self, engine: &mut Engine) {
        let parents: BTreeSet<SeatId> = self.children.queue.iter().map(|(_, of)| of.seat).collect();
        for parent in parents {
            self.begin_queued(engine, parent).await;
        }
    }

    /// Whether the server has a free slot for a subagent. Otherwise its time limit would elapse in the server's queue.
    fn has_free_slot(&self, engine: &Engine, delegation: &Delegation) -> bool {
        let Some(parent) = self.look(delegation.seat) else {
            return true;
        };
        let agents = &engine.at(parent.folder()).agents;
        let own = agents
            .find(&delegation.agent.0)
            .and_then(|profile| profile.model.clone());
        let Some(model) = own.or_else(|| parent.model()) else {
            return true;
        };
        let Some(slots) = engine.slots_of(parent.settings(), &model) else {
            return true;
        };
        let working = self.children.open.iter().filter(|(_, child)| child.session.is_some());
        let on_it = working.filter(|(id, _)| {
            let of = self.look(**id).and_then(Seat::model);
            of.is_some_and(|of| of.provider == model.provider)
        });
        (on_it.count() as u64) < slots
    }

    async fn never_begins(&mut self, engine: &Engine, id: SeatId, delegation: Delegation, how: ChildEnd) {
        if let Some(child) = self.children.open.remove(&id) {
            self.tell_end(engine, child, id, (how, None)).await;
            let _ = delegation.reply.send(unbegun(how, None));
        }
    }

    async fn tell_end(&mut self, engine: &Engine, mut child: Child, id: SeatId, end: (ChildEnd, Option<String>)) {
        let (how, why) = end;
        child.progress.end(how, why);
        let live = Live::Child(child.live(id).into());
        self.tell_parent(engine, child.parent, live).await;
    }

    async fn tell_parent(&mut self, engine: &Engine, parent: SeatId, live: Live) {
        let event = Event::Live(live);
        if let Some(parent) = self.get(parent) {
            parent.note(&event);
        }
        engine.tell(parent, event).await;
    }

    async fn begin_child(&mut self, engine: &mut Engine, id: SeatId, delegation: Delegation) {
        let parent_id = delegation.seat;
        let (call, reply, prompt) = (delegation.call, delegation.reply, delegation.prompt);
        let folder = self.get(parent_id).map_or(FolderId::HOME, |parent| parent.folder());
        let profile = {
            let agents = &engine.at(folder).agents;
            match &delegation.files {
                // The agent for reviews cannot be started by a model, so it is not in `subagents`.
                Some(_) => agents.find(&delegation.agent.0).cloned(),
                None => agents
                    .subagents()
                    .find(|profile| profile.name == delegation.agent)
                    .cloned(),
            }
        };
        let (steps, time) = match &delegation.files {
            Some(_) => (MOST_STEPS, REVIEW_TIME),
            None => (STEPS, TIME),
        };
        let (Some(parent), Some(profile)) = (self.get(parent_id), profile) else {
            self.children.open.remove(&id);
            return;
        };
        let steps = profile.steps.unwrap_or(steps).min(MOST_STEPS);
        let given = parent.gives(&profile, steps, delegation.files);
        let of = Parent {
            session: parent.session().clone(),
            call: call.clone(),
        };
        let begin = Begin::child((engine, folder), of, parent.model(), given).await;
        let session = begin.session().clone();
        if let Some(child) = self.children.open.get_mut(&id) {
            child.reply = reply;
            child.session = Some(session.clone());
            child.watch.abort();
            child.watch = engine.watch_child(id, delegation.stop, Some(time));
            child.progress.begin(Time::now());
        }
        if let Some(trouble) = &begin.trouble {
            return self.never_began(engine, id, trouble.to_string()).await;
        }
        let entry = ChildEntry {
            call,
            session,
            agent: profile.name.clone(),
            ended: None,
        };
        if let Some(parent) = self.get(parent_id) {
            parent.feed(engine, Happened::Child(entry)).await;
        }
        self.tell_row(engine, id).await;
        engine.kin.insert(id);
        let mut seat = Seat::new(id, begin, engine);
        seat.announce(engine).await;
        // A model wrote the prompt, so an `@` in it is no mention.
        seat.note_pasted(&prompt, std::iter::once(0..prompt.len()).collect());
        seat.prompt(engine, prompt, Delivery::Queue).await;
        self.put(seat);
    }

    pub(super) async fn child_is_over(&mut self, engine: &mut Engine, id: SeatId, how: ChildEnd) {
        if let Some(at) = self.children.queue.iter().position(|(seat, _)| *seat == id)
            && let Some((_, delegation)) = self.children.queue.remove(at)
        {
            return self.never_begins(engine, id, delegation, how).await;
        }
        let Some(child) = self.children.open.get_mut(&id) else {
            return;
        };
        child.ending.get_or_insert(how);
        if let Some(seat) = self.get(id) {
            let why = match how {
                ChildEnd::TimeOver => Happened::OutOfTime,
                _ => Happened::Interrupt,
            };
            seat.feed(engine, why).await;
        }
    }

    /// Applies the parent's current permissions to a subagent, before its next call is checked.
    pub(super) fn obeys(&mut self, id: SeatId) {
        let Some(parent) = self.children.open.get(&id).map(|child| child.parent) else {
            return;
        };
        let Some(authority) = self.get(parent).map(|parent| parent.authority()) else {
            return;
        };
        if let Some(child) = self.get(id) {
            child.obey(authority);
        }
    }

    pub(super) async fn obey_anew(&mut self, engine: &mut Engine, parent: SeatId) {
        for id in self.children_of(parent) {
            self.obeys(id);
            if let Some(child) = self.get(id) {
                child.judge_anew(engine).await;
            }
        }
    }

    pub(super) async fn obey_anew_in(&mut self, engine: &mut Engine, here: impl Fn(FolderId) -> bool) {
        let parents: Vec<SeatId> = self
            .all()
            .filter(|seat| here(seat.folder()))
            .map(|seat| seat.id())
            .collect();
        for parent in parents {
            self.obey_anew(engine, parent).await;
            let Some(hooks) = self.get(parent).map(|parent| parent.settings().hooks.clone()) else {
                continue;
            };
            for id in self.children_of(parent) {
                if let Some(child) = self.get(id) {
                    Box::pin(child.take_hooks(engine, &hooks)).await;
                }
            }
        }
    }

    pub(super) fn children_of(&self, parent: SeatId) -> Vec<SeatId> {
        let own = self.children.open.iter().filter(|(_, child)| child.parent == parent);
        own.map(|(id, _)| *id).collect()
    }

    pub(super) async fn look_after_children(&mut self, engine: &mut Engine) {
        if self.children.open.is_empty() {
            return;
        }
        self.take_overheard(engine).await;
        self.keep_within_budget(engine).await;
        let ids: Vec<SeatId> = self.children.open.keys().copied().collect();
        for id in ids {
            if self.get(id).is_some_and(|seat| !seat.is_busy()) {
                self.end_child(engine, id).await;
            }
        }
        self.tell_rows(engine).await;
    }

    async fn never_began(&mut self, engine: &mut Engine, id: SeatId, why: String) {
        if let Some(mut child) = self.children.open.remove(&id) {
            let reply = std::mem::replace(&mut child.reply, oneshot::channel().0);
            self.tell_end(engine, child, id, (ChildEnd::Failed, Some(why.clone())))
                .await;
            let _ = reply.send(unbegun(ChildEnd::Failed, Some(why)));
        }
    }
}

fn unbegun(how: ChildEnd, why: Option<String>) -> Returned {
    Returned {
        how,
        text: String::new(),
        why,
        steps: 0,
        session: None,
        changes: Vec::new(),
        findings: Vec::new(),
    }
}
