//! Creates, lists and removes worktrees of a repository with the `git` program.
//!
//! Creation runs no hooks, file system monitors or (unless trusted) filters, and fetches nothing. The user's index and
//! stash do not change.

mod include;
mod ports;
mod setup;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::git::{self, Git, QueryError};
use benchdog_domain::worktree::{BRANCHES, LeftOut, NoWorktree, Worktree};
pub use ports::port_offset;
pub use setup::take_new_mark;

/// Time limit for git to write the files of a worktree.
const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum number of ignored files to name in the report.
const NAMED: usize = 5;
/// Maximum number of generated names to try.
const TRIED: u32 = 1_000;
/// Maximum bytes of a name. git stores the branch as a file below `.git`.
const LONGEST: usize = 100;

const LISTED: [&str; 4] = ["worktree", "list", "--porcelain", "-z"];

/// Whether filter programs from the repository's configuration may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filters {
    Run,
    Refuse,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub name: String,
    pub branch: String,
    pub path: PathBuf,
    /// Ignored files that the new worktree lacks. `None` if the worktree already existed.
    pub left_out: Option<LeftOut>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    pub branch: String,
    pub main: PathBuf,
    pub patch: String,
    pub binary: Vec<String>,
}

pub struct Repository {
    top: PathBuf,
    kept: PathBuf,
}

