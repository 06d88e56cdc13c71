//! Cleans the prompts of a server, and their messages.

use rmcp::model::{CompletionInfo, GetPromptResult, Prompt, Role};

use super::content::{part, single_line};
use super::limits::{MOST_ARGUMENTS, MOST_PROMPT_WORDS, MOST_PROMPTS, MOST_VALUE, MOST_VALUES, PageResult};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::mention;
use benchdog_domain::server::{LeftUntold, Need, OfferedPrompt, PromptArgument, ServerName, Speaker, Spoken, Values};

/// Maximum length of a prompt's name in bytes. Short, because the user types the name.
const MOST_NAME: usize = 64;

pub(super) fn add(server: &ServerName, offered: &mut Vec<OfferedPrompt>, page: Vec<Prompt>) -> PageResult {
    for prompt in page {
        if offered.len() >= MOST_PROMPTS {
            return PageResult::Exceeded;
        }
        let called = server.prompt(&prompt.name);
        let is_taken = || offered.iter().any(|other| server.prompt(&other.name) == called);
        if is_name(&prompt.name) && !is_taken() {
            offered.extend(one(prompt));
        }
    }
    PageResult::Continue
}

fn is_name(name: &str) -> bool {
    let is_seen = |name: &str| !name.contains(char::is_control) && clean(name) == name;
    !name.trim().is_empty() && name.len() <= MOST_NAME && is_seen(name)
}

/// Cleans a prompt. `None` if the user could not type the names of the prompt's arguments.
fn one(prompt: Prompt) -> Option<OfferedPrompt> {
    let described = prompt.description.or(prompt.title).unwrap_or_default();
    let arguments = prompt.arguments.unwrap_or_default();
    let can_be_written = |name: &str| is_name(name) && !name.contains(|c: char| c.is_whitespace() || c == '=');
    if arguments.len() > MOST_ARGUMENTS || !arguments.iter().all(|one| can_be_written(&one.name)) {
        return None;
    }
    let arguments = arguments.into_iter().map(|one| PromptArgument {
        name: one.name,
        need: match one.required {
            Some(true) => Need::Required,
            Some(false) | None => Need::Optional,
        },
    });
    Some(OfferedPrompt {
        name: prompt.name,
        description: truncate(single_line(&described).trim(), MOST_PROMPT_WORDS).into_owned(),
        arguments: arguments.collect(),
    })
}

/// Limits the completions of an argument. Each completion becomes a single line.
pub(super) fn values(told: CompletionInfo) -> Values {
    let came = told.values.len() as u64;
    let (all, more) = (
        told.total.map_or(came, u64::from).max(came),
        told.has_more == Some(true),
    );
    let values = listed(told.values);
    let left_out = match values.len() as u64 {
        shown if shown < all => LeftUntold::Of(all),
        _ if more => LeftUntold::Some,
        _ => LeftUntold::None,
    };
    Values::Known { values, left_out }
}

/// Returns the usable completions. Drops mentions of files, because accepting one would read the file.
fn listed(told: Vec<String>) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in told {
        let is_plain = !value.contains(char::is_control) && clean(&value) == value;
        let fits = !value.trim().is_empty() && value.len() <= MOST_VALUE && !value.contains('"');
        let names = || !mention::find(&value).is_empty();
        if values.len() < MOST_VALUES && is_plain && fits && !names() && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

pub(super) fn spoken(result: GetPromptResult) -> Vec<Spoken> {
    let messages = result.messages.into_iter();
    let one = messages.map(|message| Spoken {
        by: match message.role {
            Role::User => Speaker::Person,
            Role::Assistant => Speaker::Model,
        },
        part: part(message.content),
    });
    one.collect()
}

#[cfg(test)]
mod tests;
