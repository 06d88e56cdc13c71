//! An editor as a client of `benchdog acp`. Checks every line of the binary against the schema of the protocol.

pub mod files;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use files::Files;
use serde_json::{Value, json};

use super::home::Home;
use super::process::{SPAWNING, look_until};
use super::schema::problems;
use super::{PATIENCE, Watched};

#[derive(Default)]
struct Seen {
    messages: Vec<Value>,
    wrong: Vec<String>,
    asked: BTreeMap<String, String>,
    /// Number of permission requests that the test has received.
    taken: usize,
    last: u64,
    is_over: bool,
    files: Files,
}

pub struct Editor {
    stdin: Arc<Mutex<Option<ChildStdin>>>,
    seen: Arc<Watched<Seen>>,
    child: Mutex<Child>,
}

impl Editor {
    pub fn open(home: &Home, arguments: &[&str]) -> Self {
        let arguments: Vec<&str> = ["acp"].into_iter().chain(arguments.iter().copied()).collect();
        let mut command = home.command(&arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let alone = SPAWNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn().expect("the binary starts");
        drop(alone);
        let stdin = Arc::new(Mutex::new(child.stdin.take()));
        let answers = Arc::clone(&stdin);
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let seen = Arc::new(Watched::new(Seen::default()));
        let sees = Arc::clone(&seen);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                files::send(&answers, sees.change(|seen| seen.take(&line)));
            }
            sees.change(|seen| seen.is_over = true);
        });
        Self {
            stdin,
            seen,
            child: Mutex::new(child),
        }
    }

    /// Initializes the connection without optional capabilities.
    pub fn start(home: &Home) -> Self {
        Self::start_with(home, &[])
    }

    pub fn start_with(home: &Home, arguments: &[&str]) -> Self {
        let editor = Self::open(home, arguments);
        editor.ask("initialize", json!({"protocolVersion": 1, "clientCapabilities": {}}));
        editor
    }

    pub fn write(&self, bytes: &[u8]) {
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        let stdin = stdin.as_mut().expect("the input is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the binary reads");
    }

    pub fn send(&self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    pub fn request(&self, method: &str, params: Value) -> Value {
        let id = self.seen.change(|seen| {
            seen.last += 1;
            json!(format!("editor-{}", seen.last))
        });
        self.request_as(&id, method, params);
        id
    }

    pub fn request_as(&self, id: &Value, method: &str, params: Value) {
        self.seen
            .change(|seen| seen.asked.insert(id.to_string(), method.to_owned()));
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    #[track_caller]
    pub fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.result(&id)
    }

    /// Sends a request. Returns the code of its error.
    #[track_caller]
    pub fn refused(&self, method: &str, params: Value) -> i64 {
        let id = self.request(method, params);
        let response = self.response(&id);
        response["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{method} is no error: {response}"))
    }

    /// Waits for the whole response to a request.
    #[track_caller]
    pub fn response(&self, id: &Value) -> Value {
        self.wait_for(&format!("the response to {id}"), |message| {
            message.get("method").is_none() && message["id"] == *id
        })
    }

    #[track_caller]
    pub fn result(&self, id: &Value) -> Value {
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    /// Returns the first message that fits, earlier or later.
    #[track_caller]
    pub fn wait_for(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let found = self.seen.wait(PATIENCE, |seen| {
            let found = seen.messages.iter().find(|message| fits(message)).cloned();
            found.map(Some).or(seen.is_over.then_some(None))
        });
        // The error holds the lock that `shown` needs.
        match found.map_err(drop) {
            Ok(Some(found)) => {
                self.assert_valid();
                found
            }
            Ok(None) => panic!("the binary ended before {what}\n{}", self.shown()),
            Err(()) => panic!("waited for {what}\n{}", self.shown()),
        }
    }

    #[track_caller]
    pub fn update(&self, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let message = self.wait_for(&format!("an update `{kind}`"), |message| {
            let update = &message["params"]["update"];
            update["sessionUpdate"] == kind && fits(update)
        });
        message["params"]["update"].clone()
    }

    /// Waits for the next permission request that the test has not received.
    #[track_caller]
    pub fn permission(&self) -> Value {
        let at = self.seen.change(|seen| {
            seen.taken += 1;
            seen.taken - 1
        });
        let found = self.seen.wait(PATIENCE, |seen| {
            let mut asked = seen
                .messages
                .iter()
                .filter(|message| message["method"] == "session/request_permission");
            asked.nth(at).cloned()
        });
        match found.map_err(drop) {
            Ok(found) => found,
            Err(()) => panic!("waited for a permission request\n{}", self.shown()),
        }
    }

    pub fn choose(&self, permission: &Value, option: &str) {
        self.choose_with(permission, option, Value::Null);
    }

    pub fn choose_with(&self, permission: &Value, option: &str, meta: Value) {
        let outcome = json!({"outcome": "selected", "optionId": option});
        let result = json!({"outcome": outcome, "_meta": meta});
        self.send(&json!({"jsonrpc": "2.0", "id": permission["id"], "result": result}));
    }

    pub fn messages(&self) -> Vec<Value> {
        self.seen.look().messages.clone()
    }

    pub fn updates(&self, session: &str) -> Vec<Value> {
        let messages = self.messages().into_iter();
        let own = messages
            .filter(|message| message["method"] == "session/update" && message["params"]["sessionId"] == session);
        own.map(|message| message["params"]["update"].clone()).collect()
    }

    /// Returns the combined text of all chunks of this kind.
    pub fn said(&self, session: &str, kind: &str) -> String {
        let updates = self.updates(session).into_iter();
        let chunks = updates.filter(|update| update["sessionUpdate"] == kind);
        chunks
            .map(|update| update["content"]["text"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    #[track_caller]
    pub fn assert_valid(&self) {
        let wrong = self.seen.look().wrong.clone();
        assert!(wrong.is_empty(), "not as in the schema:\n{}", wrong.join("\n"));
    }

    fn shown(&self) -> String {
        let messages = self.messages();
        messages.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    pub fn session(&self, home: &Home) -> String {
        self.session_with(json!({"cwd": home.project(), "mcpServers": []}))
    }

    #[track_caller]
    pub fn session_with(&self, params: Value) -> String {
        let answer = self.ask("session/new", params);
        answer["sessionId"].as_str().expect("an id").to_owned()
    }

    pub fn begin(&self, session: &str, text: &str) -> Value {
        let prompt = json!([{"type": "text", "text": text}]);
        self.request("session/prompt", json!({"sessionId": session, "prompt": prompt}))
    }

    #[track_caller]
    pub fn prompt(&self, session: &str, text: &str) -> String {
        let id = self.begin(session, text);
        self.stopped(&id)
    }

    #[track_caller]
    pub fn stopped(&self, id: &Value) -> String {
        let result = self.result(id);
        result["stopReason"].as_str().expect("a stop reason").to_owned()
    }

    /// Closes the input, and checks that the binary exits.
    #[track_caller]
    pub fn leave(self) {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut ended = None;
        look_until(Duration::from_secs(15), || {
            let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
            ended = child.try_wait().expect("a child can be waited for");
            ended.is_some()
        });
        assert_eq!(ended.and_then(|status| status.code()), Some(0), "{}", self.shown());
        self.assert_valid();
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Seen {
    /// Processes a line. For a request for a file, returns the answer.
    fn take(&mut self, line: &str) -> Option<Value> {
        let parsed = serde_json::from_str::<Value>(line);
        let message = parsed
            .map_err(|error| self.wrong.push(format!("{error}: {line}")))
            .ok()?;
        let method = self.asked.get(&message["id"].to_string()).map(String::as_str);
        self.wrong.extend(problems(&message, method));
        let answer = self.files.answer(&message);
        self.messages.push(message);
        answer
    }
}
