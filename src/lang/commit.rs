//! Messages about a requested commit.

use super::{count, say};
use benchdog_base::text::reveal;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::staged::{Files, NotStaged, Proposal, Unstaged};

const NAMED: usize = 20;

pub fn no_repository() -> String {
    say("commit-no-repository", &[])
}

/// Lists the files, what the model did not read, and what sending the prompt does.
pub fn commit_proposed(proposal: &Proposal) -> String {
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

/// The staged content differs from the one shown with the message.
pub fn commit_stale(files: &Files) -> String {
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

pub fn commit_secret(paths: &[String]) -> String {
    say("commit-secret", &[("paths", &named(paths))])
}

/// A message that was kept because the prompt is in use.
pub fn commit_kept(message: &str) -> String {
    say("commit-kept", &[("message", &reveal(message))])
}

pub fn not_staged(why: &NotStaged) -> String {
    match why {
        NotStaged::NoRepository => no_repository(),
        NotStaged::Unstaged(unstaged) => format!("{}\n{}", say("commit-nothing-staged", &[]), self::unstaged(unstaged)),
        NotStaged::Clean => say("commit-clean", &[]),
        NotStaged::Conflict { paths } => say("commit-conflict", &[("paths", &named(paths))]),
        NotStaged::Slow => say("comparison-slow", &[]),
        NotStaged::Git { said } => say("comparison-git", &[("said", &reveal(said))]),
    }
}

/// Lists what can be staged, what is excluded, and how to stage the rest.
pub fn unstaged(unstaged: &Unstaged) -> String {
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

/// The message still contains `/commit`.
pub fn commit_twice() -> String {
    say("commit-twice", &[])
}

pub fn commit_nearly_all(word: &str) -> String {
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
