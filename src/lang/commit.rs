//! Messages about a requested commit.

use super::failure::told_by_server;
use super::{Word, message, word};
use benchdog_base::text::reveal;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::staged::{Files, NotStaged, Proposal, Unstaged};

const NAMED: usize = 20;

/// Lists the files, the parts that the model did not read, and the result of sending the prompt.
pub fn commit_proposed(proposal: &Proposal) -> String {
    let mut lines = file_rows(&proposal.files);
    if proposal.cut {
        lines.push(word(Word::CommitCut).to_owned());
    }
    match &proposal.trouble {
        Some(why) => lines.push(message::commit_no_message(&no_message(why))),
        None => lines.push(word(Word::CommitHow).to_owned()),
    }
    lines.join("\n")
}

/// Reports that the staged content changed after the message was shown.
pub fn commit_stale(files: &Files) -> String {
    let mut lines = vec![word(Word::CommitStale).to_owned()];
    lines.extend(file_rows(files));
    lines.push(word(Word::CommitHow).to_owned());
    lines.join("\n")
}

fn file_rows(files: &Files) -> Vec<String> {
    files.stat.lines().map(|line| reveal(line).into_owned()).collect()
}

fn no_message(why: &NoSummary) -> String {
    match why {
        NoSummary::Failed { error, server } if !error.is_empty() => {
            reveal(&told_by_server(error, server.as_deref())).into_owned()
        }
        NoSummary::Silent { .. } | NoSummary::Unfinished { .. } => word(Word::CommitTooSlow).to_owned(),
        _ => word(Word::CommitNoAnswer).to_owned(),
    }
}

pub fn commit_secret(paths: &[String]) -> String {
    message::commit_secret(&path_list(paths))
}

/// Reports that a commit message was saved for the next `/commit`, because the prompt is not empty.
pub fn commit_kept(message: &str) -> String {
    message::commit_kept(&reveal(message))
}

pub fn not_staged(why: &NotStaged) -> String {
    match why {
        NotStaged::NoRepository => word(Word::CommitNoRepository).to_owned(),
        NotStaged::Unstaged(unstaged) => format!("{}\n{}", word(Word::CommitNothingStaged), self::unstaged(unstaged)),
        NotStaged::Clean => word(Word::CommitClean).to_owned(),
        NotStaged::Conflict { paths } => message::commit_conflict(&path_list(paths)),
        NotStaged::Slow => word(Word::ComparisonSlow).to_owned(),
        NotStaged::Git { said } => message::comparison_git(&reveal(said)),
    }
}

/// Lists what can be staged, what is excluded, and how to stage the rest.
pub fn unstaged(unstaged: &Unstaged) -> String {
    let rows = [
        (message::commit_changed as fn(&str) -> String, &unstaged.changed),
        (message::commit_new, &unstaged.new),
        (message::commit_new_secret, &unstaged.secret),
    ];
    let rows = rows.into_iter().filter(|(_, paths)| !paths.is_empty());
    let mut lines: Vec<String> = rows.map(|(said, paths)| said(&path_list(paths))).collect();
    if unstaged.unnamed > 0 {
        lines.push(message::commit_new_many(unstaged.unnamed));
    }
    if unstaged.can_be_staged() {
        lines.push(word(Word::CommitAll).to_owned());
    }
    lines.join("\n")
}

pub fn commit_nearly_all(word: &str) -> String {
    message::commit_nearly_all(&reveal(word))
}

fn path_list(paths: &[String]) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED).map(|path| reveal(path).into_owned()).collect();
    let mut text = shown.join(", ");
    if paths.len() > NAMED {
        text.push_str(&format!(" … (+{})", paths.len() - NAMED));
    }
    text
}
