//! What a command finds in its environment: ours without secrets, and settings that keep programs from waiting for a person.

use std::path::PathBuf;

use crate::base::environment::Environment;
use crate::children::find_program;
use crate::security::secrets::is_secret_variable;

/// Nobody is there to answer, to page or to edit.
const QUIET: [(&str, &str); 13] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("LESS", "-FX"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // `git commit` without a message and `git rebase --continue` would wait for an editor for ever.
    ("GIT_EDITOR", "true"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    // Output is shown as it comes, not when a buffer is full.
    ("PYTHONUNBUFFERED", "1"),
    ("PIP_NO_INPUT", "1"),
];

/// They would ask in a window of their own, or speak for another folder.
const LEFT_OUT: [&str; 9] = [
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "COLUMNS",
    "LINES",
    "OLDPWD",
    "PWD",
    "SHLVL",
    "_",
    "HISTFILE",
];

/// The variables of a command that runs in `folder`.
pub(super) fn variables(ours: &Environment, hidden: &[String], folder: &str) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = ours
        .iter()
        .filter(|(name, _)| !is_secret_variable(name) && !hidden.iter().any(|other| other == name))
        .filter(|(name, _)| !LEFT_OUT.contains(name) && !QUIET.iter().any(|(other, _)| other == name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.extend(QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables.push(("PWD".to_owned(), folder.to_owned()));
    if !["LANG", "LC_ALL", "LC_CTYPE"].iter().any(|name| ours.has(name)) {
        variables.push(("LANG".to_owned(), "C.UTF-8".to_owned()));
    }
    variables
}

/// bash, or the system's `sh` where there is none.
pub(super) fn shell(ours: &Environment) -> PathBuf {
    let path = ours.get("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin");
    ["bash", "sh"]
        .iter()
        .find_map(|name| find_program(name, path).or_else(|| find_program(name, "/usr/bin:/bin")))
        .unwrap_or_else(|| PathBuf::from("/bin/sh"))
}

#[cfg(test)]
mod tests;
