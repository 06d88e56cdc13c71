//! `diagnostics`, `definition` and `references`: ask language servers about the code. These tools change nothing.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::words::{line, no_answer_text, shown};
use super::{host, text};
use crate::arguments::Args;
use crate::row::{Declares, Draft, Row, Work};
use crate::served::why;
use crate::size::{count, shorten};
use crate::{Refusal, ToolContext};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::server::ServerTrouble;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, TitleKind, ToolFacts};
use benchdog_lsp::{NoAnswer, Place, QueryError, Question, Symbol, find_symbol};
use benchdog_security::standing;

const DIAGNOSTICS: &str = "Errors of the file `path`, or of all opened files, from language servers. The result of an edit lists new errors automatically.";
const DEFINITION: &str = "Find the definition of a symbol: `symbol` is its name as written on `line` of `path`.";
const REFERENCES: &str = "Find the uses of a symbol: `symbol` is its name as written on `line` of `path`.";

const MOST_LISTED: usize = 100;
const MOST_PLACES: usize = 100;
/// Maximum characters of a quoted line.
const MOST_LINE: usize = 200;

/// Maximum wait for an answer, long because a server may still be loading the project.
const PATIENCE: Duration = Duration::from_secs(15);

const PATHS: &[&str] = &["file_path", "file", "filename", "target_file", "filepath"];

pub(super) fn diagnostics() -> Row {
    Row {
        aliases: &["get_diagnostics", "get_errors", "lsp_diagnostics"],
        description: DIAGNOSTICS.into(),
        declares: Declares::Brief("Errors of a file `path`, or of all opened files, from language servers."),
        parameters: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        arguments: &[("path", PATHS)],
        prepare: Box::new(prepare_diagnostics),
        ..row("diagnostics")
    }
}

pub(super) fn definition() -> Row {
    Row {
        aliases: &[
            "goto_definition",
            "go_to_definition",
            "find_definition",
            "lsp_definition",
        ],
        description: DEFINITION.into(),
        declares: Declares::Brief("Where the `symbol` on `line` of `path` is defined."),
        prepare: Box::new(|args, cx| prepare_places(args, cx, Question::Definition)),
        ..row("definition")
    }
}

pub(super) fn references() -> Row {
    Row {
        aliases: &["find_references", "find_usages", "lsp_references"],
        description: REFERENCES.into(),
        declares: Declares::Brief("Where the `symbol` on `line` of `path` is used."),
        prepare: Box::new(|args, cx| prepare_places(args, cx, Question::References)),
        ..row("references")
    }
}

fn row(name: &'static str) -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            title: TitleKind::Path,
            ..ToolFacts::of(name, EffectClass::Reads)
        },
        aliases: &[],
        description: "".into(),
        declares: Declares::Whole,
        parameters: symbol_schema(),
        arguments: &[
            ("path", PATHS),
            ("line", &["line_number", "lineno", "row"]),
            ("symbol", &["name", "identifier", "text"]),
        ],
        more: "Ask for one file, or use `grep`.",
        serves: None,
        prepare: Box::new(|args, _| Err(args.refuse("it has no effect"))),
    }
}

fn symbol_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "line": {"type": "integer", "description": "From 1."},
            "symbol": {"type": "string"}
        },
        "required": ["path", "line", "symbol"]
    })
}

fn prepare_diagnostics(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let written = args.text("path")?.filter(|path| !["", ".", "*"].contains(&path.trim()));
    let path = match written {
        Some(path) => Some(cx.workspace.resolve(&path)?),
        None => None,
    };
    let title = path.as_ref().map_or("", |path| path.shown()).to_owned();
    let fields = path.iter().map(|path| ("path".to_owned(), path.shown().to_owned()));
    Ok(Draft {
        review: Review::Fields(fields.collect()),
        subjects: vec![path.as_ref().map_or(Subject::Tool, standing::path)],
        work: Work::of(path.map(|path| path.absolute()), |path, it| Box::pin(list(path, it.cx))),
        title,
    })
}

