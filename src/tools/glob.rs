//! `glob`: finds files by path pattern, newest first. Ignored files are listed only if nothing else matches.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use globset::{GlobBuilder, GlobMatcher};
use serde_json::{Value, json};

use super::arguments::Args;
use super::list::folder_argument;
use super::row::{Declares, Draft, Row, Work};
use super::size::visible;
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Action;
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};
use benchdog_files::beneath::{Held, Kind};
use benchdog_files::walker::{self, Flow, Found, Ignored};
use benchdog_security::standing;
use benchdog_security::workspace::{FileKind, WorkPath};

const DESCRIPTION: &str = "Find files by path, such as `src/**/*.rs`, newest first.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            settable: Settable {
                output_bytes: Some(super::size::MOST_SET),
                ..Settable::default()
            },
            ..ToolFacts::of("glob", EffectClass::Reads)
        },
        aliases: &[
            "find",
            "find_files",
            "glob_files",
            "file_search",
            "search_files",
            "find_path",
            "globfiles",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("pattern", &["glob", "glob_pattern", "query", "name", "include"]),
            (
                "path",
                &["dir", "directory", "folder", "root", "cwd", "target_directory"],
            ),
        ],
        more: "Use a narrower pattern or a `path`.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

const MOST: usize = 200;

pub(super) struct GlobPlan {
    path: WorkPath,
    pattern: String,
    glob: PathGlob,
    ignored: Ignored,
}

pub(super) struct PathGlob {
    matcher: GlobMatcher,
    /// A second matcher, which takes brackets and braces literally, for names like `pages/[id].tsx`.
    literal: Option<GlobMatcher>,
    name_only: bool,
    folders: bool,
    negated: bool,
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string"},
            "path": {"type": "string"}
        },
        "required": ["pattern"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let pattern = args.filled_text("pattern")?.trim().to_owned();
    let path = folder_argument(args, cx)?;
    if path.stat()?.is_some_and(|stat| stat.kind != FileKind::Folder) {
        return Err(Refusal::new(
            "not_a_folder",
            format!("`{}` is a file; give its folder.", path.shown()),
        ));
    }
    let glob = PathGlob::parse(relative_pattern(&pattern, &path.absolute())).map_err(|error| args.refuse(&error))?;
    let title = if path.shown() == "." {
        pattern.clone()
    } else {
        format!("{pattern} in {}", path.shown())
    };
    let fields = [("pattern", pattern.as_str()), ("folder", path.shown())];
    Ok(Draft {
        title,
        subjects: vec![standing::path(&path)],
        review: Review::Fields(
            fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        ),
        work: Work::of(
            GlobPlan {
                ignored: scope(&path, cx),
                path,
                pattern,
                glob,
            },
            |plan, _| Box::pin(run(plan)),
        ),
    })
}

/// Whether to skip ignored files. They are included if the call's `path` is itself an ignored folder.
pub(super) fn scope(path: &WorkPath, cx: &ToolContext) -> Ignored {
    let absolute = path.absolute();
    let Ok(inside) = absolute.strip_prefix(cx.workspace.root()) else {
        return Ignored::Skipped;
    };
    let ignored = !inside.as_os_str().is_empty()
        && walker::matcher(cx.workspace.root())
            .is_some_and(|mut matcher| matcher.matched(inside, absolute.is_dir()).is_ignore());
    if ignored { Ignored::Included } else { Ignored::Skipped }
}

/// Removes `./` or the folder's own path from the start of a pattern.
fn relative_pattern<'p>(pattern: &'p str, folder: &Path) -> &'p str {
    let inside = folder
        .to_str()
        .and_then(|folder| pattern.strip_prefix(folder)?.strip_prefix('/'));
    let pattern = inside.unwrap_or(pattern);
    pattern.strip_prefix("./").unwrap_or(pattern)
}

