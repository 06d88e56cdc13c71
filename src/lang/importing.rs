//! Messages about importing another program's configuration.

use super::{Word, message, word};
use benchdog_domain::importing::Why;

pub fn import_why(why: &Why) -> String {
    match why {
        Why::Nothing => word(Word::ImportWhyNothing).to_owned(),
        Why::Otherwise(key) => message::import_why_otherwise(key),
        Why::OfFolder => word(Word::ImportWhyOfFolder).to_owned(),
        Why::Secret => word(Word::ImportWhySecret).to_owned(),
        Why::Variable(name) => message::import_why_variable(name),
        Why::Link => word(Word::ImportWhyLink).to_owned(),
        Why::Taken => word(Word::ImportWhyTaken).to_owned(),
        Why::Unconfirmed => word(Word::ImportWhyUnconfirmed).to_owned(),
        Why::Milder { key, pattern } => message::import_why_milder(key, pattern),
        Why::Twice => word(Word::ImportWhyTwice).to_owned(),
        Why::Limits => word(Word::ImportWhyLimits).to_owned(),
        Why::Quotes(line) => message::import_why_quotes(line),
        Why::Form => word(Word::ImportWhyForm).to_owned(),
        Why::Refused(why) => why.clone(),
    }
}
