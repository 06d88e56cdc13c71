//! The cost of a session by model, as rows of a table.

use super::Fact;
use benchdog_domain::status::Status;
use benchdog_lang::{self as lang, Word, word};

pub(super) fn facts(status: &Status) -> Vec<Fact> {
    if status.totals.models.is_empty() {
        return vec![Fact::Text(word(Word::NothingAnswered).to_owned())];
    }
    let mut facts = Vec::new();
    for (of, price) in status.totals.models.iter().zip(&status.prices) {
        facts.push(Fact::Heading(of.model.to_string()));
        let mut field = |name: Word, value: String| facts.push(Fact::Field(word(name), value));
        field(Word::FactAnswers, lang::answers(of.answers));
        field(Word::FactTokens, lang::usage(of.usage));
        field(Word::FactPrice, lang::price(*price));
        field(Word::FactCost, lang::cost(price.map(|price| price.of(of.usage))));
    }
    if status.totals.models.len() > 1 {
        facts.push(Fact::Heading(word(Word::AllModels).to_owned()));
        facts.push(Fact::Field(word(Word::FactTokens), lang::usage(status.totals.usage())));
        facts.push(Fact::Field(word(Word::FactCost), lang::cost(status.cost())));
    }
    if status.prices.iter().any(Option::is_none) {
        facts.push(Fact::Text(String::new()));
        facts.push(Fact::Text(word(Word::HowToPrice).to_owned()));
    }
    facts
}
