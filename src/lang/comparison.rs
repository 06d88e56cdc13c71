//! A comparison with git's commits: why there is none, and what is not the text of a file.

use super::{Word, count, say, word};
use crate::base::text::{grouped, reveal};
use crate::domain::comparison::{Compares, NoComparison, NotRead};
use crate::domain::finding::Severity;

pub(crate) fn no_comparison(why: &NoComparison) -> String {
    match why {
        NoComparison::NoRepository => say("comparison-no-repository", &[]),
        NoComparison::NoSuch { named } => say("comparison-no-such", &[("named", &reveal(named))]),
        NoComparison::Slow => say("comparison-slow", &[]),
        NoComparison::Git { said } => say("comparison-git", &[("said", &reveal(said))]),
    }
}

pub(crate) fn unread(why: &NotRead) -> String {
    match why {
        NotRead::TooLarge { bytes } => say("differs-too-large", &[("bytes", &grouped(*bytes))]),
        NotRead::Enough => say("differs-enough", &[]),
        NotRead::Link => say("differs-link", &[]),
        NotRead::Submodule => say("differs-submodule", &[]),
        NotRead::Failed { why } => say("differs-unread", &[("why", &reveal(why))]),
    }
}

/// What a diff compares with what: `HEAD → working tree · src/money.rs`.
pub(crate) fn diff_of(of: &Compares) -> String {
    let after = of.after.as_deref().map(reveal);
    let after = after.unwrap_or_else(|| word(Word::WorkingTree).into());
    let path = of.path.as_deref().map(|path| format!(" · {}", reveal(path)));
    format!("{} → {after}{}", reveal(&of.before), path.unwrap_or_default())
}

/// Files that differ and are not in the list.
pub(crate) fn more_differ(files: usize) -> String {
    count("comparison-more", files, &[])
}

/// A review found nothing.
pub(crate) fn nothing_found() -> String {
    say("findings-none", &[])
}

/// How much a finding matters.
pub(crate) fn severity(severity: Severity) -> String {
    let id = match severity {
        Severity::Error => "severity-error",
        Severity::Warning => "severity-warning",
        Severity::Note => "severity-note",
    };
    say(id, &[])
}
