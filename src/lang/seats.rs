//! Messages about several sessions in one window.

use super::{Word, message, word};
use benchdog_domain::worktree::{LeftOut, NoWorktree, Worktree, WorktreeNotice};

pub fn closing(title: &str, runs: &str) -> String {
    match title {
        "" => runs.to_owned(),
        title => message::closing_of(runs, title),
    }
}

pub fn seats_ended(many: usize) -> String {
    message::seats_ended(&many.to_string())
}

/// Describes what an exit would stop: running turns and background jobs.
pub fn stopped_by_leaving(turns: usize, jobs: usize) -> String {
    let mut said = Vec::new();
    if turns > 0 {
        said.push(message::leaving_turns(turns));
    }
    if jobs > 0 {
        said.push(message::leaving_jobs(jobs));
    }
    said.join(" ")
}

/// Formats an age: `now`, `3 min`, `5 h`, `2 d`.
pub fn age(ms: u64) -> String {
    let minutes = ms / 60_000;
    let in_units = |said: fn(&str) -> String, number: u64| said(&number.to_string());
    match minutes {
        0 => word(Word::AgeNow).to_owned(),
        1..60 => in_units(message::age_minutes, minutes),
        60..2_880 => in_units(message::age_hours, minutes / 60),
        _ => in_units(message::age_days, minutes / 1_440),
    }
}

pub(super) fn worktree(what: &WorktreeNotice) -> String {
    match what {
        WorktreeNotice::Made {
            worktree,
            branch,
            left_out,
        } => worktree_made(worktree, branch, left_out),
        WorktreeNotice::Removed { worktree } => message::notice_worktree_removed(worktree),
        WorktreeNotice::Changed { worktree } => message::notice_worktree_changed(worktree),
        WorktreeNotice::MergedHere { branch, folder } => message::notice_merged_here(branch, folder),
        WorktreeNotice::NothingToMerge { branch } => message::notice_nothing_to_merge(branch),
        WorktreeNotice::NotMerged { files } => message::notice_not_merged(&files.join(", ")),
        WorktreeNotice::No(why) => worktree_refused(why),
    }
}

fn worktree_made(worktree: &str, branch: &str, left_out: &LeftOut) -> String {
    let made = message::notice_worktree_made(branch, worktree);
    let mut said = vec![made];
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    if left_out.copied > 0 {
        said.push(message::worktree_copied(number(left_out.copied)));
    }
    if left_out.omitted > 0 {
        said.push(message::worktree_omitted(number(left_out.omitted)));
    }
    if left_out.uncommitted > 0 {
        said.push(message::worktree_uncommitted(number(left_out.uncommitted)));
    }
    if !left_out.ignored.is_empty() {
        let names = left_out.ignored.join(", ");
        said.push(match left_out.more {
            0 => message::worktree_ignored(&names),
            more => message::worktree_ignored_more(&more.to_string(), &names),
        });
    }
    said.join(" ")
}

pub fn worktree_refused(why: &NoWorktree) -> String {
    match why {
        NoWorktree::NoGit => word(Word::WorktreeNoGit).to_owned(),
        NoWorktree::NoRepository => word(Word::WorktreeNoRepository).to_owned(),
        NoWorktree::Bare => word(Word::WorktreeBare).to_owned(),
        NoWorktree::Unborn => word(Word::WorktreeUnborn).to_owned(),
        NoWorktree::BadName { name } => message::worktree_bad_name(name),
        NoWorktree::Taken { name, branch } => message::worktree_taken(branch, name),
        NoWorktree::Filters { names } => message::worktree_filters(&names.join(", ")),
        NoWorktree::NotInOne => word(Word::WorktreeNotInOne).to_owned(),
        NoWorktree::Unknown { name } => message::worktree_unknown(name),
        NoWorktree::InUse { name } => message::worktree_in_use(name),
        NoWorktree::Slow { seconds } => message::worktree_slow(&seconds.to_string()),
        NoWorktree::TooLong => word(Word::WorktreeTooLong).to_owned(),
        NoWorktree::Failed { said } => message::worktree_failed(said),
    }
}

/// Describes work that exists only in a worktree, such as `2 changed files · 1 commit`. If there is no such work, says
/// so.
pub fn only_in(worktree: &Worktree) -> String {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let files = (worktree.changed > 0).then(|| message::worktree_changed(number(worktree.changed)));
    let commits = (worktree.ahead > 0).then(|| message::worktree_ahead(number(worktree.ahead)));
    let parts: Vec<String> = files.into_iter().chain(commits).collect();
    if parts.is_empty() {
        return word(Word::WorktreeSpent).to_owned();
    }
    parts.join(" · ")
}

pub fn would_be_lost(worktree: &Worktree) -> String {
    message::worktree_lost(&only_in(worktree), &worktree.name)
}
