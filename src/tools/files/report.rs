//! Reports written changes: a line for the transcript, and the exact result for the model.

use std::sync::Arc;

use super::carry::Modes;
use super::settle::{Part, Settled};
use benchdog_diff::unified_text;
use benchdog_domain::review::FileOperation;
use benchdog_domain::summary::{Change, Kept, Summary};
use benchdog_domain::tool::{AppliedChange, CallStatus, Outcome};
use benchdog_security::workspace::WorkPath;

/// Maximum bytes that the result quotes of the user's changes to the proposal.
const QUOTED: usize = 4096;

pub(super) fn report(settled: &[Settled<'_>], modes: &Modes, limit: usize) -> Outcome {
    let done: Vec<&Settled<'_>> = settled.iter().filter(|file| file.acts()).collect();
    let refused = settled
        .iter()
        .any(|file| matches!(file.part, Part::Nothing { .. } | Part::Some { .. }));
    let mut output: String = settled.iter().map(|file| line(file)).collect();
    let quotes: String = settled.iter().map(quotes).collect();
    if !quotes.is_empty() {
        output.push_str(&quotes);
    }
    let mut truncated = false;
    if output.len() > limit {
        let end = output.floor_char_boundary(limit.saturating_sub(60));
        output.truncate(end);
        output.push_str("\n… what was refused goes on; read the files to see them as they are\n");
        truncated = true;
    }
    let mut outcome = Outcome {
        truncated,
        changes: done.iter().flat_map(|file| applied(file, modes)).collect(),
        ..Outcome::ok(summary(settled, &done), output)
    };
    if done.is_empty() && refused {
        outcome.status = CallStatus::Denied;
        outcome.code = Some("denied".to_owned());
    }
    outcome
}

fn summary(settled: &[Settled<'_>], done: &[&Settled<'_>]) -> Summary {
    let refused = settled.iter().any(|file| matches!(file.part, Part::Nothing { .. }));
    match done {
        [] if refused => Summary::NothingKept,
        [] => Summary::Unchanged,
        [one] if !refused => {
            let (added, removed) = one.lines();
            Summary::Changed {
                change: Change::of(&one.operation),
                added,
                removed,
                kept: kept(&one.part),
            }
        }
        many => {
            let (added, removed) = many
                .iter()
                .map(|file| file.lines())
                .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            Summary::ChangedFiles {
                files: many.len() as u64,
                added,
                removed,
                of: refused.then_some(settled.len() as u64),
            }
        }
    }
}

fn kept(part: &Part) -> Option<Kept> {
    let (kept, of) = match part {
        Part::Some { kept, refused } => (*kept, kept + refused.len()),
        Part::Edited { kept } => (*kept)?,
        Part::Whole | Part::Nothing { .. } => return None,
    };
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Some(Kept {
        hunks: number(kept),
        of: number(of),
    })
}

fn line(file: &Settled<'_>) -> String {
    let path = file.planned.path.shown();
    let mut text = match &file.part {
        Part::Nothing { .. } => refused(file),
        Part::Edited { .. } if file.is_nothing() => {
            format!("The user edited the proposal for `{path}` back to the old content; the file is unchanged.")
        }
        _ if file.is_nothing() => {
            format!("unchanged `{path}` +0 -0: it has exactly this content already; nothing was written.")
        }
        part => {
            let (added, removed) = file.lines();
            let from = match &file.operation {
                FileOperation::Rename { from } | FileOperation::Copy { from } => format!(" from `{from}`"),
                FileOperation::Create | FileOperation::Update | FileOperation::Delete => String::new(),
            };
            let mode = file
                .planned
                .mode_after
                .map(|mode| format!(", mode {mode:o}"))
                .unwrap_or_default();
            let what = match part {
                Part::Some { kept, refused } => format!(
                    " The user kept {kept} of {} hunks; only these were applied.",
                    kept + refused.len()
                ),
                Part::Edited { .. } => " The user changed the proposal before it was written.".to_owned(),
                Part::Whole | Part::Nothing { .. } => String::new(),
            };
            format!(
                "{} `{path}`{from} +{added} -{removed}{mode}.{what}",
                Change::of(&file.operation).name()
            )
        }
    };
    if !file.notes.is_empty() && file.acts() {
        text.push_str(&format!(" Note: {}.", file.notes.join("; ")));
    }
    text.push('\n');
    text
}

fn refused(file: &Settled<'_>) -> String {
    let path = file.planned.path.shown();
    match &file.operation {
        FileOperation::Create => format!("The user refused to create `{path}`; it does not exist."),
        FileOperation::Update => format!("The user refused the change to `{path}`; it is unchanged."),
        FileOperation::Delete => format!("The user refused to delete `{path}`; it is unchanged."),
        FileOperation::Rename { from } => {
            format!("The user refused to rename `{from}` to `{path}`; `{from}` is unchanged.")
        }
        FileOperation::Copy { from } => format!("The user refused to copy `{from}` to `{path}`; nothing was written."),
    }
}

fn quotes(file: &Settled<'_>) -> String {
    let path = file.planned.path.shown();
    match &file.part {
        Part::Whole => String::new(),
        Part::Some { refused, .. } | Part::Nothing { refused } if refused.is_empty() => String::new(),
        Part::Some { refused, .. } | Part::Nothing { refused } => {
            format!(
                "\nRefused in `{path}`, not applied:\n```diff\n{}```\n",
                refused.concat()
            )
        }
        Part::Edited { .. } => {
            let proposed = file.planned.after.as_deref().unwrap_or_default();
            let written = file.after.as_deref().unwrap_or_default();
            let text = unified_text(proposed, written, 2);
            let text = String::from_utf8_lossy(&text);
            let end = text.floor_char_boundary(QUOTED);
            let more = if end < text.len() {
                "\n… more; read the file\n"
            } else {
                ""
            };
            let (shown, _) = text.split_at_checked(end).unwrap_or((&text, ""));
            format!("\n`{path}`, from what you proposed to what was written:\n```diff\n{shown}{more}```\n")
        }
    }
}

/// Returns the changes for the log, except in the scratch folder. A rename becomes two changes, and the line counts
/// belong to the new file.
fn applied(file: &Settled<'_>, modes: &Modes) -> Vec<AppliedChange> {
    let planned = file.planned;
    let kept = |change: &AppliedChange| {
        let paths = planned.from.iter().chain([&planned.path]);
        let mut scratch = paths.filter(|path| path.scratch().is_some());
        !scratch.any(|path| path.shown() == change.path)
    };
    all_applied(file, modes).into_iter().filter(kept).collect()
}

fn all_applied(file: &Settled<'_>, modes: &Modes) -> Vec<AppliedChange> {
    let (added, removed) = file.lines();
    let loses_mode = file.operation == FileOperation::Delete || file.planned.mode_after.is_some();
    let mode = |path: &WorkPath| modes.get(path.shown()).copied();
    // Use the encoding on disk, so that the log can restore the file.
    let on_disk = |text: &Option<Arc<[u8]>>| text.as_ref().and_then(|text| file.planned.on_disk(text).ok());
    let whole = AppliedChange {
        path: file.planned.path.shown().to_owned(),
        before: on_disk(&file.planned.before),
        after: file.saved.clone().or_else(|| on_disk(&file.after)),
        added,
        removed,
        in_part: kept(&file.part).is_some(),
        mode_before: mode(&file.planned.path).filter(|_| loses_mode),
    };
    match (&file.operation, &file.planned.from) {
        (FileOperation::Rename { .. }, Some(from)) => vec![
            AppliedChange {
                path: from.shown().to_owned(),
                before: on_disk(&file.planned.before),
                after: None,
                added: 0,
                removed: 0,
                in_part: whole.in_part,
                mode_before: mode(from),
            },
            AppliedChange { before: None, ..whole },
        ],
        (FileOperation::Copy { .. }, _) => vec![AppliedChange { before: None, ..whole }],
        _ => vec![whole],
    }
}
