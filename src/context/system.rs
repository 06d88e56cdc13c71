//! The system prompt. The prompt describes the model's role, its folder, and the handling of its proposals.

use super::neutral::neutral;

/// Data in the system prompt. Equal data results in an equal prompt, so that the server's prefix cache stays valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub workspace: String,
    pub added: Vec<String>,
    /// Day on which the session began. A resumed session keeps this day, so that the prompt stays the same.
    pub day: String,
    /// Rules text from `rules::text`.
    pub rules: String,
    /// A custom prompt that replaces the instructions of the template.
    pub own: Option<String>,
    pub tag: Option<Box<str>>,
}

/// Template of the prompt. Lines with the prefix `KEPT` describe the folder and the program, and also appear in a
/// custom prompt.
const TEMPLATE: &str = include_str!("../../assets/prompts/system.md");
const KEPT: char = '=';

pub fn prompt(facts: &Facts) -> String {
    let added = if facts.added.is_empty() {
        String::new()
    } else {
        format!(" (also: {})", facts.added.join(", "))
    };
    let mut text = String::with_capacity(TEMPLATE.len());
    if let Some(own) = &facts.own {
        text.push_str(&format!("{}\n\n", neutral(own)));
    }
    let lines = TEMPLATE
        .split_inclusive('\n')
        .filter_map(|line| match line.strip_prefix(KEPT) {
            Some(kept) => Some(kept),
            None => facts.own.is_none().then_some(line),
        });
    let filled: String = lines.collect();
    text.push_str(
        &filled
            .replace("{workspace}", &facts.workspace)
            .replace("{added}", &added)
            .replace("{day}", &facts.day)
            .replace("{system}", std::env::consts::OS)
            .replace("{mark}", &mark(facts.tag.as_deref()))
            .replace("{rules}", &facts.rules),
    );
    text
}

pub(crate) fn mark(tag: Option<&str>) -> String {
    tag.map_or_else(|| "[benchdog]".to_owned(), |tag| format!("[benchdog:{tag}]"))
}

#[cfg(test)]
mod tests;
