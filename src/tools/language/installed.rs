//! Finds the folders to which an installed program needs access.

use std::fs;
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 2] = ["bin", ".bin"];
const MODULES: &str = "node_modules";

/// Returns the folders that a program and the target of its symbolic link need. A program in `bin` needs the parent
/// folder of `bin`. A program inside `node_modules` needs the whole `node_modules` folder with its libraries.
pub(super) fn places(program: &Path) -> Vec<PathBuf> {
    let real = fs::canonicalize(program).ok();
    let folders = [Some(program.to_path_buf()), real]
        .into_iter()
        .flatten()
        .filter_map(|file| folder(&file));
    let mut all: Vec<PathBuf> = folders.filter_map(|folder| fs::canonicalize(folder).ok()).collect();
    all.dedup();
    all
}

fn folder(file: &Path) -> Option<PathBuf> {
    let modules = file.ancestors().find(|folder| folder.ends_with(MODULES));
    if let Some(modules) = modules {
        return Some(modules.to_path_buf());
    }
    let folder = file.parent()?;
    let around = folder
        .parent()
        .filter(|_| PROGRAMS.iter().any(|name| folder.ends_with(name)));
    // Skip the parent of `bin` if it is a top-level folder or a home folder, because it contains much more than the
    // program.
    let around = around.filter(|around| around.components().count() > 3 && !is_home(around));
    Some(around.unwrap_or(folder).to_path_buf())
}

fn is_home(folder: &Path) -> bool {
    [".config", ".cache", ".local", ".ssh"]
        .iter()
        .any(|name| folder.join(name).exists())
        || folder.ends_with(".local")
}

#[cfg(test)]
mod tests;
