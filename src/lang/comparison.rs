//! Messages about comparisons with git commits.

use super::{Word, count, say, word};
use benchdog_base::text::{grouped, reveal};
use benchdog_domain::comparison::{Compares, NoComparison, NotRead};
use benchdog_domain::finding::Severity;

pub fn no_comparison(why: &NoComparison) -> String {
    match why {
        NoComparison::NoRepository => say("comparison-no-repository", &[]),
        NoComparison::NoSuch { named } => say("comparison-no-such", &[("named", &reveal(named))]),
        NoComparison::Slow => say("comparison-slow", &[]),
        NoComparison::Git { said } => say("comparison-git", &[("said", &reveal(said))]),
    }
}

pub fn unread(why: &NotRead) -> String {
    match why {
        NotRead::TooLarge { bytes } => say("differs-too-large", &[("bytes", &grouped(*bytes))]),
        NotRead::Enough => say("differs-enough", &[]),
        NotRead::Link => say("differs-link", &[]),
        NotRead::Submodule => say("differs-submodule", &[]),
        NotRead::Failed { why } => say("differs-unread", &[("why", &reveal(why))]),
    }
}

/// Formats the two sides of a diff: `HEAD → working tree · src/money.rs`.
pub fn diff_of(of: &Compares) -> String {
    let after = of.after.as_deref().map(reveal);
    let after = after.unwrap_or_else(|| word(Word::WorkingTree).into());
    let path = of.path.as_deref().map(|path| format!(" · {}", reveal(path)));
    format!("{} → {after}{}", reveal(&of.before), path.unwrap_or_default())
}

pub fn more_differ(files: usize) -> String {
    count("comparison-more", files, &[])
}

pub fn nothing_found() -> String {
    say("findings-none", &[])
}

pub fn severity(severity: Severity) -> String {
    let id = match severity {
        Severity::Error => "severity-error",
        Severity::Warning => "severity-warning",
        Severity::Note => "severity-note",
    };
    say(id, &[])
}
