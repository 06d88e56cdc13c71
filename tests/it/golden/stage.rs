//! A scenario: a home, a model server, consecutive runs, and their output, which is compared with the golden file.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::normal::Normal;
use super::pages;
use crate::support::home::{Home, config};
use crate::support::process::{Finished, Running};
use crate::support::reply::Reply;
use crate::support::server::Server;

const STREAM: &str = "stream-json";

pub struct Stage {
    name: &'static str,
    pub server: Server,
    pub home: Home,
    normal: Normal,
    lines: Vec<Value>,
    /// Number of requests in `lines`, and the messages of the newest one.
    sent: (usize, Vec<Value>),
}

pub struct Started {
    pub running: Running,
    arguments: Vec<String>,
}

impl Stage {
    pub fn new(name: &'static str) -> Self {
        Self::with(name, |_| {})
    }

    /// `change` modifies the default configuration of the tests.
    pub fn with(name: &'static str, change: impl FnOnce(&mut Value)) -> Self {
        let server = Server::start();
        let home = plain_home();
        let mut settings = config(&server.base_url());
        change(&mut settings);
        if settings.get("model").is_some() {
            // Golden files must not depend on the system's sandbox.
            settings["sandbox"] = json!({"level": "off"});
        }
        home.configure(&settings);
        Self {
            name,
            normal: Normal::of(home.outside()),
            server,
            home,
            lines: Vec::new(),
            sent: (0, Vec::new()),
        }
    }

    pub fn file(&self, path: &str, text: &str) -> &Self {
        self.home.file(path, text);
        self
    }

    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) -> &Self {
        self.server.script(replies);
        self
    }

    /// Runs `benchdog run --output stream-json` to its end.
    #[track_caller]
    pub fn run(&mut self, arguments: &[&str]) -> &mut Self {
        let started = self.start(arguments);
        self.end(started)
    }

    /// Runs with all arguments given, for outputs other than `stream-json`.
    #[track_caller]
    pub fn run_plain(&mut self, arguments: &[&str]) -> &mut Self {
        let started = self.start_plain(arguments);
        self.end(started)
    }

    pub fn start(&self, arguments: &[&str]) -> Started {
        let mut all = vec!["run", "--output", STREAM];
        all.extend(arguments);
        self.start_plain(&all)
    }

    pub fn start_plain(&self, arguments: &[&str]) -> Started {
        Started {
            running: self.home.start(arguments, None),
            arguments: arguments.iter().map(ToString::to_string).collect(),
        }
    }

    #[track_caller]
    pub fn end(&mut self, started: Started) -> &mut Self {
        let finished = started.running.wait();
        let lines = if started.arguments.iter().any(|argument| argument == STREAM) {
            self.normal.stream(finished.json_lines())
        } else {
            let mut stdout = json!({"stdout": finished.stdout.lines().collect::<Vec<_>>()});
            self.normal.value(&mut stdout);
            vec![stdout]
        };
        self.keep(&started.arguments, lines, &finished)
    }

    fn keep(&mut self, arguments: &[String], lines: Vec<Value>, finished: &Finished) -> &mut Self {
        let stderr: Vec<&str> = finished.stderr.lines().collect();
        let mut begin = json!({"run": arguments});
        let mut end = json!({"exit": finished.code, "signal": finished.signal, "stderr": stderr});
        self.normal.value(&mut begin);
        self.lines.push(begin);
        self.lines.extend(lines);
        self.normal.value(&mut end);
        self.lines.push(end);
        self.keep_requests();
        self
    }

    /// Adds the messages that are new since the previous request, without the system message.
    fn keep_requests(&mut self) {
        for request in self.server.requests().into_iter().skip(self.sent.0) {
            let mut messages: Vec<Value> = request.messages().iter().skip(1).cloned().collect();
            let (_, before) = &self.sent;
            let known = if messages.starts_with(before) { before.len() } else { 0 };
            let mut new: Value = messages.iter().skip(known).cloned().collect();
            self.normal.value(&mut new);
            self.lines
                .push(json!({"request": request.number, "known": known, "new": new}));
            self.sent = (request.number, std::mem::take(&mut messages));
        }
    }

    #[track_caller]
    pub fn hold(&mut self) {
        let mut files = BTreeMap::new();
        collect(&self.home.project(), "", &mut files);
        let mut files = json!({"files": files});
        self.normal.value(&mut files);
        self.lines.push(files);
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        pages::hold(&format!("stream/{}.jsonl", self.name), &lines);
    }
}

/// Creates a home whose path always has the same token count. The path has a fixed length and no digits.
pub fn plain_home() -> Home {
    tempfile::env::override_temp_dir(Path::new("/tmp")).ok();
    loop {
        let home = Home::bare();
        if !home
            .outside()
            .to_string_lossy()
            .contains(|letter: char| letter.is_ascii_digit())
        {
            return home;
        }
    }
}

fn collect(folder: &Path, above: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project").flatten() {
        let path = format!("{above}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
            continue;
        }
        let bytes = std::fs::read(entry.path()).expect("a file of the project");
        let text = String::from_utf8_lossy(&bytes).chars().take(400).collect();
        files.insert(path, text);
    }
}
