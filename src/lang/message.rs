//! Accessors of the messages, which `build.rs` generates from `en.ftl`: the enum `Word` for messages
//! without values, and a function with a parameter for each value for the others.
//!
//! The parameters are sorted by name. A number that selects a plural form is a `usize`, any other value
//! is text.

use std::borrow::Cow;

use fluent_bundle::{FluentArgs, FluentValue};

use super::TABLES;
use super::language::{Language, current_index};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

const ENGLISH: usize = Language::English as usize;

/// Formats a message with its values, in English if the current language lacks it.
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
    // The generator takes every id from the English table.
    let said = tables.find_map(|table| table.say(id, Some(&values)));
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}
