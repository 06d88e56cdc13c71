//! `list`: lists a folder, some levels deep, with sizes. Ignored items come last and are not expanded.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Serves, Work};
use super::size::{count, visible};
use super::{Refusal, ToolContext, outputs};
use benchdog_base::disk::bytes_text;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Action;
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, TitleKind, ToolFacts};
use benchdog_files::beneath::{Held, Kind};
use benchdog_files::walker;
use benchdog_security::standing;
use benchdog_security::workspace::{FileKind, WorkPath};

const DESCRIPTION: &str = "List a folder.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            title: TitleKind::Path,
            settable: Settable {
                output_bytes: Some(super::size::MOST_SET),
                ..Settable::default()
            },
            ..ToolFacts::of("list", EffectClass::Reads)
        },
        aliases: &[
            "ls",
            "list_dir",
            "list_directory",
            "list_files",
            "listdir",
            "listdirectory",
            "listfiles",
            "list_folder",
            "view_directory",
            "dir",
            "tree",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("list {path?}: list a folder"),
        parameters: parameters(),
        arguments: &[
            (
                "path",
                &[
                    "dir",
                    "directory",
                    "folder",
                    "target_directory",
                    "dir_path",
                    "relative_workspace_path",
                ],
            ),
            ("depth", &["max_depth", "levels", "recursive_depth"]),
        ],
        more: "List one of its folders, or use `glob`.",
        serves: Some(Serves::Folders(call)),
        prepare: Box::new(prepare),
    }
}

const MOST: usize = 1_000;
const DEEPEST: u64 = 10;

struct ListPlan {
    path: WorkPath,
    /// Folder from which ignore files apply: the workspace, or the listed folder itself outside the workspace.
    top: PathBuf,
    depth: usize,
}

struct Line {
    name: String,
    kind: Kind,
    len: u64,
    ignored: bool,
    inside: Vec<Line>,
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "depth": {"type": "integer", "undeclared": true}
        }
    })
}

fn call(path: &str) -> Map<String, Value> {
    Map::from_iter([("path".to_owned(), path.into())])
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let path = folder_argument(args, cx)?;
    let depth = args.number("depth")?.unwrap_or(1).clamp(1, DEEPEST);
    if path.stat()?.is_some_and(|stat| stat.kind != FileKind::Folder) {
        return Err(Refusal::new(
            "not_a_folder",
            format!("`{}` is a file. Use `read` to see it.", path.shown()),
        ));
    }
    let absolute = path.absolute();
    let root = cx.workspace.root();
    Ok(Draft {
        title: path.shown().to_owned(),
        subjects: vec![standing::path(&path)],
        review: Review::Fields(vec![("folder".to_owned(), path.shown().to_owned())]),
        work: Work::of(
            ListPlan {
                top: if absolute.starts_with(root) {
                    root.to_path_buf()
                } else {
                    absolute
                },
                path,
                depth: usize::try_from(depth).unwrap_or(1),
            },
            |plan, _| Box::pin(run(plan)),
        ),
    })
}

/// Returns the folder in the argument `path`, by default the workspace. Fails if it does not exist.
pub(super) fn folder_argument(args: &Args<'_>, cx: &ToolContext) -> Result<WorkPath, Refusal> {
    folder_argument_named(args, "path", cx)
}

pub(super) fn folder_argument_named(args: &Args<'_>, name: &str, cx: &ToolContext) -> Result<WorkPath, Refusal> {
    let text = args.text(name)?.unwrap_or_default();
    let text = if text.trim().is_empty() { "." } else { text.as_str() };
    let path = cx.workspace.resolve(text)?;
    if path.stat()?.is_none() {
        if cx.outputs.is_one(&path.absolute()) {
            return Err(outputs::gone(&path));
        }
        let shown = path.shown();
        return Err(Refusal::new(
            "not_found",
            format!("There is no `{shown}`. Use `list` without a path to see the workspace."),
        ));
    }
    Ok(path)
}

async fn run(plan: ListPlan) -> Outcome {
    // Reading a single level is faster than starting a thread.
    if plan.depth == 1 {
        return list(&plan);
    }
    match tokio::task::spawn_blocking(move || list(&plan)).await {
        Ok(outcome) => outcome,
        Err(error) => Outcome::error("internal", format!("Listing failed: {error}.")),
    }
}

