//! Totals of a session: tokens by model, calls by outcome, and working time. They cover the whole log.

use crate::base::clock::Time;
use crate::base::id::TurnId;
use crate::domain::agent::ModelRef;
use crate::domain::budget::Usage;
use crate::domain::entry::{Body, Entry};
use crate::domain::permission::Decision;
use crate::domain::tool::CallStatus;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// In the order of their first answers.
    pub(crate) models: Vec<ModelTotals>,
    pub(crate) calls: CallTotals,
    pub(crate) turns: u64,
    pub(crate) turn: Usage,
    /// Milliseconds from each prompt to the end of its turn.
    pub(crate) worked_ms: u64,
    /// The unfinished turn.
    open: Option<(TurnId, Time)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelTotals {
    pub(crate) model: ModelRef,
    pub(crate) answers: u64,
    pub(crate) usage: Usage,
}

/// The model's calls, by decision and result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CallTotals {
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
    pub(crate) succeeded: u64,
    pub(crate) failed: u64,
    pub(crate) cancelled: u64,
}

impl Totals {
    pub(crate) fn usage(&self) -> Usage {
        let counted = self.models.iter().map(|of| of.usage);
        counted.fold(Usage::default(), Usage::plus)
    }

    pub(super) fn take(&mut self, entry: &Entry) {
        match &entry.body {
            Body::User { .. } => self.begin(entry),
            Body::Assistant { model, usage, .. } => self.spent(model, 1, usage.unwrap_or_default()),
            Body::Child(child) => {
                let spent = child.ended.iter().flat_map(|ended| &ended.spent);
                spent.for_each(|spent| self.spent(&spent.model, spent.answers, spent.usage));
            }
            Body::ToolResult { status, .. } => match status {
                CallStatus::Ok => self.calls.succeeded += 1,
                CallStatus::Error => self.calls.failed += 1,
                CallStatus::Cancelled => self.calls.cancelled += 1,
                // The decision is an entry of its own.
                CallStatus::Denied => {}
            },
            Body::Approval { decision, .. } => match decision {
                Decision::Deny { .. } => self.calls.refused += 1,
                Decision::Once { .. } | Decision::Always { .. } | Decision::Answer { .. } => self.calls.accepted += 1,
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

    /// Steering adds a prompt to a running turn.
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
