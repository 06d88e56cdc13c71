//! Environment of a command: Benchdog's environment without secrets, plus settings that keep programs from waiting for
//! input.

use std::path::PathBuf;

use crate::confinement::TmpShown;
use benchdog_base::environment::Environment;
use benchdog_children::find_program;
use benchdog_domain::confinement::View;
use benchdog_security::secrets::is_withheld;

/// Variables that keep programs from asking questions, paging, or opening an editor.
const QUIET: [(&str, &str); 13] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("LESS", "-FX"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Without an editor that ends at once, `git commit` and `git rebase --continue` would wait forever.
    ("GIT_EDITOR", "true"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    // Makes Python write output at once instead of when a buffer is full.
    ("PYTHONUNBUFFERED", "1"),
    ("PIP_NO_INPUT", "1"),
];

/// Variables that commands do not inherit. The first two name programs that ask for a password in a window. The others
/// describe the shell and the terminal in which Benchdog runs.
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

/// Variables that commands without approval may inherit: user, language, and paths of toolchains.
const LISTED: [&str; 73] = [
    "AR",
    "BUN_INSTALL",
    "CARGO_HOME",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_TARGET_DIR",
    "CARGO_TERM_COLOR",
    "CC",
    "CFLAGS",
    "CGO_ENABLED",
    "CI",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "CXX",
    "CXXFLAGS",
    "DENO_DIR",
    "DOTNET_CLI_TELEMETRY_OPTOUT",
    "DOTNET_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "GOARCH",
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOOS",
    "GOPATH",
    "GOPROXY",
    "GOROOT",
    "GOTOOLCHAIN",
    "HOME",
    "HOSTNAME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LDFLAGS",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "LOGNAME",
    "LS_COLORS",
    "MAKEFLAGS",
    "NODE_ENV",
    "NODE_PATH",
    "NO_PROXY",
    "NVM_BIN",
    "NVM_DIR",
    "PATH",
    "PKG_CONFIG_PATH",
    "PNPM_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONPATH",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "RUBYLIB",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "SHELL",
    "SOURCE_DATE_EPOCH",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];

/// Prefixes of further variables that commands without approval may inherit.
const LISTED_STARTS: [&str; 3] = ["LC_", "XDG_", "CMAKE_"];

fn is_listed(name: &str) -> bool {
    LISTED.contains(&name) || LISTED_STARTS.iter().any(|start| name.starts_with(start))
}

/// Decides which variables a command does not inherit.
pub(crate) struct Withheld<'c> {
    /// Variables with API keys of endpoints. They are always withheld.
    pub keys: &'c [String],
    /// Variables that are passed although they look like secrets.
    pub passed: &'c [String],
    /// Visible part of the file system. A command that sees only the project gets only the variables in `LISTED`.
    pub view: View,
    /// Temporary folder of a confined command.
    pub tmp: Option<&'c TmpShown>,
}

/// Variables for the temporary folder. A confined command does not inherit them, because their paths are outside the
/// sandbox.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// Variable with a different number in each worktree. Programs add this number to their ports, so that two worktrees do
/// not share a port.
const PORT_OFFSET: &str = "BENCHDOG_PORT_OFFSET";

pub(crate) fn variables(ours: &Environment, withheld: &Withheld<'_>, folder: &str) -> Vec<(String, String)> {
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

/// Sets the port offset. Replaces an offset inherited from another Benchdog that runs this one.
pub(crate) fn with_port_offset(mut variables: Vec<(String, String)>, offset: u32) -> Vec<(String, String)> {
    variables.retain(|(name, _)| name != PORT_OFFSET);
    variables.push((PORT_OFFSET.to_owned(), offset.to_string()));
    variables
}

impl Withheld<'_> {
    fn keeps_back(&self, name: &str, value: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        let is_unlisted = self.view == View::Project && !is_listed(name);
        named(self.keys) || ((is_unlisted || is_withheld(name, value)) && !named(self.passed))
    }
}

/// Returns the path of bash, or of the system's `sh` if there is no bash.
pub(super) fn shell(ours: &Environment) -> PathBuf {
    let path = ours.get("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin");
    ["bash", "sh"]
        .iter()
        .find_map(|name| find_program(name, path).or_else(|| find_program(name, "/usr/bin:/bin")))
        .unwrap_or_else(|| PathBuf::from("/bin/sh"))
}

#[cfg(test)]
mod tests;
