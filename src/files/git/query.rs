//! Runs git queries so that the repository cannot start programs.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use benchdog_base::environment::Environment;

const MOST_BYTES: u64 = 64 << 20;

const MOST_SAID: u64 = 4 << 10;

/// Variables passed to git. The user's settings may run filter programs, which must not see others.
const KEPT: [&str; 3] = ["PATH", "HOME", "XDG_CONFIG_HOME"];

/// Options of every query. Repository settings may name programs. A query must run none and fetch nothing.
const TAME: [&str; 12] = [
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
    // Prints names of any script unescaped.
    "-c",
    "core.quotePath=false",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Silence {
    NoGit,
    Slow,
    /// The output exceeds the limit. Half an answer is useless.
    TooLong,
    Failed(String),
}

impl std::fmt::Display for Silence {
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
    patience: Duration,
    takes_patterns: bool,
    index: Option<PathBuf>,
    overruled: Vec<(String, &'static str)>,
}

impl<'r> Git<'r> {
    pub(crate) fn at(root: &'r Path) -> Self {
        Self {
            root,
            patience: Duration::from_secs(15),
            takes_patterns: false,
            index: None,
            overruled: Vec::new(),
        }
    }

    pub(crate) fn within(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    pub(crate) fn with_patterns(self) -> Self {
        Self {
            takes_patterns: true,
            ..self
        }
    }

    pub(crate) fn with_index(self, index: &Path) -> Self {
        Self {
            index: Some(index.to_owned()),
            ..self
        }
    }

    /// Disables the repository's filters, which are programs that process its files. The user's own filters remain.
    pub(crate) fn without_filters(mut self) -> Self {
        const OURS: [(&str, &str); 4] = [
            (".clean", ""),
            (".smudge", ""),
            (".process", ""),
            (".required", "false"),
        ];
        let settings = r"^filter\..*\.(clean|smudge|process|required)$";
        let asked = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", settings];
        let listed = self.ask(&asked).unwrap_or_default();
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let mut words = listed.split('\0');
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let value = OURS.iter().find(|(ending, _)| name.ends_with(ending));
            if let Some((_, value)) = value.filter(|_| matches!(scope, "local" | "worktree")) {
                self.overruled.push((name.to_owned(), value));
            }
        }
        self
    }

    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, Silence> {
        self.ask_with(arguments, Vec::new())
    }

    pub(crate) fn ask_with(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, Silence> {
        let began = Instant::now();
        let mut child = self.command(arguments).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Silence::NoGit,
            _ => Silence::Failed(error.to_string()),
        })?;
        let answer = heard(&mut child, input, self.patience);
        if answer.is_none() {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| Silence::Failed(error.to_string()))?;
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(
            program = "git",
            child = child.id(),
            exit = status.code(),
            took_ms,
            "child ended"
        );
        let (output, said) = answer.ok_or(Silence::Slow)?;
        if !status.success() {
            return Err(Silence::Failed(String::from_utf8_lossy(&said).trim().to_owned()));
        }
        if output.len() as u64 > MOST_BYTES {
            return Err(Silence::TooLong);
        }
        Ok(output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let ours = Environment::of_process();
        let mut command = Command::new("git");
        command
            .args(TAME)
            .args((!self.takes_patterns).then_some("--literal-pathspecs"))
            .args(arguments)
            .current_dir(self.root)
            .env_clear()
            .envs(KEPT.into_iter().filter_map(|name| Some((name, ours.get(name)?))))
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .stdout(Stdio::piped());
        command.envs(self.index.iter().map(|index| ("GIT_INDEX_FILE", index)));
        // Variables carry the names, because a filter name may contain any letter.
        command.env("GIT_CONFIG_COUNT", self.overruled.len().to_string());
        for (n, (name, value)) in self.overruled.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{n}"), name);
            command.env(format!("GIT_CONFIG_VALUE_{n}"), value);
        }
        command
    }

    pub(crate) fn overruled(&self) -> impl Iterator<Item = &str> {
        self.overruled.iter().map(|(name, _)| name.as_str())
    }
}

/// Returns output and error text, or `None` after the timeout.
fn heard(child: &mut Child, input: Vec<u8>, patience: Duration) -> Option<(Vec<u8>, Vec<u8>)> {
    let until = Instant::now() + patience;
    let mut stdin = child.stdin.take()?;
    aside(move || {
        // If git ends early, its exit code reports it.
        let _ = stdin.write_all(&input);
        Vec::new()
    })?;
    let output = read_aside(child.stdout.take()?, MOST_BYTES + 1)?;
    let said = read_aside(child.stderr.take()?, MOST_SAID)?;
    let left = || until.saturating_duration_since(Instant::now());
    let output = output.recv_timeout(left()).ok()?;
    Some((output, said.recv_timeout(left()).ok()?))
}

fn read_aside(mut from: impl Read + Send + 'static, most: u64) -> Option<Receiver<Vec<u8>>> {
    aside(move || {
        let mut bytes = Vec::new();
        // Drains the rest, so that git can end. Keeps the bytes from before an error.
        let _ = from.by_ref().take(most).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        bytes
    })
}

fn aside(work: impl FnOnce() -> Vec<u8> + Send + 'static) -> Option<Receiver<Vec<u8>>> {
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
