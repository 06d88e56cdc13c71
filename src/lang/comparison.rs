//! Messages about comparisons with git commits.

use super::{Word, message, word};
use benchdog_base::text::{grouped, reveal};
use benchdog_domain::comparison::{Compares, NoComparison, NotRead};
use benchdog_domain::finding::Severity;

pub fn no_comparison(why: &NoComparison) -> String {
    match why {
        NoComparison::NoRepository => word(Word::ComparisonNoRepository).to_owned(),
        NoComparison::NoSuch { named } => message::comparison_no_such(&reveal(named)),
        NoComparison::Slow => word(Word::ComparisonSlow).to_owned(),
        NoComparison::Git { said } => message::comparison_git(&reveal(said)),
    }
}

pub fn unread(why: &NotRead) -> String {
    match why {
        NotRead::TooLarge { bytes } => message::differs_too_large(&grouped(*bytes)),
        NotRead::Enough => word(Word::DiffersEnough).to_owned(),
        NotRead::Link => word(Word::DiffersLink).to_owned(),
        NotRead::Submodule => word(Word::DiffersSubmodule).to_owned(),
        NotRead::Failed { why } => message::differs_unread(&reveal(why)),
    }
}

/// Formats the two sides of a diff: `HEAD → working tree · src/money.rs`.
pub fn diff_of(of: &Compares) -> String {
    let after = of.after.as_deref().map(reveal);
    let after = after.unwrap_or_else(|| word(Word::WorkingTree).into());
    let path = of.path.as_deref().map(|path| format!(" · {}", reveal(path)));
    format!("{} → {after}{}", reveal(&of.before), path.unwrap_or_default())
}

pub fn severity(severity: Severity) -> String {
    let id = match severity {
        Severity::Error => Word::SeverityError,
        Severity::Warning => Word::SeverityWarning,
        Severity::Note => Word::SeverityNote,
    };
    word(id).to_owned()
}
