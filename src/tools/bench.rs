//! A temporary workspace and tool calls, for tests of all tools.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use super::confinement::Confines;
use super::outputs::{self, Outputs};
use super::{Limits, Prepared, Refusal, Registry, Stop, ToolContext};
use benchdog_base::id::{CallId, SessionId};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_domain::tool::{Outcome, OutputChunk};
use benchdog_security::workspace::Workspace;

pub(super) async fn prepare(call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
    Registry::builtin().with_proof().with_retrieval().prepare(call, cx)
}

pub(super) async fn run(
    prepared: Prepared,
    decision: &Decision,
    cx: &ToolContext,
    output: mpsc::Sender<OutputChunk>,
) -> Outcome {
    prepared.run(decision, cx, output).await
}

pub(super) struct Bench {
    folder: tempfile::TempDir,
    pub(super) cx: ToolContext,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        let outputs = Outputs::of(folder.path(), &SessionId("session".to_owned()));
        let kept = outputs::folder(folder.path());
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&kept).unwrap();
        let workspace = Workspace::open(&root, &[], std::slice::from_ref(&kept)).unwrap();
        let bench = Self {
            cx: ToolContext {
                plans: false,
                workspace: Arc::new(workspace),
                seen: Arc::default(),
                saved_meanwhile: Arc::default(),
                todo: benchdog_domain::todo::TodoList::default(),
                limits: Limits {
                    result_bytes: 200_000,
                    timeout_ms: None,
                    checkpoint_max_file: 16 << 20,
                },
                skills: Arc::default(),
                loaded: Arc::default(),
                jobs: crate::jobs::Jobs::new(0).0,
                outputs,
                cache: folder.path().join("cache"),
                launcher: benchdog_testing::launcher(folder.path()),
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
            },
            folder,
        };
        for (path, text) in files {
            bench.write(path, text);
        }
        bench
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    pub(super) fn outside(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let file = self.root().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    pub(super) async fn prepare(&self, tool: &str, arguments: Value) -> Result<Prepared, Refusal> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let call = ToolCall {
            id: CallId("call".to_owned()),
            name: tool.to_owned(),
            arguments: Arguments::Object(arguments),
        };
        prepare(&call, &self.cx).await
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let (output, mut chunks) = mpsc::channel::<OutputChunk>(1024);
        let drain = async move { while chunks.recv().await.is_some() {} };
        let work = async {
            match self.prepare(tool, arguments).await {
                Err(refusal) => *refusal.outcome,
                Ok(prepared) => run(prepared, &Decision::Once { kept: Kept::All }, &self.cx, output).await,
            }
        };
        tokio::join!(work, drain).0
    }
}