impl Repository {
    /// Finds the repository of `root`. `kept` is the folder for the worktrees of all repositories.
    pub fn of(root: &Path, kept: &Path) -> Result<Self, NoWorktree> {
        if git::top(root).is_none() && !root.join("HEAD").exists() {
            return Err(NoWorktree::NoRepository);
        }
        let said = query(root, &["rev-parse", "--is-bare-repository"]);
        match said.as_deref().map(str::trim) {
            Ok("true") => return Err(NoWorktree::Bare),
            Ok(_) => {}
            Err(NoWorktree::Failed { .. }) => return Err(NoWorktree::NoRepository),
            Err(why) => return Err(why.clone()),
        }
        let top = query_line(root, &["rev-parse", "--show-toplevel"])?;
        let common = query_line(root, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        let hash = Sha256::digest(common.as_bytes());
        let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        // Resolve links, because git uses paths without links.
        let kept = fs::canonicalize(kept).unwrap_or_else(|_| kept.to_path_buf()).join(hash);
        let mut top = PathBuf::from(top);
        // If `root` is in a worktree that Benchdog created, use the repository's main tree.
        if top.starts_with(&kept) {
            let listed = query(root, &LISTED)?;
            let main = parse_registered(&listed).into_iter().next();
            top = main.map_or(top, |main| main.path);
        }
        Ok(Self { top, kept })
    }

    /// Opens the worktree with this name, or creates it from the current commit. Without a name, generates one.
    pub fn open(&self, name: Option<&str>, filters: Filters) -> Result<Made, NoWorktree> {
        let name = match name {
            Some(name) => path_name(name)?,
            None => self.free_name()?,
        };
        let branch = format!("{BRANCHES}{name}");
        if query(&self.top, &["check-ref-format", "--branch", &branch]).is_err() {
            return Err(NoWorktree::BadName { name });
        }
        let path = self.kept.join(&name);
        if self.registered()?.iter().any(|there| there.path == path) && path.join(".git").exists() {
            ports::assign(&self.kept, &name);
            return Ok(Made {
                name,
                branch,
                path,
                left_out: None,
            });
        }
        self.make(name, branch, path, filters)
    }

    fn make(&self, name: String, branch: String, path: PathBuf, filters: Filters) -> Result<Made, NoWorktree> {
        if query(&self.top, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).is_err() {
            return Err(NoWorktree::Unborn);
        }
        if path.exists() || self.has_branch(&branch) {
            return Err(NoWorktree::Taken { name, branch });
        }
        let failed = |error: std::io::Error| NoWorktree::Failed {
            said: error.to_string(),
        };
        fs::create_dir_all(&self.kept).map_err(failed)?;
        // Remove registrations of worktrees without a folder, which a killed process may have left.
        let _ = query(&self.top, &["worktree", "prune"]);
        let place = path.to_string_lossy().into_owned();
        let add = [
            "worktree",
            "add",
            "--quiet",
            "--no-checkout",
            "--no-track",
            "-b",
            &branch,
            &place,
            "HEAD",
        ];
        let made = query(&self.top, &add).and_then(|_| check_out(&path, filters));
        made.inspect_err(|_| {
            let _ = query(&self.top, &["worktree", "remove", "--force", &place]);
            let _ = query(&self.top, &["branch", "--quiet", "-D", &branch]);
        })?;
        ports::assign(&self.kept, &name);
        setup::mark_new(&self.kept, &name);
        let left_out = Some(self.left_out(&include::copy(&self.top, &path)));
        Ok(Made {
            name,
            branch,
            path,
            left_out,
        })
    }

    fn free_name(&self) -> Result<String, NoWorktree> {
        let mut names = (1..=TRIED).map(|number| format!("task-{number}"));
        let free = |name: &String| !self.kept.join(name).exists() && !self.has_branch(&format!("{BRANCHES}{name}"));
        names.find(free).ok_or(NoWorktree::BadName { name: String::new() })
    }

    fn has_branch(&self, branch: &str) -> bool {
        let name = format!("refs/heads/{branch}");
        query(&self.top, &["show-ref", "--verify", "--quiet", &name]).is_ok()
    }

    fn left_out(&self, copied: &include::Copied) -> LeftOut {
        let ignored = [
            "ls-files",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--directory",
            "-z",
        ];
        let ignored = query(&self.top, &ignored).unwrap_or_default();
        let mut names: Vec<String> = ignored
            .split('\0')
            .filter(|name| !name.is_empty() && !copied.has(name))
            .map(str::to_owned)
            .collect();
        // List top-level names first, because people know them best.
        names.sort_by_key(|name| name.trim_end_matches('/').matches('/').count());
        let more = names.len().saturating_sub(NAMED) as u64;
        names.truncate(NAMED);
        LeftOut {
            ignored: names,
            more,
            copied: copied.names.len() as u64,
            omitted: copied.omitted,
            uncommitted: count_changes(&self.top).unwrap_or_default(),
        }
    }

    /// Lists the worktrees in Benchdog's folder, including those that Benchdog did not create.
    pub fn list(&self) -> Result<Vec<Worktree>, NoWorktree> {
        let there = self.registered()?.into_iter();
        let there = there.filter(|there| there.path.starts_with(&self.kept) && there.path.join(".git").exists());
        there.map(|there| self.worktree(there)).collect()
    }

    /// Describes a registered worktree. Fails if its unsaved work cannot be determined.
    fn worktree(&self, there: Registered) -> Result<Worktree, NoWorktree> {
        // Use the checked-out commit, because the worktree may have no branch.
        let range = format!("HEAD..{}", there.head);
        let ahead = query_line(&self.top, &["rev-list", "--count", &range])?;
        let ahead = ahead.parse().map_err(|_| NoWorktree::Failed { said: ahead })?;
        Ok(Worktree {
            name: there
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            changed: count_changes(&there.path)?,
            ahead,
            path: there.path.display().to_string(),
            branch: there.branch,
        })
    }

    fn registered(&self) -> Result<Vec<Registered>, NoWorktree> {
        let listed = query(&self.top, &LISTED)?;
        Ok(parse_registered(&listed))
    }

    /// Returns all changes of a worktree, committed or not, as a unified diff. The diff starts at the commit at which
    /// the branch diverged from the branch of the main tree.
    ///
    /// New files are found with a separate index, so that neither tree's index changes.
    pub fn changes(&self, name: &str) -> Result<Changes, NoWorktree> {
        let name = path_name(name)?;
        let listed = self.list()?;
        let worktree = listed.into_iter().find(|there| there.name == name);
        let worktree = worktree.ok_or(NoWorktree::Unknown { name })?;
        let root = PathBuf::from(&worktree.path);
        let head = query_line(&self.top, &["rev-parse", "HEAD"])?;
        let base = query_line(&root, &["merge-base", &head, "HEAD"])?;
        let own = query_line(&root, &["rev-parse", "--path-format=absolute", "--git-path", "index"])?;
        let index = Index::of(&self.kept, &own);
        let git = git_in(&root).without_filters().with_index(&index.0);
        if !index.0.exists() {
            query_with(&git, &["read-tree", "HEAD"])?;
        }
        // Exclude nested repositories, because git would apply their settings when it reads them.
        let staged = query_with(&git, &["ls-files", "--stage", "-z"])?;
        let links = staged.split('\0').filter(|record| record.starts_with("160000 "));
        let links: Vec<String> = links
            .filter_map(|record| record.split_once('\t'))
            .map(|(_, path)| format!(":(exclude,literal,top){path}"))
            .collect();
        let add = ["add", "--all", "--", "."].into_iter();
        let add: Vec<&str> = add.chain(links.iter().map(String::as_str)).collect();
        query_with(&git, &add)?;
        let compared = |how: &[&str], files: &[String]| {
            let plainly = [
                "diff",
                "--cached",
                "--no-ext-diff",
                "--no-textconv",
                "--no-color",
                "--ignore-submodules=all",
                "--submodule=short",
            ];
            let files = files.iter().map(String::as_str);
            let arguments = ["-c", "core.quotePath=false"].into_iter().chain(plainly);
            let arguments = arguments.chain(how.iter().copied()).chain([&*base, "--", "."]);
            let arguments: Vec<&str> = arguments.chain(files).collect();
            query_with(&git, &arguments)
        };
        let numbers = compared(&["--numstat", "-z", "--no-renames"], &[])?;
        let binary = numbers.split('\0').filter_map(|file| file.strip_prefix("-\t-\t"));
        let binary: Vec<String> = binary.map(str::to_owned).collect();
        let but: Vec<String> = binary
            .iter()
            .map(|path| format!(":(exclude,literal,top){path}"))
            .collect();
        let patch = compared(&["--src-prefix=a/", "--dst-prefix=b/"], &but)?;
        Ok(Changes {
            branch: worktree.branch,
            main: self.top.clone(),
            patch,
            binary,
        })
    }

    /// Removes a worktree with all unsaved work, and deletes its branch.
    pub fn remove(&self, worktree: &Worktree) -> Result<(), NoWorktree> {
        query(&self.top, &["worktree", "remove", "--force", &worktree.path])?;
        if worktree.branch.starts_with(BRANCHES) {
            query(&self.top, &["branch", "--quiet", "-D", &worktree.branch])?;
        }
        Ok(())
    }
}

struct Index(PathBuf);

impl Index {
    fn of(folder: &Path, own: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let copy = folder.join(format!(".index-{}-{number}", std::process::id()));
        // Without an index to copy, git creates a new one.
        let _ = fs::remove_file(&copy);
        let _ = fs::copy(own, &copy).and_then(|_| copy_time(&copy, own));
        Self(copy)
    }
}

/// Copies the modification time. git compares contents only of files that are at least as new as the index, so a newer
/// index would hide changes.
fn copy_time(copy: &Path, own: &str) -> std::io::Result<()> {
    let modified = fs::metadata(own)?.modified()?;
    fs::File::options().write(true).open(copy)?.set_modified(modified)
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

struct Registered {
    path: PathBuf,
    head: String,
    branch: String,
}

/// Parses the list of worktrees. An empty field ends a record.
fn parse_registered(listed: &str) -> Vec<Registered> {
    let mut found: Vec<Registered> = Vec::new();
    for field in listed.split('\0') {
        if let Some(path) = field.strip_prefix("worktree ") {
            found.push(Registered {
                path: PathBuf::from(path),
                head: String::new(),
                branch: String::new(),
            });
        } else if let (Some(head), Some(last)) = (field.strip_prefix("HEAD "), found.last_mut()) {
            last.head = head.to_owned();
        } else if let (Some(branch), Some(last)) = (field.strip_prefix("branch refs/heads/"), found.last_mut()) {
            last.branch = branch.to_owned();
        }
    }
    found
}

/// Converts a name to a folder and branch name. Replaces characters except letters, digits, `_` and `.` by hyphens.
fn path_name(name: &str) -> Result<String, NoWorktree> {
    let mut plain = String::new();
    for c in name.trim().chars() {
        match c {
            c if c.is_alphanumeric() || c == '_' || c == '.' => plain.push(c),
            _ if plain.ends_with('-') => {}
            _ => plain.push('-'),
        }
    }
    let plain = plain.trim_matches(['-', '.']);
    if plain.is_empty() || plain.len() > LONGEST {
        return Err(NoWorktree::BadName { name: name.to_owned() });
    }
    Ok(plain.to_owned())
}

/// Checks out the files. Looks up the filters in the new worktree, because git settings can apply to a single folder.
fn check_out(path: &Path, filters: Filters) -> Result<(), NoWorktree> {
    let names = git::filters(path);
    let write = ["read-tree", "-u", "--reset", "HEAD"];
    let git = match filters {
        Filters::Run => git_in(path),
        Filters::Refuse if names.is_empty() => git_in(path).without_filters(),
        Filters::Refuse => return Err(NoWorktree::Filters { names }),
    };
    query_with(&git, &write).map(drop)
}

fn count_changes(top: &Path) -> Result<u64, NoWorktree> {
    let status = [
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
    ];
    let said = query(top, &status)?;
    Ok(said.split('\0').filter(|record| !record.is_empty()).count() as u64)
}

fn query_line(root: &Path, arguments: &[&str]) -> Result<String, NoWorktree> {
    Ok(query(root, arguments)?.trim_end_matches('\n').to_owned())
}

fn query(root: &Path, arguments: &[&str]) -> Result<String, NoWorktree> {
    query_with(&git_in(root).without_filters(), arguments)
}

fn git_in(root: &Path) -> Git<'_> {
    Git::at(root).with_timeout(PATIENCE).with_patterns()
}

fn query_with(git: &Git<'_>, arguments: &[&str]) -> Result<String, NoWorktree> {
    match git.query(arguments) {
        Ok(said) => Ok(String::from_utf8_lossy(&said).into_owned()),
        Err(QueryError::NoGit) => Err(NoWorktree::NoGit),
        Err(QueryError::Slow) => Err(NoWorktree::Slow {
            seconds: PATIENCE.as_secs(),
        }),
        Err(QueryError::TooLong) => Err(NoWorktree::TooLong),
        Err(QueryError::Failed(said)) => {
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            let said = last.unwrap_or_default().trim_start_matches("fatal: ").to_owned();
            Err(NoWorktree::Failed { said })
        }
    }
}

#[cfg(test)]
mod tests;
