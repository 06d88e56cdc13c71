//! Compactions during a turn, and notices about the used share of the context window.

use super::{Machine, held, scratch, subagents};
use crate::effect::{Effect, Room};
use benchdog_base::id::EntryId;
use benchdog_domain::budget::percent;
use benchdog_domain::compaction::{Compaction, NoSummary};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::{Failure, Overweight};
use benchdog_domain::history::History;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Live, TurnState};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Filling {
    said: u64,
    unwilling: bool,
}

impl Filling {
    pub(super) fn of(history: &History) -> Self {
        let said = history.entries().iter().filter_map(|entry| match &entry.body {
            Body::Notice(Notice::ContextFilled { percent, .. }) => Some(*percent),
            _ => None,
        });
        Self {
            said: said.max().unwrap_or(0),
            unwilling: false,
        }
    }

    pub(super) fn untold(history: &History) -> Option<String> {
        for entry in history.entries().iter().rev() {
            match &entry.body {
                Body::Notice(Notice::ContextFilled { percent, used, room }) => {
                    return Some(note(*percent, *used, *room));
                }
                Body::User { .. } | Body::ToolResult { .. } => return None,
                _ => {}
            }
        }
        None
    }

    pub(super) fn ask_again(&mut self) {
        self.unwilling = false;
    }

    pub(super) fn room(self) -> Room {
        Room {
            unwilling: self.unwilling,
            ..Room::default()
        }
    }
}

impl Machine {
    pub(super) fn on_room_made(&mut self, request: u64, compaction: Compaction) {
        if self.stream_of(request).is_none() {
            return;
        }
        self.log_compaction(compaction);
        if let Some(turn) = &mut self.turn {
            turn.guard.window_emptied();
        }
        self.send_again(|room| {
            room.steps += 1;
            room.refused = false;
        });
    }

    pub(super) fn on_summarising(&mut self, request: u64) {
        if self.stream_of(request).is_some() {
            self.move_to(TurnState::Compacting);
        }
    }

    pub(super) fn on_not_summarised(&mut self, request: u64, why: NoSummary) {
        if self.stream_of(request).is_none() {
            return;
        }
        self.filling.unwilling = true;
        self.notice(Notice::NotSummarised(why));
        self.send_again(|room| room.summarised = true);
    }

    /// Compacts after the server rejected a request as too large, and sends the request again. Returns `false` if text
    /// was already shown, or if the server has rejected the request a second time.
    pub(super) fn on_overflow(&mut self, failure: &Failure) -> bool {
        if self.answer_began() {
            return false;
        }
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.overflow.is_none()) else {
            return false;
        };
        turn.overflow = Some(failure.clone());
        self.send_again(|room| room.refused = true);
        true
    }

    pub(crate) fn answer_began(&self) -> bool {
        let stream = self.turn.as_ref().and_then(|turn| turn.stream.as_ref());
        stream.is_some_and(|stream| !stream.text.is_empty() || !stream.reasoning.is_empty())
    }

    pub(super) fn after_room(&self, failure: Failure) -> Failure {
        let made = self.turn.as_ref().is_some_and(|turn| turn.room.steps > 0);
        match failure {
            Failure::ContextOverflow {
                limit, text, server, ..
            } => Failure::ContextOverflow {
                limit,
                text,
                server,
                lessened: made,
            },
            other => other,
        }
    }

    pub(super) fn on_over_window(&mut self, request: u64, over: Overweight) {
        if self.stream_of(request).is_none() {
            return;
        }
        let Some(turn) = &mut self.turn else { return };
        turn.stream = None;
        match turn.overflow.take() {
            Some(failure) => {
                let failure = self.after_room(failure);
                self.live(Live::Error(failure));
                self.finish(TurnOutcome::Error);
            }
            None => {
                self.live(Live::Error(Failure::ContextFull(over)));
                self.finish(TurnOutcome::Limit);
            }
        }
    }

    /// Sends the current request again under a new number, so that late results of the old request are ignored.
    pub(super) fn send_again(&mut self, change: impl FnOnce(&mut Room)) {
        self.move_to(TurnState::Planning);
        self.last_request += 1;
        let (request, nudge) = (self.last_request, self.nudge());
        let Some(turn) = &mut self.turn else { return };
        let Some(stream) = &mut turn.stream else { return };
        stream.request = request;
        change(&mut turn.room);
        self.out.push(Effect::CallModel {
            request,
            model: stream.model.clone(),
            agent: self.rules.agent.agent.clone(),
            upto: self.last_entry,
            room: turn.room,
            nudge,
        });
    }

    fn log_compaction(&mut self, mut compaction: Compaction) {
        if let Some(replaced) = &mut compaction.replaced {
            if replaced.summary.is_some() {
                self.filling.unwilling = false;
            }
            let (level, network) = self.rules.held;
            replaced.notes.extend(held::standing(level, network));
            replaced.notes.extend(scratch::standing(&self.rules));
            replaced.notes.extend(subagents::standing(&self.rules));
            replaced.notes.extend(self.standing_agent());
            replaced.notes.extend(self.standing_plan());
            replaced.notes.extend(self.standing_jobs());
        }
        self.log(self.last_turn, Body::Compaction(compaction));
    }

    // --- requested by the person ---

    pub(super) fn on_compacted(&mut self, compaction: Compaction) {
        if self.turn.is_none() {
            self.log_compaction(compaction);
        }
    }

    pub(super) fn on_compaction_undone(&mut self, compaction: EntryId) {
        if self.turn.is_none() {
            self.log(self.last_turn, Body::CompactionUndone { compaction });
        }
    }

    pub(super) fn on_pinned(&mut self, entry: EntryId, pinned: bool) {
        self.log(self.last_turn, Body::Pinned { entry, pinned });
    }

    // --- fill level ---

    /// Sends a notice when the used share of the context window reaches a configured level. Reports each level only
    /// once per session, because usage reaches it again after each compaction.
    pub(super) fn on_filled(&mut self, used: u64, room: u64) {
        let percent = percent(used, room);
        let levels = self.rules.warn.iter().copied();
        let reached = levels.filter(|level| *level <= percent).max().unwrap_or(0);
        if reached <= self.filling.said {
            return;
        }
        self.filling.said = reached;
        self.notice(Notice::ContextFilled { percent, used, room });
        let note = note(percent, used, room);
        match &mut self.turn {
            Some(turn) => turn.notes.push(note.into()),
            None => self.pending_notes.push(note.into()),
        }
    }
}

fn note(percent: u64, used: u64, room: u64) -> String {
    format!(
        "Your window is {percent} % full ({used} of {room} tokens). When it is full, older outputs are shortened and earlier turns \
         are summarised: say what matters of them in your own words, and read no more than you need."
    )
}
