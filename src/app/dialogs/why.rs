//! Why a request asks, in one line: beside its title, and where there are only lines.

use crate::domain::permission::{BUILT_IN, Because, CommandClass, Layer, Rule, Verdict};
use crate::domain::review::{Pause, Question, Review};
use crate::lang::{self, Word, word};
use crate::protocol::ApprovalRequest;

pub(crate) fn asks_because(request: &ApprovalRequest) -> String {
    let word_of = |one| word(one).to_owned();
    match (&request.review, request.verdict.class) {
        (Review::Question(Question::Model { .. }), _) => word_of(Word::ModelAsks),
        (Review::Question(Question::Server { .. }), _) => word_of(Word::ServerAsks),
        (Review::Question(Question::Plan { .. }), _) => word_of(Word::PlanAsked),
        (Review::Question(Question::GoOn(pause)), _) => word_of(match pause {
            Pause::Steps { .. } => Word::LimitReached,
            Pause::Loop { .. } => Word::GoesInCircles,
            Pause::Denials { .. } => Word::AllDenied,
        }),
        (_, Some(CommandClass::Dangerous)) => word_of(Word::DangerousAsked),
        (_, Some(CommandClass::Unknown)) => word_of(Word::UnknownAsked),
        (_, Some(CommandClass::External)) => word_of(Word::ExternalAsked),
        (_, Some(CommandClass::Catastrophic)) => word_of(Word::CatastrophicAsked),
        _ => asked(&request.verdict),
    }
}

/// `asked: edit: "src/*": ask (user.jsonc:3)`: where the rule stands, named once. That everything of a kind asks where nobody said anything
/// of it needs no word.
fn asked(verdict: &Verdict) -> String {
    match &verdict.because {
        Because::Rule(rule) if rule.origin == BUILT_IN && rule.pattern == "*" && verdict.layer == Layer::Default => {
            String::new()
        }
        Because::Rule(rule) if rule.origin == BUILT_IN => {
            let rule = Rule {
                origin: lang::layer(verdict.layer).to_owned(),
                ..rule.clone()
            };
            lang::asked(&rule.to_string())
        }
        Because::Rule(rule) if !rule.origin.is_empty() => lang::asked(&rule.to_string()),
        because => lang::asked(&format!("{} ({})", lang::because(because), lang::layer(verdict.layer))),
    }
}