async fn list(path: Option<PathBuf>, cx: &ToolContext) -> Outcome {
    let host = host(cx);
    let until = Instant::now() + PATIENCE;
    let listings = cx.languages.list_diagnostics(path.as_deref(), &host, until).await;
    if listings.is_empty() {
        return no_server(path.as_deref(), cx);
    }
    let mut output = String::new();
    for listing in &listings {
        if let Some(problem) = &listing.problem {
            let _ = writeln!(output, "{} may miss errors. It reports: {problem}", listing.server);
        }
        let Some(no_answer) = listing.no_answer else { continue };
        let _ = writeln!(
            output,
            "{}",
            no_answer_text(&listing.server, no_answer, PATIENCE.as_secs())
        );
    }
    let mut found: Vec<_> = listings.iter().flat_map(|listing| &listing.found).collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.diagnostic.severity));
    for found in found.iter().take(MOST_LISTED) {
        let _ = writeln!(output, "{}", line(found, cx));
    }
    if found.len() > MOST_LISTED {
        let _ = writeln!(output, "{} more are not shown.", found.len() - MOST_LISTED);
    }
    if found.is_empty() && listings.iter().all(|listing| listing.no_answer.is_none()) {
        let where_ = path.map_or("in the files that were opened".to_owned(), |path| {
            format!("in `{}`", shown(&path, cx))
        });
        let _ = writeln!(output, "No errors {where_}.");
        return Outcome::ok(Summary::NoMatch, output.trim_end().to_owned());
    }
    Outcome::ok(
        Summary::Entries {
            entries: found.len() as u64,
        },
        output.trim_end().to_owned(),
    )
}

/// Returns the error if no server can be asked about `file`, or about any file.
fn no_server(file: Option<&Path>, cx: &ToolContext) -> Outcome {
    let ended = cx.languages.ended(file);
    if !ended.is_empty() {
        let reason = |(server, trouble): &(String, ServerTrouble)| {
            format!("{server} is no longer used: {}.", why(trouble).1.trim_end_matches('.'))
        };
        let reasons: Vec<String> = ended.iter().map(reason).collect();
        return Outcome::error("no_server", reasons.join(" "));
    }
    let patterns = cx.languages.patterns().join(", ");
    let text = match patterns.is_empty() {
        true => "No language server is configured any more.".to_owned(),
        false => format!("No language server runs for this. Servers are configured for {patterns}."),
    };
    Outcome::error("no_server", text)
}

struct PlaceQuery {
    symbol: Symbol,
    name: String,
    question: Question,
}

fn prepare_places(args: &Args<'_>, cx: &ToolContext, question: Question) -> Result<Draft, Refusal> {
    let path = cx.workspace.resolve(&args.filled_text("path")?)?;
    let name = args.filled_text("symbol")?.trim().to_owned();
    let wanted = args.number("line")?.unwrap_or(1).max(1);
    let absolute = path.absolute();
    let Some(content) = text(&cx.workspace, &absolute) else {
        // If reading fails, return that error, because it explains more.
        path.read(benchdog_lsp::MOST_TEXT as u64)?;
        return Err(args.refuse(&format!("`{}` is not a text that language servers get", path.shown())));
    };
    let last_part = |name: &str| {
        name.rsplit(['.', ':', '>'])
            .next()
            .unwrap_or_default()
            .trim_end_matches("()")
            .to_owned()
    };
    let line = u32::try_from(wanted).unwrap_or(u32::MAX);
    let found = find_symbol(&content, line, &name).or_else(|| find_symbol(&content, line, &last_part(&name)));
    let Some(found) = found.filter(|_| !last_part(&name).is_empty()) else {
        return Err(args.refuse(&describe_occurrences(&content, &name, wanted, path.shown())));
    };
    Ok(Draft {
        title: format!("{name} {}:{}", path.shown(), found.line),
        subjects: vec![standing::path(&path)],
        review: Review::Fields(vec![
            ("path".to_owned(), path.shown().to_owned()),
            ("line".to_owned(), found.line.to_string()),
            ("symbol".to_owned(), name.clone()),
        ]),
        work: Work::of(
            PlaceQuery {
                symbol: Symbol {
                    path: absolute,
                    line: found.line,
                    at: found.at,
                },
                name,
                question,
            },
            |query, it| Box::pin(find(query, it.cx)),
        ),
    })
}

