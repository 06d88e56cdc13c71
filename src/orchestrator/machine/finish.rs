//! The end of a turn: normal, by a limit, by an error, or by the person. Every unfinished call gets a result.

use super::Machine;
use super::retry::Left;
use super::turn::{Ending, ListKeeper, Phase, Queued, Start, Steered};
use crate::effect::Effect;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::notice::{Limit, Notice};
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_protocol::{Answer, Live, TurnState};

impl Machine {
    pub(super) fn finish_by_itself(&mut self) {
        let Some(turn) = &self.turn else { return };
        let outcome = if turn.filtered {
            TurnOutcome::Filtered
        } else if turn.failing {
            TurnOutcome::ValidationFailed
        } else if turn.denied {
            TurnOutcome::Denied
        } else {
            TurnOutcome::Done
        };
        if outcome == TurnOutcome::Done && self.ask_at_end() {
            return;
        }
        self.finish(outcome);
    }

    pub(super) fn finish(&mut self, outcome: TurnOutcome) {
        self.close_list(outcome);
        let Some(mut turn) = self.turn.take() else { return };
        self.move_to(match outcome {
            TurnOutcome::Done | TurnOutcome::Denied | TurnOutcome::ValidationFailed => TurnState::Done,
            TurnOutcome::Error | TurnOutcome::Filtered => TurnState::Error,
            TurnOutcome::Interrupted => TurnState::Interrupted,
            TurnOutcome::Limit | TurnOutcome::Loop => TurnState::Limit,
        });
        self.log(
            turn.id,
            Body::TurnEnded {
                outcome,
                steps: turn.steps,
                usage: turn.usage,
            },
        );
        // Log the queued results after the end of the turn. A request may already contain the entries before them.
        for told in std::mem::take(&mut turn.told) {
            self.log(turn.id, told);
        }
        self.left = Left::of(&turn).or_else(|| self.left.take().map(Left::overtaken));
        self.pending_notes.append(&mut turn.notes);
        // Steering prompts that were not sent yet become the next prompts.
        for Steered { text, .. } in turn.steering.drain(..).rev() {
            self.queue.push_front(Queued {
                text,
                start: Start::Prompt,
            });
        }
        if !self.go_on_alone(turn.beside) && self.state.is_rest() {
            self.start_queued();
        }
    }

    /// Marks all items of the turn's todo list as completed or cancelled, if the engine created the list. Otherwise
    /// reports items that are still in progress.
    fn close_list(&mut self, outcome: TurnOutcome) {
        let Some(turn) = &self.turn else { return };
        let in_progress = |item: &TodoItem| item.status == TodoStatus::InProgress;
        let is_own = turn.list == ListKeeper::Engine && self.todo.is_task(&turn.prompt);
        let is_of_left = self.left.as_ref().is_some_and(|left| self.todo.is_task(left.prompt()));
        if (is_own || is_of_left) && self.todo.0.iter().all(in_progress) {
            let mut list: TodoList = self.todo.clone();
            for item in &mut list.0 {
                item.status = if is_own && outcome == TurnOutcome::Done {
                    TodoStatus::Completed
                } else {
                    TodoStatus::Cancelled
                };
            }
            self.set_todo(list);
            return;
        }
        let items: Vec<String> = self
            .todo
            .0
            .iter()
            .filter(|item| in_progress(item))
            .map(|item| item.text.clone())
            .collect();
        if !items.is_empty() && turn.start == Start::Prompt && self.pointed_out != items {
            self.notice(Notice::TodoOpen { items: items.clone() });
        }
        self.pointed_out = items;
    }

    /// Ends the turn at the person's request, and returns queued prompts. Prompts that arrive before the calls have
    /// ended are queued as usual.
    pub(super) fn on_interrupt(&mut self) {
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.ending.is_none()) else {
            return;
        };
        let steering = turn.steering.drain(..).map(Steered::into_typed).collect();
        self.give_back(steering);
        self.end_early(Ending::Interrupted);
    }

    /// Ends the turn after the log could not be written, because nothing may run without a log. Returns queued prompts.
    pub(super) fn on_log_lost(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let steering = turn.steering.drain(..).map(Steered::into_typed).collect();
        self.give_back(steering);
        self.end_early(Ending::NotSaved);
    }

    fn give_back(&mut self, of_turn: Vec<String>) {
        let queued = self.queue.drain(..).map(Queued::into_typed);
        let mut texts: Vec<String> = of_turn.into_iter().chain(queued).collect();
        let back = match texts.len() {
            0 => return,
            1 => Answer::Unqueued {
                text: texts.swap_remove(0),
            },
            _ => Answer::GivenBack(texts),
        };
        self.out.push(Effect::Answer(back));
        self.tell_queue();
    }

    pub(super) fn on_out_of_time(&mut self) {
        if self.turn.as_ref().is_none_or(|turn| turn.ending.is_some()) {
            return;
        }
        self.notice(Notice::Limit(Limit::Time));
        self.end_early(Ending::OutOfTime);
    }

    /// Stops the model, commands and requests. The turn ends when its calls have ended.
    pub(super) fn end_early(&mut self, ending: Ending) {
        let Some(turn) = &mut self.turn else { return };
        if turn.ending.is_some() {
            return;
        }
        if turn.id != self.last_turn {
            // The prompt is still being checked, so the turn has not begun.
            let prompt = std::mem::take(&mut turn.prompt);
            self.turn = None;
            self.out.push(Effect::StopHooks);
            self.out.push(Effect::Answer(Answer::NotBegun {
                prompt: prompt.clone(),
                outcome: ending.outcome(),
            }));
            self.give_back(vec![prompt]);
            return;
        }
        turn.ending = Some(ending);
        self.out.push(Effect::StopHooks);
        if turn.stream.is_some() {
            self.out.push(Effect::StopModel);
            self.keep_partial(ending.cut(), None);
        }
        let Some(turn) = &mut self.turn else { return };
        for call in turn.calls.iter_mut().chain(&mut turn.beside) {
            let id = call.call.id.clone();
            if let Phase::Asking { .. } = &call.phase {
                // Remove the request from front ends now, because the result of the call may have to wait for the
                // results of earlier calls.
                self.out.push(Effect::Live(Live::ApprovalGone { call: id.clone() }));
            }
            match &call.phase {
                Phase::Running => {
                    self.out.push(Effect::Cancel(id));
                    call.phase = Phase::Stopping;
                }
                Phase::Waiting
                | Phase::Preparing
                | Phase::BeforeHooks { .. }
                | Phase::Held { .. }
                | Phase::Asking { .. } => {
                    self.out.push(Effect::Drop(id));
                    let outcome = ending.unstarted();
                    call.phase = Phase::Over { outcome, took_ms: 0 };
                }
                Phase::AfterHooks { .. } => {
                    if let Phase::AfterHooks { outcome, took_ms, .. } =
                        std::mem::replace(&mut call.phase, Phase::Stored)
                    {
                        call.phase = Phase::Over { outcome, took_ms };
                    }
                }
                Phase::Stopping | Phase::Over { .. } | Phase::Stored => {}
            }
        }
        self.advance_beside();
        self.advance();
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.finish_unsent(ending.outcome());
    }
}
