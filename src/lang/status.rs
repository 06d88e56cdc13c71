//! Where a session stands and what it cost, in words.

use super::{Word, count, say, word};
use crate::base::text::grouped;
use crate::domain::agent::{Sampling, Thinking};
use crate::domain::budget::{Ledger, Price, Usage};
use crate::domain::confinement::{Level, Network};
use crate::domain::history::CallTotals;
use crate::domain::status::{Asked, EndpointFacts, WindowFrom};

/// Where requests go, and how they are written.
pub(crate) fn endpoint(endpoint: &EndpointFacts) -> String {
    say(
        "fact-endpoint-at",
        &[("address", &endpoint.address), ("api", endpoint.api)],
    )
}

/// How large the window is and who says so.
pub(crate) fn window_of(asked: &Asked) -> String {
    let from = word(match asked.window_from {
        WindowFrom::Configured => Word::WindowConfigured,
        WindowFrom::Server => Word::WindowOfServer,
        WindowFrom::Recalled => Word::WindowRecalled,
        WindowFrom::Refused => Word::WindowRefused,
        WindowFrom::Assumed => Word::WindowAssumed,
    });
    let (tokens, output) = (&grouped(asked.window), &grouped(asked.output));
    say(
        "fact-window-of",
        &[("tokens", tokens), ("from", from), ("output", output)],
    )
}

/// What stands before a count of this one.
pub(crate) fn about(ledger: &Ledger) -> &'static str {
    if ledger.estimated { word(Word::EstimateSign) } else { "" }
}

/// What of the window is in use.
pub(crate) fn used_of(ledger: &Ledger) -> String {
    let about = about(ledger);
    let room = &grouped(ledger.limit.saturating_sub(ledger.reserve));
    let (used, percent) = (&grouped(ledger.used), &ledger.percent().to_string());
    let values = [("about", about), ("used", used), ("room", room), ("percent", percent)];
    say("fact-used-of", &values)
}

pub(crate) fn temperature(value: Option<f64>) -> String {
    value.map_or_else(|| word(Word::OfServer).to_owned(), |value| value.to_string())
}

pub(crate) fn thinking(level: Option<Thinking>) -> &'static str {
    level.map_or(word(Word::OfServer), Thinking::word)
}

/// That answers are chosen so from the next request on.
pub(crate) fn sampling(sampling: Sampling) -> String {
    let (temperature, thinking) = (&temperature(sampling.temperature), thinking(sampling.thinking));
    say(
        "shown-sampling",
        &[("temperature", temperature), ("thinking", thinking)],
    )
}

pub(crate) fn usage(usage: Usage) -> String {
    let (read, written) = (&grouped(usage.prompt), &grouped(usage.completion));
    let said = say("fact-usage", &[("taken", read), ("written", written)]);
    match usage.cached {
        Some(cached) => format!("{said}{}", say("fact-cached", &[("cached", &grouped(cached))])),
        None => said,
    }
}

/// A model that a server has fetched.
pub(crate) fn pulled(model: &str) -> String {
    say("models-pulled", &[("model", model)])
}

/// A server that did not say what it offers.
pub(crate) fn silent(name: &str, seconds: u64) -> String {
    say("models-silent", &[("name", name), ("seconds", &seconds.to_string())])
}

pub(crate) fn answers(answers: u64) -> String {
    grouped(answers)
}

pub(crate) fn price(price: Option<Price>) -> String {
    price.map_or_else(
        || word(Word::NoPrice).to_owned(),
        |price| {
            let (input, output) = (&price.input.to_string(), &price.output.to_string());
            say("fact-price-of", &[("input", input), ("output", output)])
        },
    )
}

/// In US dollars; `None`: nobody says what a token costs.
pub(crate) fn cost(dollars: Option<f64>) -> String {
    dollars.map_or_else(|| word(Word::NoPrice).to_owned(), dollars_of)
}

/// As many digits as a small sum needs to be told from nothing.
fn dollars_of(dollars: f64) -> String {
    let shown = if dollars >= 1.0 || dollars == 0.0 {
        format!("{dollars:.2}")
    } else {
        format!("{dollars:.4}")
    };
    say("fact-dollars", &[("dollars", &shown)])
}

/// Turns, and the time they took.
pub(crate) fn at_work(turns: u64, ms: u64) -> String {
    let turns = usize::try_from(turns).unwrap_or(usize::MAX);
    count("fact-work-of", turns, &[("time", &lasted(ms))])
}

fn lasted(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    let (minutes, seconds) = (&minutes.to_string(), &(seconds % 60).to_string());
    match hours {
        0 => say("fact-minutes", &[("minutes", minutes), ("seconds", seconds)]),
        hours => say("fact-hours", &[("hours", &hours.to_string()), ("minutes", minutes)]),
    }
}

pub(crate) fn calls_ended(calls: CallTotals) -> String {
    let (succeeded, failed) = (&grouped(calls.succeeded), &grouped(calls.failed));
    let cancelled = &grouped(calls.cancelled);
    let values = [
        ("succeeded", &**succeeded),
        ("failed", failed),
        ("cancelled", cancelled),
    ];
    say("fact-calls-ended", &values)
}

pub(crate) fn calls_decided(calls: CallTotals) -> String {
    let (accepted, refused) = (&grouped(calls.accepted), &grouped(calls.refused));
    say("fact-calls-decided", &[("accepted", accepted), ("refused", refused)])
}

/// What commands are held in with, as it is wanted.
pub(crate) fn held((level, network): (Level, Network)) -> String {
    let network = match network {
        Network::Inherit => "inherit",
        Network::None => "none",
    };
    say("fact-held", &[("level", level.word()), ("network", network)])
}
