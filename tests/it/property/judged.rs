//! The binary's verdicts on lines, and the changes that a verdict forbids.

use serde_json::Value;

use super::changes::{Change, What};
use crate::support::home::Home;

#[derive(Debug, Clone)]
pub struct Judged {
    pub line: String,
    pub plain: bool,
    pub allowed: bool,
}

/// Judges all single lines in one process. Each line with a here-document needs a separate process.
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

/// Git's own files, which git commands update. The reflog preserves their contents.
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

/// Returns the forbidden changes of a plain line. New or longer files and new times are no loss, but are forbidden for
/// a line that is allowed without approval.
pub fn violations(judged: &Judged, changes: &[Change]) -> Vec<Change> {
    let is_loss = |change: &&Change| {
        let inside = change.path.strip_prefix("project/");
        let git = inside.and_then(|path| path.strip_prefix(".git/"));
        let is_book = git.is_some_and(|path| BOOKS.iter().any(|book| path.starts_with(book)));
        match change.what {
            // git rewrites the index with the same content after checking files.
            What::Time | What::Owner if git == Some("index") => false,
            _ if judged.allowed => true,
            What::New => inside.is_none(),
            What::Longer | What::Time => false,
            What::Removed | What::Content | What::Mode | What::Owner => !is_book || change.what == What::Removed,
        }
    };
    changes.iter().filter(is_loss).cloned().collect()
}
