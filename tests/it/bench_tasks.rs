//! Tests of the tasks in `benches/tasks`. Each check fails before the reference solution and passes after it. A
//! scripted model solves each task through the real binary.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{Reply, call, text};
use crate::support::request::Request;
use crate::support::server::Server;

const PATIENCE_FOR_ALL: Duration = Duration::from_secs(180);
const TASKS: usize = 24;
const INJECTIONS: usize = 3;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/tasks")
}

struct Task {
    name: String,
    folder: PathBuf,
    config: String,
}

impl Task {
    fn all() -> Vec<Self> {
        let mut all: Vec<Self> = std::fs::read_dir(folder())
            .expect("the tasks")
            .map(|entry| {
                let folder = entry.expect("a task").path();
                Self {
                    name: folder.file_name().expect("a name").to_string_lossy().into_owned(),
                    config: read(&folder.join("task.toml")),
                    folder,
                }
            })
            .collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// Returns the value of a line `key = "value"`.
    fn value(&self, key: &str) -> &str {
        let line = self
            .config
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.unwrap_or_else(|| panic!("{} has no {key}", self.name))
            .trim_matches('"')
    }

    fn requires(&self) -> Vec<String> {
        let list: Value = serde_json::from_str(self.value("requires")).expect("a list");
        serde_json::from_value(list).expect("names of programs")
    }

    fn has_injection(&self) -> bool {
        self.folder.join("tests/injected.sh").exists()
    }

    fn script(&self, script: &str, workspace: &Path) -> Output {
        let mut command = Command::new("sh");
        command.arg(self.folder.join(script)).current_dir(workspace);
        command.env("TESTS_DIR", self.folder.join("tests"));
        command.output().expect("a shell")
    }

    fn solution(&self) -> Vec<String> {
        let files = self.folder.join("solution/files");
        let mut found: Vec<String> = std::fs::read_dir(files)
            .expect("a solution")
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        found.sort();
        found
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-R").arg(from).arg(to).status();
    assert!(status.is_ok_and(|status| status.success()), "{}", from.display());
}

fn on_threads(tasks: &[Task], work: impl Fn(&Task) + Sync) {
    let next = Mutex::new(tasks.iter());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let task = next.lock().expect("no thread panics with the lock").next();
                    let Some(task) = task else { return };
                    work(task);
                }
            });
        }
    });
}

fn has(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    found.is_ok_and(|found| found.status.success())
}

#[test]
fn there_are_enough_tasks_of_every_language_and_kind() {
    let tasks = Task::all();
    let of = |key| tasks.iter().map(|task| task.value(key)).collect::<BTreeSet<_>>();
    let (injections, others): (Vec<&Task>, Vec<&Task>) = tasks.iter().partition(|task| task.has_injection());
    assert!(
        others.len() >= TASKS && injections.len() >= INJECTIONS,
        "{} tasks",
        tasks.len()
    );
    assert_eq!(
        of("language"),
        ["c", "go", "java", "javascript", "python", "rust", "shell"].into()
    );
    let kinds = [
        "bug fix",
        "feature",
        "refactor",
        "test writing",
        "data file",
        "CJK text",
        "long file",
        "flaky check",
    ];
    assert_eq!(of("category"), kinds.into_iter().chain(["injection"]).collect());
}

#[test]
fn every_check_fails_before_the_solution_and_passes_after_it() {
    let tasks = Task::all();
    on_threads(&tasks, |task| {
        if !task.requires().iter().all(|program| has(program)) {
            return;
        }
        let place = tempfile::tempdir().expect("a folder");
        let workspace = place.path().join("workspace");
        copy(&task.folder.join("environment"), &workspace);
        let before = task.script("tests/test.sh", &workspace);
        assert!(!before.status.success(), "{} passes before its solution", task.name);
        let injected = || task.has_injection() && task.script("tests/injected.sh", &workspace).status.success();
        assert!(!injected(), "{}: followed before anything happened", task.name);
        let solved = task.script("solution/solve.sh", &workspace);
        assert!(solved.status.success(), "{}: {solved:?}", task.name);
        let after = task.script("tests/test.sh", &workspace);
        assert!(after.status.success(), "{}: {after:?}", task.name);
        assert!(!injected(), "{}: the solution follows the injection", task.name);
    });
}

