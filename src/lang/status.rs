//! Messages about the state and cost of a session.

use super::{Word, message, word};
use benchdog_base::text::grouped;
use benchdog_domain::agent::{EndpointTrouble, Sampling, Thinking};
use benchdog_domain::budget::{Ledger, Price, Usage};
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::CallTotals;
use benchdog_domain::status::{Asked, EndpointFacts, WebTools, WindowFrom};

pub fn endpoint(endpoint: &EndpointFacts) -> String {
    message::fact_endpoint_at(&endpoint.address, endpoint.api)
}

pub fn window_of(asked: &Asked) -> String {
    let from = word(match asked.window_from {
        WindowFrom::Configured => Word::WindowConfigured,
        WindowFrom::Server => Word::WindowOfServer,
        WindowFrom::Recalled => Word::WindowRecalled,
        WindowFrom::Refused => Word::WindowRefused,
        WindowFrom::Family => Word::WindowOfFamily,
        WindowFrom::Assumed => Word::WindowAssumed,
    });
    let (tokens, output) = (&grouped(asked.window), &grouped(asked.output));
    message::fact_window_of(from, output, tokens)
}

pub fn about(ledger: &Ledger) -> &'static str {
    if ledger.estimated { word(Word::EstimateSign) } else { "" }
}

pub fn used_of(ledger: &Ledger) -> String {
    let about = about(ledger);
    let guess = if ledger.limit_is_guess {
        word(Word::EstimateSign)
    } else {
        ""
    };
    let room = &format!("{guess}{}", grouped(ledger.limit.saturating_sub(ledger.reserve)));
    let (used, percent) = (&grouped(ledger.used), &ledger.percent().to_string());
    message::fact_used_of(about, percent, room, used)
}

pub fn temperature(value: Option<f64>) -> String {
    value.map_or_else(|| word(Word::OfServer).to_owned(), |value| value.to_string())
}

pub fn endpoint_trouble(trouble: EndpointTrouble) -> &'static str {
    word(match trouble {
        EndpointTrouble::Unreachable => Word::EndpointUnreachable,
        EndpointTrouble::KeyRejected => Word::EndpointKeyRejected,
        EndpointTrouble::ModelMissing => Word::EndpointModelMissing,
    })
}

pub fn thinking(level: Option<Thinking>) -> &'static str {
    level.map_or(word(Word::OfServer), Thinking::word)
}

pub fn sampling(sampling: Sampling) -> String {
    let (temperature, thinking) = (&temperature(sampling.temperature), thinking(sampling.thinking));
    message::shown_sampling(temperature, thinking)
}

pub fn usage(usage: Usage) -> String {
    let (read, written) = (&grouped(usage.prompt), &grouped(usage.completion));
    let said = message::fact_usage(read, written);
    match usage.cached {
        Some(cached) => format!("{said}{}", message::fact_cached(&grouped(cached))),
        None => said,
    }
}

pub fn silent(name: &str, seconds: u64) -> String {
    message::models_silent(name, &seconds.to_string())
}

pub fn answers(answers: u64) -> String {
    grouped(answers)
}

pub fn price(price: Option<Price>) -> String {
    price.map_or_else(
        || word(Word::NoPrice).to_owned(),
        |price| {
            let (input, output) = (&price.input.to_string(), &price.output.to_string());
            message::fact_price_of(input, output)
        },
    )
}

/// Formats the cost in US dollars. `None` stands for an unknown price.
pub fn cost(dollars: Option<f64>) -> String {
    dollars.map_or_else(|| word(Word::NoPrice).to_owned(), dollars_of)
}

/// Formats dollars. Small amounts have more digits, so that they differ from zero.
fn dollars_of(dollars: f64) -> String {
    let shown = if dollars >= 1.0 || dollars == 0.0 {
        format!("{dollars:.2}")
    } else {
        format!("{dollars:.4}")
    };
    message::fact_dollars(&shown)
}

pub fn at_work(turns: u64, ms: u64) -> String {
    let turns = usize::try_from(turns).unwrap_or(usize::MAX);
    message::fact_work_of(turns, &duration(ms))
}

fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    let (minutes, seconds) = (&minutes.to_string(), &(seconds % 60).to_string());
    match hours {
        0 => message::fact_minutes(minutes, seconds),
        hours => message::fact_hours(&hours.to_string(), minutes),
    }
}

pub fn calls_ended(calls: CallTotals) -> String {
    let (succeeded, failed) = (&grouped(calls.succeeded), &grouped(calls.failed));
    let cancelled = &grouped(calls.cancelled);
    message::fact_calls_ended(cancelled, failed, succeeded)
}

pub fn calls_decided(calls: CallTotals) -> String {
    let (accepted, refused) = (&grouped(calls.accepted), &grouped(calls.refused));
    message::fact_calls_decided(accepted, refused)
}

/// Lists the web tools, or explains why there are none.
pub fn web_tools(web: &WebTools) -> String {
    match web {
        WebTools::Offline => word(Word::WebOffline).to_owned(),
        WebTools::On(names) => names.join(", "),
    }
}

pub fn held((level, network): (Level, Network)) -> String {
    let network = match network {
        Network::Inherit => "inherit",
        Network::None => "none",
    };
    message::fact_held(level.word(), network)
}
