//! A commit that the person asked for: what it would hold, and why there is none.

use super::{count, say};
use crate::base::text::reveal;
use crate::domain::compaction::NoSummary;
use crate::domain::staged::{Files, NotStaged, Proposal, Unstaged};

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
        NotStaged::Unstaged(unstaged) => format!("{}\n{}", say("commit-nothing-staged", &[]), self::unstaged(unstaged)),
        NotStaged::Clean => say("commit-clean", &[]),
        NotStaged::Conflict { paths } => say("commit-conflict", &[("paths", &named(paths))]),
        NotStaged::Slow => say("comparison-slow", &[]),
        NotStaged::Git { said } => say("comparison-git", &[("said", &reveal(said))]),
    }
}

/// What could be staged, what stays out, and how the rest gets in.
pub(crate) fn unstaged(unstaged: &Unstaged) -> String {
    let rows = [
        ("commit-changed", &unstaged.changed),
        ("commit-new", &unstaged.new),
        ("commit-new-secret", &unstaged.secret),
    ];
    let rows = rows.into_iter().filter(|(_, paths)| !paths.is_empty());
    let mut lines: Vec<String> = rows.map(|(id, paths)| say(id, &[("paths", &named(paths))])).collect();
    if unstaged.unnamed > 0 {
        lines.push(count("commit-new-many", unstaged.unnamed, &[]));
    }
    if unstaged.can_be_staged() {
        lines.push(say("commit-all", &[]));
    }
    lines.join("\n")
}

/// `/commit` stands in what was sent with it.
pub(crate) fn commit_twice() -> String {
    say("commit-twice", &[])
}

/// One word that is nearly the one which stages.
pub(crate) fn commit_nearly_all(word: &str) -> String {
    say("commit-nearly-all", &[("word", &reveal(word))])
}

fn named(paths: &[String]) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED).map(|path| reveal(path).into_owned()).collect();
    let mut text = shown.join(", ");
    if paths.len() > NAMED {
        text.push_str(&format!(" … (+{})", paths.len() - NAMED));
    }
    text
}
