//! Reads the changes of the next commit, for the prompt that requests a commit message from a model.

use std::path::Path;

use super::query::{Git, QueryError};
use super::{commits, top};
use benchdog_base::id::BlobId;
use benchdog_domain::staged::{Files, NotStaged, Staged, Unstaged};

/// Maximum characters of the diff in the prompt for a commit message. `MOST_STAT` is the maximum for the output of
/// `git diff --stat`.
const MOST_DIFF: usize = 4_000;
const MOST_STAT: usize = 1_500;
const MOST_FILES: usize = 200;
/// Maximum number of new files to offer for staging, so that the person sees each name.
const MOST_NEW: usize = 20;
/// Number of earlier commit subjects that serve as examples of the style.
const SUBJECTS: usize = 10;

/// Returns the staged changes, except in secret files.
pub fn staged(root: &Path, is_secret: impl Fn(&str) -> bool) -> Result<Staged, NotStaged> {
    let top = top(root).ok_or(NotStaged::NoRepository)?;
    let git = Git::at(top).without_filters();
    let (paths, files) = files(&git, root, &is_secret)?;
    let (secret, plain): (Vec<String>, Vec<String>) = paths.into_iter().partition(|path| is_secret(path));
    let mut words = vec![
        "diff",
        "--cached",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--submodule=short",
        "--",
    ];
    words.extend(plain.iter().take(MOST_FILES).map(String::as_str));
    // If no path is left, do not call git, which would then show all changes, including secret files.
    let diff = match plain.is_empty() {
        true => String::new(),
        false => ask(&git, &words)?,
    };
    let (shown, cut) = cut(&diff, MOST_DIFF);
    Ok(Staged {
        files,
        diff: shown.to_owned(),
        cut: cut || plain.len() > MOST_FILES,
        secret,
        subjects: commits(top, SUBJECTS)
            .iter()
            .filter_map(|commit| Some(commit.split_once(' ')?.1.to_owned()))
            .collect(),
    })
}

/// Returns the list of staged files without contents, so that the caller can detect later changes.
pub fn staged_files(root: &Path, is_secret: impl Fn(&str) -> bool) -> Result<Files, NotStaged> {
    let top = top(root).ok_or(NotStaged::NoRepository)?;
    Ok(files(&Git::at(top).without_filters(), root, &is_secret)?.1)
}

pub fn unstaged(root: &Path, is_secret: impl Fn(&str) -> bool) -> Result<Unstaged, NotStaged> {
    let top = top(root).ok_or(NotStaged::NoRepository)?;
    let git = Git::at(top).without_filters();
    let conflict = names(&git, &["--diff-filter=U"])?;
    match conflict.is_empty() {
        true => read_unstaged(&git, root, &is_secret),
        false => Err(NotStaged::Conflict { paths: conflict }),
    }
}

fn files(git: &Git<'_>, root: &Path, is_secret: &impl Fn(&str) -> bool) -> Result<(Vec<String>, Files), NotStaged> {
    let conflict = names(git, &["--diff-filter=U"])?;
    if !conflict.is_empty() {
        return Err(NotStaged::Conflict { paths: conflict });
    }
    // Read this first, so that the caller notices a concurrent change.
    let entries = ask(git, &["diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z"])?;
    let paths = names(git, &["--cached"])?;
    if paths.is_empty() {
        let unstaged = read_unstaged(git, root, is_secret)?;
        return Err(match unstaged.is_empty() {
            true => NotStaged::Clean,
            false => NotStaged::Unstaged(unstaged),
        });
    }
    let stat = ask(git, &["diff", "--cached", "--stat=100", "--no-color", "--no-ext-diff"])?;
    let files = Files {
        digest: BlobId::of(entries.as_bytes()),
        stat: cut(&stat, MOST_STAT).0.to_owned(),
    };
    Ok((paths, files))
}

fn read_unstaged(git: &Git<'_>, root: &Path, is_secret: &impl Fn(&str) -> bool) -> Result<Unstaged, NotStaged> {
    let changed = names(git, &[])?;
    let here = Git::at(root).without_filters();
    let unknown = ask(&here, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    // Skip nested repositories, which git lists with a slash at the end.
    let unknown = unknown
        .split('\0')
        .filter(|path| !path.is_empty() && !path.ends_with('/'));
    let (secret, new): (Vec<String>, Vec<String>) = unknown.map(str::to_owned).partition(|path| is_secret(path));
    let unnamed = if new.len() > MOST_NEW { new.len() } else { 0 };
    Ok(Unstaged {
        changed,
        new: if unnamed > 0 { Vec::new() } else { new },
        secret,
        unnamed,
    })
}

fn names(git: &Git<'_>, of: &[&str]) -> Result<Vec<String>, NotStaged> {
    let mut words = vec![
        "diff",
        "--name-only",
        "-z",
        "--no-ext-diff",
        "--ignore-submodules=dirty",
    ];
    words.extend(of);
    let text = ask(git, &words)?;
    let paths = text.split('\0').filter(|path| !path.is_empty());
    Ok(paths.map(str::to_owned).collect())
}

fn ask(git: &Git<'_>, words: &[&str]) -> Result<String, NotStaged> {
    match git.query(words) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(QueryError::Slow) => Err(NotStaged::Slow),
        Err(why) => Err(NotStaged::Git { said: why.to_string() }),
    }
}

/// Truncates to whole lines within `most` characters. Returns whether text was omitted.
fn cut(text: &str, most: usize) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return (text, false);
    };
    let begin = text.get(..end).unwrap_or_default();
    let lines = begin
        .rfind('\n')
        .map_or(begin, |at| begin.get(..=at).unwrap_or_default());
    (lines, true)
}

#[cfg(test)]
mod tests;
