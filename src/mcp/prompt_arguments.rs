//! Parses the arguments of a prompt, as `name=value` or by position. The last argument gets all remaining words, so
//! that a sentence needs no quotes.

use serde_json::{Map, Value};

use benchdog_domain::server::{Need, OfferedPrompt};

/// Parses the arguments. The error lists the missing required arguments.
pub(super) fn parse_arguments(prompt: &OfferedPrompt, written: &str) -> Result<Map<String, Value>, Vec<String>> {
    let names: Vec<&str> = prompt.arguments.iter().map(|one| one.name.as_str()).collect();
    let mut given: Map<String, Value> = Map::new();
    let mut by_place: Vec<&str> = Vec::new();
    for (word, value) in words(written) {
        let named = word.split_once('=').filter(|(name, _)| names.contains(name));
        match named {
            Some((name, rest)) => {
                given.insert(name.to_owned(), bare(rest).into());
            }
            None => by_place.push(value),
        }
    }
    let free: Vec<&str> = names.into_iter().filter(|name| !given.contains_key(*name)).collect();
    for (at, name) in free.iter().enumerate() {
        let is_last = at + 1 == free.len();
        let rest = by_place.get(at..).unwrap_or_default();
        match rest {
            [] => break,
            [value, ..] if !is_last => given.insert((*name).to_owned(), (*value).into()),
            rest => given.insert((*name).to_owned(), rest.join(" ").into()),
        };
    }
    let lacks = prompt.arguments.iter().filter(|one| one.need == Need::Required);
    let lacks: Vec<String> = lacks
        .filter(|one| !given.contains_key(&one.name))
        .map(|one| one.name.clone())
        .collect();
    if lacks.is_empty() { Ok(given) } else { Err(lacks) }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct PartialArgument {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) given: Vec<(String, String)>,
}

/// Returns the argument at the end of the text, for completion. `None` if the prompt has no further argument.
pub(super) fn parse_partial(prompt: &OfferedPrompt, written: &str) -> Option<PartialArgument> {
    let mut before = words(written);
    let goes_on = written.ends_with(|last: char| !last.is_whitespace());
    let (last, value) = if goes_on { before.pop()? } else { ("", "") };
    let names: Vec<&str> = prompt.arguments.iter().map(|one| one.name.as_str()).collect();
    let named = |word: &str| {
        let (name, value) = word.split_once('=')?;
        names.contains(&name).then(|| (name.to_owned(), bare(value).to_owned()))
    };
    let now = named(last);
    let mut given: Vec<(String, String)> = before.iter().filter_map(|(word, _)| named(word)).collect();
    let is_named = |name: &str| given.iter().chain(&now).any(|(known, _)| known == name);
    let free: Vec<&str> = names.iter().filter(|name| !is_named(name)).copied().collect();
    let by_place = before.iter().filter(|(word, _)| named(word).is_none());
    let by_place: Vec<&str> = by_place.map(|(_, value)| *value).collect();
    let next = free
        .get(by_place.len())
        .map(|name| ((*name).to_owned(), value.to_owned()));
    let placed = free.iter().zip(&by_place);
    given.extend(placed.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let (name, value) = now.or(next)?;
    Some(PartialArgument { name, value, given })
}

/// Returns each word as written, and without quotes. Quotes may also follow `name=`.
fn words(written: &str) -> Vec<(&str, &str)> {
    let (mut words, mut rest) = (Vec::new(), written.trim_start());
    while !rest.is_empty() {
        let end = end_of_word(rest);
        let (word, behind) = rest.split_at(end);
        words.push((word, bare(word)));
        rest = behind.trim_start();
    }
    words
}

fn end_of_word(text: &str) -> usize {
    let blank = text.find(char::is_whitespace).unwrap_or(text.len());
    let head = text.get(..blank).unwrap_or_default();
    let quoted = match head.find('=') {
        Some(at) => at + 1,
        None => 0,
    };
    let behind = text.get(quoted..).unwrap_or_default();
    let quote = behind.chars().next().filter(|first| matches!(first, '"' | '\''));
    let closes = quote.and_then(|quote| behind.get(1..)?.find(quote));
    closes.map_or(blank, |at| quoted + at + 2)
}

fn bare(word: &str) -> &str {
    let inside = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(word)
}

#[cfg(test)]
mod tests;
