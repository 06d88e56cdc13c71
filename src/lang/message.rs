//! Generated accessors of the messages. `build.rs` generates them from `en.ftl`: the enum `Word` for messages without
//! values, and a function for each other message.
//!
//! The parameters of a function are sorted by name. A number that selects a plural form is a `usize`, and any other
//! value is text.

use std::borrow::Cow;

use fluent_bundle::{FluentArgs, FluentValue};

use super::TABLES;
use super::language::{Language, current_index};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

const ENGLISH: usize = Language::English as usize;

/// Formats a message with its values. Uses English if the current language lacks the message.
pub(super) fn fill<const N: usize>(id: &str, values: [(&'static str, FluentValue<'_>); N]) -> String {
    say(&[current_index(), ENGLISH], id, values)
}

/// Formats a message for the model, which is always in English.
fn fill_for_model<const N: usize>(id: &str, values: [(&'static str, FluentValue<'_>); N]) -> String {
    say(&[ENGLISH], id, values)
}

fn say<const N: usize>(languages: &[usize], id: &str, values: [(&'static str, FluentValue<'_>); N]) -> String {
    let values = FluentArgs::from_iter(values);
    let mut tables = languages.iter().filter_map(|language| TABLES.get(*language));
    // The English table has every id, so this table has the message, too.
    let said = tables.find_map(|table| table.say(id, Some(&values)));
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}
