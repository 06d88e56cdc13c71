//! Git state and file names of the folder for the first prompt. They are logged, so a resumed session sends the same
//! text.

use super::neutral::neutral;

const NAMED: usize = 20;

const LONGEST: usize = 120;

#[derive(Debug, Default)]
pub struct Repository {
    pub state: Option<State>,
    pub commits: Vec<String>,
    /// File and folder names. Folders end with a slash.
    pub names: Vec<String>,
    /// Map of the repository: files, with the lines that contain definitions.
    pub map: Option<String>,
}

#[derive(Debug)]
pub struct State {
    pub branch: Option<String>,
    pub files: Vec<String>,
}

pub fn note(repository: &Repository) -> Option<String> {
    let Repository {
        state,
        commits,
        names,
        map,
    } = repository;
    let mut said: Vec<String> = state.iter().map(state_text).collect();
    if !commits.is_empty() {
        said.push(format!("Last commits: {}.", listed(commits, commits.len())));
    }
    if !names.is_empty() {
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        said.push(format!("Files: {}{more}.", listed(names, NAMED)));
    }
    let said = said.join(" ");
    match map {
        Some(map) => {
            let gap = if said.is_empty() { "" } else { "\n" };
            let map = neutral(map.trim_end());
            Some(format!(
                "{said}{gap}Files with the definitions that most other files name:\n{map}\nThis may have changed."
            ))
        }
        None if said.is_empty() => None,
        None => Some(format!("{said} This may have changed.")),
    }
}

fn state_text(state: &State) -> String {
    let State { branch, files } = state;
    let branch = match branch {
        Some(branch) => format!("on branch `{}`", shown(branch)),
        None => "on no branch".to_owned(),
    };
    let named = listed(files, NAMED);
    let changed = match files.len() {
        0 => "nothing is changed".to_owned(),
        1 => format!("1 file is changed: {named}"),
        many if many <= NAMED => format!("{many} files are changed: {named}"),
        many => format!("{many} files are changed, among them {named}"),
    };
    format!("Git at the start: {branch}, {changed}.")
}

pub(super) fn listed(names: &[String], most: usize) -> String {
    let quoted = names.iter().take(most).map(|name| format!("`{}`", shown(name)));
    quoted.collect::<Vec<_>>().join(", ")
}

/// Replaces characters that would break a quotation on a single line.
fn shown(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() || c == '`' { '?' } else { c });
    let plain: String = plain.take(LONGEST).collect();
    neutral(&plain).into_owned()
}

#[cfg(test)]
mod tests;
