//! Builder for the binary's environment: home, project, configuration, variables, window.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use portable_pty::CommandBuilder;
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::answers::Kind;
use super::process::{Finished, Running, kill, look_until, marked_or};
use super::pty::Pty;
use super::server::{CONTEXT, MODEL, Server};

/// Returns the path of this build's binary, or of the one in `BENCHDOG_GOLDEN_BIN`.
#[expect(
    clippy::disallowed_methods,
    reason = "the variables of the test run, not of benchdog"
)]
pub(super) fn binary() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_benchdog");
    std::env::var_os("BENCHDOG_GOLDEN_BIN").map_or_else(|| built.into(), PathBuf::from)
}

/// A private home and project. From the machine, the binary sees only programs and a terminal name.
pub struct Home {
    folder: TempDir,
    mark: String,
    environment: Vec<(String, String)>,
    window: (u16, u16),
    kind: Kind,
    /// The binary, after the command that starts it as another user.
    pub program: Vec<String>,
    started: Mutex<Vec<u32>>,
}

impl Home {
    /// Creates an empty project without configuration.
    pub fn bare() -> Self {
        Self::bare_in(&std::env::temp_dir())
    }

    /// Creates the home in `place`. Sandboxed commands do not see the machine's temporary folder.
    pub fn bare_in(place: &Path) -> Self {
        static COUNTED: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::Builder::new()
            .prefix("benchdog-it-")
            .tempdir_in(place)
            .expect("a folder of its own");
        let home = Self {
            mark: format!(
                "BENCHDOG_IT_MARK={}-{}",
                std::process::id(),
                COUNTED.fetch_add(1, Ordering::Relaxed)
            ),
            environment: Vec::new(),
            window: (120, 40),
            kind: Kind::Xterm,
            program: vec![binary().to_string_lossy().into_owned()],
            started: Mutex::default(),
            folder,
        };
        for path in [home.project(), home.benchdog_home(), home.user_home()] {
            std::fs::create_dir_all(path).expect("folders of a new home");
        }
        home
    }

    /// Creates a home whose configuration has only the test's model server.
    pub fn with(server: &Server) -> Self {
        let home = Self::bare();
        home.configure(&config(&server.base_url()));
        home
    }

    // --- what it is made of ---

    pub fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub fn benchdog_home(&self) -> PathBuf {
        self.folder.path().join("benchdog")
    }

    pub fn user_home(&self) -> PathBuf {
        self.folder.path().join("user")
    }

    /// Returns the folder around project and home.
    pub fn outside(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.project().join(relative)
    }

    pub fn file(&self, relative: &str, text: &str) -> &Self {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders of a file");
        std::fs::write(path, text).expect("a file of the project");
        self
    }

    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        let path = self.path(relative);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn configure(&self, config: &Value) {
        let text = serde_json::to_string_pretty(config).expect("a configuration is JSON");
        self.configure_text(&text);
    }

