//! Files of an editor: their unsaved text, and the answers to the binary's requests for them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::Editor;
use crate::support::home::Home;

#[derive(Default, Clone, PartialEq, Eq)]
pub enum Saves {
    #[default]
    ToDisk,
    /// Changes only the buffer.
    Nowhere,
    /// Saves another text, like a formatter.
    As(String),
    Refuses,
    /// Does not answer reads and writes.
    Silent,
    /// Answers reads with a result of the wrong form.
    Malformed,
}

#[derive(Default)]
pub struct Files {
    pub open: BTreeMap<PathBuf, String>,
    saves: Saves,
    pub asked: Vec<(String, PathBuf)>,
}

impl Files {
    pub fn edit(&mut self, path: &Path, text: &str, saves: Saves) {
        self.open.insert(path.to_owned(), text.to_owned());
        self.saves = saves;
    }

    pub fn count(&self, method: &str) -> usize {
        self.asked.iter().filter(|(asked, _)| asked == method).count()
    }

    pub fn answer(&mut self, message: &Value) -> Option<Value> {
        let method = message["method"].as_str().filter(|method| method.starts_with("fs/"))?;
        let path = PathBuf::from(message["params"]["path"].as_str().unwrap_or_default());
        self.asked.push((method.to_owned(), path.clone()));
        if self.saves == Saves::Silent {
            return None;
        }
        let answer = |part: &str, value: Value| Some(json!({"jsonrpc": "2.0", "id": message["id"], part: value}));
        if method == "fs/read_text_file" && self.saves == Saves::Malformed {
            return answer("result", json!({"text": "typed"}));
        }
        if method == "fs/read_text_file" {
            return match self.open.get(&path) {
                Some(text) => answer("result", json!({"content": text})),
                None => answer("error", json!({"code": -32002, "message": "not open"})),
            };
        }
        if self.saves == Saves::Refuses {
            return answer("error", json!({"code": -32603, "message": "the buffer is locked"}));
        }
        let text = message["params"]["content"].as_str().unwrap_or_default().to_owned();
        let on_disk = match &self.saves {
            Saves::Nowhere => None,
            Saves::As(other) => Some(other.clone()),
            _ => Some(text.clone()),
        };
        if let Some(on_disk) = &on_disk {
            std::fs::write(&path, on_disk).expect("the editor can write");
        }
        self.open.insert(path, on_disk.unwrap_or(text));
        answer("result", json!({}))
    }
}

/// Sends the answer to a request for a file, if there is one.
pub fn send(stdin: &Mutex<Option<ChildStdin>>, answer: Option<Value>) {
    let mut stdin = stdin.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(answer), Some(stdin)) = (answer, stdin.as_mut()) {
        let _ = writeln!(stdin, "{answer}").and_then(|()| stdin.flush());
    }
}

impl Editor {
    /// Starts the binary with a client that offers its files.
    pub fn with_files(home: &Home) -> Self {
        Self::offers(home, json!({"fs": {"readTextFile": true, "writeTextFile": true}}))
    }

    pub fn offers(home: &Home, capabilities: Value) -> Self {
        let editor = Self::open(home, &[]);
        let params = json!({"protocolVersion": 1, "clientCapabilities": capabilities});
        editor.ask("initialize", params);
        editor
    }

    /// Changes the unsaved text of a file, and the behaviour when saving.
    pub fn edits(&self, path: &Path, text: &str, saves: Saves) {
        self.seen.change(|seen| seen.files.edit(path, text, saves));
    }

    pub fn files<T>(&self, look: impl FnOnce(&Files) -> T) -> T {
        look(&self.seen.look().files)
    }
}
