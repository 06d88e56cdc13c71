//! The reason why a request needs approval, as one line.

use benchdog_domain::permission::{BUILT_IN, Because, CheckBecause, CommandClass, Layer, Rule, Verdict};
use benchdog_domain::review::{Pause, Question, Review};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{ApprovalRequest, OnDisk};

pub fn asks_because(request: &ApprovalRequest) -> String {
    match of_its_kind(request) {
        Some(asks) => word(asks).to_owned(),
        None => asked(&request.verdict),
    }
}

/// Returns a short label and a sentence about changes on disk since the proposal was built.
fn on_disk(request: &ApprovalRequest) -> Option<(Word, Word)> {
    match request.on_disk {
        OnDisk::FitsNot => Some((Word::FitsNotTitle, Word::FitsNot)),
        OnDisk::KeepsChanging => Some((Word::KeepsChangingTitle, Word::KeepsChanging)),
        OnDisk::Newer => Some((Word::MovedTitle, Word::ShownAnew)),
        OnDisk::AsShown if request.review.is_against_newer() => Some((Word::MovedTitle, Word::ShownAnew)),
        OnDisk::AsShown => None,
    }
}

pub fn on_disk_said(request: &ApprovalRequest) -> Option<Word> {
    on_disk(request).map(|(_, said)| said)
}

/// Returns the note above the lines of a file. `None` if the notes of the changed files are enough.
pub fn on_disk_row(on_disk: OnDisk) -> Option<Word> {
    match on_disk {
        OnDisk::FitsNot => Some(Word::FitsNotNow),
        OnDisk::KeepsChanging => Some(Word::KeepsChanging),
        OnDisk::AsShown | OnDisk::Newer => None,
    }
}

pub fn is_moved(request: &ApprovalRequest) -> bool {
    on_disk(request).is_some()
}

pub fn beside_title(request: &ApprovalRequest) -> String {
    if let Some((title, _)) = on_disk(request) {
        return word(title).to_owned();
    }
    match of_its_kind(request) {
        None if is_by_default(&request.verdict) => String::new(),
        _ => asks_because(request),
    }
}

fn of_its_kind(request: &ApprovalRequest) -> Option<Word> {
    match (&request.review, request.verdict.class) {
        (Review::Question(Question::Model { .. }), _) => Some(Word::ModelAsks),
        (Review::Question(Question::Server { .. }), _) => Some(Word::ServerAsks),
        (Review::Question(Question::Plan { .. }), _) => Some(Word::PlanAsked),
        (Review::Question(Question::GoOn(pause)), _) => Some(match pause {
            Pause::Steps { .. } => Word::LimitReached,
            Pause::Loop { .. } => Word::GoesInCircles,
            Pause::Denials { .. } => Word::AllDenied,
        }),
        (_, Some(CommandClass::Dangerous)) => Some(Word::DangerousAsked),
        (_, Some(CommandClass::Unknown)) => Some(Word::UnknownAsked),
        (_, Some(CommandClass::External)) => Some(Word::ExternalAsked),
        (_, Some(CommandClass::Catastrophic)) => Some(Word::CatastrophicAsked),
        _ => None,
    }
}

fn is_by_default(verdict: &Verdict) -> bool {
    let is_built_in = |rule: &Rule| rule.origin == BUILT_IN && rule.pattern == "*";
    verdict.layer == Layer::Default && matches!(&verdict.because, Because::Rule(rule) if is_built_in(rule))
}

/// Formats the reason for approval with the rule, such as `asked: edit: "src/*": ask (user.jsonc:3)`.
fn asked(verdict: &Verdict) -> String {
    match &verdict.because {
        Because::Rule(rule) if rule.origin == BUILT_IN => {
            let rule = Rule {
                origin: lang::layer(verdict.layer).to_owned(),
                ..rule.clone()
            };
            lang::message::approval_asked(&rule.to_string())
        }
        Because::Rule(rule) if !rule.origin.is_empty() => lang::message::approval_asked(&rule.to_string()),
        // This reason is itself a question, so do not add "asked".
        Because::Check(CheckBecause::NotAllowedYet { .. }) => lang::because(&verdict.because),
        because => {
            lang::message::approval_asked(&format!("{} ({})", lang::because(because), lang::layer(verdict.layer)))
        }
    }
}