fn list(plan: &ListPlan) -> Outcome {
    let shown = plan.path.shown();
    match rows(plan) {
        Err(error) => Outcome::error("not_read", format!("`{shown}` could not be listed: {error}.")),
        Ok((rows, _)) if rows.is_empty() => Outcome::ok(Summary::Empty, format!("`{shown}` is empty.")),
        Ok((rows, left_out)) => {
            let mut output = String::new();
            let entries = print(&rows, 0, &mut output);
            if left_out {
                let _ = writeln!(
                    output,
                    "[cut at {}; list a folder inside, or use `glob`]",
                    count(MOST, "entry", "entries")
                );
            }
            Outcome {
                truncated: left_out,
                ..Outcome::ok(
                    Summary::Entries {
                        entries: entries as u64,
                    },
                    output,
                )
            }
        }
    }
}

/// Lists the items breadth first, so that truncation drops the deepest ones. Also returns whether any were dropped.
fn rows(plan: &ListPlan) -> std::io::Result<(Vec<Line>, bool)> {
    let absolute = plan.path.absolute();
    let held = Held::open(&absolute)?;
    let mut ignore = walker::matcher(&plan.top);
    let mut ignored = |relative: &Path, folder: bool| {
        let Ok(inside) = absolute.strip_prefix(&plan.top) else {
            return false;
        };
        // Joining an empty path would add a slash, and the matcher would not match the result.
        let path = if relative.as_os_str().is_empty() {
            inside.to_path_buf()
        } else {
            inside.join(relative)
        };
        ignore
            .as_mut()
            .is_some_and(|matcher| matcher.matched(path, folder).is_ignore())
    };
    // Inside an ignored folder all items are ignored, so do not mark them.
    let inside_ignored = absolute != plan.top && ignored(Path::new(""), true);
    let mut levels: Vec<(PathBuf, Vec<Line>)> = Vec::new();
    let mut queue = VecDeque::from([(PathBuf::new(), 1)]);
    let (mut left, mut left_out) = (MOST, false);
    while let Some((folder, depth)) = queue.pop_front() {
        let Ok(here) = held.folder(&folder) else {
            // Return an error only for the listed folder. A folder below it may have vanished.
            if folder.as_os_str().is_empty() {
                held.folder(&folder)?;
            }
            continue;
        };
        let mut level: Vec<Line> = Vec::new();
        for item in here.items()?.into_iter().filter(|item| item.name != ".git") {
            let relative = folder.join(&item.name);
            level.push(Line {
                ignored: !inside_ignored && ignored(&relative, item.kind == Kind::Folder),
                len: if item.kind == Kind::File {
                    here.len(Path::new(&item.name)).unwrap_or(0)
                } else {
                    0
                },
                name: walker::shown(Path::new(&item.name)),
                kind: item.kind,
                inside: Vec::new(),
            });
        }
        level.sort_by_cached_key(|row| {
            (
                row.ignored,
                row.kind != Kind::Folder,
                row.name.to_lowercase(),
                row.name.clone(),
            )
        });
        left_out |= level.len() > left;
        level.truncate(left);
        left -= level.len();
        let open = level
            .iter()
            .filter(|row| row.kind == Kind::Folder && !row.ignored && depth < plan.depth);
        queue.extend(open.map(|row| (folder.join(&row.name), depth + 1)));
        levels.push((folder, level));
    }
    Ok((nested(levels), left_out))
}

/// Moves the rows of each folder into the row of that folder. In `levels`, parents come before their subfolders.
fn nested(mut levels: Vec<(PathBuf, Vec<Line>)>) -> Vec<Line> {
    while levels.len() > 1 {
        let Some((folder, rows)) = levels.pop() else { break };
        let parent = folder.parent().unwrap_or(Path::new(""));
        let name = folder.file_name().map(|name| walker::shown(Path::new(name)));
        let row = levels
            .iter_mut()
            .find(|(path, _)| path == parent)
            .and_then(|(_, level)| level.iter_mut().find(|row| Some(&row.name) == name.as_ref()));
        if let Some(row) = row {
            row.inside = rows;
        }
    }
    levels.pop().map(|(_, rows)| rows).unwrap_or_default()
}

fn print(rows: &[Line], depth: usize, out: &mut String) -> usize {
    let mut entries = rows.len();
    for row in rows {
        let _ = write!(out, "{}{}", "  ".repeat(depth), visible(&row.name));
        let _ = match row.kind {
            Kind::Folder => write!(out, "/"),
            Kind::File => write!(out, "  {}", bytes_text(row.len)),
            Kind::Link => write!(out, "  link"),
            Kind::Other => write!(out, "  special"),
        };
        out.push_str(if row.ignored { "  ignored\n" } else { "\n" });
        entries += print(&row.inside, depth + 1, out);
    }
    entries
}

#[cfg(test)]
mod tests;
