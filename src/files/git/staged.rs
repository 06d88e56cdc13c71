//! Contents of the next commit, for its message.

use std::path::Path;

use super::ask::{Git, Silence};
use super::{commits, top};
use benchdog_base::id::BlobId;
use benchdog_domain::staged::{Files, NotStaged, Staged, Unstaged};

/// Maximum characters of changes for the commit message.
const MOST_DIFF: usize = 4_000;
const MOST_STAT: usize = 1_500;
const MOST_FILES: usize = 200;
/// Maximum of new files named individually, so that nothing unseen is staged.
const MOST_NEW: usize = 20;
/// Number of earlier subjects, as examples of the style.
const SUBJECTS: usize = 10;

/// Omits the changes of secret files.
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
    // Without a path, git would show everything.
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

/// Reads only the file list, to detect changes since it was shown.
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
    // Read before everything else, so that a concurrent change is noticed.
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
    // A trailing slash marks a nested repository.
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
    match git.ask(words) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(Silence::Slow) => Err(NotStaged::Slow),
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
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(arguments)
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
    }

    fn looked(folder: &Path) -> Result<Staged, NotStaged> {
        staged(folder, |path| path.ends_with(".env"))
    }

    #[test]
    fn what_is_staged_is_read_with_its_history_and_without_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        assert_eq!(looked(&root), Err(NotStaged::NoRepository));
        git(&root, &["init", "-q"]);
        std::fs::write(root.join("a"), "one\n").unwrap();
        let new = vec!["a".to_owned()];
        let first = Unstaged {
            new,
            ..Unstaged::default()
        };
        assert_eq!(looked(&root), Err(NotStaged::Unstaged(first)));
        git(&root, &["add", "."]);
        assert!(looked(&root).unwrap().subjects.is_empty(), "before the first commit");
        git(&root, &["commit", "-qm", "docs: the first thing"]);
        std::fs::write(root.join("a"), "two\n").unwrap();
        let second = Unstaged {
            changed: vec!["a".to_owned()],
            ..Unstaged::default()
        };
        assert_eq!(looked(&root), Err(NotStaged::Unstaged(second)));
        std::fs::create_dir(root.join("購物車")).unwrap();
        std::fs::write(root.join("購物車/.env"), "KEY=secret\n").unwrap();
        git(&root, &["add", "."]);
        let it = looked(&root.join("購物車")).unwrap();
        assert!(it.diff.contains("-one\n+two") && !it.diff.contains("secret") && !it.cut);
        assert_eq!(it.secret, ["購物車/.env"]);
        assert_eq!(it.subjects, ["docs: the first thing"]);
    }

    #[test]
    fn new_files_are_named_each_of_them_and_what_is_secret_or_ignored_is_not_among_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        git(&root, &["init", "-q"]);
        std::fs::write(root.join(".gitignore"), "target\n").unwrap();
        git(&root, &["add", "."]);
        git(&root, &["commit", "-qm", "first"]);
        let looked = || unstaged(&root, |path| path.ends_with(".env")).unwrap();
        assert!(looked().is_empty());
        std::fs::create_dir(root.join("sub")).unwrap();
        for path in ["target", "new.txt", "sub/*.rs", ".env"] {
            std::fs::write(root.join(path), "x\n").unwrap();
        }
        git(&root, &["init", "-q", "inner"]);
        let it = looked();
        assert_eq!(it.new, ["new.txt", "sub/*.rs"]);
        assert_eq!((it.secret, it.unnamed), (vec![".env".to_owned()], 0));
        for n in 0..MOST_NEW {
            std::fs::write(root.join(format!("sub/{n}")), "x\n").unwrap();
        }
        std::fs::create_dir(root.join("folder")).unwrap();
        std::fs::write(root.join("folder/here"), "x\n").unwrap();
        let here = unstaged(&root.join("folder"), |_| false).unwrap();
        assert_eq!(here.new, ["here"], "nobody works in the other folders");
        let many = looked();
        assert!(many.new.is_empty() && !many.can_be_staged());
        assert_eq!(many.unnamed, MOST_NEW + 3);
    }

    #[test]
    fn the_digest_is_another_wherever_what_is_staged_is_and_only_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let digest = || staged_files(&root, |_| false).unwrap().digest;
        git(&root, &["init", "-q"]);
        std::fs::write(root.join("a"), "one\n").unwrap();
        git(&root, &["add", "."]);
        let first = digest();
        std::fs::write(root.join("a"), "two\n").unwrap();
        std::fs::write(root.join("unknown"), "x\n").unwrap();
        assert_eq!(digest(), first, "the working tree is not committed");
        git(&root, &["add", "a"]);
        let second = digest();
        assert_ne!(second, first, "as many lines of the same file");
        git(&root, &["update-index", "--chmod=+x", "a"]);
        assert_ne!(digest(), second, "its mode alone");
        git(&root, &["update-index", "--chmod=-x", "a"]);
        assert_eq!(digest(), second);
        assert_eq!(looked(&root).unwrap().files.digest, second);
    }

    #[test]
    fn a_long_diff_is_cut_after_a_whole_line_and_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        git(&root, &["init", "-q"]);
        let long: String = (0..2_000).map(|n| format!("字 {n}\n")).collect();
        std::fs::write(root.join("long"), long).unwrap();
        git(&root, &["add", "."]);
        let it = looked(&root).unwrap();
        assert!(it.cut && it.diff.ends_with('\n') && it.diff.chars().count() <= MOST_DIFF);
    }
}