/// Returns an error message that lists the lines of the file on which the symbol occurs.
fn describe_occurrences(content: &str, name: &str, line: u64, path: &str) -> String {
    const MOST: usize = 10;
    let numbers = content.lines().enumerate().filter(|(_, text)| text.contains(name));
    let numbers: Vec<String> = numbers.take(MOST).map(|(at, _)| (at + 1).to_string()).collect();
    let elsewhere = match numbers.is_empty() {
        true => "nowhere in the file".to_owned(),
        false => {
            let lines = if numbers.len() == 1 { "line" } else { "lines" };
            format!("on {lines} {}", numbers.join(", "))
        }
    };
    format!("`{name}` is not on line {line} of `{path}`; it is {elsewhere}")
}

async fn find(query: PlaceQuery, cx: &ToolContext) -> Outcome {
    let host = host(cx);
    let until = Instant::now() + PATIENCE;
    let places = match cx.languages.places(&query.symbol, query.question, &host, until).await {
        Ok(places) => places,
        Err(QueryError::NoServer | QueryError::ServerEnded) => return no_server(Some(&query.symbol.path), cx),
        Err(QueryError::NoAnswer(server, no_answer)) => {
            let text = match no_answer {
                NoAnswer::Starting => format!("{server} is still starting. Try again later, or use `grep`."),
                NoAnswer::Loading => format!("{server} is still loading the project. Try again later, or use `grep`."),
                NoAnswer::Ended => format!("{server} ended before it answered. Use `grep`, or try again."),
                NoAnswer::Late => {
                    let seconds = PATIENCE.as_secs();
                    format!("{server} did not answer within {seconds} s. Use `grep`, or try again.")
                }
            };
            return Outcome::error("timeout", text);
        }
        Err(QueryError::Unsupported(server)) => {
            return Outcome::error("unsupported", format!("{server} does not support this. Use `grep`."));
        }
        Err(QueryError::Refused(server, why)) => return Outcome::error("refused", format!("{server}: {why}.")),
    };
    if places.is_empty() {
        let what = match query.question {
            Question::Definition => "definition of",
            Question::References => "references to",
        };
        let text = format!("The server found no {what} `{}`.", query.name);
        return Outcome::ok(Summary::NoMatch, text);
    }
    let context = cx.clone();
    let quoted = tokio::task::spawn_blocking(move || quote_places(&places, &context)).await;
    quoted.unwrap_or_else(|error| Outcome::error("internal", format!("Reading failed: {error}.")))
}

/// Lists the places, and quotes the line of each place in the workspace. Files outside the workspace are not read.
fn quote_places(places: &[Place], cx: &ToolContext) -> Outcome {
    let mut output = String::new();
    let mut last: Option<(&PathBuf, Option<std::sync::Arc<str>>)> = None;
    for place in places.iter().take(MOST_PLACES) {
        let content = match &last {
            Some((path, content)) if **path == place.path => content.clone(),
            _ => text(&cx.workspace, &place.path),
        };
        let number = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let quoted = content.as_deref().and_then(|content| content.lines().nth(number));
        let path = shown(&place.path, cx);
        let _ = match quoted {
            Some(quoted) => writeln!(output, "{path}:{}: {}", place.line, shorten(quoted.trim(), MOST_LINE)),
            None => writeln!(output, "{path}:{}", place.line),
        };
        last = Some((&place.path, content));
    }
    if places.len() > MOST_PLACES {
        let _ = writeln!(
            output,
            "{} not shown.",
            count(places.len() - MOST_PLACES, "more place", "more places")
        );
    }
    let entries = places.len() as u64;
    Outcome::ok(Summary::Entries { entries }, output.trim_end().to_owned())
}
