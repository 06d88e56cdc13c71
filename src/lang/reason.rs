//! Translates the reasons of the command analysis and the errors of model servers. The engine and scripts use English,
//! with names in backticks. A sentence without a translation is shown in English.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::language::{Language, current_index};
use super::message;

type Reasons = HashMap<&'static str, &'static str>;

/// The tables, in the order of `Language`. Each is parsed on first use.
static REASONS: [OnceLock<Reasons>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];

pub fn reason(english: &str) -> Cow<'_, str> {
    let table = REASONS
        .get(current_index())
        .map(|table| table.get_or_init(|| parse_reasons(current_index())));
    match table {
        Some(table) if !table.is_empty() => look_up(english, table)
            .or_else(|| server_error(english, table))
            .map_or(Cow::Borrowed(english), Cow::Owned),
        _ => Cow::Borrowed(english),
    }
}

fn look_up(english: &str, table: &Reasons) -> Option<String> {
    let (sentence, names) = pattern(english);
    if let Some(found) = table.get(sentence.as_str()) {
        return Some(fill_names(found, &names));
    }
    // Removes the program's name, because sentences about effects apply to many programs.
    let does = sentence.strip_prefix("{1} ").filter(|does| !does.contains('{'));
    if let (Some(does), Some(program)) = (does.and_then(|does| table.get(does)), names.first()) {
        return Some(message::reason_program(does, program));
    }
    // `it cannot be read: an unfinished quote` consists of two sentences, which are translated separately.
    let (first, second) = split_detail(english)?;
    let (first, second) = (look_up(first, table)?, look_up(second, table)?);
    Some(message::reason_detail(&second, &first))
}

/// Translates an error such as "`URL` is not ready (HTTP 503); it asks to wait 3 s: busy.". The words of a server or of
/// the system stay in their language.
fn server_error(english: &str, table: &Reasons) -> Option<String> {
    let sentence = english.trim_end_matches('.');
    let (facts, detail) = split_detail(sentence).map_or((sentence, None), |(facts, detail)| (facts, Some(detail)));
    let (facts, asks) = facts.split_once("; ").unwrap_or((facts, ""));
    let (what, status) = facts.rsplit_once(" (").unwrap_or((facts, ""));
    let mut said = look_up(what, table)?;
    if !status.is_empty() {
        said = format!("{said} ({status}");
    }
    if let Some((_, wait)) = asks.rsplit_once("wait ") {
        said = message::reason_wait(&said, wait);
    }
    if let Some(detail) = detail {
        said = message::reason_detail(&look_up(detail, table).unwrap_or_else(|| detail.to_owned()), &said);
    }
    Some(match english.ends_with('.') {
        true => message::reason_end(&said),
        false => said,
    })
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

fn fill_names(found: &str, names: &[&str]) -> String {
    let numbered = names.iter().zip(1..);
    // Replaces all placeholders in one pass, so that braces in a name are not placeholders.
    let mut out = String::new();
    let mut rest = found;
    while let Some(from) = rest.find('{') {
        out.push_str(rest.get(..from).unwrap_or_default());
        let behind = rest.get(from..).unwrap_or_default();
        let name = numbered.clone().find_map(|(name, number)| {
            behind
                .strip_prefix(&*format!("{{{number}}}"))
                .map(|after| (name, after))
        });
        let Some((name, after)) = name else { break };
        out.push_str(name);
        rest = after;
    }
    out.push_str(rest);
    out
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
