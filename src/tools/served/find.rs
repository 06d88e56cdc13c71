//! `mcp_find`: searches the known MCP tools and returns their descriptions and arguments, without contacting a server.

use std::fmt::Write;

use serde_json::{Value, json};

use super::all;
use crate::arguments::Args;
use crate::row::{Declares, Draft, Row, Work};
use crate::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Action;
use benchdog_domain::review::Review;
use benchdog_domain::server::Listed;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Find further tools on MCP servers: `query` is what you want to do, in a few words, or the beginning of a \
    tool name. Returns names and arguments. Call a tool with `mcp_call`.";

/// Maximum number of tools to list with their arguments. Further tools are listed by name only.
const WHOLE: usize = 6;
const NAMED: usize = 60;

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            settable: Settable {
                needed: Some("the tools of servers are found with it; `mcp.NAME.enabled` switches a server off"),
                ..Settable::default()
            },
            ..ToolFacts::of("mcp_find", EffectClass::Reads)
        },
        aliases: &["find_tool", "search_tools", "tool_search"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"]
        }),
        arguments: &[("query", &["q", "search", "name", "keyword"])],
        more: "Ask for something narrower.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let query = args.text("query")?.unwrap_or_default().trim().to_owned();
    let listed = cx.outside.as_ref().map(|outside| outside.listed()).unwrap_or_default();
    Ok(Draft {
        title: query.clone(),
        subjects: Vec::new(),
        review: Review::Fields(vec![("query".to_owned(), query.clone())]),
        work: Work::of((query, listed), |(query, listed), _| {
            Box::pin(async move { found(&query, &listed) })
        }),
    })
}

/// Returns the matching tools, best first. Equally good tools stay in the order of their servers.
fn found(query: &str, listed: &[Listed]) -> Outcome {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut fits: Vec<(usize, String, &benchdog_domain::server::Offered)> = all(listed)
        .map(|(name, _, tool)| (fit(&words, &name, &tool.description), name, tool))
        .filter(|(fit, _, _)| *fit > 0 || words.is_empty())
        .collect();
    fits.sort_by_key(|(fit, _, _)| std::cmp::Reverse(*fit));
    let mut text = String::new();
    for (_, name, tool) in fits.iter().take(WHOLE) {
        let arguments = told(&tool.schema);
        let _ = writeln!(text, "{name}: {}\narguments: {arguments}\n", tool.description);
    }
    let further: Vec<&str> = fits.iter().skip(WHOLE).map(|(_, name, _)| name.as_str()).collect();
    if !further.is_empty() {
        let shown = further.get(..further.len().min(NAMED)).unwrap_or_default();
        let _ = writeln!(text, "also: {}", shown.join(", "));
        if further.len() > shown.len() {
            let _ = writeln!(
                text,
                "and {} more; ask for something narrower",
                further.len() - shown.len()
            );
        }
    }
    if text.is_empty() {
        let servers: Vec<String> = listed
            .iter()
            .map(|of| format!("{} ({} tools)", of.server, of.tools.len()))
            .collect();
        let there = if servers.is_empty() {
            "No server has listed its tools so far; ask again in a moment, or go on without.".to_owned()
        } else {
            format!(
                "The servers are: {}. Ask in other words, or with an empty query for all names.",
                servers.join(", ")
            )
        };
        return Outcome::ok(Summary::NoMatch, format!("No tool fits. {there}"));
    }
    let entries = fits.len() as u64;
    Outcome::ok(Summary::Entries { entries }, text.trim_end().to_owned())
}

/// Returns how well a tool matches. A word in the name counts four times as much as a word in the description.
fn fit(words: &[String], name: &str, description: &str) -> usize {
    let (name, description) = (name.to_lowercase(), description.to_lowercase());
    let of = |word: &String| {
        4 * usize::from(name.contains(word.as_str())) + usize::from(description.contains(word.as_str()))
    };
    words.iter().map(of).sum()
}

fn told(schema: &Value) -> String {
    let Value::Object(fields) = schema else {
        return schema.to_string();
    };
    let kept = fields
        .iter()
        .filter(|(name, _)| !["$schema", "title"].contains(&name.as_str()));
    Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect()).to_string()
}
