//! Parses the argument of a comparison: a path, a commit, a range, or nothing.

use std::path::Path;

use super::query::{Git, QueryError};
use benchdog_domain::comparison::{Compares, NoComparison};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// A commit, and the working tree including untracked files.
    Tree {
        before: String,
    },
    Commits {
        before: String,
        after: String,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ComparisonTarget {
    pub(super) sides: Sides,
    pub(super) path: Option<String>,
    before: String,
    after: Option<String>,
}

impl ComparisonTarget {
    fn tree(before: String, name: &str, path: Option<String>) -> Self {
        Self {
            sides: Sides::Tree { before },
            path,
            before: name.to_owned(),
            after: None,
        }
    }

    pub(super) fn compares(&self) -> Compares {
        Compares {
            before: self.before.clone(),
            after: self.after.clone(),
            path: self.path.clone(),
        }
    }
}

const HEAD: &str = "HEAD";

pub(super) fn parse_target(git: &Git<'_>, root: &Path, written: &str) -> Result<ComparisonTarget, NoComparison> {
    let none = || NoComparison::NoSuch {
        named: written.to_owned(),
    };
    let of_path = |path: String| Ok(ComparisonTarget::tree(head_commit(git)?, HEAD, Some(path)));
    if written.is_empty() {
        return Ok(ComparisonTarget::tree(head_commit(git)?, HEAD, None));
    }
    if written.starts_with('-') {
        return Err(none());
    }
    let relative = Path::new(written).strip_prefix(root).unwrap_or(Path::new(written));
    if relative.is_relative() && root.join(relative).symlink_metadata().is_ok() {
        return of_path(relative.to_string_lossy().into_owned());
    }
    if let Some(target) = range(git, written).transpose()? {
        return Ok(target);
    }
    if let Some(before) = commit(git, written) {
        return Ok(ComparisonTarget::tree(before, written, None));
    }
    // The path may be a removed file.
    let removed = git.query(&["ls-tree", "--name-only", "HEAD", "--", written]);
    match removed.is_ok_and(|names| !names.is_empty()) {
        true => of_path(written.to_owned()),
        false => Err(none()),
    }
}

/// Parses a range. `a...b` starts at the common ancestor. A missing side is `HEAD`.
fn range(git: &Git<'_>, written: &str) -> Option<Result<ComparisonTarget, NoComparison>> {
    let three = written.split_once("...");
    let (one, other) = three.or_else(|| written.split_once(".."))?;
    let or_head = |name: &str| if name.is_empty() { HEAD } else { name }.to_owned();
    let (one, other) = (or_head(one), or_head(other));
    let sides = || {
        let (before, after) = (commit(git, &one)?, commit(git, &other)?);
        let before = match three {
            None => before,
            Some(_) => {
                let base = git.query(&["merge-base", &before, &after]).ok()?;
                String::from_utf8_lossy(&base).trim().to_owned()
            }
        };
        Some(Sides::Commits { before, after })
    };
    let target = sides().map(|sides| ComparisonTarget {
        sides,
        path: None,
        before: match three {
            None => one.clone(),
            Some(_) => format!("{one}…"),
        },
        after: Some(other.clone()),
    });
    Some(target.ok_or_else(|| NoComparison::NoSuch {
        named: written.to_owned(),
    }))
}

fn commit(git: &Git<'_>, name: &str) -> Option<String> {
    let name = format!("{name}^{{commit}}");
    let answer = git.query(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name]);
    let id = String::from_utf8_lossy(&answer.ok()?).trim().to_owned();
    (!id.is_empty()).then_some(id)
}

fn head_commit(git: &Git<'_>) -> Result<String, NoComparison> {
    if let Some(head) = commit(git, "HEAD") {
        return Ok(head);
    }
    // If git does not work in this folder, these queries return git's error.
    let empty = git
        .query(&["hash-object", "-t", "tree", "--stdin"])
        .map_err(query_error)?;
    git.query(&["rev-parse", "--git-dir"]).map_err(query_error)?;
    Ok(String::from_utf8_lossy(&empty).trim().to_owned())
}

pub(super) fn query_error(why: QueryError) -> NoComparison {
    match why {
        QueryError::Slow => NoComparison::Slow,
        why => NoComparison::Git { said: why.to_string() },
    }
}
