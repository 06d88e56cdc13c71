//! A workspace for tests of the file tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::bench::{prepare, run};
use crate::confinement::Confines;
use crate::outputs::Outputs;
use crate::{Limits, Prepared, Refusal, Stop, ToolContext};
use benchdog_base::id::{BlobId, CallId, SessionId};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::Outcome;
use benchdog_security::workspace::Workspace;

pub(crate) struct Bench {
    _keep: tempfile::TempDir,
    pub root: PathBuf,
    pub cx: ToolContext,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let root = keep.path().canonicalize().unwrap().join("work");
        std::fs::create_dir(&root).unwrap();
        let cx = ToolContext {
            plans: false,
            workspace: Arc::new(Workspace::open(&root, &[], &[]).unwrap()),
            seen: Arc::new(Mutex::new(BTreeMap::new())),
            saved_meanwhile: Arc::default(),
            todo: TodoList::default(),
            limits: Limits {
                result_bytes: 64 * 1024,
                timeout_ms: None,
                checkpoint_max_file: 16 << 20,
            },
            skills: Arc::default(),
            loaded: Arc::default(),
            jobs: crate::jobs::Jobs::new(0).0,
            outputs: Outputs::of(&root, &SessionId("none".to_owned())),
            cache: root.join("cache"),
            launcher: PathBuf::from("/nonexistent"),
            hidden_variables: Arc::new([]),
            redactor: benchdog_security::redact::Redactor::default(),
            confines: Confines::none(),
            children: None,
            outside: None,
            web: None,
            retrieval: crate::search_semantic::Retrieval::default(),
            languages: benchdog_lsp::Servers::default(),
            write_set: None,
            sees: false,
            witnessed: Arc::default(),
            began: benchdog_base::clock::Time(0),
            port_offset: 0,
            stop: Stop::pair().1,
        };
        Self { _keep: keep, root, cx }
    }

    pub(crate) fn with(path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let bench = Self::new();
        bench.put(path, bytes);
        bench.saw(path);
        bench
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn saw(&self, path: &str) {
        let hash = BlobId::of(&self.bytes(path));
        self.cx.seen.lock().unwrap().insert(path.to_owned(), hash);
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.root.join(path)).unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }

    pub(crate) fn prepare(&self, tool: &str, arguments: Value) -> Result<Prepared, Refusal> {
        let Value::Object(map) = arguments else {
            panic!("arguments are an object")
        };
        let call = ToolCall {
            id: CallId("c1".to_owned()),
            name: tool.to_owned(),
            arguments: Arguments::Object(map),
        };
        wait(prepare(&call, &self.cx))
    }

    pub(crate) fn carry_out(&self, prepared: Prepared, kept: Kept) -> Outcome {
        let (sender, _receiver) = tokio::sync::mpsc::channel(8);
        wait(run(prepared, &Decision::Once { kept }, &self.cx, sender))
    }

    /// Prepares a call and runs it to the end. A refusal becomes the outcome.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Outcome {
        match self.prepare(tool, arguments) {
            Ok(prepared) => self.carry_out(prepared, Kept::All),
            Err(refusal) => *refusal.outcome,
        }
    }

    /// Returns all files with content and mode, to verify that a refusal changes nothing.
    pub(crate) fn tree(&self) -> BTreeMap<String, (String, u32)> {
        use std::os::unix::fs::PermissionsExt;
        let mut found = BTreeMap::new();
        let mut ahead = vec![self.root.clone()];
        while let Some(folder) = ahead.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let meta = path.symlink_metadata().unwrap();
                let name = path.strip_prefix(&self.root).unwrap().to_string_lossy().into_owned();
                let content = if meta.is_dir() {
                    ahead.push(path.clone());
                    "/".to_owned()
                } else if meta.is_symlink() {
                    format!("->{}", std::fs::read_link(&path).unwrap().display())
                } else {
                    std::fs::read(&path).unwrap().escape_ascii().to_string()
                };
                found.insert(name, (content, meta.permissions().mode() & 0o777));
            }
        }
        found
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}
