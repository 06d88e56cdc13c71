//! Answers to approval requests. `--approve` alone answers, or a person at a terminal, or a program.

use std::future::pending;
use std::io::BufRead;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::input::{self, Bad, Message, Received};
use benchdog_app::dialogs::question::QuestionView;
use benchdog_base::id::CallId;
use benchdog_domain::permission::{Decision, Kept, Lasts, Scope};
use benchdog_domain::review::{Question, Review};
use benchdog_lang as lang;
use benchdog_protocol::ApprovalRequest;
use benchdog_transcript::script::{Always, Choice, DecisionName, OpenQuestion, Proposal, Shown};

/// The maximum length of a reason for the model, in characters.
const LONGEST_REASON: usize = 2_000;

pub enum Answers {
    /// Nobody is asked, because `--approve` decides all requests.
    Nobody,
    Person(Dialog),
    Program(Program),
}

pub struct Dialog {
    pub asks: mpsc::Sender<Ask>,
    pub decided: mpsc::Receiver<Decided>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    Request(Arc<ApprovalRequest>),
    /// The request of this call no longer needs an answer.
    Gone(CallId),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub call: CallId,
    pub edition: u32,
    pub decision: Decision,
}

/// A program that sends messages. The program gets requests only with `--approve ask`.
pub struct Program {
    lines: Option<mpsc::Receiver<Received>>,
    asks: bool,
}

impl Program {
    /// Starts to read messages from `input`. Must be called inside a runtime.
    pub fn new(input: impl BufRead + Send + 'static, asks: bool) -> Self {
        Self {
            lines: Some(input::start(input)),
            asks,
        }
    }
}

#[derive(Debug)]
pub(super) enum Said {
    Decided(Decided),
    Line(Received),
    End,
}

impl Answers {
    /// Returns the next message. Cancel-safe.
    pub(super) async fn next(&mut self) -> Said {
        match self {
            Self::Nobody => pending().await,
            Self::Person(dialog) => match dialog.decided.recv().await {
                Some(decided) => Said::Decided(decided),
                None => Said::End,
            },
            Self::Program(program) => match &mut program.lines {
                Some(lines) => lines.recv().await.map_or(Said::End, Said::Line),
                None => pending().await,
            },
        }
    }

    pub(super) fn asks(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Person(_) => true,
            Self::Program(program) => program.asks,
        }
    }

    pub(super) fn are_written(&self) -> bool {
        matches!(self, Self::Program(program) if program.asks)
    }

    /// Whether the program may send further prompts.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Program(program) if program.lines.is_some())
    }

    /// Whether answers to requests may still arrive.
    pub(super) fn is_present(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Person(_) => true,
            Self::Program(program) => program.asks && program.lines.is_some(),
        }
    }

    pub(super) fn end(&mut self) {
        match self {
            Self::Program(program) => program.lines = None,
            Self::Nobody | Self::Person(_) => *self = Self::Nobody,
        }
    }

    /// Sends a request to the person. If the queue is full, the request stays unanswered and is denied later.
    pub(super) fn tell(&self, ask: Ask) {
        if let Self::Person(dialog) = self {
            let _ = dialog.asks.try_send(ask);
        }
    }
}

/// Converts a message to a decision. Fails if the request does not offer the decision.
pub(super) fn decision(request: &ApprovalRequest, message: Message) -> Result<Decision, Bad> {
    let kept = Kept::All;
    match (message, &request.review) {
        (Message::Answer { request: name, answers }, Review::Question(question)) => {
            answered(question, &answers).ok_or(Bad::NotAnswered(name))
        }
        (
            Message::Decide {
                decision: DecisionName::Deny,
                number: None,
                reason,
                ..
            },
            _,
        ) => Ok(Decision::Deny {
            reason: reason.map(|reason| reason.chars().take(LONGEST_REASON).collect()),
        }),
        (
            Message::Decide {
                request: name,
                decision,
                number,
                reason: None,
            },
            Review::Files(_) | Review::Command(_) | Review::Fields(_),
        ) => match (decision, number) {
            (DecisionName::Once, None) => Ok(Decision::Once { kept }),
            (DecisionName::Confined, None) if request.verdict.confinable => Ok(Decision::Confined),
            (DecisionName::Always, Some(number)) => always(request)
                .nth(number.wrapping_sub(1))
                .map(|(scope, lasts)| Decision::Always {
                    scope: scope.clone(),
                    lasts,
                    kept,
                })
                .ok_or(Bad::NotOffered(name)),
            _ => Err(Bad::NotOffered(name)),
        },
        (Message::Decide { request, .. } | Message::Answer { request, .. }, _) => Err(Bad::NotOffered(request)),
        (Message::Prompt { .. } | Message::Cancel {}, _) => Err(Bad::NotOffered(String::new())),
    }
}

fn always(request: &ApprovalRequest) -> impl Iterator<Item = (&Scope, Lasts)> {
    let scopes = request.verdict.scopes.iter();
    scopes.flat_map(|scope| [Lasts::Session, Lasts::Project].map(|lasts| (scope, lasts)))
}

pub(super) fn proposal(request: &ApprovalRequest) -> Proposal {
    let shown = match &request.review {
        Review::Question(question) => Some(questions(question)),
        review => Shown::of(review),
    };
    let child = request.child.as_ref().map(|child| &child.agent);
    let always = always(request);
    Proposal {
        shown: shown.unwrap_or(Shown::Fields { fields: Vec::new() }),
        confinable: request.verdict.confinable,
        always: (1..)
            .zip(always)
            .map(|(number, answer)| Always {
                number,
                text: lang::always_allows(answer, &request.review, child),
            })
            .collect(),
    }
}

fn questions(question: &Question) -> Shown {
    let view = QuestionView::new(question);
    let questions = view.pages.iter().map(|page| OpenQuestion {
        text: page.text.clone(),
        options: page
            .options
            .iter()
            .map(|option| Choice {
                label: option.shown.clone(),
                description: option.description.clone(),
            })
            .collect(),
        multiple: page.multiple,
        own_words: page.own_words,
    });
    Shown::Questions {
        questions: questions.collect(),
    }
}

/// Answers the questions one after the other. `None` if an answer is missing or invalid.
fn answered(question: &Question, answers: &[Vec<String>]) -> Option<Decision> {
    let mut view = QuestionView::new(question);
    for texts in answers {
        let page = view.page_mut()?;
        let place = |text: &String| page.options.iter().position(|option| option.shown == *text);
        let places: Option<Vec<usize>> = texts.iter().map(place).collect();
        match (places, texts.as_slice()) {
            (_, []) if page.may_be_left_out() => page.leave_out(),
            (Some(places), [_]) => page.choose(places)?,
            (Some(places), [_, ..]) if page.multiple => page.choose(places)?,
            (None, [text]) if page.own_words && !text.trim().is_empty() => page.own.set(text),
            _ => return None,
        }
        if let Some(decision) = view.done() {
            return Some(decision);
        }
    }
    match view.page() {
        Some(_) => None,
        None => view.done(),
    }
}

#[cfg(test)]
mod tests;
