//! Messages about the state and cost of a session.

use super::{Word, count, say, word};
use benchdog_base::text::grouped;
use benchdog_domain::agent::{Sampling, Thinking};
use benchdog_domain::budget::{Ledger, Price, Usage};
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::CallTotals;
use benchdog_domain::status::{Asked, EndpointFacts, WindowFrom};

pub fn endpoint(endpoint: &EndpointFacts) -> String {
    say(
        "fact-endpoint-at",
        &[("address", &endpoint.address), ("api", endpoint.api)],
    )
}

pub fn window_of(asked: &Asked) -> String {
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

pub fn about(ledger: &Ledger) -> &'static str {
    if ledger.estimated { word(Word::EstimateSign) } else { "" }
}

pub fn used_of(ledger: &Ledger) -> String {
    let about = about(ledger);
    let room = &grouped(ledger.limit.saturating_sub(ledger.reserve));
    let (used, percent) = (&grouped(ledger.used), &ledger.percent().to_string());
    let values = [("about", about), ("used", used), ("room", room), ("percent", percent)];
    say("fact-used-of", &values)
}

pub fn temperature(value: Option<f64>) -> String {
    value.map_or_else(|| word(Word::OfServer).to_owned(), |value| value.to_string())
}

pub fn thinking(level: Option<Thinking>) -> &'static str {
    level.map_or(word(Word::OfServer), Thinking::word)
}

pub fn sampling(sampling: Sampling) -> String {
    let (temperature, thinking) = (&temperature(sampling.temperature), thinking(sampling.thinking));
    say(
        "shown-sampling",
        &[("temperature", temperature), ("thinking", thinking)],
    )
}

pub fn usage(usage: Usage) -> String {
    let (read, written) = (&grouped(usage.prompt), &grouped(usage.completion));
    let said = say("fact-usage", &[("taken", read), ("written", written)]);
    match usage.cached {
        Some(cached) => format!("{said}{}", say("fact-cached", &[("cached", &grouped(cached))])),
        None => said,
    }
}

pub fn pulled(model: &str) -> String {
    say("models-pulled", &[("model", model)])
}

pub fn silent(name: &str, seconds: u64) -> String {
    say("models-silent", &[("name", name), ("seconds", &seconds.to_string())])
}

pub fn answers(answers: u64) -> String {
    grouped(answers)
}

pub fn price(price: Option<Price>) -> String {
    price.map_or_else(
        || word(Word::NoPrice).to_owned(),
        |price| {
            let (input, output) = (&price.input.to_string(), &price.output.to_string());
            say("fact-price-of", &[("input", input), ("output", output)])
        },
    )
}

/// In US dollars. `None` if no price is known.
pub fn cost(dollars: Option<f64>) -> String {
    dollars.map_or_else(|| word(Word::NoPrice).to_owned(), dollars_of)
}

/// Small amounts have more digits, so that they differ from zero.
fn dollars_of(dollars: f64) -> String {
    let shown = if dollars >= 1.0 || dollars == 0.0 {
        format!("{dollars:.2}")
    } else {
        format!("{dollars:.4}")
    };
    say("fact-dollars", &[("dollars", &shown)])
}

pub fn at_work(turns: u64, ms: u64) -> String {
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

pub fn calls_ended(calls: CallTotals) -> String {
    let (succeeded, failed) = (&grouped(calls.succeeded), &grouped(calls.failed));
    let cancelled = &grouped(calls.cancelled);
    let values = [
        ("succeeded", &**succeeded),
        ("failed", failed),
        ("cancelled", cancelled),
    ];
    say("fact-calls-ended", &values)
}

pub fn calls_decided(calls: CallTotals) -> String {
    let (accepted, refused) = (&grouped(calls.accepted), &grouped(calls.refused));
    say("fact-calls-decided", &[("accepted", accepted), ("refused", refused)])
}

pub fn held((level, network): (Level, Network)) -> String {
    let network = match network {
        Network::Inherit => "inherit",
        Network::None => "none",
    };
    say("fact-held", &[("level", level.word()), ("network", network)])
}
