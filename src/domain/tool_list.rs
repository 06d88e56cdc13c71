//! Tools that an agent or a run may use. The list only restricts calls. The declarations for the model stay the same.

use regex::{Regex, RegexBuilder};

use super::permission::{Action, Rule, ToolRules};

/// Allowed and forbidden tools. An empty list restricts nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolList {
    items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    may: May,
    pattern: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum May {
    Be,
    NotBe,
}

impl ToolList {
    pub fn of(names: &[String]) -> Self {
        let items = names.iter().map(|written| Item {
            may: if written.trim().starts_with('-') {
                May::NotBe
            } else {
                May::Be
            },
            pattern: name(written).to_owned(),
        });
        Self { items: items.collect() }
    }

    /// Whether the tool is allowed. The last matching item decides. Without a match, the tool is allowed only if the
    /// first item forbids a tool.
    pub(crate) fn allows(&self, tool: &ToolRules) -> bool {
        let fits = self.items.iter().rev().find(|item| is_meant(&item.pattern, tool));
        match (fits, self.items.first()) {
            (Some(item), _) => item.may == May::Be,
            (None, Some(first)) => first.may == May::NotBe,
            (None, None) => true,
        }
    }

    pub fn keeps_out(&self, tool: &ToolRules, origin: &str) -> Option<Rule> {
        (!self.allows(tool)).then(|| Rule {
            key: tool.name.clone().into_owned(),
            pattern: "*".to_owned(),
            options: None,
            action: Action::Deny,
            origin: origin.to_owned(),
        })
    }
}

pub fn name(written: &str) -> &str {
    written.trim().trim_start_matches(['+', '-']).trim()
}

/// Whether a pattern matches the tool. A pattern is a name, a name with wildcards, or `re:` with a regular expression
/// for the whole name.
pub fn is_meant(pattern: &str, tool: &ToolRules) -> bool {
    if let Some(expression) = expression(pattern) {
        let names = std::iter::once(&*tool.name).chain(tool.aliases.iter().copied());
        return expression.is_ok_and(|expression| names.into_iter().any(|name| expression.is_match(name)));
    }
    let lower = pattern.to_ascii_lowercase().replace('-', "_");
    let of_group = tool.group.as_deref().is_some_and(|group| fits(&lower, group));
    fits(&lower, &tool.name) || of_group || tool.aliases.contains(&lower.as_str())
}

const MOST_COMPILED: usize = 1 << 20;

/// Compiles the regular expression of a pattern with `re:`. `None` for other patterns.
pub fn expression(pattern: &str) -> Option<Result<Regex, regex::Error>> {
    let written = pattern.strip_prefix("re:")?;
    let whole = RegexBuilder::new(&format!("^(?:{written})$"))
        .case_insensitive(true)
        .size_limit(MOST_COMPILED)
        .build();
    Some(whole)
}

/// Whether a pattern with wildcards matches: `*` is any text, `?` one character.
fn fits(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    let mut parts = pattern.split('*');
    let Some(first) = parts.next() else {
        return text.is_empty();
    };
    let Some(behind) = begins(rest, first) else {
        return false;
    };
    rest = behind;
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let found = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        let behind = found
            .filter_map(|at| rest.get(at..))
            .find_map(|rest| begins(rest, part));
        let Some(behind) = behind else { return false };
        rest = behind;
    }
    let last_begins = rest.chars().count().checked_sub(last.chars().count());
    let tail = last_begins.and_then(|skip| rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(skip));
    tail.and_then(|at| rest.get(at..))
        .and_then(|tail| begins(tail, last))
        .is_some_and(str::is_empty)
}

fn begins<'t>(text: &'t str, pattern: &str) -> Option<&'t str> {
    let mut letters = text.chars();
    let fits = pattern.chars().all(|wanted| {
        let letter = letters.next();
        letter.is_some_and(|letter| wanted == '?' || wanted == letter)
    });
    fits.then_some(letters.as_str())
}

#[cfg(test)]
mod tests;
