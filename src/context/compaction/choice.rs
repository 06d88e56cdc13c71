//! Chooses the entries to truncate, preserve or drop.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Bench, KEPT, KEPT_AT_LEAST, Marks};
use crate::assembly::quoted;
use crate::tokens::estimate;
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{Compaction, Cut, Why};
use benchdog_domain::entry::Body;
use benchdog_domain::history::Part;
use benchdog_domain::mention::MentionKind;
use benchdog_domain::note::Note;
use benchdog_domain::tool::{Success, ToolFacts};

/// Value of `keep` that truncates the mentions of a prompt, but not its text.
const ALL: u32 = u32::MAX;

impl Bench<'_> {
    /// Truncates old outputs until the target size is reached. `None` if that does not free enough space.
    pub(super) fn pruned(&self, why: Why) -> Option<Compaction> {
        let marks = self.marks();
        // Do not truncate the newest step. Truncating results without an answer is a last resort.
        let newest = self.newest(self.window.room() / 4).min(self.step_start());
        let old = self.outputs(..newest);
        let mut freed = 0;
        let mut cuts = Vec::new();
        for part in old {
            if self.used.saturating_sub(freed) <= marks.goal {
                break;
            }
            let cut = Cut {
                entry: part.entry().id,
                keep: KEPT,
            };
            let less = self.cost(&Part::shortened(part.entry().clone(), KEPT));
            let saved = self.cost(part).saturating_sub(less);
            if saved > 0 {
                freed += saved;
                cuts.push(cut);
            }
        }
        // The server may reject a request that fits by Benchdog's count. Therefore require a minimum saving, too.
        let enough = self.used.saturating_sub(freed) <= marks.enough.min(self.used / 5 * 4);
        (enough && !cuts.is_empty()).then(|| self.cutting(why, cuts))
    }

    fn cutting(&self, why: Why, cuts: Vec<Cut>) -> Compaction {
        self.weighed(Compaction {
            why,
            cuts,
            ..Compaction::default()
        })
    }

    /// Truncates all outputs before the newest step to the minimum, and those of the newest step to half of
    /// `Marks::span` in total. `None` if that does not free enough space.
    pub(super) fn pruned_harder(&self, why: Why) -> Option<Compaction> {
        let marks = self.marks();
        let step = self.step_start();
        let cuts = self.outputs(..step).map(|part| Cut {
            entry: part.entry().id,
            keep: KEPT_AT_LEAST,
        });
        let mut cuts: Vec<Cut> = cuts.collect();
        cuts.extend(self.newest_cuts(step, marks.span / 2));
        let compaction = self.cutting(why, cuts);
        let enough = compaction.after <= marks.trigger && compaction.is_worth_it();
        enough.then_some(compaction)
    }

    /// Truncates outputs. If that does not free enough, drops the oldest turns until the request fits.
    pub(super) fn by_force(&self, why: Why) -> Option<Compaction> {
        if let Some(pruned) = self.pruned_harder(why) {
            return Some(pruned);
        }
        let marks = self.marks();
        let (start, cuts) = self.tail(marks);
        let parts = self.history.carried().parts();
        let all = parts.iter().rfind(|part| !matches!(part, Part::Replaced(_)));
        let before = parts.get(..start).unwrap_or_default();
        let before = before.iter().rfind(|part| !matches!(part, Part::Replaced(_)));
        let attempts = [(before, marks), (all, Marks { span: 0, ..marks })];
        let attempts = attempts.into_iter().filter_map(|(upto, marks)| {
            let upto = upto?.entry().id;
            let (kept, shorter) = self.kept(upto, marks);
            let mut compaction = self.replacing(why, upto, kept, cuts.clone());
            compaction.cuts.extend(shorter);
            let made = self.weighed(compaction);
            (made.after.saturating_add(self.told_again(upto)) < self.used).then_some(made)
        });
        let attempts: Vec<Compaction> = attempts.collect();
        let under = |limit: u64| attempts.iter().find(|made| made.after <= limit).cloned();
        under(marks.trigger).or_else(|| under(self.window.room()))
    }

    /// Returns the tokens of the notes that must be sent again if the prompts with these notes are dropped.
    fn told_again(&self, upto: EntryId) -> u64 {
        let parts = self.history.carried().parts().iter().map(Part::entry);
        let told = parts.filter(|entry| entry.id <= upto);
        let notes = told.flat_map(|entry| entry.body.notes());
        notes.map(|note| self.estimator.calibrated(estimate(&note.text))).sum()
    }

    pub(super) fn tail(&self, marks: Marks) -> (usize, Vec<Cut>) {
        let step = self.step_start();
        let newest = self.newest(marks.span / 4).min(step);
        if newest < step {
            return (newest, Vec::new());
        }
        (step, self.newest_cuts(step, marks.span / 2))
    }

    /// Returns the start of the part to preserve when the person requests a summary, and truncations in that part. The
    /// part contains the last two turns, or only the last one.
    pub(super) fn newest_turns(&self, marks: Marks) -> (usize, Vec<Cut>) {
        let (start, cuts) = self.tail(marks);
        let parts = self.history.carried().parts();
        let prompts = (0..parts.len()).rev().filter(|place| {
            let part = parts.get(*place);
            part.is_some_and(|part| matches!(part.entry().body, Body::User { .. }))
        });
        let newest: Vec<usize> = prompts.take(2).collect();
        let something = |place: &usize| {
            let earlier = parts.get(..*place).unwrap_or_default();
            earlier.iter().any(|part| !matches!(part, Part::Replaced(_)))
        };
        match newest.into_iter().rev().find(something) {
            Some(place) if place > start => (place, Vec::new()),
            Some(_) | None => (start, cuts),
        }
    }

    /// Returns truncations that reduce the newest results to at most `most` tokens in total.
    fn newest_cuts(&self, step: usize, most: u64) -> Vec<Cut> {
        let said = |part: &&Part| matches!(part.entry().body, Body::User { .. });
        let outputs: Vec<&Part> = self.outputs(step..).filter(|part| !said(part)).collect();
        let total: u64 = outputs.iter().map(|part| self.cost(part)).sum();
        if total <= most {
            return Vec::new();
        }
        let count = u64::try_from(outputs.len()).unwrap_or(1).max(1);
        let keep = self.estimator.bytes(most / count).max(KEPT_AT_LEAST.into());
        let keep = u32::try_from(keep).unwrap_or(u32::MAX);
        let cuts = outputs.iter().map(|part| Cut {
            entry: part.entry().id,
            keep,
        });
        cuts.collect()
    }

    /// Returns the entries to preserve in the summarised range, and their truncations. Preserves pinned entries, the
    /// current prompt, the first prompt, skills, and then the newest other prompts.
    pub(super) fn kept(&self, upto: EntryId, marks: Marks) -> (Vec<EntryId>, Vec<Cut>) {
        let carried = self.history.carried();
        let earlier = || self.history.entries().iter().take_while(|entry| entry.id <= upto);
        let prompts =
            earlier().filter(|entry| matches!(entry.body, Body::User { .. }) && !carried.is_dropped(entry.id));
        let prompts: Vec<_> = prompts.collect();
        let mut kept: BTreeSet<EntryId> = BTreeSet::new();
        let mut shorter: BTreeMap<EntryId, u32> = BTreeMap::new();
        if let Some(first) = prompts.first() {
            let room = self.estimator.bytes(marks.span / 16).max(300);
            kept.insert(first.id);
            shorter.insert(first.id, u32::try_from(room).unwrap_or(u32::MAX));
        }
        let mut left = marks.span / 10;
        for (place, prompt) in prompts.iter().rev().enumerate() {
            let worked_on = place == 0 && self.history.open_turn() && !self.in_tail(upto);
            let all = self.cost_kept(&Part::kept(prompt, carried.is_pinned(prompt.id)));
            // Cost of the prompt without the skill that it invokes.
            let least = self.cost_kept(&Part::Cut(Arc::clone(prompt), ALL));
            if worked_on {
                shorter.remove(&prompt.id);
            } else if all <= left {
                left -= all;
                shorter.remove(&prompt.id);
            } else if least <= left {
                left -= least;
                shorter.insert(prompt.id, ALL);
            } else {
                break;
            }
            kept.insert(prompt.id);
        }
        let whole: Vec<EntryId> = self
            .instructions(upto, marks)
            .into_iter()
            .chain(carried.pins())
            .collect();
        for id in whole.into_iter().filter(|id| *id <= upto) {
            kept.insert(id);
            shorter.remove(&id);
        }
        let cuts = shorter.into_iter().map(|(entry, keep)| Cut { entry, keep });
        (kept.into_iter().collect(), cuts.collect())
    }

    /// Whether later requests lack prompts of the person, including prompts that an earlier compaction omitted.
    pub(super) fn omits_prompts(&self, upto: EntryId, kept: &[EntryId]) -> bool {
        let carried = self.history.carried();
        let beginnings = carried.parts().iter().filter_map(|part| match part {
            Part::Replaced(beginning) => beginning.replaced(),
            _ => None,
        });
        let prompts = self.history.entries().iter().take_while(|entry| entry.id <= upto);
        let mut prompts =
            prompts.filter(|entry| matches!(entry.body, Body::User { .. }) && !carried.is_dropped(entry.id));
        beginnings.into_iter().any(|replaced| replaced.omits_prompts) || prompts.any(|entry| !kept.contains(&entry.id))
    }

    pub(super) fn cost_kept(&self, part: &Part) -> u64 {
        self.estimator.of_text(&quoted(part))
    }

    /// Returns notes to send again, limited to a quarter of `Marks::span`. Replaces rules that do not fit by their
    /// paths.
    pub(super) fn lasting(&self, upto: EntryId) -> Vec<String> {
        let earlier = self.history.entries().iter().take_while(|entry| entry.id <= upto);
        let told: Vec<&Note> = earlier
            .flat_map(|entry| entry.body.notes())
            .filter(|note| note.lasts())
            .collect();
        let mut left = self.marks().span / 4;
        let fitting = told.into_iter().filter_map(|note| {
            let tokens = self.estimator.of_text(&note.text);
            if tokens <= left {
                left -= tokens;
                return Some(note.text.clone());
            }
            let folder = note.folder()?;
            Some(format!(
                "Rules of `{folder}/` were told and do not fit any more. Read the `AGENTS.md` or `CLAUDE.md` there again before you go on below it."
            ))
        });
        fitting.collect()
    }

    /// Returns the entries of loaded skills, newest first, limited to a quarter of `Marks::span`.
    fn instructions(&self, upto: EntryId, marks: Marks) -> Vec<EntryId> {
        let carried = self.history.carried();
        let mut left = marks.span / 4;
        let mut fitting = Vec::new();
        let mut seen = BTreeSet::new();
        let earlier = self.history.entries().iter().filter(|entry| entry.id <= upto);
        for entry in earlier.rev().filter(|entry| !carried.is_dropped(entry.id)) {
            let skills = entry.body.skills(self.tools);
            if skills.iter().all(|skill| seen.contains(skill)) {
                continue;
            }
            let tokens = self.cost_kept(&Part::kept(entry, carried.is_pinned(entry.id)));
            if tokens <= left {
                left -= tokens;
                fitting.push(entry.id);
                seen.extend(skills);
            }
        }
        fitting
    }

    fn in_tail(&self, upto: EntryId) -> bool {
        let after = self.history.carried().parts().iter().rev();
        let mut after = after.take_while(|part| part.entry().id > upto);
        after.any(|part| matches!(part.entry().body, Body::User { .. }))
    }

    /// Returns the index of the oldest part from which a request of at most `most` tokens can begin.
    fn newest(&self, most: u64) -> usize {
        let parts = self.history.carried().parts();
        let mut start = parts.len();
        let mut tokens = 0;
        for (place, part) in parts.iter().enumerate().rev() {
            tokens += self.cost(part);
            if tokens > most {
                break;
            }
            if begins(parts, place) {
                start = place;
            }
        }
        start
    }

    /// Returns the start of the newest step: the newest answer with results, or a newer prompt without an answer.
    fn step_start(&self) -> usize {
        let parts = self.history.carried().parts();
        let mut places = (0..parts.len()).rev();
        places.find(|place| begins(parts, *place)).unwrap_or(parts.len())
    }

    fn outputs(&self, range: impl std::slice::SliceIndex<[Part], Output = [Part]>) -> impl Iterator<Item = &Part> {
        let carried = self.history.carried();
        let parts = carried.parts().get(range).unwrap_or_default();
        parts
            .iter()
            .filter(|part| is_output(part, self.tools) && !carried.is_pinned(part.entry().id))
    }
}

