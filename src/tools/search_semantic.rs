//! `search_semantic`: ranks chunks of the workspace's files by the words of a question. It exists only if `retrieval` is configured.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Work};
use super::size::visible;
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Action;
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};
use benchdog_search::workspace::{Hits, Scope, search};
use benchdog_security::secrets::is_secret_path;
use benchdog_security::standing;
use benchdog_security::workspace::WorkPath;

const DESCRIPTION: &str = "Find the files that fit a question best, by its words and parts of names, each with its best lines. Use `grep` for exact text.";

const MOST: usize = 10;

const MOST_QUERY: usize = 2_000;

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            settable: Settable {
                output_bytes: Some(super::size::MOST_SET),
                ..Settable::default()
            },
            ..ToolFacts::of("search_semantic", EffectClass::Reads)
        },
        aliases: &["codebase_search", "semantic_search", "search_codebase", "rag"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[("query", &["question", "text", "q", "search_query"])],
        more: "Ask a narrower question.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"}
        },
        "required": ["query"]
    })
}

struct SearchPlan {
    root: WorkPath,
    cache: PathBuf,
    query: String,
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let query = args.filled_text("query")?.trim().to_owned();
    if query.len() > MOST_QUERY {
        return Err(args.refuse(&format!("`query` must have at most {MOST_QUERY} characters")));
    }
    let root = cx.workspace.resolve(".")?;
    Ok(Draft {
        title: query.clone(),
        subjects: vec![standing::path(&root)],
        review: Review::Fields(vec![("query".to_owned(), query.clone())]),
        work: Work::of(
            SearchPlan {
                root,
                cache: cx.cache.clone(),
                query,
            },
            |plan, _| Box::pin(run(plan)),
        ),
    })
}

async fn run(plan: SearchPlan) -> Outcome {
    // A dropped call ends its thread.
    let stop = EndsSearch(Arc::default());
    let seen = Arc::clone(&stop.0);
    match tokio::task::spawn_blocking(move || found(&plan, &seen)).await {
        Ok(outcome) => outcome,
        Err(error) => Outcome::error("internal", format!("The search failed: {error}.")),
    }
}

struct EndsSearch(Arc<AtomicBool>);

impl Drop for EndsSearch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn found(plan: &SearchPlan, stop: &AtomicBool) -> Outcome {
    let scope = Scope {
        root: &plan.root.absolute(),
        cache: &plan.cache,
        charset: plan.root.charset(),
        is_secret: &is_secret_path,
        is_secret_link: &|path| plan.root.is_secret_below(path),
        stop,
    };
    match search(&scope, &plan.query, MOST) {
        Ok(hits) => report(&plan.query, &hits),
        Err(error) => Outcome::error("not_read", format!("The index cannot be used: {error}. Use `grep`.")),
    }
}

fn report(query: &str, hits: &Hits) -> Outcome {
    let mut output = String::new();
    for hit in &hits.hits {
        let _ = writeln!(output, "{}:{}-{}", visible(&hit.path), hit.first, hit.last);
        for (number, line) in &hit.excerpt {
            let _ = writeln!(output, "  {number}: {}", visible(line));
        }
    }
    if hits.hits.is_empty() {
        let _ = writeln!(
            output,
            "No file of the {} indexed ones has a word of `{query}`.",
            hits.files - hits.pending
        );
    }
    if hits.pending > 0 {
        let pending = hits.pending;
        let _ = writeln!(
            output,
            "[{pending} files are not indexed yet; search again to continue]"
        );
    }
    if hits.omitted > 0 {
        let omitted = hits.omitted;
        let _ = writeln!(
            output,
            "[{omitted} files are beyond the limits of the index; use `grep` for them]"
        );
    }
    let summary = match hits.hits.len() as u64 {
        0 => Summary::NoMatch,
        matches => Summary::Matches { matches },
    };
    Outcome::ok(summary, output)
}

#[cfg(test)]
mod tests;
