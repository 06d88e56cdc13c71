//! Runs git queries in which the settings of the repository cannot start programs.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use benchdog_base::environment::Environment;

const MOST_BYTES: u64 = 64 << 20;

const MOST_ERROR_TEXT: u64 = 4 << 10;

/// Variables passed to git. The user's filter programs, which git may run, must not see others.
const PASSED_VARIABLES: [&str; 3] = ["PATH", "HOME", "XDG_CONFIG_HOME"];

/// Options of every query. They keep git from running programs in the repository's settings and from fetching.
const SAFE_OPTIONS: [&str; 12] = [
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
    "-c",
    "submodule.recurse=false",
    // Prints names with non-ASCII characters without escapes.
    "-c",
    "core.quotePath=false",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QueryError {
    NoGit,
    Slow,
    /// The output exceeds the limit, and a part of it would be useless.
    TooLong,
    Failed(String),
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoGit => f.write_str("there is no program `git`"),
            Self::Slow => f.write_str("no answer in time"),
            Self::TooLong => write!(f, "the answer is longer than {} MB", MOST_BYTES >> 20),
            Self::Failed(said) => f.write_str(said),
        }
    }
}

pub(crate) struct Git<'r> {
    root: &'r Path,
    timeout: Duration,
    expands_patterns: bool,
    index: Option<PathBuf>,
    disabled_filters: Vec<(String, &'static str)>,
}

impl<'r> Git<'r> {
    pub(crate) fn at(root: &'r Path) -> Self {
        Self {
            root,
            timeout: Duration::from_secs(15),
            expands_patterns: false,
            index: None,
            disabled_filters: Vec::new(),
        }
    }

    pub(crate) fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    pub(crate) fn with_patterns(self) -> Self {
        Self {
            expands_patterns: true,
            ..self
        }
    }

    pub(crate) fn with_index(self, index: &Path) -> Self {
        Self {
            index: Some(index.to_owned()),
            ..self
        }
    }

    /// Disables the filters that the repository configures. A filter is a program that processes files. The user's own
    /// filters stay enabled.
    pub(crate) fn without_filters(mut self) -> Self {
        const OURS: [(&str, &str); 4] = [
            (".clean", ""),
            (".smudge", ""),
            (".process", ""),
            (".required", "false"),
        ];
        let settings = r"^filter\..*\.(clean|smudge|process|required)$";
        let asked = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", settings];
        let listed = self.query(&asked).unwrap_or_default();
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let mut words = listed.split('\0');
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let value = OURS.iter().find(|(ending, _)| name.ends_with(ending));
            if let Some((_, value)) = value.filter(|_| matches!(scope, "local" | "worktree")) {
                self.disabled_filters.push((name.to_owned(), value));
            }
        }
        self
    }

    pub(crate) fn query(&self, arguments: &[&str]) -> Result<Vec<u8>, QueryError> {
        self.query_with_input(arguments, Vec::new())
    }

    pub(crate) fn query_with_input(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, QueryError> {
        let started = Instant::now();
        let mut child = self.command(arguments).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => QueryError::NoGit,
            _ => QueryError::Failed(error.to_string()),
        })?;
        let answer = exchange(&mut child, input, self.timeout);
        if answer.is_none() {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| QueryError::Failed(error.to_string()))?;
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(
            program = "git",
            child = child.id(),
            exit = status.code(),
            took_ms,
            "child ended"
        );
        let (output, said) = answer.ok_or(QueryError::Slow)?;
        if !status.success() {
            return Err(QueryError::Failed(String::from_utf8_lossy(&said).trim().to_owned()));
        }
        if output.len() as u64 > MOST_BYTES {
            return Err(QueryError::TooLong);
        }
        Ok(output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let ours = Environment::of_process();
        let mut command = Command::new("git");
        command
            .args(SAFE_OPTIONS)
            .args((!self.expands_patterns).then_some("--literal-pathspecs"))
            .args(arguments)
            .current_dir(self.root)
            .env_clear()
            .envs(
                PASSED_VARIABLES
                    .into_iter()
                    .filter_map(|name| Some((name, ours.get(name)?))),
            )
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .stdout(Stdio::piped());
        command.envs(self.index.iter().map(|index| ("GIT_INDEX_FILE", index)));
        // Pass the settings in variables, because a filter name may contain any character.
        command.env("GIT_CONFIG_COUNT", self.disabled_filters.len().to_string());
        for (n, (name, value)) in self.disabled_filters.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{n}"), name);
            command.env(format!("GIT_CONFIG_VALUE_{n}"), value);
        }
        command
    }

    pub(crate) fn disabled_filters(&self) -> impl Iterator<Item = &str> {
        self.disabled_filters.iter().map(|(name, _)| name.as_str())
    }
}

/// Sends `input` to git. Returns its stdout and stderr, or `None` after the timeout.
fn exchange(child: &mut Child, input: Vec<u8>, timeout: Duration) -> Option<(Vec<u8>, Vec<u8>)> {
    let until = Instant::now() + timeout;
    let mut stdin = child.stdin.take()?;
    on_thread(move || {
        // Ignore the error, because the exit code shows why git ended early.
        let _ = stdin.write_all(&input);
        Vec::new()
    })?;
    let output = read_on_thread(child.stdout.take()?, MOST_BYTES + 1)?;
    let said = read_on_thread(child.stderr.take()?, MOST_ERROR_TEXT)?;
    let left = || until.saturating_duration_since(Instant::now());
    let output = output.recv_timeout(left()).ok()?;
    Some((output, said.recv_timeout(left()).ok()?))
}

fn read_on_thread(mut from: impl Read + Send + 'static, most: u64) -> Option<Receiver<Vec<u8>>> {
    on_thread(move || {
        let mut bytes = Vec::new();
        // After `most` bytes, read and discard the rest, so that git can end. After an error, use the bytes that were
        // read.
        let _ = from.by_ref().take(most).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        bytes
    })
}

fn on_thread(work: impl FnOnce() -> Vec<u8> + Send + 'static) -> Option<Receiver<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .name("git".to_owned())
        .spawn(move || {
            let _ = sender.send(work());
        })
        .ok()?;
    Some(receiver)
}

#[cfg(test)]
mod tests;
