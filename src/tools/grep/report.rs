//! Formats search results for the model.

use std::fmt::Write;

use super::search::{Hits, LONGEST_LINE, Line, Searched};
use super::{GrepPlan, Mode};
use crate::glob::in_workspace;
use crate::size::{count, visible};
use benchdog_base::disk::bytes_text;
use benchdog_domain::places::{Lines, Place};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;
use benchdog_files::walker;

pub(super) const MOST_BYTES: usize = 64 * 1024;

pub(super) fn report(plan: &GrepPlan, found: Searched, room: usize) -> Outcome {
    if found.binary {
        return Outcome::error(
            "binary",
            format!("`{}` is a binary file; it is not searched.", plan.path.shown()),
        );
    }
    let mut out = String::new();
    if let Some(why) = &plan.literal {
        let _ = writeln!(
            out,
            "[`{}` is not a regular expression ({why}); it was searched as plain text]",
            plan.pattern
        );
    }
    if found.only_ignored {
        out.push_str("[every file here is ignored by .gitignore or .ignore; searched them all]\n");
    }
    if found.hits.is_empty() {
        out.push_str(&nothing(plan, &found));
        return Outcome::ok(Summary::NoMatch, out);
    }
    let total: u64 = found.hits.iter().map(|hits| hits.matches).sum();
    let mut places = Vec::new();
    let (files, cut) = match plan.mode {
        Mode::Content => content(plan, &found.hits, room, &mut out, &mut places),
        Mode::Files => rows(plan, &found.hits, room, &mut out, |path, _| path),
        Mode::Count => rows(plan, &found.hits, room, &mut out, |path, matches| {
            format!("{path}: {matches}")
        }),
    };
    let truncated = cut || found.unfinished;
    if truncated {
        out.push_str("[there is more; use a narrower pattern, a `path`, a `glob` or a higher `limit`]\n");
    }
    out.push_str(&left_out(&found));
    if plan.mode != Mode::Content {
        places.extend(found.hits.iter().take(files).map(|file| Place {
            path: raw_path(plan, file),
            lines: Vec::new(),
        }));
    }
    let files = files as u64;
    let summary = match plan.mode {
        Mode::Files => Summary::Files { files },
        Mode::Content if truncated => Summary::FirstMatches {
            matches: plan.limit as u64,
            files,
        },
        Mode::Content | Mode::Count => Summary::MatchesIn { matches: total, files },
    };
    Outcome {
        truncated,
        places,
        ..Outcome::ok(summary, out)
    }
}

/// Writes the matching lines. Returns the number of shown files, and whether some matches were omitted.
fn content(plan: &GrepPlan, hits: &[Hits], room: usize, out: &mut String, places: &mut Vec<Place>) -> (usize, bool) {
    let mut left = plan.limit;
    for (index, file) in hits.iter().enumerate() {
        let place = places.len();
        places.push(Place {
            path: raw_path(plan, file),
            lines: Vec::new(),
        });
        let mut block = format!("{}\n", path(plan, file));
        for line in &file.lines {
            let row = match line {
                Line::Match(..) if left == 0 => {
                    out.push_str(&block);
                    return (index + 1, true);
                }
                Line::Match(number, text) => {
                    left -= 1;
                    format!("{number}: {text}\n")
                }
                Line::Context(number, text) => format!("{number}- {text}\n"),
                Line::Break => "--\n".to_owned(),
            };
            if out.len() + block.len() + row.len() > room {
                out.push_str(&block);
                return (index + 1, true);
            }
            block.push_str(&row);
            if let (Some(place), Line::Match(number, _) | Line::Context(number, _)) = (places.get_mut(place), line) {
                shown(&mut place.lines, *number);
            }
        }
        out.push_str(&block);
        if left == 0 && index + 1 < hits.len() {
            return (index + 1, true);
        }
    }
    (hits.len(), false)
}

fn rows(
    plan: &GrepPlan,
    hits: &[Hits],
    room: usize,
    out: &mut String,
    row: impl Fn(String, u64) -> String,
) -> (usize, bool) {
    for (index, file) in hits.iter().enumerate() {
        let row = row(path(plan, file), file.matches);
        if index >= plan.limit || out.len() + row.len() + 1 > room {
            return (index, true);
        }
        let _ = writeln!(out, "{row}");
    }
    (hits.len(), false)
}

fn shown(lines: &mut Vec<Lines>, number: u64) {
    match lines.last_mut() {
        Some(last) if last.1 + 1 == number => last.1 = number,
        _ => lines.push(Lines(number, number)),
    }
}

fn path(plan: &GrepPlan, file: &Hits) -> String {
    visible(&raw_path(plan, file)).into_owned()
}

fn raw_path(plan: &GrepPlan, file: &Hits) -> String {
    if plan.single {
        plan.path.shown().to_owned()
    } else {
        in_workspace(&plan.path, &file.path)
    }
}

fn nothing(plan: &GrepPlan, found: &Searched) -> String {
    let place = walker::shown(plan.path.shown().as_ref());
    if found.files == 0 && plan.glob.is_some() {
        return format!(
            "No file in `{place}` matches the `glob`; check it with the tool `glob`.\n{}",
            left_out(found)
        );
    }
    let searched = count(found.files, "file", "files");
    let mut text = format!("No match for `{}` in `{place}` ({searched} searched).", plan.pattern);
    if found.unfinished {
        text.push_str(" The search was stopped before its end; use a narrower `path`.");
    } else if !plan.single {
        text.push_str(" Ignored files are searched only where `path` names them.");
    }
    text.push('\n');
    text.push_str(&left_out(found));
    text
}

fn left_out(found: &Searched) -> String {
    let mut text = String::new();
    if found.secret > 0 {
        let files = count(found.secret, "file", "files");
        let _ = writeln!(
            text,
            "[{files} not searched: secrets; name one as `path` to ask for it]"
        );
    }
    if found.long > 0 {
        let (files, most) = (count(found.long, "file", "files"), bytes_text(LONGEST_LINE as u64));
        let _ = writeln!(
            text,
            "[{files} searched only up to a line of more than {most}; `bash` with `grep -o` can search it]"
        );
    }
    text
}
