//! What a command finds in its environment: ours without secrets, and settings that keep programs from waiting for a person.

use std::path::PathBuf;

use crate::base::environment::Environment;
use crate::children::find_program;
use crate::security::secrets::is_withheld;
use crate::tools::confinement::TmpShown;

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

/// What of our environment a command does not get.
pub(in crate::tools) struct Withheld<'c> {
    /// Variables that hold keys of endpoints: never, whatever is said of them.
    pub(in crate::tools) keys: &'c [String],
    /// Variables that it gets although they look like secrets.
    pub(in crate::tools) passed: &'c [String],
    /// Where a confined command has its folder for temporary files.
    pub(in crate::tools) tmp: Option<&'c TmpShown>,
}

/// They name a folder outside.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// The variables of a command that runs in `folder`.
pub(in crate::tools) fn variables(ours: &Environment, withheld: &Withheld<'_>, folder: &str) -> Vec<(String, String)> {
    let (tmp, kept_tmp) = match withheld.tmp {
        None => (None, true),
        Some(TmpShown::InPlace) => (None, false),
        Some(TmpShown::At(folder)) => (Some(folder.display().to_string()), false),
    };
    let mut variables: Vec<(String, String)> = ours
        .iter()
        .filter(|(name, value)| !withheld.keeps_back(name, value))
        .filter(|(name, _)| kept_tmp || !TEMPORARY.contains(name))
        .filter(|(name, _)| !LEFT_OUT.contains(name) && !QUIET.iter().any(|(other, _)| other == name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.extend(QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables.push(("PWD".to_owned(), folder.to_owned()));
    variables.extend(tmp.map(|tmp| ("TMPDIR".to_owned(), tmp)));
    if !["LANG", "LC_ALL", "LC_CTYPE"].iter().any(|name| ours.has(name)) {
        variables.push(("LANG".to_owned(), "C.UTF-8".to_owned()));
    }
    variables
}

impl Withheld<'_> {
    fn keeps_back(&self, name: &str, value: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        named(self.keys) || (is_withheld(name, value) && !named(self.passed))
    }
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
