//! The end of a subagent: the result of its call, and an entry in the parent's log.

use std::sync::PoisonError;

use tokio::sync::oneshot;

use super::{Child, Engine, Report, Seats};
use crate::engine::FolderId;
use crate::input::Happened;
use crate::seat::Seat;
use benchdog_base::id::SeatId;
use benchdog_domain::child::{ChildEnd, ChildEnded, ChildEntry};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::finding::{Finding, gather};
use benchdog_domain::history::History;
use benchdog_domain::job::JobName;
use benchdog_protocol::Live;
use benchdog_tools::task::Returned;

impl Seats {
    pub(super) async fn end_child(&mut self, engine: &mut Engine, id: SeatId) {
        let (Some(mut child), Some(seat)) = (self.children.open.remove(&id), self.remove(id)) else {
            return;
        };
        let returned = returned(engine, &child, &seat).await;
        let entry = ChildEntry {
            call: child.call.clone(),
            session: seat.session().clone(),
            agent: child.agent.clone(),
            ended: Some(ChildEnded {
                how: returned.how,
                steps: returned.steps,
                spent: seat.spent(),
            }),
        };
        let (how, because, parent) = (returned.how, returned.why.clone(), child.parent);
        let reply = std::mem::replace(&mut child.reply, oneshot::channel().0);
        let untold = reply.send(returned).err().map(|returned| returned.changes);
        self.let_go(engine, seat).await;
        for call in std::mem::take(&mut child.asks).into_values() {
            self.tell_parent(engine, parent, Live::ApprovalGone { call }).await;
        }
        if let Some(parent) = self.get(parent) {
            let call = entry.call.clone();
            parent.feed(engine, Happened::Child(entry)).await;
            if let Some(changes) = untold.filter(|changes| !changes.is_empty()) {
                parent.feed(engine, Happened::ChildChanged { call, changes }).await;
            }
        }
        self.tell_end(engine, child, id, (how, because)).await;
        self.begin_all_queued(engine).await;
    }

    async fn let_go(&mut self, engine: &mut Engine, seat: Seat) {
        let jobs = seat.jobs();
        if !jobs.any_runs() {
            return gone(engine, seat, Vec::new()).await;
        }
        let (id, reports) = (seat.id(), engine.reports());
        self.children.leaving.insert(id, seat);
        tokio::spawn(async move {
            let jobs = jobs.end_all().await;
            let _ = reports.send(Report::ChildLeaves { seat: id, jobs }).await;
        });
    }

    pub(in crate::engine) async fn child_leaves(&mut self, engine: &mut Engine, id: SeatId, jobs: Vec<JobName>) {
        if let Some(seat) = self.children.leaving.remove(&id) {
            gone(engine, seat, jobs).await;
        }
    }

    pub(in crate::engine) fn take_leaving(&mut self) -> Vec<Seat> {
        std::mem::take(&mut self.children.leaving).into_values().collect()
    }

    /// Stops subagents when the run reaches its token or cost limit. The usage of subagents counts as well.
    pub(super) async fn keep_within_budget(&mut self, engine: &mut Engine) {
        let rules = &engine.at(FolderId::HOME).rules;
        let (most_tokens, most_cost) = (rules.max_tokens, rules.max_cost);
        if most_tokens.is_none() && most_cost.is_none() {
            return;
        }
        let parents: std::collections::BTreeSet<SeatId> =
            self.children.open.values().map(|child| child.parent).collect();
        for parent in parents {
            let ids = self.children_of(parent);
            let Some((mut tokens, mut cost)) = self.get(parent).map(|seat| seat.used()) else {
                continue;
            };
            for id in &ids {
                let (more, dearer) = self.get(*id).map(|seat| seat.used()).unwrap_or_default();
                tokens = tokens.saturating_add(more);
                cost += dearer;
            }
            let over = most_tokens.is_some_and(|most| tokens >= most) || most_cost.is_some_and(|most| cost >= most);
            if over {
                for id in ids {
                    self.child_is_over(engine, id, ChildEnd::BudgetOver).await;
                }
            }
        }
    }
}

async fn gone(engine: &mut Engine, seat: Seat, jobs: Vec<JobName>) {
    let id = seat.id();
    seat.leave_after(engine, jobs).await;
    engine.kin.remove(&id);
    engine.watched.take_if(|watched| *watched == id);
    let mut overheard = engine.overheard.lock().unwrap_or_else(PoisonError::into_inner);
    overheard.retain(|(seat, _)| *seat != id);
}

async fn returned(engine: &Engine, child: &Child, seat: &Seat) -> Returned {
    let history = seat.history();
    let how = child
        .ending
        .unwrap_or_else(|| how(history, child.progress.failure.as_ref()));
    let because = match how {
        ChildEnd::Failed | ChildEnd::WindowOver => child.progress.failure.as_ref().map(why),
        _ => None,
    };
    Returned {
        how,
        text: said(history),
        why: because,
        steps: child.progress.steps,
        session: Some(seat.session().clone()),
        changes: seat.changes_made(engine).await,
        findings: found(history),
    }
}

fn found(history: &History) -> Vec<Finding> {
    let mut all = Vec::new();
    for entry in history.entries() {
        if let Body::Findings { findings, .. } = &entry.body {
            gather(&mut all, findings);
        }
    }
    all
}

fn why(failure: &Failure) -> String {
    match failure {
        Failure::Told { code, text, .. } => format!("{code}: {text}"),
        Failure::ContextOverflow { text, .. } => text.clone(),
        other => format!("{}.", other.code().replace('_', " ")),
    }
}

/// Returns how the subagent ended, according to its log. The caller must handle a stopped subagent itself.
fn how(history: &History, failure: Option<&Failure>) -> ChildEnd {
    let window = matches!(failure, Some(Failure::ContextFull(_) | Failure::ContextOverflow { .. }));
    let mut bodies = history.entries().iter().rev().map(|entry| &entry.body);
    let outcome = bodies.find_map(|body| match body {
        Body::TurnEnded { outcome, .. } => Some(*outcome),
        _ => None,
    });
    match outcome {
        Some(TurnOutcome::Done | TurnOutcome::ValidationFailed) => ChildEnd::Done,
        // Ignore a denial if the model has answered after it.
        Some(TurnOutcome::Denied) if has_answered(history) => ChildEnd::Done,
        Some(TurnOutcome::Denied) => ChildEnd::Denied,
        Some(TurnOutcome::Limit) | None if window => ChildEnd::WindowOver,
        Some(TurnOutcome::Error) if window => ChildEnd::WindowOver,
        Some(TurnOutcome::Limit) => ChildEnd::StepsOver,
        Some(TurnOutcome::Loop) => ChildEnd::Loop,
        Some(TurnOutcome::Interrupted) => ChildEnd::Stopped,
        Some(TurnOutcome::Error | TurnOutcome::Filtered) | None => ChildEnd::Failed,
    }
}

fn has_answered(history: &History) -> bool {
    let mut bodies = history.entries().iter().rev().map(|entry| &entry.body);
    bodies
        .find_map(|body| match body {
            Body::Assistant { calls, .. } => Some(calls.is_empty()),
            _ => None,
        })
        .unwrap_or(false)
}

fn said(history: &History) -> String {
    let mut bodies = history.entries().iter().rev().map(|entry| &entry.body);
    let text = bodies.find_map(|body| match body {
        Body::Assistant { text, .. } if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    });
    text.unwrap_or_default()
}
