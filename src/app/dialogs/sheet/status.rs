//! The status of a session, as rows of a table.

use super::{Fact, Seen};
use benchdog_domain::status::Status;
use benchdog_lang::{self as lang, Word, word};

pub(super) fn facts(status: &Status, seen: &Seen) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut field = |name: Word, value: String| facts.push(Fact::Field(word(name), value));
    match &status.asked {
        None => field(Word::FactModel, word(Word::NoModelYet).to_owned()),
        Some(asked) => {
            field(Word::FactModel, asked.model.to_string());
            let endpoint = asked.endpoint.as_ref().map(lang::endpoint);
            field(
                Word::FactEndpoint,
                endpoint.unwrap_or_else(|| word(Word::NoEndpoint).to_owned()),
            );
            field(Word::FactWindow, lang::window_of(asked));
        }
    }
    if let Some(used) = &seen.used {
        field(Word::FactUsed, used.clone());
    }
    field(Word::FactTemperature, lang::temperature(status.sampling.temperature));
    field(Word::FactThinking, lang::thinking(status.sampling.thinking).to_owned());
    field(Word::FactAgent, status.agent.0.clone());
    field(Word::FactTokens, lang::usage(status.totals.usage()));
    field(Word::FactTurnTokens, lang::usage(status.totals.turn));
    if let Some(rate) = seen.speed {
        field(Word::FactSpeed, lang::speed(rate));
    }
    field(Word::FactCost, lang::cost(status.cost()));
    field(
        Word::FactWork,
        lang::at_work(status.totals.turns, status.totals.worked_ms),
    );
    field(Word::FactCalls, lang::calls_ended(status.totals.calls));
    field(Word::FactApprovals, lang::calls_decided(status.totals.calls));
    let held = seen.confined.clone();
    field(Word::FactConfined, held.unwrap_or_else(|| lang::held(status.held)));
    if let Some(web) = &status.web {
        field(Word::FactWeb, lang::web_tools(web));
    }
    field(Word::FactFolder, status.workspace.clone());
    field(Word::FactSession, status.session.to_string());
    facts
}