/// Returns the calls with which the model writes the solution. It reads and changes existing files, writes new ones,
/// and lists the folder.
fn calls(task: &Task) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for path in task.solution() {
        let new = read(&task.folder.join("solution/files").join(&path));
        let old = task.folder.join("environment").join(&path);
        if !old.exists() {
            calls.push(("write", json!({"path": path, "content": new})));
            continue;
        }
        let old = read(&old);
        calls.push(("read", json!({"path": path})));
        calls.push(match part(&old, &new) {
            Some((from, to)) => ("edit", json!({"path": path, "edits": [{"old": from, "new": to}]})),
            None => ("write", json!({"path": path, "content": new})),
        });
    }
    calls.push(("bash", json!({"command": "ls"})));
    calls
}

/// Returns the changed lines, with enough lines before them to be unique.
fn part(old: &str, new: &str) -> Option<(String, String)> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let is_same = |(one, other): &(&&str, &&str)| one == other;
    let before = old_lines.iter().zip(&new_lines).take_while(is_same).count();
    let most = old_lines.len().min(new_lines.len()) - before;
    let backward = old_lines.iter().rev().zip(new_lines.iter().rev());
    let after = backward.take_while(is_same).count().min(most);
    (0..=before).rev().find_map(|start| {
        let from = old_lines[start..old_lines.len() - after].concat();
        let to = new_lines[start..new_lines.len() - after].concat();
        (old.matches(&from).count() == 1).then_some((from, to))
    })
}

/// Answers with the next call of the task in the prompt.
fn answer(tasks: &[(String, Vec<(&'static str, Value)>)], request: &Request) -> Option<Reply> {
    let (_, calls) = tasks.iter().find(|(instruction, _)| request.says(instruction))?;
    let done = request
        .messages()
        .iter()
        .filter(|message| message["role"] == "assistant")
        .count();
    Some(match calls.get(done) {
        Some((tool, arguments)) => call(tool, arguments.clone()),
        None => text("Done."),
    })
}

fn records(results: &Path) -> Vec<Value> {
    let files = std::fs::read_dir(results).expect("the results");
    let files = files.map(|file| read(&file.expect("a result").path()));
    files
        .map(|text| serde_json::from_str(&text).expect("a result is JSON"))
        .collect()
}

#[test]
fn a_scripted_model_solves_every_task_by_the_commands_of_the_list() {
    let server = Server::start();
    let home = Home::with(&server);
    let tasks = Task::all();
    let scripts: Vec<_> = tasks
        .iter()
        .map(|task| (read(&task.folder.join("instruction.md")).trim().to_owned(), calls(task)))
        .collect();
    server.model(move |request| answer(&scripts, request));
    let (folder, results) = (folder().display().to_string(), home.path("results"));
    let list = home.run(&["bench", "list", &folder, "--results", &results.display().to_string()]);
    list.assert_code(0);
    assert_eq!(list.stdout.lines().count(), tasks.len(), "{list}");
    on_threads(&tasks, |task| {
        let wanted = format!(" --task {} ", task.name);
        let line = list
            .stdout
            .lines()
            .find(|line| line.contains(&wanted))
            .expect("a line of each task");
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        home.start(&words, None).wait_within(PATIENCE_FOR_ALL).assert_code(0);
    });
    let records = records(&results);
    assert_eq!(records.len(), tasks.len());
    for record in &records {
        let is_skipped =
            record["status"] == "skipped" && record["reason"].as_str().is_some_and(|why| why.contains("PATH"));
        assert!(record["status"] == "solved" || is_skipped, "{record:#}");
        assert!(record["injection_followed"] != true, "{record:#}");
    }
    let solved = records.iter().filter(|record| record["status"] == "solved").count();
    let report = home.run(&["bench", "report", &results.display().to_string()]);
    report.assert_code(0);
    assert!(report.stdout.contains(&format!("  {solved}/{solved}  ")), "{report}");
    // The person's sessions stay unchanged.
    assert!(!home.benchdog_home().join("data/sessions").exists());
}
