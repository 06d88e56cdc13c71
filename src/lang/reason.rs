//! Translates the reasons of the command analysis, which are English sentences with names in backticks. Also translates
//! the errors of model servers, which are data. A sentence without a translation is shown in English.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::language::{Language, current_index};
use super::{Word, message, word};
use benchdog_domain::server_error::{Sentence, ServerError};

type Reasons = HashMap<&'static str, &'static str>;

/// The tables, in the order of `Language`. Each is parsed on first use.
static REASONS: [OnceLock<Reasons>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];

pub fn reason(english: &str) -> Cow<'_, str> {
    let translated = table().and_then(|table| look_up(english, table));
    translated.map_or(Cow::Borrowed(english), Cow::Owned)
}

/// Returns the sentence for an error of a model server. Text from the server is not translated.
pub fn server_error(error: &ServerError) -> String {
    let translated = table().and_then(|table| translate(error, table));
    translated.unwrap_or_else(|| error.to_string())
}

/// Returns the reason of a retry, without a final full stop. If status and message of the server are known, only these
/// are returned.
pub fn retry_reason(error: &ServerError) -> String {
    error.response().unwrap_or_else(|| {
        let sentence = server_error(error);
        sentence.trim_end_matches(['.', '。']).to_owned()
    })
}

/// Returns the table of the current language. `None` for English.
fn table() -> Option<&'static Reasons> {
    let place = current_index();
    let table = REASONS.get(place)?.get_or_init(|| parse_reasons(place));
    Some(table).filter(|table| !table.is_empty())
}

fn translate(error: &ServerError, table: &Reasons) -> Option<String> {
    let Sentence { pattern, names } = error.sentence(word(Word::TheServer))?;
    let mut said = Sentence::filled(table.get(pattern)?, &names);
    if let Some(status) = error.status {
        said.extend([" (HTTP ", &status.to_string(), ")"]);
    }
    if let Some(wait) = error.wait_text() {
        said = message::reason_wait(&said, &wait);
    }
    let detail = error.message.trim_end_matches('.');
    if !detail.is_empty() {
        said = message::reason_detail(&look_up(detail, table).unwrap_or_else(|| detail.to_owned()), &said);
    }
    Some(match said.ends_with(['!', '?']) {
        true => said,
        false => message::reason_end(&said),
    })
}

fn look_up(english: &str, table: &Reasons) -> Option<String> {
    let (sentence, names) = pattern(english);
    if let Some(found) = table.get(sentence.as_str()) {
        return Some(Sentence::filled(found, &names));
    }
    // Remove the program's name, because many programs share a sentence about an effect.
    let does = sentence.strip_prefix("{1} ").filter(|does| !does.contains('{'));
    if let (Some(does), Some(program)) = (does.and_then(|does| table.get(does)), names.first()) {
        return Some(message::reason_program(does, program));
    }
    // `it cannot be read: an unfinished quote` consists of two sentences, which are translated separately.
    let (first, second) = split_detail(english)?;
    let (first, second) = (look_up(first, table)?, look_up(second, table)?);
    Some(message::reason_detail(&second, &first))
}

/// Splits a sentence at the first colon outside backticks.
fn split_detail(english: &str) -> Option<(&str, &str)> {
    let split = english.split_once(": ");
    split.filter(|(first, _)| first.matches('`').count() % 2 == 0)
}

/// Replaces names in backticks by `{1}`, `{2}` …. Also returns the names.
fn pattern(english: &str) -> (String, Vec<&str>) {
    let (mut sentence, mut names) = (String::new(), Vec::new());
    let mut rest = english;
    while let Some(from) = rest.find('`') {
        let Some(length) = rest.get(from + 1..).and_then(|behind| behind.find('`')) else {
            break;
        };
        let to = from + length + 2;
        names.extend(rest.get(from..to));
        sentence.push_str(rest.get(..from).unwrap_or_default());
        sentence.push_str(&format!("{{{}}}", names.len()));
        rest = rest.get(to..).unwrap_or_default();
    }
    sentence.push_str(rest);
    (sentence, names)
}

fn parse_reasons(place: usize) -> Reasons {
    table_text(place)
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .collect()
}

fn table_text(place: usize) -> &'static str {
    const CHINESE: usize = Language::Chinese as usize;
    const JAPANESE: usize = Language::Japanese as usize;
    const KOREAN: usize = Language::Korean as usize;
    match place {
        CHINESE => include_str!("../../assets/lang/reasons/zh.txt"),
        JAPANESE => include_str!("../../assets/lang/reasons/ja.txt"),
        KOREAN => include_str!("../../assets/lang/reasons/ko.txt"),
        _ => "",
    }
}

#[cfg(test)]
mod tests;
