//! Reasons why a mentioned file cannot be read, derived from the tool's error.

use benchdog_domain::mention::WhyUnreadable;
use benchdog_domain::tool::Outcome;
use benchdog_tools::Refusal;

pub(in crate::seat) fn refused(refusal: Refusal) -> WhyUnreadable {
    why(&refusal.outcome)
}

pub(in crate::seat) fn why(outcome: &Outcome) -> WhyUnreadable {
    let code = outcome.code.as_deref().unwrap_or_default();
    let said = outcome.output.trim();
    // The error consists of a code and a sentence for the model.
    let words = said
        .strip_prefix(code)
        .and_then(|said| said.strip_prefix(": "))
        .unwrap_or(said)
        .to_owned();
    match code {
        "not_found" => WhyUnreadable::Missing,
        "outside_workspace" | "symlink_escape" => WhyUnreadable::Outside,
        "binary" => WhyUnreadable::NoText { words },
        _ => WhyUnreadable::Failed { words },
    }
}
