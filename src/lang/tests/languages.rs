//! Tests that the tables of all languages have the same messages and values.

use std::collections::BTreeMap;

use super::*;
use benchdog_base::text::width;

/// Parses the messages with their texts and values.
fn messages(language: Language) -> BTreeMap<String, (String, BTreeSet<String>)> {
    let mut found: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut last = String::new();
    for line in language.table().lines().filter(|line| !line.starts_with('#')) {
        if let Some((id, text)) = line
            .split_once(" =")
            .filter(|(id, _)| !id.contains(' ') && !id.is_empty())
        {
            last = id.to_owned();
            let before = found.insert(last.clone(), (text.trim().to_owned(), BTreeSet::new()));
            assert_eq!(before, None, "{language:?}: `{id}` twice");
        } else if let Some((text, _)) = found.get_mut(&last) {
            text.push('\n');
            text.push_str(line.trim_end());
        }
    }
    for (text, values) in found.values_mut() {
        let names = text.split('$').skip(1).map(|rest| {
            let name = rest.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            name.into_iter().next().unwrap_or_default().to_owned()
        });
        *values = names.collect();
    }
    found
}

#[test]
fn every_language_has_every_message_with_the_same_values() {
    let english = messages(Language::English);
    for language in Language::OTHERS {
        assert!(
            FluentResource::try_new(language.table().to_owned()).is_ok(),
            "{language:?}"
        );
        let theirs = messages(language);
        let missing: Vec<&String> = english.keys().filter(|id| !theirs.contains_key(*id)).collect();
        let unknown: Vec<&String> = theirs.keys().filter(|id| !english.contains_key(*id)).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{language:?}: {missing:?}, {unknown:?}"
        );
        let differ = english.iter().filter_map(|(id, (_, values))| {
            let (_, their_values) = theirs.get(id)?;
            // A count that only selects the plural need not appear in the text.
            let differ = |value: &&String| *value != "count" && !their_values.contains(*value);
            let more = their_values.difference(values).next();
            (values.iter().any(|value| differ(&value)) || more.is_some()).then_some(id)
        });
        assert_eq!(differ.collect::<Vec<_>>(), Vec::<&String>::new(), "{language:?}");
    }
}

/// Text in backticks is never translated: keys, commands, flags.
#[test]
fn names_are_not_translated() {
    let quoted = |text: &str| -> BTreeSet<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let english = messages(Language::English);
    for language in Language::OTHERS {
        for (id, (text, _)) in messages(language) {
            assert_eq!(quoted(&text), quoted(&english[&id].0), "{language:?}: {id}");
        }
    }
}

/// Prefixes of short messages that are no labels in narrow rows: search words, and ends of sentences.
const MAY_BE_LONG: [&str; 4] = ["also-", "because-", "failed-", "server-signed-out"];

#[test]
fn short_words_stay_short() {
    let english = messages(Language::English);
    for language in Language::OTHERS {
        let long = messages(language).into_iter().filter_map(|(id, (text, values))| {
            let (here, there) = (width(&text), width(&english[&id].0));
            let may_be_long = MAY_BE_LONG.iter().any(|group| id.starts_with(group)) || text.ends_with(['.', '。']);
            let is_label = values.is_empty() && there <= 16 && !may_be_long;
            (is_label && here > there.max(10) + there / 2).then(|| format!("{id}: {text}"))
        });
        assert_eq!(long.collect::<Vec<_>>(), Vec::<String>::new(), "{language:?}");
    }
}
