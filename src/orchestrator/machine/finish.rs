//! How a turn ends: by itself, by a limit, by an error, by the person. Whatever happens, every call gets its result.

use super::Machine;
use super::calls::Finished;
use super::states;
use super::turn::{Call, Origin, Phase, Queued};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::todo::{TodoList, TodoStatus};
use crate::domain::tool::{CallStatus, Outcome};
use crate::orchestrator::effect::Effect;
use crate::protocol::{Event, TurnState};

impl Machine {
    /// The model had nothing more to do.
    pub(super) fn finish_by_itself(&mut self) {
        let Some(turn) = &self.turn else { return };
        let outcome = if turn.failing {
            TurnOutcome::ValidationFailed
        } else if turn.denied && turn.origin == Origin::Prompt {
            TurnOutcome::Denied
        } else {
            TurnOutcome::Done
        };
        self.finish(outcome);
    }

    pub(super) fn finish(&mut self, outcome: TurnOutcome) {
        self.close_list(outcome);
        let Some(mut turn) = self.turn.take() else { return };
        let usage = turn.usage;
        self.log(
            turn.id,
            Body::TurnEnded {
                outcome,
                steps: turn.steps,
                usage,
            },
        );
        self.move_to(match outcome {
            TurnOutcome::Done | TurnOutcome::Denied | TurnOutcome::ValidationFailed => TurnState::Done,
            TurnOutcome::Error => TurnState::Error,
            TurnOutcome::Interrupted => TurnState::Interrupted,
            TurnOutcome::Limit | TurnOutcome::Loop => TurnState::Limit,
        });
        self.emit(Event::TurnFinished {
            outcome,
            steps: turn.steps,
            usage,
        });
        // What was meant for this turn and did not make it comes first in the next.
        for text in turn.steering.drain(..).rev() {
            self.queue.push_front(Queued {
                text,
                shell: false,
                at: self.now,
            });
        }
        if states::is_rest(self.state) && outcome != TurnOutcome::Interrupted {
            self.start_queued();
        }
    }

    /// A list that only the engine kept is ticked by the engine; items left in progress are pointed out.
    fn close_list(&mut self, outcome: TurnOutcome) {
        let Some(turn) = &self.turn else { return };
        let own = turn.opened_list
            && matches!(self.todo.0.as_slice(), [item] if item.id == 1 && item.status == TodoStatus::InProgress);
        if own && outcome == TurnOutcome::Done {
            let mut list: TodoList = self.todo.clone();
            list.0.iter_mut().for_each(|item| item.status = TodoStatus::Completed);
            self.set_todo(list);
            return;
        }
        let left: Vec<&str> = self
            .todo
            .0
            .iter()
            .filter(|item| item.status == TodoStatus::InProgress)
            .map(|item| item.text.as_str())
            .collect();
        if !left.is_empty() && turn.origin == Origin::Prompt {
            let text = format!("Still in progress on the todo list: {}.", left.join("; "));
            self.notice("todo_open", text);
        }
    }

    pub(super) fn on_interrupt(&mut self) {
        if self.turn.is_none() {
            return;
        }
        self.stop_everything("interrupted", "The user interrupted this call.");
        self.finish(TurnOutcome::Interrupted);
        self.give_back(Vec::new());
    }

    /// Nothing may be done that the log does not know, so the turn ends, and nothing waiting is begun.
    pub(super) fn on_log_lost(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let steering: Vec<String> = turn.steering.drain(..).collect();
        self.give_back(steering);
        self.stop_everything(
            "not saved",
            "The session could not be written to disk, so this call was ended.",
        );
        self.finish(TurnOutcome::Error);
    }

    /// What waits goes back to the person, newest last, rather than running after a stop.
    fn give_back(&mut self, mut waiting: Vec<String>) {
        waiting.extend(self.queue.drain(..).map(Queued::into_typed));
        if !waiting.is_empty() {
            self.emit(Event::Unqueued {
                text: waiting.join("\n"),
            });
            self.emit_queue();
        }
    }

    pub(super) fn on_out_of_time(&mut self) {
        if self.turn.is_none() {
            return;
        }
        self.notice("limit", "The time given with `--timeout` is over.".to_owned());
        self.stop_everything("out of time", "The time of this run was over.");
        self.finish(TurnOutcome::Limit);
    }

    /// Ends stream, commands and approvals; every open call gets a result that says so.
    fn stop_everything(&mut self, summary: &str, why: &str) {
        let streaming = self.turn.as_ref().is_some_and(|turn| turn.stream.is_some());
        if streaming {
            self.out.push(Effect::StopModel);
            self.keep_partial(summary);
        }
        let Some(turn) = &mut self.turn else { return };
        turn.asking_to_go_on = None;
        let validation = turn.validation.take();
        let calls = std::mem::take(&mut turn.calls);
        if let Some(id) = validation.and_then(|run| run.call) {
            self.out.push(Effect::Cancel(id.clone()));
            self.emit(Event::ToolFinished {
                call: id,
                tool: "validation".to_owned(),
                status: CallStatus::Cancelled,
                summary: summary.to_owned(),
                output: String::new(),
                truncated: false,
            });
        }
        for call in calls {
            self.cancel(call, summary, why);
        }
    }

    fn cancel(&mut self, mut call: Call, summary: &str, why: &str) {
        let finished = Finished::of(&call);
        let text = match std::mem::replace(&mut call.phase, Phase::Stored) {
            Phase::Stored => return,
            Phase::Over { outcome, took_ms } => {
                self.store_result(finished, outcome, took_ms);
                return;
            }
            Phase::Running => {
                self.out.push(Effect::Cancel(call.call.id.clone()));
                self.cancelled.insert(call.call.id.clone());
                format!("{why} It was running; what it did until then stays.")
            }
            Phase::Waiting | Phase::Preparing | Phase::Held { .. } | Phase::Asking { .. } => {
                self.out.push(Effect::Drop(call.call.id.clone()));
                format!("{why} It had not started; nothing was done.")
            }
        };
        let outcome = Outcome {
            status: CallStatus::Cancelled,
            summary: summary.to_owned(),
            ..Outcome::error("cancelled", text)
        };
        self.store_result(finished, outcome, 0);
    }
}