/// Whether a request may begin at this part. A request must not begin between a call and its result, or between results
/// and commands that the person ran after them.
fn begins(parts: &[Part], place: usize) -> bool {
    let body = |place: usize| parts.get(place).map(|part| &part.entry().body);
    match body(place) {
        Some(Body::User { .. } | Body::Assistant { .. } | Body::Validation { .. }) => true,
        Some(Body::Shell { .. }) => {
            let before = (0..place).rev().find_map(|place| match body(place) {
                Some(Body::Shell { .. }) => None,
                other => other,
            });
            !matches!(before, Some(Body::ToolResult { .. }))
        }
        _ => false,
    }
}

/// Whether a part is a tool or command output that may be truncated. Todo lists and skills must stay complete, because
/// the model cannot read them again.
fn is_output(part: &Part, tools: &[ToolFacts]) -> bool {
    let (Part::Whole(entry) | Part::Cut(entry, _) | Part::Lean(entry, _)) = part else {
        return false;
    };
    match &entry.body {
        Body::ToolResult { tool, .. } => !matches!(
            ToolFacts::success_of(tools, tool),
            Success::ListKept | Success::Instructed
        ),
        Body::Shell { .. } | Body::Validation { .. } => true,
        Body::User { mentions, .. } => mentions.iter().any(|mention| mention.kind != MentionKind::Skill),
        _ => false,
    }
}
