//! `grep`: searches lines with a regular expression, using ripgrep's crates. Files that may contain secrets are
//! searched only if the call names them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde_json::{Value, json};

use super::arguments::Args;
use super::glob::{PathGlob, scope};
use super::list::folder_argument;
use super::row::{Declares, Draft, Row, Work};
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Action;
use benchdog_domain::review::Review;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};
use benchdog_files::walker::Ignored;
use benchdog_security::standing;
use benchdog_security::workspace::{FileKind, WorkPath};

mod report;
mod search;

const DESCRIPTION: &str = "Search file contents with a regular expression (Rust syntax).";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            settable: Settable {
                output_bytes: Some(report::MOST_BYTES as u64),
                ..Settable::default()
            },
            ..ToolFacts::of("grep", EffectClass::Reads)
        },
        aliases: &[
            "search",
            "rg",
            "ripgrep",
            "grep_search",
            "search_text",
            "search_regex",
            "grep_files",
            "find_in_files",
            "code_search",
            "search_file_content",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("pattern", &["query", "regex", "search", "search_pattern", "q"]),
            (
                "path",
                &["dir", "directory", "folder", "file", "file_path", "target_directory"],
            ),
            ("glob", &["include", "include_pattern", "file_pattern", "files", "type"]),
            ("ignore_case", &["i", "-i", "case_insensitive", "insensitive"]),
            ("context", &["c", "-c", "context_lines", "lines"]),
            ("mode", &["output_mode", "output"]),
            ("limit", &["max_matches", "head_limit", "max_results", "max_count"]),
        ],
        more: "Use a narrower pattern, a `path` or a `glob`, or `mode: files`.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

const DEFAULT_LIMIT: u64 = 100;
const MOST_LIMIT: u64 = 1_000;
const MOST_CONTEXT: u64 = 20;

const MOST_PATTERN: usize = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Content,
    Files,
    Count,
}

pub(super) struct GrepPlan {
    path: WorkPath,
    pattern: String,
    matcher: RegexMatcher,
    glob: Option<PathGlob>,
    mode: Mode,
    context: usize,
    limit: usize,
    /// Whether `path` is a file, which is searched even if it is ignored or may contain secrets.
    single: bool,
    ignored: Ignored,
    /// Error of an invalid pattern, which is then searched as plain text.
    literal: Option<String>,
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string"},
            "path": {"type": "string"},
            "glob": {"type": "string"},
            "ignore_case": {"type": "boolean", "undeclared": "small"},
            "context": {"type": "integer", "undeclared": "small", "description": "Lines around a match."},
            "mode": {"type": "string", "undeclared": "small", "enum": ["content", "files", "count"]},
            "limit": {"type": "integer", "undeclared": true}
        },
        "required": ["pattern"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let pattern = args.required_text("pattern")?;
    if pattern.is_empty() || pattern.len() > MOST_PATTERN {
        return Err(args.refuse(&format!("`pattern` must have 1 to {MOST_PATTERN} characters")));
    }
    let path = folder_argument(args, cx)?;
    let single = path.stat()?.is_some_and(|stat| stat.kind != FileKind::Folder);
    let glob = match args.text("glob")?.filter(|glob| !glob.trim().is_empty()) {
        Some(glob) => Some(PathGlob::parse(glob.trim()).map_err(|error| args.refuse(&error))?),
        None => None,
    };
    let (matcher, literal) = matcher(&pattern, args.flag("ignore_case")?).map_err(|error| args.refuse(&error))?;
    let limit = args
        .number("limit")?
        .filter(|limit| *limit > 0)
        .unwrap_or(DEFAULT_LIMIT)
        .min(MOST_LIMIT);
    let context = args.number("context")?.unwrap_or(0).min(MOST_CONTEXT);
    let title = if path.shown() == "." {
        pattern.clone()
    } else {
        format!("{pattern} in {}", path.shown())
    };
    let fields = vec![
        ("pattern".to_owned(), pattern.clone()),
        ("path".to_owned(), path.shown().to_owned()),
    ];
    Ok(Draft {
        title,
        subjects: vec![standing::path(&path)],
        review: Review::Fields(fields),
        work: Work::of(
            GrepPlan {
                ignored: if single { Ignored::Included } else { scope(&path, cx) },
                mode: mode(args)?,
                context: usize::try_from(context).unwrap_or(0),
                limit: usize::try_from(limit).unwrap_or(1),
                path,
                pattern,
                matcher,
                glob,
                single,
                literal,
            },
            |plan, it| Box::pin(run(plan, it.cx)),
        ),
    })
}

fn mode(args: &Args<'_>) -> Result<Mode, Refusal> {
    match args.text("mode")?.unwrap_or_default().trim().to_lowercase().as_str() {
        "" | "content" | "lines" => Ok(Mode::Content),
        "files" | "files_with_matches" | "paths" => Ok(Mode::Files),
        "count" | "counts" => Ok(Mode::Count),
        other => Err(args.refuse(&format!("`{other}` is not a mode; use `content`, `files` or `count`"))),
    }
}

/// Returns the matcher. Searches an invalid pattern as plain text, and also returns the pattern's error.
fn matcher(pattern: &str, ignore_case: bool) -> Result<(RegexMatcher, Option<String>), String> {
    if pattern.contains('\n') {
        return Err(
            "`pattern` has a line break, but the search works line by line; search for one of the lines".to_owned(),
        );
    }
    let mut builder = RegexMatcherBuilder::new();
    // Without `multi_line`, `^` and `$` would match only at the ends of the buffer. `crlf` lets `$` match before `\r`,
    // unless the pattern itself contains `\r`.
    builder
        .case_insensitive(ignore_case)
        .multi_line(true)
        .line_terminator(Some(b'\n'))
        .crlf(!names_carriage_return(pattern));
    match builder.build(pattern) {
        Ok(matcher) => Ok((matcher, None)),
        Err(error) => {
            let why = error.to_string();
            let why = why
                .lines()
                .rev()
                .find(|line| !line.trim().is_empty())
                .unwrap_or("it is not valid")
                .trim();
            let why = why.strip_prefix("error: ").unwrap_or(why).to_owned();
            match builder.fixed_strings(true).build(pattern) {
                Ok(matcher) => Ok((matcher, Some(why))),
                Err(_) => Err(format!("`pattern` cannot be searched for: {why}")),
            }
        }
    }
}

fn names_carriage_return(pattern: &str) -> bool {
    let lower = pattern.to_ascii_lowercase();
    ["\r", "\\r", "\\x0d", "\\x{d}", "\\x{0d}", "\\u000d"]
        .iter()
        .any(|word| lower.contains(word))
}

async fn run(plan: GrepPlan, cx: &ToolContext) -> Outcome {
    let stop = EndsSearch(Arc::default());
    let seen = Arc::clone(&stop.0);
    let room = report::MOST_BYTES.min(cx.limits.result_bytes.saturating_sub(400));
    let searched = tokio::task::spawn_blocking(move || {
        let found = search::search(&plan, &seen)?;
        Ok::<_, std::io::Error>(report::report(&plan, found, room))
    });
    match searched.await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Outcome::error("not_read", format!("The search could not start: {error}.")),
        Err(error) => Outcome::error("internal", format!("The search failed: {error}.")),
    }
}

struct EndsSearch(Arc<AtomicBool>);

impl Drop for EndsSearch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
