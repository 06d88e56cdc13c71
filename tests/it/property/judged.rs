//! What the binary says of lines, and what may not have happened then.

use serde_json::Value;

use super::changes::{Change, What};
use crate::support::home::Home;

#[derive(Debug, Clone)]
pub struct Judged {
    pub line: String,
    pub plain: bool,
    /// Let through without a question.
    pub allowed: bool,
}

/// One process for all lines that are one; a here-document is asked about alone.
pub fn judge(home: &Home, lines: &[String]) -> Vec<Judged> {
    let (long, short): (Vec<&String>, Vec<&String>) = lines.iter().partition(|line| line.contains('\n'));
    let input: String = short.iter().map(|line| format!("{line}\n")).collect();
    let told = home.run_with_input(&["policy", "explain", "--stdin"], input);
    told.assert_code(0);
    let mut judged: Vec<Judged> = told.json_lines().iter().map(verdict).collect();
    assert_eq!(judged.len(), short.len(), "each line has its verdict");
    for line in long {
        let told = home.run(&["policy", "explain", "--", line]);
        judged.extend(told.json_lines().iter().map(verdict));
    }
    judged
}

fn verdict(told: &Value) -> Judged {
    let runs_code = told["runs_project_code"].as_bool().unwrap_or(false);
    Judged {
        line: told["command"].as_str().unwrap_or_default().to_owned(),
        plain: told["class"] == "plain" && !runs_code,
        allowed: told["verdict"] == "allow",
    }
}

/// Git's own books, which its commands for committing and switching keep; what they lose is in the log.
const BOOKS: [&str; 8] = [
    "HEAD",
    "ORIG_HEAD",
    "COMMIT_EDITMSG",
    "FETCH_HEAD",
    "index",
    "logs/",
    "refs/heads/",
    "MERGE_",
];

/// The changes that a plain line may not have made. A new file, a longer one and another time are no loss; of a line that nobody is asked about, they
/// are.
pub fn violations(judged: &Judged, changes: &[Change]) -> Vec<Change> {
    let is_loss = |change: &&Change| {
        let inside = change.path.strip_prefix("project/");
        let git = inside.and_then(|path| path.strip_prefix(".git/"));
        let is_book = git.is_some_and(|path| BOOKS.iter().any(|book| path.starts_with(book)));
        match change.what {
            // The index is written anew with the same content when git has looked at files.
            What::Time | What::Owner if git == Some("index") => false,
            _ if judged.allowed => true,
            What::New => inside.is_none(),
            What::Longer | What::Time => false,
            What::Removed | What::Content | What::Mode | What::Owner => !is_book || change.what == What::Removed,
        }
    };
    changes.iter().filter(is_loss).cloned().collect()
}
