//! Runs the prompts of a run one after the other, and handles the messages of a program.

use std::collections::VecDeque;
use std::ops::Range;

use tokio::time::Instant;

use super::answers::{self, Decided, Said};
use super::exit::Exit;
use super::input::{Bad, Message, Received};
use super::{Ending, Failure, Run};
use benchdog_base::clock::Time;
use benchdog_domain::entry::TurnOutcome;
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_protocol::{Command, Delivery};
use benchdog_transcript::script::request_name;

/// The maximum number of prompts that wait for the running turn.
pub const MOST: usize = 64;

type Prompt = (String, Vec<Range<usize>>);

#[derive(Default)]
pub(super) struct Prompts {
    waiting: VecDeque<Prompt>,
    runs: bool,
    last: Option<Ending>,
    /// The result of the run. Set if the run must end although more prompts could follow.
    leaves: Option<Ending>,
    is_engine_gone: bool,
}

impl Prompts {
    pub(super) fn are_idle(&self) -> bool {
        !self.runs
    }

    fn leave(&mut self, outcome: TurnOutcome, exit: Exit) {
        self.leaves = Some(Ending {
            outcome,
            exit,
            abandoned: false,
        });
    }

    pub(super) fn end_with_the_engine(&mut self) {
        self.is_engine_gone = true;
    }
}

pub(super) enum Next {
    Wait,
    Leave(Ending),
}

impl Run {
    pub(super) fn begin(&mut self, text: String, pasted: Vec<Range<usize>>) {
        self.prompts.runs = true;
        self.send(Command::Prompt {
            text,
            pasted,
            delivery: Delivery::Queue,
        });
    }

    pub(super) fn next_turn(&mut self) -> Next {
        if let Some(ending) = self.printer.ending() {
            let more = self.answers.is_open() || !self.prompts.waiting.is_empty();
            if !more || self.asked_to_end.is_some() || ending.abandoned || self.prompts.is_engine_gone {
                return Next::Leave(ending);
            }
            self.prompts.last = Some(ending);
            self.prompts.runs = false;
            self.printer.begin_turn();
        }
        if let Some(ending) = self.prompts.leaves {
            return Next::Leave(ending);
        }
        if self.prompts.runs {
            return Next::Wait;
        }
        if let Some((text, pasted)) = self.prompts.waiting.pop_front() {
            self.begin(text, pasted);
            return Next::Wait;
        }
        match (self.answers.is_open(), self.prompts.last) {
            (false, Some(last)) => Next::Leave(last),
            _ => Next::Wait,
        }
    }

    pub(super) fn leave_between_turns(&mut self, outcome: TurnOutcome) {
        let (exit, code, obstacle) = match outcome {
            TurnOutcome::Limit => (Exit::Limit, "limit", Obstacle::OutOfTime),
            _ => (Exit::Interrupted, "interrupted", Obstacle::Stopped),
        };
        let words = lang::obstacle(obstacle);
        let failure = Failure {
            outcome,
            code,
            text: &words.text,
            hint: &words.hint,
        };
        let lines = self.printer.cannot_go_on(&failure, Time::now());
        self.print(lines);
        // The time limit for ending a turn also limits the wait for a reader of the output.
        self.ask_to_end(outcome);
        self.prompts.leave(outcome, exit);
    }

    pub(super) fn hear(&mut self, said: Said) {
        match said {
            Said::Decided(decided) => self.decide(decided),
            Said::End => self.end_of_input(),
            Said::Line(Received { line, message }) => {
                if let Err(bad) = message.and_then(|message| self.obey(message)) {
                    let lines = self.printer.bad_line(line, &bad, Time::now());
                    self.print(lines);
                }
            }
        }
    }

    /// Handles the end of the input. Pending requests are denied, but the running turn and queued prompts continue.
    fn end_of_input(&mut self) {
        self.answers.end();
        let now = Instant::now();
        self.waiting.iter_mut().for_each(|(_, until)| *until = now);
        let is_unused = !self.prompts.runs && self.prompts.waiting.is_empty() && self.prompts.last.is_none();
        if is_unused {
            let failure = Failure {
                outcome: TurnOutcome::Error,
                code: "no_prompt",
                text: word(Word::TroubleNoPrompt),
                hint: word(Word::InputSchema),
            };
            let lines = self.printer.cannot_go_on(&failure, Time::now());
            self.print(lines);
        }
    }

    fn decide(&mut self, decided: Decided) {
        let Decided {
            call,
            edition,
            decision,
        } = decided;
        self.send(Command::Decide {
            call,
            edition,
            decision,
        });
    }

    fn obey(&mut self, message: Message) -> Result<(), Bad> {
        match message {
            Message::Prompt { text, context } => {
                if text.trim().is_empty() {
                    return Err(Bad::NoText);
                }
                if self.prompts.waiting.len() >= MOST {
                    return Err(Bad::Full);
                }
                self.prompts.waiting.push_back(joined(text, &context));
            }
            Message::Cancel {} if self.prompts.runs => self.send(Command::Interrupt),
            // The turn has ended before the message arrived, so there is nothing to cancel.
            Message::Cancel {} => {}
            Message::Decide { ref request, .. } | Message::Answer { ref request, .. } => {
                if !self.answers.asks() {
                    return Err(Bad::NotAsked);
                }
                let mut asked = self.waiting.iter().map(|(asked, _)| asked);
                let asked = asked
                    .find(|asked| request_name(asked) == *request)
                    .ok_or_else(|| Bad::NoRequest(request.clone()))?;
                let decided = Decided {
                    call: asked.call.clone(),
                    edition: asked.edition,
                    decision: answers::decision(asked, message)?,
                };
                self.decide(decided);
            }
        }
        Ok(())
    }
}

/// Joins a prompt and its context with a blank line. The context counts as pasted, so its mentions are ignored.
pub(super) fn joined(text: String, context: &str) -> Prompt {
    let context = context.trim_end();
    if context.is_empty() {
        return (text, Vec::new());
    }
    let typed = text + "\n\n";
    let pasted = typed.len()..typed.len() + context.len();
    (typed + context, std::iter::once(pasted).collect())
}
