//! Finds the files in a git folder that change git's behaviour: configuration and hooks, also of submodules and
//! worktrees. No diff shows these files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::shell::{hooks_path, is_configuration_tame};
use benchdog_domain::confinement::{ITSELF, Stand};

/// Files that contain settings or the path of another git folder.
const SETTINGS: [&str; 4] = ["config", "config.worktree", "commondir", "info/attributes"];
const HOOKS: &str = "hooks";

/// The ending of git's sample hooks, which git never runs.
const SAMPLE: &str = ".sample";

const MOST_BYTES: u64 = 64 * 1024;

/// Maximum number of folder entries that are visited to find submodules and worktrees.
const MOST_FOLDERS: usize = 500;

/// Returns the git folder, and the git folders of its submodules and worktrees.
pub fn family(git: &Path) -> Vec<PathBuf> {
    let mut found = vec![git.to_path_buf()];
    let mut open: Vec<PathBuf> = ["modules", "worktrees"].iter().map(|folder| git.join(folder)).collect();
    let mut met = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            met += 1;
            if met > MOST_FOLDERS {
                return found;
            }
            let path = entry.path();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if path.join("HEAD").exists() {
                open.extend(["modules", "worktrees"].iter().map(|folder| path.join(folder)));
                found.push(path);
            } else {
                // A submodule name may contain slashes, so its git folder may be deeper.
                open.push(path);
            }
        }
    }
    found
}

pub fn obeyed(git: &Path) -> Vec<PathBuf> {
    let settings = SETTINGS.iter().map(|name| git.join(name));
    let hooks = fs::read_dir(git.join(HOOKS)).into_iter().flatten().flatten();
    let hooks = hooks.map(|hook| hook.path()).filter(|hook| !is_sample(hook));
    // The hooks folder may be a symbolic link, whose target decides which hooks git runs. So return the link too.
    let link = Some(git.join(HOOKS)).filter(|hooks| hooks.is_symlink());
    let there = |path: &PathBuf| path.symlink_metadata().is_ok();
    settings.filter(there).chain(hooks).chain(link).collect()
}

/// Returns the paths in a git folder that must be protected because git obeys them. A missing path gets a placeholder
/// that does not change git's behaviour.
pub fn to_hold(git: &Path) -> Vec<(PathBuf, Stand)> {
    let mut names = vec![
        (git.join(HOOKS), Stand::Folder),
        (git.join("config"), Stand::File("")),
        (git.join("config.worktree"), Stand::File("")),
        (git.join("commondir"), Stand::File(ITSELF)),
    ];
    names.push(match git.join("info").is_dir() {
        true => (git.join("info/attributes"), Stand::File("")),
        false => (git.join("info"), Stand::Folder),
    });
    names
}

/// Returns the hooks folder of the git configuration, if it is in the work tree. Returns the parent of a folder `_`
/// (husky), because it contains the hooks.
pub fn named_hooks(git: &Path) -> Option<PathBuf> {
    let named = hooks_path(&text(&git.join("config"))?)?;
    let tree = git.parent()?;
    let path = tree.join(&named);
    let outer = path.file_name().is_some_and(|name| name == "_");
    let path = if outer { path.parent()?.to_path_buf() } else { path };
    let inside = path != tree && !path.components().any(|part| part == Component::ParentDir);
    (inside && path.starts_with(tree) && path.is_dir()).then_some(path)
}

/// Whether a file that git reads neither runs a program nor refers to another folder.
pub fn is_harmless(path: &Path) -> bool {
    let in_hooks = path.parent().is_some_and(|folder| folder.ends_with(HOOKS));
    if in_hooks || path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return false;
    }
    let Some(text) = text(path) else { return false };
    match path.file_name().and_then(|name| name.to_str()) {
        Some("config" | "config.worktree") => is_configuration_tame(&without_work_tree(path, &text)),
        Some("commondir") => text.trim() == "../.." && is_work_tree_of_git_folder(path),
        _ => text.trim().is_empty(),
    }
}

/// Whether `path` is a `.git` file that points to one of the `known` git folders, which are checked separately.
pub fn leads_to(path: &Path, known: &BTreeSet<PathBuf>) -> bool {
    let led = text(path).and_then(|text| Some(text.trim().strip_prefix("gitdir:")?.trim().to_owned()));
    let target = led.and_then(|led| fs::canonicalize(path.parent()?.join(led)).ok());
    path.symlink_metadata().is_ok_and(|found| found.is_file()) && target.is_some_and(|target| known.contains(&target))
}

fn without_work_tree(path: &Path, text: &str) -> String {
    let own = |line: &&str| !(in_folder(path, "modules") && line.trim().starts_with("worktree = ../"));
    text.lines().filter(own).collect::<Vec<_>>().join("\n")
}

/// Whether this is a worktree that git created in a git folder. Its common folder was already checked.
fn is_work_tree_of_git_folder(commondir: &Path) -> bool {
    let mut above = commondir.ancestors().skip(2);
    above.next().is_some_and(|folder| folder.ends_with("worktrees"))
        && above.next().is_some_and(|git| git.join("HEAD").is_file())
}

fn in_folder(path: &Path, name: &str) -> bool {
    path.ancestors().skip(2).any(|folder| folder.ends_with(name))
}

fn is_sample(hook: &Path) -> bool {
    hook.to_string_lossy().ends_with(SAMPLE)
}

fn text(path: &Path) -> Option<String> {
    let found = fs::metadata(path).ok()?;
    (found.is_file() && found.len() <= MOST_BYTES).then(|| fs::read_to_string(path).ok())?
}

#[cfg(test)]
mod tests;
