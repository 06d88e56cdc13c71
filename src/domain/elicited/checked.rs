//! Validates a single answer and converts it to JSON.

use regex::RegexBuilder;
use serde_json::{Number, Value};

use super::{FieldKind, Format, Offer, WhyWrong, YES};
use benchdog_base::clock;

/// Maximum bytes of a compiled pattern. The server checks answers for larger patterns.
const MOST_PATTERN: usize = 1 << 20;

pub(super) fn one(kind: &FieldKind, answer: &str) -> Result<Value, WhyWrong> {
    match kind {
        FieldKind::Text {
            least,
            most,
            format,
            pattern,
            ..
        } => {
            text(answer, (*least, *most), *format, pattern.as_deref())?;
            Ok(Value::from(answer))
        }
        FieldKind::Number { whole, least, most, .. } => number(answer, *whole, (least.as_ref(), most.as_ref())),
        FieldKind::Flag { .. } => Ok(Value::from(answer == YES)),
        FieldKind::One { of, .. } => value_of(of, answer).ok_or(WhyWrong::Missing),
        FieldKind::Several { of, least, most, .. } => several(of, &[answer], (*least, *most)),
    }
}

pub(super) fn several(of: &[Offer], answers: &[&str], (least, most): (u64, u64)) -> Result<Value, WhyWrong> {
    let chosen: Vec<Value> = answers.iter().filter_map(|answer| value_of(of, answer)).collect();
    let fits = (least..=most).contains(&(chosen.len() as u64));
    fits.then(|| Value::from(chosen)).ok_or(WhyWrong::Count { least, most })
}

fn value_of(of: &[Offer], shown: &str) -> Option<Value> {
    let found = of.iter().find(|offer| offer.shown == shown);
    found.map(|offer| Value::from(offer.value.as_str()))
}

fn text(
    answer: &str,
    (least, most): (u64, u64),
    format: Option<Format>,
    pattern: Option<&str>,
) -> Result<(), WhyWrong> {
    if !(least..=most).contains(&(answer.chars().count() as u64)) {
        return Err(WhyWrong::Length { least, most });
    }
    if let Some(format) = format.filter(|format| !is(*format, answer)) {
        return Err(WhyWrong::Format(format));
    }
    let read = |pattern: &&str| RegexBuilder::new(pattern).size_limit(MOST_PATTERN).build().ok();
    match pattern.map(|pattern| (pattern, read(&pattern))) {
        Some((pattern, Some(reads))) if !reads.is_match(answer) => Err(WhyWrong::Pattern(pattern.to_owned())),
        // The pattern uses an unsupported regex dialect, so the server checks it.
        Some((_, Some(_) | None)) | None => Ok(()),
    }
}

fn number(answer: &str, whole: bool, (least, most): (Option<&Number>, Option<&Number>)) -> Result<Value, WhyWrong> {
    let read: f64 = answer.parse().map_err(|_| WhyWrong::NoNumber)?;
    let number = match answer.parse::<i64>() {
        Ok(number) => Number::from(number),
        Err(_) if whole => return Err(WhyWrong::NotWhole),
        Err(_) => Number::from_f64(read).ok_or(WhyWrong::NoNumber)?,
    };
    let bound = |bound: Option<&Number>| bound.and_then(Number::as_f64);
    let fits = bound(least).is_none_or(|least| read >= least) && bound(most).is_none_or(|most| read <= most);
    fits.then_some(Value::Number(number)).ok_or_else(|| WhyWrong::Range {
        least: least.cloned(),
        most: most.cloned(),
    })
}

fn is(format: Format, text: &str) -> bool {
    match format {
        Format::Email => is_email(text),
        Format::Uri => is_uri(text),
        Format::Date => clock::is_date(text),
        Format::DateTime => clock::is_date_time(text),
    }
}

fn is_email(text: &str) -> bool {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let parts = text.rsplit_once('@');
    parts.is_some_and(|(who, at)| {
        let is_domain = !at.is_empty() && at.split('.').all(|label| !label.is_empty());
        !who.is_empty() && !who.contains('@') && is_domain && !text.contains(blank)
    })
}

fn is_uri(text: &str) -> bool {
    let may = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.split_once(':').is_some_and(|(scheme, rest)| {
        let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        begins && scheme.chars().all(may) && !rest.is_empty() && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests;
