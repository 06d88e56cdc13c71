//! Totals of the whole log of a session: tokens by model, calls by outcome, and working time.

use crate::agent::ModelRef;
use crate::budget::{Price, Usage};
use crate::entry::{Body, Entry};
use crate::permission::Decision;
use crate::tool::CallStatus;
use benchdog_base::clock::Time;
use benchdog_base::id::TurnId;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    pub models: Vec<ModelTotals>,
    pub calls: CallTotals,
    pub turns: u64,
    pub turn: Usage,
    /// Milliseconds from each prompt to the end of its turn.
    pub worked_ms: u64,
    open: Option<(TurnId, Time)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelTotals {
    pub model: ModelRef,
    pub answers: u64,
    pub usage: Usage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallTotals {
    pub accepted: u64,
    pub refused: u64,
    pub succeeded: u64,
    pub failed: u64,
    pub cancelled: u64,
}

impl Totals {
    pub fn usage(&self) -> Usage {
        let counted = self.models.iter().map(|of| of.usage);
        counted.fold(Usage::default(), Usage::plus)
    }

    /// Returns the cost in US dollars. `prices` has one price for each of `models`, in the same order. `None` if no
    /// model has a price.
    pub fn cost(&self, prices: &[Option<Price>]) -> Option<f64> {
        let priced = self.models.iter().zip(prices);
        let known: Vec<f64> = priced
            .filter_map(|(of, price)| Some(price.as_ref()?.of(of.usage)))
            .collect();
        (!known.is_empty()).then(|| known.iter().sum())
    }

    pub(super) fn take(&mut self, entry: &Entry) {
        match &entry.body {
            Body::User { .. } => self.begin(entry),
            Body::Assistant { model, usage, .. } => self.spent(model, 1, usage.unwrap_or_default()),
            Body::Child(child) => {
                let spent = child.ended.iter().flat_map(|ended| &ended.spent);
                spent.for_each(|spent| self.spent(&spent.model, spent.answers, spent.usage));
            }
            Body::Spent(spent) => self.spent(&spent.model, spent.answers, spent.usage),
            Body::ToolResult { status, .. } => match status {
                CallStatus::Ok => self.calls.succeeded += 1,
                CallStatus::Error => self.calls.failed += 1,
                CallStatus::Cancelled => self.calls.cancelled += 1,
                // The decision is logged in a separate entry.
                CallStatus::Denied => {}
            },
            Body::Approval { decision, .. } => match decision {
                Decision::Deny { .. } => self.calls.refused += 1,
                Decision::Once { .. } | Decision::Confined | Decision::Always { .. } | Decision::Answer { .. } => {
                    self.calls.accepted += 1;
                }
            },
            Body::TurnEnded { .. } => self.end(entry),
            Body::CallStarted { .. }
            | Body::CallEnded { .. }
            | Body::Change { .. }
            | Body::Todo { .. }
            | Body::Validation { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Plan(_)
            | Body::Findings { .. }
            | Body::Sampling(_)
            | Body::Shell { .. }
            | Body::Compaction(_)
            | Body::CompactionUndone { .. }
            | Body::Pinned { .. }
            | Body::Terms { .. }
            | Body::Retried
            | Body::Notice(_)
            | Body::Unknown(_) => {}
        }
    }

    fn begin(&mut self, entry: &Entry) {
        if self.open.is_none_or(|(turn, _)| turn != entry.turn) {
            self.open = Some((entry.turn, entry.time));
            self.turns += 1;
            self.turn = Usage::default();
        }
    }

    fn end(&mut self, entry: &Entry) {
        if let Some((_, began)) = self.open.take_if(|(turn, _)| *turn == entry.turn) {
            self.worked_ms += entry.time.since(began);
        }
    }

    fn spent(&mut self, model: &ModelRef, answers: u64, usage: Usage) {
        self.turn = self.turn.plus(usage);
        if !self.models.iter().any(|of| of.model == *model) {
            self.models.push(ModelTotals {
                model: model.clone(),
                answers: 0,
                usage: Usage::default(),
            });
        }
        if let Some(of) = self.models.iter_mut().find(|of| of.model == *model) {
            of.answers += answers;
            of.usage = of.usage.plus(usage);
        }
    }
}
