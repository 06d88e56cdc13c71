//! Sanitises prompts of a server and their messages.

use rmcp::model::{CompletionInfo, GetPromptResult, Prompt, Role};

use super::answered::{line, part};
use super::limits::{MOST_ARGUMENTS, MOST_PROMPT_WORDS, MOST_PROMPTS, MOST_VALUE, MOST_VALUES, More};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::mention;
use benchdog_domain::server::{LeftUntold, Need, OfferedPrompt, PromptArgument, ServerName, Speaker, Spoken, Values};

/// A person must type the name.
const MOST_NAME: usize = 64;

pub(super) fn add(server: &ServerName, offered: &mut Vec<OfferedPrompt>, page: Vec<Prompt>) -> More {
    for prompt in page {
        if offered.len() >= MOST_PROMPTS {
            return More::Enough;
        }
        let called = server.prompt(&prompt.name);
        let is_taken = || offered.iter().any(|other| server.prompt(&other.name) == called);
        if is_name(&prompt.name) && !is_taken() {
            offered.extend(one(prompt));
        }
    }
    More::Wanted
}

fn is_name(name: &str) -> bool {
    let is_seen = |name: &str| !name.contains(char::is_control) && clean(name) == name;
    !name.trim().is_empty() && name.len() <= MOST_NAME && is_seen(name)
}

/// Returns `None` if a person could not type its required arguments.
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
        description: truncate(line(&described).trim(), MOST_PROMPT_WORDS).into_owned(),
        arguments: arguments.collect(),
    })
}

/// Returns completions: single-line, without duplicates, limited.
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

/// Skips completions with a mention, because accepting one would read the file.
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
mod tests {
    use serde_json::json;

    use super::*;

    fn prompts(told: serde_json::Value) -> Vec<OfferedPrompt> {
        let mut offered = Vec::new();
        let page = serde_json::from_value(told).unwrap();
        add(&ServerName("files".to_owned()), &mut offered, page);
        offered
    }

    #[test]
    fn what_nobody_can_write_and_what_steers_is_no_prompt() {
        let offered = prompts(json!([
            {"name": "re view", "description": "looks\u{1b}[2J at\nit"},
            {"name": "re_view"},
            {"name": "a\u{1b}[31m"},
            {"name": "x".repeat(65)},
            {"name": "wants", "arguments": [{"name": "a b", "required": true}]},
            {"name": "backwards", "arguments": [{"name": "a\u{202e}b"}]},
            {"name": "many", "arguments": (0..40).map(|at| json!({"name": format!("a{at}")})).collect::<Vec<_>>()},
            {"name": "ok", "arguments": [{"name": "code", "required": true}, {"name": "style"}]},
        ]));
        let names: Vec<&str> = offered.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["re view", "ok"]);
        assert_eq!(offered[0].description, "looks at it");
        let needs: Vec<Need> = offered[1].arguments.iter().map(|one| one.need).collect();
        assert_eq!(needs, [Need::Required, Need::Optional]);
    }

    #[test]
    fn values_that_steer_or_have_no_end_are_not_offered() {
        let mut told = vec![
            "python".to_owned(),
            "py\u{1b}[2J".to_owned(),
            "python".to_owned(),
            "x".repeat(300),
        ];
        told.push("a \"quote\"".to_owned());
        told.extend(["@.env", "see @notes.txt", "x,@\u{6587}.md", "@files:note://a"].map(str::to_owned));
        told.extend((0..100).map(|at| format!("p{at}")));
        let of = |told: serde_json::Value| match values(serde_json::from_value(told).unwrap()) {
            Values::Known { values, left_out } => (values, left_out),
            Values::NotYet => panic!("it runs"),
        };
        let (shown, left_out) = of(json!({"values": told}));
        let first = (shown.len(), shown[0].as_str(), shown[1].as_str());
        assert_eq!((first, left_out), ((20, "python", "p0"), LeftUntold::Of(109)));
        let (_, left_out) = of(json!({"values": told, "total": 523, "hasMore": true}));
        assert_eq!(left_out, LeftUntold::Of(523));
        assert_eq!(of(json!({"values": ["a"], "hasMore": true})).1, LeftUntold::Some);
        assert_eq!(of(json!({"values": ["a"], "total": 1})).1, LeftUntold::None);
        assert!(shown.iter().all(|value| !value.contains('@')), "{shown:?}");
        let address = vec!["rex@kennel.example".to_owned()];
        assert_eq!(listed(address.clone()), address, "it names nothing");
    }

    #[test]
    fn five_hundred_of_ten_megabytes_are_a_list_that_can_be_looked_at() {
        let many: Vec<_> = (0..500)
            .map(|at| json!({"name": format!("p{at}"), "description": "words ".repeat(2_000)}))
            .collect();
        let offered = prompts(json!(many));
        assert_eq!(offered.len(), MOST_PROMPTS);
        assert!(offered.iter().all(|one| one.description.len() <= MOST_PROMPT_WORDS + 4));
        let mut offered = Vec::new();
        for (number, more) in [(0, More::Wanted), (1, More::Enough)] {
            let page = (0..MOST_PROMPTS).map(|at| Prompt::new(format!("p{number}-{at}"), None::<String>, None));
            let told = add(&ServerName("files".to_owned()), &mut offered, page.collect());
            assert_eq!((told, offered.len()), (more, MOST_PROMPTS));
        }
    }
}