    pub fn configure_text(&self, text: &str) {
        std::fs::write(self.benchdog_home().join("config.jsonc"), text).expect("a configuration file");
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn window(mut self, columns: u16, rows: u16) -> Self {
        self.window = (columns, rows);
        self
    }

    pub fn kitty(mut self) -> Self {
        self.kind = Kind::Kitty;
        self
    }

    fn program(&self) -> (&str, &[String]) {
        let (first, rest) = self.program.split_first().expect("a program");
        (first, rest)
    }

    fn environment(&self) -> Vec<(String, String)> {
        let (mark, value) = self.mark.split_once('=').unwrap_or((&self.mark, ""));
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let mut pairs = vec![
            ("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("HOME".to_owned(), text(self.user_home())),
            ("BENCHDOG_HOME".to_owned(), text(self.benchdog_home())),
            (mark.to_owned(), value.to_owned()),
        ];
        pairs.extend(self.environment.iter().cloned());
        pairs
    }

    // --- running the binary ---

    /// Runs without a terminal and without input.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        self.start(arguments, None).wait()
    }

    pub fn run_with_input(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Finished {
        self.start(arguments, Some(input.into())).wait()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let (program, before) = self.program();
        let mut command = Command::new(program);
        command.args(before).args(arguments);
        self.at_home(command)
    }

    pub(super) fn at_home(&self, mut command: Command) -> Command {
        command.current_dir(self.project()).env_clear().envs(self.environment());
        command
    }

    pub fn start(&self, arguments: &[&str], input: Option<Vec<u8>>) -> Running {
        let running = Running::spawn(self.command(arguments), input);
        self.note(running.pid());
        running
    }

    pub fn open(&self, arguments: &[&str]) -> Pty {
        let (program, before) = self.program();
        let mut command = CommandBuilder::new(program);
        command.args(before);
        command.args(arguments);
        command.cwd(self.project());
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        let pty = Pty::spawn(command, self.kind, self.window.0, self.window.1);
        self.note(pty.pid());
        pty
    }

    fn note(&self, pid: u32) {
        self.started.lock().unwrap_or_else(PoisonError::into_inner).push(pid);
    }

    /// Opens a shell with job control, in which `benchdog` starts the binary. The shell does not edit lines itself, so
    /// the terminal has the modes of an idle terminal.
    pub fn shell(&self) -> Pty {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "--noprofile", "--noediting", "-i"]);
        command.cwd(self.project());
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.env("PS1", "shell$ ");
        let binary = binary();
        let folder = binary.parent().expect("the binary lies in a folder");
        command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display()));
        let pty = Pty::spawn(command, self.kind, self.window.0, self.window.1);
        pty.wait_for_text("shell$");
        pty
    }

    /// Runs the binary in a terminal, and waits until the prompt accepts text.
    pub fn bench(&self, arguments: &[&str]) -> Pty {
        let pty = self.open(arguments);
        pty.wait_for("the prompt", |screen| screen.has("›") && screen.cursor_is_shown());
        pty
    }

    // --- what is left ---

    pub fn processes(&self) -> Vec<(u32, String)> {
        marked_or(&self.mark, &self.started.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[track_caller]
    pub fn wait_for_process(&self, part: &str) {
        let runs = |(_, line): &(u32, String)| line.contains(part) && !line.contains("exec-child");
        let came = look_until(super::PATIENCE, || self.processes().iter().any(runs));
        assert!(came, "no process runs {part:?}: {:?}", self.processes());
    }

    /// Waits until the index contains this text, because writes to it are batched.
    #[track_caller]
    pub fn wait_for_index(&self, text: &str) {
        let index = self.benchdog_home().join("data/index.redb");
        let holds = |bytes: Vec<u8>| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        // A writer locks the file until its commit is complete.
        let is_committed = |file: std::fs::File| file.try_lock_shared().is_ok();
        let came = look_until(super::PATIENCE, || {
            std::fs::read(&index).is_ok_and(holds) && std::fs::File::open(&index).is_ok_and(is_committed)
        });
        assert!(came, "the index does not hold {text:?}");
    }

    /// Checks that within `patience`, no process has `part` in its command line.
    #[track_caller]
    pub fn assert_gone(&self, part: &str, patience: Duration) {
        let mut left = Vec::new();
        let gone = look_until(patience, || {
            left = self
                .processes()
                .into_iter()
                .filter(|(_, line)| line.contains(part))
                .collect();
            left.is_empty()
        });
        assert!(gone, "still there after {patience:?}: {left:?}");
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // Kill only processes with this home's mark. They must not outlive the test.
        for (pid, _) in self.processes() {
            kill(pid, Signal::KILL);
        }
    }
}

/// Returns a default configuration for a model server. Tests modify it.
pub fn config(base_url: &str) -> Value {
    json!({
        "model": format!("kit/{MODEL}"),
        "provider": {"kit": {
            "api": "openai",
            "base_url": base_url,
            "models": {MODEL: {"context": CONTEXT, "output": 4096}},
        }},
    })
}
