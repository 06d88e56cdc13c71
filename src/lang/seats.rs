//! Messages about several sessions in one window.

use super::{count, say};
use benchdog_domain::worktree::{LeftOut, NoWorktree, Worktree, WorktreeNotice};

pub fn seats_wait(many: usize) -> String {
    count("seats-wait", many, &[])
}

pub fn closing(title: &str, runs: &str) -> String {
    match title {
        "" => runs.to_owned(),
        title => say("closing-of", &[("title", title), ("runs", runs)]),
    }
}

pub fn seats_work(many: usize) -> String {
    count("seats-work", many, &[])
}

pub fn seats_ended(many: usize) -> String {
    count("seats-ended", many, &[])
}

pub fn switchboard_keys(new: &str, close: &str) -> String {
    say("switchboard-keys", &[("new", new), ("close", close)])
}

pub fn only_seat(key: &str) -> String {
    say("seats-only-one", &[("key", key)])
}

pub fn last_seat(key: &str) -> String {
    say("seats-last", &[("key", key)])
}

/// Describes what an exit would stop: running turns and background jobs.
pub fn stopped_by_leaving(turns: usize, jobs: usize) -> String {
    let mut said = Vec::new();
    if turns > 0 {
        said.push(count("leaving-turns", turns, &[]));
    }
    if jobs > 0 {
        said.push(count("leaving-jobs", jobs, &[]));
    }
    said.join(" ")
}

/// Another session has a pending request, and this one has none.
pub fn waits_elsewhere(title: &str, key: &str) -> String {
    say("seats-waits-elsewhere", &[("title", title), ("key", key)])
}

/// Formats an age: `now`, `3 min`, `5 h`, `2 d`.
pub fn age(ms: u64) -> String {
    let minutes = ms / 60_000;
    let in_units = |id, number: u64| say(id, &[("number", &number.to_string())]);
    match minutes {
        0 => say("age-now", &[]),
        1..60 => in_units("age-minutes", minutes),
        60..2_880 => in_units("age-hours", minutes / 60),
        _ => in_units("age-days", minutes / 1_440),
    }
}

pub(super) fn worktree(what: &WorktreeNotice) -> String {
    match what {
        WorktreeNotice::Made {
            worktree,
            branch,
            left_out,
        } => worktree_made(worktree, branch, left_out),
        WorktreeNotice::Removed { worktree } => say("notice-worktree-removed", &[("worktree", worktree)]),
        WorktreeNotice::Changed { worktree } => say("notice-worktree-changed", &[("worktree", worktree)]),
        WorktreeNotice::MergedHere { branch, folder } => {
            say("notice-merged-here", &[("branch", branch), ("folder", folder)])
        }
        WorktreeNotice::NothingToMerge { branch } => say("notice-nothing-to-merge", &[("branch", branch)]),
        WorktreeNotice::NotMerged { files } => say("notice-not-merged", &[("files", &files.join(", "))]),
        WorktreeNotice::No(why) => no_worktree(why),
    }
}

fn worktree_made(worktree: &str, branch: &str, left_out: &LeftOut) -> String {
    let made = say("notice-worktree-made", &[("worktree", worktree), ("branch", branch)]);
    let mut said = vec![made];
    if left_out.uncommitted > 0 {
        let files = usize::try_from(left_out.uncommitted).unwrap_or(usize::MAX);
        said.push(count("worktree-uncommitted", files, &[]));
    }
    if !left_out.ignored.is_empty() {
        let names = left_out.ignored.join(", ");
        said.push(match left_out.more {
            0 => say("worktree-ignored", &[("names", &names)]),
            more => say(
                "worktree-ignored-more",
                &[("names", &names), ("more", &more.to_string())],
            ),
        });
    }
    said.join(" ")
}

fn no_worktree(why: &NoWorktree) -> String {
    match why {
        NoWorktree::NoGit => say("worktree-no-git", &[]),
        NoWorktree::NoRepository => say("worktree-no-repository", &[]),
        NoWorktree::Bare => say("worktree-bare", &[]),
        NoWorktree::Unborn => say("worktree-unborn", &[]),
        NoWorktree::BadName { name } => say("worktree-bad-name", &[("name", name)]),
        NoWorktree::Taken { name, branch } => say("worktree-taken", &[("name", name), ("branch", branch)]),
        NoWorktree::Filters { names } => say("worktree-filters", &[("names", &names.join(", "))]),
        NoWorktree::NotInOne => say("worktree-not-in-one", &[]),
        NoWorktree::Unknown { name } => say("worktree-unknown", &[("name", name)]),
        NoWorktree::InUse { name } => say("worktree-in-use", &[("name", name)]),
        NoWorktree::Slow { seconds } => say("worktree-slow", &[("seconds", &seconds.to_string())]),
        NoWorktree::TooLong => say("worktree-too-long", &[]),
        NoWorktree::Failed { said } => say("worktree-failed", &[("said", said)]),
    }
}

pub fn worktree_refused(why: &NoWorktree) -> String {
    no_worktree(why)
}

/// Describes work that exists only in a worktree: `2 changed files · 1 commit`, or that there is none.
pub fn only_in(worktree: &Worktree) -> String {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let files = (worktree.changed > 0).then(|| count("worktree-changed", number(worktree.changed), &[]));
    let commits = (worktree.ahead > 0).then(|| count("worktree-ahead", number(worktree.ahead), &[]));
    let parts: Vec<String> = files.into_iter().chain(commits).collect();
    if parts.is_empty() {
        return say("worktree-spent", &[]);
    }
    parts.join(" · ")
}

pub fn worktree_keys(remove: &str) -> String {
    say("worktree-keys", &[("remove", remove)])
}

pub fn would_be_lost(worktree: &Worktree) -> String {
    say(
        "worktree-lost",
        &[("worktree", &worktree.name), ("what", &only_in(worktree))],
    )
}
