//! Several sessions in one window: how they stand, and what leads from one to another.

use super::{count, say};
use crate::domain::worktree::{LeftOut, NoWorktree, Worktree, WorktreeNotice};

/// How many other sessions of the window wait for the person.
pub(crate) fn seats_wait(many: usize) -> String {
    count("seats-wait", many, &[])
}

/// Why it is asked whether a session may be closed.
pub(crate) fn closing(title: &str, runs: &str) -> String {
    match title {
        "" => runs.to_owned(),
        title => say("closing-of", &[("title", title), ("runs", runs)]),
    }
}

/// … work.
pub(crate) fn seats_work(many: usize) -> String {
    count("seats-work", many, &[])
}

/// … have ended a turn that nobody has looked at.
pub(crate) fn seats_ended(many: usize) -> String {
    count("seats-ended", many, &[])
}

/// The keys of the list of sessions.
pub(crate) fn switchboard_keys(new: &str, close: &str) -> String {
    say("switchboard-keys", &[("new", new), ("close", close)])
}

/// There is no other session to go to.
pub(crate) fn only_seat(key: &str) -> String {
    say("seats-only-one", &[("key", key)])
}

/// The only session is not closed.
pub(crate) fn last_seat(key: &str) -> String {
    say("seats-last", &[("key", key)])
}

/// What leaving would stop: turns that work, and commands in the background.
pub(crate) fn stopped_by_leaving(turns: usize, jobs: usize) -> String {
    let mut said = Vec::new();
    if turns > 0 {
        said.push(count("leaving-turns", turns, &[]));
    }
    if jobs > 0 {
        said.push(count("leaving-jobs", jobs, &[]));
    }
    said.join(" ")
}

/// Nothing waits in the session that is shown, and something does in this one.
pub(crate) fn waits_elsewhere(title: &str, key: &str) -> String {
    say("seats-waits-elsewhere", &[("title", title), ("key", key)])
}

/// How long something is so: `now`, `3 min`, `5 h`, `2 d`.
pub(crate) fn age(ms: u64) -> String {
    let minutes = ms / 60_000;
    let in_units = |id, number: u64| say(id, &[("number", &number.to_string())]);
    match minutes {
        0 => say("age-now", &[]),
        1..60 => in_units("age-minutes", minutes),
        60..2_880 => in_units("age-hours", minutes / 60),
        _ => in_units("age-days", minutes / 1_440),
    }
}

/// What is said of worktrees.
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

/// One was made, and what of the main tree is not in it.
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

/// Why there is none.
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

/// The same for somebody who asked for one with a flag.
pub(crate) fn worktree_refused(why: &NoWorktree) -> String {
    no_worktree(why)
}

/// What is only in a worktree: `2 changed files · 1 commit`; `nothing that is only there`.
pub(crate) fn only_in(worktree: &Worktree) -> String {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let files = (worktree.changed > 0).then(|| count("worktree-changed", number(worktree.changed), &[]));
    let commits = (worktree.ahead > 0).then(|| count("worktree-ahead", number(worktree.ahead), &[]));
    let parts: Vec<String> = files.into_iter().chain(commits).collect();
    if parts.is_empty() {
        return say("worktree-spent", &[]);
    }
    parts.join(" · ")
}

/// The keys of the list of worktrees.
pub(crate) fn worktree_keys(remove: &str) -> String {
    say("worktree-keys", &[("remove", remove)])
}

/// What would be lost with a worktree.
pub(crate) fn would_be_lost(worktree: &Worktree) -> String {
    say(
        "worktree-lost",
        &[("worktree", &worktree.name), ("what", &only_in(worktree))],
    )
}
