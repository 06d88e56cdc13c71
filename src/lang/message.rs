//! Accessors of the messages, which `build.rs` generates from `en.ftl`: the enum `Word` for messages
//! without values, and a function with a parameter for each value for the others.
//!
//! The parameters are sorted by name. A number that selects a plural form is a `usize`, any other value
//! is text.

use std::borrow::Cow;

use fluent_bundle::{FluentArgs, FluentValue};

use super::TABLES;
use super::language::{Language, spoken};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// Formats a message with its values.
pub(super) fn fill<const N: usize>(id: &str, values: [(&'static str, FluentValue<'_>); N]) -> String {
    say(id, FluentArgs::from_iter(values))
}

/// Formats a message for the model, which is always in English.
fn fill_for_model<const N: usize>(id: &str, values: [(&'static str, FluentValue<'_>); N]) -> String {
    let said = say_in(Language::English as usize, id, &FluentArgs::from_iter(values));
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}

fn say(id: &str, values: FluentArgs) -> String {
    let said = say_in(spoken(), id, &values).or_else(|| say_in(Language::English as usize, id, &values));
    // The generator takes every id from the English table.
    said.map_or_else(|| id.to_owned(), Cow::into_owned)
}

/// Formats a message of one table. `None` if the table lacks it.
fn say_in(language: usize, id: &str, values: &FluentArgs) -> Option<Cow<'static, str>> {
    TABLES.get(language)?.say(id, Some(values))
}
