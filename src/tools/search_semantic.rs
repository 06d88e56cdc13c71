//! `search_semantic`: ranks parts of files by how well they match the words of a question, and by embeddings if a model
//! is configured. The tool exists only if `retrieval` is configured.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Work};
use super::size::{shorten, visible};
use super::stop::{Stop, Stopper};
use super::{Refusal, ToolContext};
use benchdog_base::environment::Environment;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::{Action, ToolRules};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};
use benchdog_provider::Provider;
use benchdog_search::workspace::{EmbedError, EmbeddingState, Embeddings, Hits, Scope, search};
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_path;
use benchdog_security::standing;
use benchdog_security::workspace::WorkPath;

const DESCRIPTION: &str = "Find the files that best match a question, by words and parts of names. Returns the best lines of each. Use `grep` for exact text.";

const MOST: usize = 10;

const MOST_QUERY: usize = 2_000;

/// Default time limit for all embedding requests of one search.
pub const EMBEDDING_PATIENCE: Duration = Duration::from_secs(30);

/// Maximum characters of the reason in a failure report.
const MOST_REASON: usize = 300;

/// Returns whether a file must not be read without approval.
pub type IsDenied = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

#[derive(Clone, Default)]
pub struct Retrieval {
    /// Returns whether a rule forbids reading a file, or requires approval for it. `None` without such rules.
    pub is_denied: Option<IsDenied>,
    pub embedder: Option<Embedder>,
}

/// Returns the permission rules of the tools that show file contents: `read` and `search_semantic`. A file is not
/// searched if the rules of either tool deny it.
pub fn reading_rules() -> Vec<ToolRules> {
    vec![crate::read::row().facts.rules(), row().facts.rules()]
}

/// The model for embeddings. Only its endpoint gets texts of files.
#[derive(Clone)]
pub struct Embedder {
    pub provider: Arc<dyn Provider>,
    /// Name of the model at its endpoint.
    pub model: String,
    /// Name of the model with its provider, stored with its vectors.
    pub full_name: String,
    pub patience: Duration,
}

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
    redactor: Redactor,
    query: String,
    retrieval: Retrieval,
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
                redactor: cx.redactor.clone(),
                query,
                retrieval: cx.retrieval.clone(),
            },
            |plan, _| Box::pin(run(plan)),
        ),
    })
}

async fn run(plan: SearchPlan) -> Outcome {
    // If this future is dropped, the guard stops the search thread and its request.
    let (stopper, stop) = Stop::pair();
    let guard = EndsSearch {
        flag: Arc::default(),
        stopper,
    };
    let (flag, runtime) = (Arc::clone(&guard.flag), Handle::current());
    match tokio::task::spawn_blocking(move || found(&plan, &flag, &stop, &runtime)).await {
        Ok(outcome) => outcome,
        Err(error) => Outcome::error("internal", format!("The search failed: {error}.")),
    }
}

struct EndsSearch {
    flag: Arc<AtomicBool>,
    stopper: Stopper,
}

impl Drop for EndsSearch {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
        self.stopper.stop();
    }
}

fn found(plan: &SearchPlan, flag: &AtomicBool, stop: &Stop, runtime: &Handle) -> Outcome {
    let Retrieval { is_denied, embedder } = &plan.retrieval;
    let embed = |texts: &[String], until: Instant| match embedder {
        Some(embedder) => runtime.block_on(embedder.embed(texts, until, stop)),
        None => Err("no model is configured".to_owned().into()),
    };
    let redact = |text: &str| redacted(&plan.redactor, text);
    let root = &plan.root.absolute();
    if holds_home(root) {
        let why = "This folder contains the home folder, so it is not indexed. Use `grep` in one of its folders.";
        return Outcome::error("not_read", why);
    }
    let scope = Scope {
        root,
        cache: &plan.cache,
        charset: plan.root.charset(),
        is_secret: &|path| is_secret_path(path) || is_secret_path(&root.join(path)),
        is_secret_link: &|path| plan.root.is_secret_below(path),
        is_denied: &|path| is_denied.as_ref().is_some_and(|is_denied| is_denied(path)),
        embeddings: embedder.as_ref().map(|embedder| Embeddings {
            model: &embedder.full_name,
            embed: &embed,
            redact: &redact,
            patience: embedder.patience,
        }),
        stop: flag,
    };
    match search(&scope, &plan.query, MOST) {
        Ok(hits) => report(&plan.query, &hits),
        Err(error) => Outcome::error("not_read", format!("The index cannot be used: {error}. Use `grep`.")),
    }
}

/// Whether the folder is or contains the home folder, which holds many unrelated projects.
pub fn holds_home(root: &Path) -> bool {
    let environment = Environment::of_process();
    let home = environment
        .get("HOME")
        .and_then(|home| std::fs::canonicalize(home).ok());
    home.is_some_and(|home| home.starts_with(root))
}

/// Returns the text without secrets. Adds empty lines for a private key, so that later lines keep their numbers.
fn redacted(redactor: &Redactor, text: &str) -> String {
    if let Cow::Borrowed(text) = redactor.text(text) {
        return text.to_owned();
    }
    let mut stream = redactor.stream();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let part = stream.push(line);
        out.push_str(&part);
        if line.ends_with('\n') && !part.ends_with('\n') {
            out.push('\n');
        }
    }
    out.push_str(&stream.finish());
    out
}

impl Embedder {
    async fn embed(&self, texts: &[String], until: Instant, stop: &Stop) -> Result<Vec<Vec<f32>>, EmbedError> {
        let Some(request) = self.provider.embed(&self.model, texts) else {
            return Err(format!("the provider of `{}` has no embeddings", self.full_name).into());
        };
        let wait = until.saturating_duration_since(Instant::now());
        tokio::select! {
            biased;
            () = stop.stopped() => Err("the search was stopped".to_owned().into()),
            answer = tokio::time::timeout(wait, request) => match answer {
                Ok(Ok(vectors)) => Ok(vectors),
                Ok(Err(error)) => Err(EmbedError {
                    reason: error.to_string().trim_end_matches('.').to_owned(),
                    is_refusal: error.is_of_content(),
                }),
                Err(_) => Err(format!("`{}` did not answer within {} s", self.full_name, wait.as_secs().max(1)).into()),
            },
        }
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
    if !hits.is_complete {
        let _ = writeln!(
            output,
            "[not all files were listed in time, so files may be missing; use `grep` for them]"
        );
    }
    if hits.omitted > 0 {
        let omitted = hits.omitted;
        let _ = writeln!(
            output,
            "[{omitted} files are beyond the limits of the index; use `grep` for them]"
        );
    }
    if let Some(state) = &hits.embeddings {
        report_embeddings(&mut output, state);
    }
    let summary = match hits.hits.len() as u64 {
        0 => Summary::NoMatch,
        matches => Summary::Matches { matches },
    };
    Outcome::ok(summary, output)
}

fn report_embeddings(output: &mut String, state: &EmbeddingState) {
    let pending = state.pending;
    let _ = match &state.failure {
        Some(failure) => {
            let reason = shorten(&visible(failure), MOST_REASON);
            writeln!(
                output,
                "[embeddings failed, so files may be ranked by words only: {reason}]"
            )
        }
        None if pending == 0 => Ok(()),
        None if state.is_full => writeln!(
            output,
            "[{pending} files have no embeddings, because the index has its maximum size; they are ranked by words only]"
        ),
        None => writeln!(
            output,
            "[{pending} files have no embeddings yet and are ranked by words only; search again to continue]"
        ),
    };
}

#[cfg(test)]
mod tests;
