//! Finds the checked-out commit, and its distance from an earlier commit, without reading the working tree.

use std::path::Path;

use super::{Git, PATIENCE, top};
use benchdog_domain::folder::{Head, HeadMoved};

const BRANCHES: &str = "refs/heads/";

/// Returns the current `HEAD`. Returns `None` without a repository, or if git does not answer in time.
pub fn head(root: &Path) -> Option<Head> {
    top(root)?;
    // Ask one git process for both values, because this function runs at each prompt.
    if let Some(lines) = line(root, &["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]) {
        let (commit, name) = lines.split_once('\n')?;
        return Some(Head {
            branch: name.strip_prefix(BRANCHES).map(str::to_owned),
            commit: commit.to_owned(),
        });
    }
    // The branch has no commit yet.
    let name = line(root, &["symbolic-ref", "--quiet", "HEAD"])?;
    Some(Head {
        branch: Some(name.strip_prefix(BRANCHES).unwrap_or(&name).to_owned()),
        commit: String::new(),
    })
}

pub fn head_moved(root: &Path, was: &Head, is: &Head) -> Option<HeadMoved> {
    if is == was {
        return None;
    }
    let are_hashes = [was, is].into_iter().all(|head| is_hash(&head.commit));
    let range = format!("{}..{}", was.commit, is.commit);
    let commits = are_hashes
        .then(|| line(root, &["rev-list", "--count", &range]))
        .flatten();
    Some(HeadMoved {
        was: was.clone(),
        is: is.clone(),
        commits: commits.and_then(|count| count.parse().ok()),
    })
}

fn is_hash(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn line(root: &Path, arguments: &[&str]) -> Option<String> {
    let said = Git::at(root).with_timeout(PATIENCE).query(arguments).ok()?;
    Some(String::from_utf8_lossy(&said).trim_end().to_owned())
}
