//! Plans compactions of the context window: which outputs to truncate, turns to summarise, and entries to preserve.
//! `orchestrator::machine` logs and applies the plan.

mod choice;
mod items;
mod judge;
mod transcript;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::assembly::Assembly;
use crate::ledger::Estimator;
use crate::tokens::estimate;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::budget::Window;
use benchdog_domain::compaction::{Compaction, Cut, Replaced, Unfit, Why};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::{History, Part};
use benchdog_domain::tool::ToolFacts;
pub use judge::{judged, most_bytes};
pub use transcript::{Task, requests};

/// Bytes that remain of a truncated output. `KEPT_AT_LEAST` applies if truncation is the last resort.
const KEPT: u32 = 600;
const KEPT_AT_LEAST: u32 = 240;

/// Minimum and maximum tokens of a summary. A shorter one is useless. A longer one soon fills the window again.
const SUMMARY: std::ops::RangeInclusive<u64> = 160..=4_000;

const WORDS: u64 = 300;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    pub auto: bool,
    pub prune: bool,
    pub threshold: f64,
}

#[derive(Clone, Copy)]
pub struct Bench<'b> {
    pub history: &'b History,
    pub assembly: &'b Assembly,
    pub estimator: &'b Estimator,
    pub tools: &'b [ToolFacts],
    pub window: Window,
    pub policy: Policy,
    pub used: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub compaction: Compaction,
    pub parts: Vec<Part>,
    pub most: u64,
    point: EntryId,
}

impl Plan {
    pub fn is_of(&self, point: EntryId) -> bool {
        self.point == point
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Take(Compaction),
    Summarise(Plan),
}

#[derive(Debug, Clone, Copy)]
struct Marks {
    trigger: u64,
    /// Size of the conversation that triggers a compaction, without the fixed part (system prompt, rules, tools).
    span: u64,
    /// Target size. The target is far below the trigger to make compactions rare, because each compaction invalidates
    /// the server's cache.
    goal: u64,
    /// Maximum size after a step. A step that frees less is not worth the loss of the server's cache.
    enough: u64,
}

impl Bench<'_> {
    /// Returns the reason for a compaction if one is due. `refused` is set if the server rejected the request.
    pub fn need(&self, refused: bool) -> Option<Why> {
        if refused {
            Some(Why::Refused)
        } else if self.used > self.window.room() {
            Some(Why::WouldNotFit)
        } else {
            let due = self.policy.auto && self.used > self.marks().trigger && !self.history.carried().is_reluctant();
            due.then_some(Why::Threshold)
        }
    }

    /// Returns the next step of a compaction. `summarised` is set if a summary has already failed for this request.
    pub fn step(&self, why: Why, summarised: bool) -> Option<Step> {
        let may_summarise = self.policy.auto && !summarised;
        if self.policy.prune
            && let Some(pruned) = self.pruned(why)
        {
            return Some(Step::Take(pruned));
        }
        if may_summarise && let Some(plan) = self.plan(why) {
            return Some(Step::Summarise(plan));
        }
        match why {
            Why::Threshold => self.pruned_harder(why).filter(|_| self.policy.prune).map(Step::Take),
            Why::WouldNotFit | Why::Refused | Why::Asked => self.by_force(why).map(Step::Take),
        }
    }

    pub fn alone(&self, prompt: &str) -> u64 {
        let todo = self
            .history
            .todo()
            .map_or(0, |items| self.estimator.of_text(&items.lines()));
        let notes = self.lasting(self.history.last_entry());
        let notes: u64 = notes.iter().map(|note| self.estimator.of_text(note)).sum();
        self.estimator.fixed() + todo + notes + self.pinned() + self.estimator.of_text(prompt) + WORDS
    }

    fn pinned(&self) -> u64 {
        self.history.carried().pins().map(|id| self.whole(id)).sum()
    }

    pub fn pinned_without(&self, entry: EntryId) -> u64 {
        let others = self.history.carried().pins().filter(|id| *id != entry);
        others.map(|id| self.whole(id)).sum()
    }

    pub fn whole(&self, entry: EntryId) -> u64 {
        let entry = self.history.entry(entry);
        entry.map_or(0, |entry| self.cost(&Part::Whole(Arc::clone(entry))))
    }

