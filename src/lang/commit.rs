//! A commit that the person asked for: what it would hold, and why there is none.

use super::{count, say};
use crate::base::text::reveal;
use crate::domain::compaction::NoSummary;
use crate::domain::staged::{Files, NotStaged, Proposal};

/// Paths that are named.
const NAMED: usize = 20;

pub(crate) fn no_repository() -> String {
    say("commit-no-repository", &[])
}

/// The files, what the model did not read, and what sending the prompt does.
pub(crate) fn commit_proposed(proposal: &Proposal) -> String {
    let mut lines = listed(&proposal.files);
    if proposal.cut {
        lines.push(say("commit-cut", &[]));
    }
    match &proposal.trouble {
        Some(why) => lines.push(say("commit-no-message", &[("why", &no_message(why))])),
        None => lines.push(say("commit-how", &[])),
    }
    lines.join("\n")
}

/// What is staged is not what was shown with the message.
pub(crate) fn commit_stale(files: &Files) -> String {
    let mut lines = vec![say("commit-stale", &[])];
    lines.extend(listed(files));
    lines.push(say("commit-how", &[]));
    lines.join("\n")
}

fn listed(files: &Files) -> Vec<String> {
    files.stat.lines().map(|line| reveal(line).into_owned()).collect()
}

fn no_message(why: &NoSummary) -> String {
    match why {
        NoSummary::Failed { error } if !error.is_empty() => reveal(error).into_owned(),
        NoSummary::Silent { .. } | NoSummary::Unfinished { .. } => say("commit-too-slow", &[]),
        _ => say("commit-no-answer", &[]),
    }
}

/// Files that are staged and may hold secrets.
pub(crate) fn commit_secret(paths: &[String]) -> String {
    say("commit-secret", &[("paths", &named(paths))])
}

/// A message that waits, because the prompt is in use.
pub(crate) fn commit_kept(message: &str) -> String {
    say("commit-kept", &[("message", &reveal(message))])
}

pub(crate) fn not_staged(why: &NotStaged) -> String {
    match why {
        NotStaged::NoRepository => no_repository(),
        NotStaged::Changed { paths } => say("commit-changed", &[("paths", &named(paths))]),
        NotStaged::Clean { unknown: 0 } => say("commit-clean", &[]),
        NotStaged::Clean { unknown } => count("commit-unknown", *unknown, &[]),
        NotStaged::Conflict { paths } => say("commit-conflict", &[("paths", &named(paths))]),
        NotStaged::Slow => say("comparison-slow", &[]),
        NotStaged::Git { said } => say("comparison-git", &[("said", &reveal(said))]),
    }
}

fn named(paths: &[String]) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED).map(|path| reveal(path).into_owned()).collect();
    let mut text = shown.join(", ");
    if paths.len() > NAMED {
        text.push_str(&format!(" … (+{})", paths.len() - NAMED));
    }
    text
}