impl PathGlob {
    pub(super) fn parse(pattern: &str) -> Result<Self, String> {
        let (negated, pattern) = match pattern.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let bare = pattern.trim_end_matches('/');
        let bare_pattern = bare.strip_prefix('/').unwrap_or(bare);
        let built = |pattern: &str| {
            let glob = GlobBuilder::new(pattern)
                .literal_separator(true)
                .empty_alternates(true)
                .backslash_escape(true)
                .build();
            glob.map(|glob| glob.compile_matcher())
        };
        let literal = bare
            .contains(['[', ']', '{', '}'])
            .then(|| built(&as_name(bare_pattern)));
        let literal = literal.and_then(Result::ok);
        let matcher =
            built(bare_pattern).map_err(|error| format!("`{pattern}` is not a valid pattern: {}", error.kind()))?;
        Ok(Self {
            matcher,
            literal,
            name_only: !bare.contains('/'),
            folders: bare.len() < pattern.len(),
            negated,
        })
    }

    pub(super) fn matches(&self, path: &Path) -> bool {
        let text = if self.name_only {
            path.file_name().map_or(path, Path::new)
        } else {
            path
        };
        let named = self.literal.as_ref().is_some_and(|literal| literal.is_match(text));
        (self.matcher.is_match(text) || named) != self.negated
    }
}

fn as_name(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len() + 8);
    for c in pattern.chars() {
        if matches!(c, '[' | ']' | '{' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

async fn run(plan: GlobPlan) -> Outcome {
    match tokio::task::spawn_blocking(move || search(&plan)).await {
        Ok(outcome) => outcome,
        Err(error) => Outcome::error("internal", format!("The search failed: {error}.")),
    }
}

fn search(plan: &GlobPlan) -> Outcome {
    let mut found = matching(plan, plan.ignored);
    let mut note = "";
    if found.is_empty() && plan.ignored == Ignored::Skipped {
        found = matching(plan, Ignored::Included);
        note = "[only ignored files match]\n";
    }
    if found.is_empty() {
        let what = if plan.glob.folders { "folder" } else { "file" };
        let text = format!(
            "No {what} matches `{}` in `{}`, ignored ones included.",
            plan.pattern,
            plan.path.shown()
        );
        return Outcome::ok(Summary::NoMatch, text);
    }
    let total = found.len();
    let mut output = note.to_owned();
    for path in newest_first(plan, found).into_iter().take(MOST) {
        let end = if plan.glob.folders { "/" } else { "" };
        let _ = writeln!(output, "{}{end}", visible(&in_workspace(&plan.path, &path)));
    }
    if total > MOST {
        let _ = writeln!(
            output,
            "[the newest {MOST} of {total} matches; use a narrower pattern or a `path`]"
        );
    }
    Outcome {
        truncated: total > MOST,
        ..Outcome::ok(Summary::Matches { matches: total as u64 }, output)
    }
}

fn matching(plan: &GlobPlan, ignored: Ignored) -> Vec<PathBuf> {
    let found = Mutex::new(Vec::new());
    let (found_ref, glob) = (&found, &plan.glob);
    walker::walk(&plan.path.absolute(), ignored, || {
        move |one: Found| {
            if (one.kind == Kind::Folder) == glob.folders && glob.matches(&one.path) {
                found_ref.lock().unwrap_or_else(PoisonError::into_inner).push(one.path);
            }
            Flow::On
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn newest_first(plan: &GlobPlan, found: Vec<PathBuf>) -> Vec<PathBuf> {
    let held = Held::open(&plan.path.absolute()).ok();
    let modified = |path: &Path| held.as_ref().and_then(|held| held.modified(path).ok()).unwrap_or(0);
    let mut dated: Vec<(i128, PathBuf)> = found.into_iter().map(|path| (modified(&path), path)).collect();
    dated.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.cmp(right)));
    dated.into_iter().map(|(_, path)| path).collect()
}

pub(super) fn in_workspace(folder: &WorkPath, path: &Path) -> String {
    let path = walker::shown(path);
    if folder.shown() == "." {
        path
    } else {
        format!("{}/{path}", folder.shown().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests;