    /// Returns the tokens of an entry and of its placeholder. `None` if replacing the entry would save tokens.
    pub fn nothing_saved(&self, entry: EntryId) -> Option<(u64, u64)> {
        let parts = self.history.carried().parts();
        let (mut now, mut line) = (0, 0);
        for part in parts {
            let (kept, of_kept) = match part {
                Part::Replaced(beginning) => (beginning.kept.as_slice(), true),
                part => (std::slice::from_ref(part), false),
            };
            for part in kept.iter().filter(|part| part.entry().id == entry) {
                let dropped = Part::Dropped(Arc::clone(part.entry()));
                let cost = |part: &Part| if of_kept { self.cost_kept(part) } else { self.cost(part) };
                (now, line) = (now + cost(part), line + cost(&dropped));
            }
        }
        (line >= now).then_some((now, line))
    }

    pub fn plan(&self, why: Why) -> Option<Plan> {
        let marks = self.marks();
        let (start, cuts) = match why {
            Why::Asked => self.newest_turns(marks),
            Why::Threshold | Why::WouldNotFit | Why::Refused => self.tail(marks),
        };
        let parts = self.history.carried().parts();
        let earlier = parts.get(..start)?;
        let newest = earlier.iter().rfind(|part| !matches!(part, Part::Replaced(_)));
        let upto = newest?.entry().id;
        let (kept, shorter) = self.kept(upto, marks);
        let mut compaction = self.replacing(why, upto, kept, cuts);
        compaction.cuts.extend(shorter);
        let rest = self.weigh(&compaction);
        // The summary must fit the free space, but needs a minimum size to be useful.
        let free = self.window.room().saturating_sub(rest);
        let most = (marks.span * 15 / 100)
            .max(*SUMMARY.start())
            .min(*SUMMARY.end())
            .min(free);
        SUMMARY.contains(&most).then(|| Plan {
            compaction,
            parts: earlier.to_vec(),
            most,
            point: self.history.carried().point(),
        })
    }

    /// Returns the planned compaction with this summary. Preserves entries that were pinned after the plan was made.
    pub fn with_summary(&self, mut plan: Plan, summary: String) -> Compaction {
        let carried = self.history.carried();
        if let Some(replaced) = &mut plan.compaction.replaced {
            replaced.summary = Some(summary);
            let kept = carried.pins().filter(|id| *id <= replaced.upto);
            let kept: BTreeSet<EntryId> = kept.chain(replaced.kept.iter().copied()).collect();
            replaced.kept = kept.into_iter().collect();
        }
        plan.compaction.cuts.retain(|cut| !carried.is_pinned(cut.entry));
        self.weighed(plan.compaction)
    }

    /// Returns the fault of an edited summary, if any. The maximum length is the planned one, or the length of the
    /// generated summary if that is larger.
    pub fn unfit(&self, plan: &Plan, shown: &Compaction, summary: &str) -> Option<Unfit> {
        let tokens = |text: &str| self.estimator.calibrated(estimate(text));
        let made = shown.replaced.as_ref().and_then(|replaced| replaced.summary.as_deref());
        let (most, tokens) = (plan.most.max(tokens(made.unwrap_or_default())), tokens(summary));
        if summary.trim().is_empty() {
            Some(Unfit::Empty)
        } else {
            (tokens > most).then_some(Unfit::TooLong { tokens, most })
        }
    }

    pub fn weighed(&self, mut compaction: Compaction) -> Compaction {
        compaction.before = self.used;
        compaction.after = self.weigh(&compaction);
        compaction
    }

    fn marks(&self) -> Marks {
        let (room, fixed) = (self.window.room(), self.estimator.fixed());
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a token count"
        )]
        let trigger = (room as f64 * self.policy.threshold) as u64;
        let span = trigger.saturating_sub(fixed).max(room / 10);
        Marks {
            trigger,
            span,
            goal: (room / 2).max(fixed + span / 4).min(self.used.midpoint(fixed)),
            enough: (room * 6 / 10).max(fixed + span / 2),
        }
    }

    fn weigh(&self, compaction: &Compaction) -> u64 {
        let entry = Arc::new(Entry {
            id: EntryId(self.history.last_entry().0 + 1),
            turn: TurnId(0),
            time: Time(0),
            body: Body::Compaction(compaction.clone()),
        });
        let parts = self.history.carried_with(&entry, compaction);
        self.estimator.weigh(&self.assembly.of(&parts))
    }

    fn cost(&self, part: &Part) -> u64 {
        self.estimator.of_part(part)
    }

    fn replacing(&self, why: Why, upto: EntryId, kept: Vec<EntryId>, cuts: Vec<Cut>) -> Compaction {
        Compaction {
            why,
            cuts,
            replaced: Some(Replaced {
                upto,
                omits_prompts: self.omits_prompts(upto, &kept),
                kept,
                summary: None,
                notes: self.lasting(upto),
            }),
            ..Compaction::default()
        }
    }
}

#[cfg(test)]
mod tests;
