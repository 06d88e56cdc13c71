//! Handles pending requests one at a time, and the input lines that decide them.

use std::sync::Arc;

use tokio::time::Instant;

use super::{Desk, From, Front};
use crate::question::{Question, Reply, is_same};
use benchdog_app::commands::{self, Sent};
use benchdog_base::id::CallId;
use benchdog_base::text::reveal;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::Decision;
use benchdog_headless::{NOBODY, PATIENCE};
use benchdog_lang::{Word, word};
use benchdog_protocol::{ApprovalRequest, Command};

impl Desk {
    /// Removes an answered or replaced request. Returns whether it was the current request.
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

    pub(super) fn renew(&mut self, request: &Arc<ApprovalRequest>) -> bool {
        if let Some(Front::Printed(question) | Front::Asks(question, _)) = &self.front
            && question.asks(request)
        {
            return true;
        }
        let waiting = self.waiting.iter_mut().find(|waiting| is_same(waiting, request));
        waiting.map(|waiting| *waiting = Arc::clone(request)).is_some()
    }

    /// Queues a request. Requests for the person's own commands come first. A rebuilt request replaces the old one.
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

    pub(super) fn mark_again(&mut self) {
        if matches!(self.front, Some(Front::Asks(..))) && !self.marked {
            self.mark(&format!("{} ", word(Word::LinearAnswer)));
        }
    }

    /// Prints the oldest request, unless the person is typing. A line begun earlier cannot answer the request.
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

    /// Marks the current question as printed, so that input lines can answer the question. `early` tells whether a
    /// complete line was typed before and discarded.
    pub(crate) fn question_is_read(&mut self, early: bool, now: Instant) {
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

    pub(crate) fn unanswered(&mut self) {
        if let Some(Front::Asks(question, _)) = self.front.take() {
            self.say(word(Word::LinearUnanswered));
            self.deny(question.call().clone());
            self.ask_next();
        }
    }

    pub(super) fn reply(&mut self, mut question: Question, line: &str) {
        // The answer shows that a person is present, so the next request gets the full time.
        self.until = None;
        let reply = question.reply(line);
        // An invalid answer may be a command, for example to view a file before deciding.
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
