//! Requests that wait for the person, one after the other, and what decides them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::{Desk, From, Front};
use crate::app::commands::{self, Sent};
use crate::base::id::CallId;
use crate::base::text::reveal;
use crate::domain::call::Origin;
use crate::domain::permission::Decision;
use crate::headless::NOBODY;
use crate::lang::{Word, word};
use crate::linear::question::{Question, Reply, is_same};
use crate::protocol::{ApprovalRequest, Command};

/// How long a question waits for its answer.
pub(crate) const PATIENCE: Duration = Duration::from_mins(30);

impl Desk {
    /// The request was answered, by whomever, or another takes its place. Says whether it was the one in front.
    pub(super) fn settle(&mut self, call: &CallId) -> bool {
        self.waiting.retain(|request| request.call != *call);
        let front = match &self.front {
            Some(Front::Printed(question) | Front::Asks(question, _)) => question.call() == call,
            None => false,
        };
        if front {
            self.front = None;
        }
        front
    }

    /// The same request waits already: it is not asked once more, and of one that is not on paper the newest word counts. Says whether
    /// one does.
    pub(super) fn renew(&mut self, request: &Arc<ApprovalRequest>) -> bool {
        if let Some(Front::Printed(question) | Front::Asks(question, _)) = &self.front
            && question.asks(request)
        {
            return true;
        }
        let waiting = self.waiting.iter_mut().find(|waiting| is_same(waiting, request));
        waiting.map(|waiting| *waiting = Arc::clone(request)).is_some()
    }

    /// A request waits. One about a command that the person wrote is the answer to that line: it comes before the question that stands there.
    /// One that is made anew takes the place of the one before.
    pub(super) fn enqueue(&mut self, request: &Arc<ApprovalRequest>) {
        if self.settle(&request.call) {
            return self.waiting.push_front(Arc::clone(request));
        }
        let is_own = matches!(request.origin, Origin::Person | Origin::Typed);
        match self.front.take() {
            Some(Front::Printed(question) | Front::Asks(question, _)) if is_own => {
                self.until = None;
                self.waiting.push_front(question.into_request());
                self.waiting.push_front(Arc::clone(request));
            }
            front => {
                self.front = front;
                self.waiting.push_back(Arc::clone(request));
            }
        }
    }

    /// Something was printed behind the question: its mark stands where the line is written.
    pub(super) fn mark_again(&mut self) {
        if matches!(self.front, Some(Front::Asks(..))) && !self.marked {
            self.mark(&format!("{} ", word(Word::LinearAnswer)));
        }
    }

    /// Prints the request that waits longest. What a person is writing is never taken for its answer.
    pub(super) fn ask_next(&mut self) {
        if self.front.is_some() || (self.written.is_some() && self.from == From::Terminal) {
            return;
        }
        let Some(request) = self.waiting.pop_front() else {
            return;
        };
        let question = Question::new(request);
        match self.from {
            From::Terminal => self.print_question(question),
            From::Elsewhere => {
                let (call, mut question) = (question.call().clone(), question);
                self.say_all(question.page());
                self.say(word(Word::LinearNobody));
                self.deny(call);
            }
        }
    }

    fn print_question(&mut self, mut question: Question) {
        self.say_all(question.page());
        self.front = Some(Front::Printed(question));
    }

    /// All of it is on paper, and what was typed before is thrown away; `early`: a whole line was. From the mark on lines count.
    pub(in crate::linear) fn question_is_read(&mut self, early: bool, now: Instant) {
        let Some(Front::Printed(question)) = self.front.take() else {
            return;
        };
        if early {
            self.say(word(Word::LinearEarly));
        }
        self.mark(&format!("{} ", word(Word::LinearAnswer)));
        let until = self.until.take().filter(|(call, _)| call == question.call());
        let (call, until) = until.unwrap_or_else(|| (question.call().clone(), now + PATIENCE));
        self.until = Some((call, until));
        self.front = Some(Front::Asks(question, until));
    }

    fn deny(&mut self, call: CallId) {
        let reason = Some(NOBODY.to_owned());
        self.send(Command::Decide {
            call,
            edition: 0,
            decision: Decision::Deny { reason },
        });
    }

    /// Nobody answered the question in front.
    pub(in crate::linear) fn unanswered(&mut self) {
        if let Some(Front::Asks(question, _)) = self.front.take() {
            self.say(word(Word::LinearUnanswered));
            self.deny(question.call().clone());
            self.ask_next();
        }
    }

    pub(super) fn reply(&mut self, mut question: Question, line: &str) {
        // Somebody is there.
        self.until = None;
        let reply = question.reply(line);
        // What answers nothing may be a command to look at something first.
        if matches!(reply, Reply::Wrong(_) | Reply::Undecided)
            && let Sent::Shell(command) = commands::parse(line.trim(), |_| false)
            && !command.is_empty()
        {
            self.own_command(command);
            self.say(word(question.how()));
            self.front = Some(Front::Printed(question));
            return;
        }
        match reply {
            Reply::Decided(decision) => {
                let (call, edition) = (question.call().clone(), question.edition());
                self.send(Command::Decide {
                    call,
                    edition,
                    decision,
                });
                self.ask_next();
            }
            Reply::ReadsOn => self.print_question(question),
            Reply::Wrong(why) => {
                self.say(&reveal(&why));
                self.say(word(question.how()));
                self.front = Some(Front::Printed(question));
            }
            Reply::Undecided => {
                self.say(word(Word::LinearUndecided));
                self.say(word(question.how()));
                self.front = Some(Front::Printed(question));
            }
        }
    }
}
