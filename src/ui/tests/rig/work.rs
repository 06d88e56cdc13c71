//! A turn in progress, for screens.

use std::sync::Arc;

use super::Rig;
use benchdog_base::id::CallId;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::{Ledger, LedgerItem, LedgerKind};
use benchdog_domain::entry::Body;
use benchdog_domain::history::LetGo;
use benchdog_domain::message::ToolCall;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Answer, FolderItem, Live, Opened, TurnState};

impl Rig {
    fn tool(&mut self, call: &str, tool: &str, title: &str, status: CallStatus, summary: &str, output: &str) {
        let id = CallId(call.to_owned());
        self.event(Live::ToolStarted {
            call: id.clone(),
            tool: tool.to_owned(),
            title: title.to_owned(),
        });
        self.entry(Body::CallStarted {
            call: id.clone(),
            tool: tool.to_owned(),
            title: title.to_owned(),
            files: Vec::new(),
        });
        self.now.0 += 1_900;
        self.entry(Body::ToolResult {
            call: id,
            tool: tool.to_owned(),
            title: title.to_owned(),
            status,
            summary: Summary::Words(summary.to_owned()),
            output: output.to_owned(),
            truncated: false,
            notes: Vec::new(),
            took_ms: 1_900,
            places: Vec::new(),
            images: Vec::new(),
        });
    }

    pub(in crate::tests) fn work(&mut self) {
        let model = ModelRef {
            provider: "vllm".to_owned(),
            id: "qwen3-coder-30b".to_owned(),
        };
        let meta = SessionMeta {
            id: benchdog_base::id::SessionId("0190f0c0ffee".to_owned()),
            title: String::new(),
            workspace: "/home/ada/shop".to_owned(),
            created: self.now,
            updated: self.now,
            model: Some(model.clone()),
            agent: AgentName::default(),
            entries: 0,
            window: None,
            parent: None,
            tag: None,
            forked_from: None,
        };
        self.event(Answer::Opened(Arc::new(Opened {
            skills: Vec::new(),
            model: meta.model.clone(),
            meta,
            worktree: None,
            gone: LetGo::default(),
            entries: Vec::new(),
            todo: TodoList::default(),
            plan: None,
            tools: benchdog_tools::Registry::builtin().facts(),
        })));
        self.folder(
            ".",
            &[
                ("shop", true, None),
                ("tests", true, None),
                ("Cargo.toml", false, None),
                ("README.md", false, Some('M')),
            ],
        );
        self.event(Live::State(TurnState::Planning));
        self.say("The total is wrong for carts with a voucher.");
        let todo = [
            ("reproduce", TodoStatus::Completed),
            ("read parser", TodoStatus::Completed),
            ("fix rounding", TodoStatus::InProgress),
            ("run the tests", TodoStatus::Pending),
        ];
        let items = todo.iter().zip(1..).map(|((text, status), id)| TodoItem {
            id,
            text: (*text).to_owned(),
            status: *status,
        });
        self.entry(Body::Todo {
            items: TodoList(items.collect()),
        });
        self.answer(model);
    }

    fn answer(&mut self, model: ModelRef) {
        let text = "I will reproduce it with a test, then look at how rounding is done in `money.rs`:\n\n```rust\n// Half up.\nfn round(cents: u64) -> u64 { cents }\n```\n";
        self.event(Live::State(TurnState::Generating));
        self.event(Live::Text(text.to_owned()));
        let call = |id: &str, name: &str| ToolCall {
            id: CallId(id.to_owned()),
            name: name.to_owned(),
            arguments: benchdog_domain::message::Arguments::Raw("{}".to_owned()),
        };
        let calls = vec![call("1", "read"), call("2", "grep"), call("3", "bash")];
        self.entry(Body::Assistant {
            text: text.to_owned(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls,
            model,
            usage: None,
            error: None,
        });
        self.event(Live::State(TurnState::ToolRunning));
        self.tool("1", "read", "src/money.rs", CallStatus::Ok, "112 lines", "");
        self.tool(
            "2",
            "grep",
            "\"round\"",
            CallStatus::Ok,
            "7 in 3 files",
            "src/money.rs:12: round\nsrc/money.rs:40: round",
        );
        let output = format!(
            "running 3 tests\n{}assertion failed: left 1999, right 2000\n",
            "test ok\n".repeat(40)
        );
        self.tool(
            "3",
            "bash",
            "cargo test cart",
            CallStatus::Error,
            "exit 101  1.9s",
            &output,
        );
        let item = |kind, tokens| LedgerItem { kind, tokens };
        self.event(Live::Context(Ledger {
            cached: Some(24_100),
            used: 26_800,
            limit: 65_536,
            estimated: true,
            limit_is_guess: false,
            reserve: 8_192,
            items: vec![
                item(LedgerKind::System, 1_900),
                item(LedgerKind::Rules, 800),
                item(LedgerKind::Tools, 2_200),
                item(LedgerKind::Files, 12_400),
                item(LedgerKind::Conversation, 9_500),
            ],
        }));
        self.wait(100);
    }

    pub(in crate::tests) fn calls_edit(&mut self) {
        self.event(Live::State(TurnState::Generating));
        self.entry(Body::Assistant {
            text: String::new(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls: vec![ToolCall {
                id: CallId("e".to_owned()),
                name: "edit".to_owned(),
                arguments: benchdog_domain::message::Arguments::Raw("{}".to_owned()),
            }],
            model: ModelRef {
                provider: "vllm".to_owned(),
                id: "qwen3-coder-30b".to_owned(),
            },
            usage: None,
            error: None,
        });
    }

    fn folder(&mut self, path: &str, items: &[(&str, bool, Option<char>)]) {
        let items = items
            .iter()
            .map(|(path, folder, git)| FolderItem {
                path: (*path).to_owned(),
                folder: *folder,
                ignored: false,
                git: *git,
            })
            .collect();
        self.event(Answer::Folder {
            path: path.to_owned(),
            items,
        });
    }
}
