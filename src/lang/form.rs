//! Messages about forms of MCP servers.

use serde_json::Number;

use super::{Word, message, word};
use benchdog_domain::elicited::{Field, FieldKind, Format, MOST_LETTERS, WhyWrong};
use benchdog_domain::server::{FormEnd, Need, ServerName, WhyNoForm};

pub fn server_asks(server: &ServerName, message: &str) -> String {
    message::server_asks_person(message, &server.0)
}

pub fn server_form(server: &ServerName) -> String {
    message::server_form(&server.0)
}

pub(super) fn form_end(server: &ServerName, came_to: FormEnd) -> String {
    let said = match came_to {
        FormEnd::Told => message::notice_form_told,
        FormEnd::Declined => message::notice_form_declined,
        FormEnd::Withdrawn => message::notice_form_withdrawn,
        FormEnd::Unclear => message::notice_form_unclear,
    };
    said(&server.0)
}

pub fn form_unsent(server: &ServerName, written: &str) -> String {
    message::form_unsent(&server.0, written)
}

/// Explains why no form was shown, and what a person can do.
pub(super) fn form_refused(server: &ServerName, why: &WhyNoForm) -> String {
    let server = server.0.as_str();
    match why {
        WhyNoForm::Secret { word, field: None } => message::notice_form_secret(server, word),
        WhyNoForm::Secret {
            word,
            field: Some(field),
        } => message::notice_form_secret_field(field, server, word),
        WhyNoForm::Address => message::notice_form_address(server),
        WhyNoForm::Odd => message::notice_form_odd(server),
        WhyNoForm::TooMany => message::notice_form_many(server),
        WhyNoForm::Off => message::notice_form_off(server),
    }
}

/// Describes a field of the form: its name, the server's description, and the expected value.
pub fn form_field(field: &Field) -> String {
    let sign = match field.need {
        Need::Required => " *",
        Need::Optional => "",
    };
    let mut lines = vec![format!("{}{sign}", field.label())];
    lines.extend((!field.about.is_empty()).then(|| field.about.clone()));
    let expected = expected(field);
    lines.extend((!expected.is_empty()).then(|| message::form_expects(&expected.join(" · "))));
    lines.join("\n")
}

fn expected(field: &Field) -> Vec<String> {
    let mut parts = Vec::new();
    match &field.kind {
        FieldKind::Text {
            least,
            most,
            format,
            pattern,
            ..
        } => {
            parts.extend(format.map(format_of));
            parts.extend(letters(*least, *most));
            parts.extend(pattern.as_deref().map(pattern_of));
        }
        FieldKind::Number { whole, least, most, .. } => {
            let kind = if *whole {
                Word::ExpectsWhole
            } else {
                Word::ExpectsNumber
            };
            parts.push(word(kind).to_owned());
            parts.extend(range(least.as_ref(), most.as_ref()));
        }
        FieldKind::Several { of, least, most, .. } => {
            let most = Some(*most).filter(|most| *most < of.len() as u64);
            parts.extend(choices(Some(*least).filter(|least| *least > 0), most));
            if field.need == Need::Optional {
                parts.push(word(Word::NoneLeavesOut).to_owned());
            }
        }
        FieldKind::Flag { .. } | FieldKind::One { .. } => {}
    }
    parts
}

/// Explains why an answer is invalid, and what is valid.
pub fn wrong_answer(why: &WhyWrong) -> String {
    let expected = match why {
        WhyWrong::Missing => return word(Word::AnswerNeeded).to_owned(),
        WhyWrong::Length { least, most } => letters(*least, *most),
        WhyWrong::NoNumber => Some(word(Word::ExpectsNumber).to_owned()),
        WhyWrong::NotWhole => Some(word(Word::ExpectsWhole).to_owned()),
        WhyWrong::Range { least, most } => range(least.as_ref(), most.as_ref()),
        WhyWrong::Count { least, most } => choices(Some(*least), Some(*most)),
        WhyWrong::Format(format) => Some(format_of(*format)),
        WhyWrong::Pattern(pattern) => Some(pattern_of(pattern)),
    };
    message::form_wrong(&expected.unwrap_or_default())
}

fn format_of(format: Format) -> String {
    let expected = match format {
        Format::Email => Word::ExpectsEmail,
        Format::Uri => Word::ExpectsUri,
        Format::Date => Word::ExpectsDate,
        Format::DateTime => Word::ExpectsDateTime,
    };
    word(expected).to_owned()
}

fn pattern_of(pattern: &str) -> String {
    message::expects_pattern(pattern)
}

fn letters(least: u64, most: u64) -> Option<String> {
    // A text field's default limit is too high to mention.
    let most = Some(most).filter(|most| *most < MOST_LETTERS);
    let amount = amount(text(Some(least).filter(|least| *least > 0)), text(most))?;
    Some(message::expects_letters(&amount))
}

fn choices(least: Option<u64>, most: Option<u64>) -> Option<String> {
    let amount = amount(text(least), text(most))?;
    Some(message::expects_choices(&amount))
}

fn range(least: Option<&Number>, most: Option<&Number>) -> Option<String> {
    amount(text(least), text(most))
}

fn text(bound: Option<impl ToString>) -> Option<String> {
    bound.map(|bound| bound.to_string())
}

/// Formats `2 to 5`, `at least 2`, `at most 5` or `5`.
fn amount(least: Option<String>, most: Option<String>) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(most),
        (Some(least), Some(most)) => Some(message::amount_between(&least, &most)),
        (Some(least), None) => Some(message::amount_least(&least)),
        (None, Some(most)) => Some(message::amount_most(&most)),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests;
