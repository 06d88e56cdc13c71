//! One workbench on a test terminal: a scene built from events and keys, and the picture of it.

use std::fmt::Write;
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::app::layout::Layout;
use crate::app::{self, Msg, State};
use crate::base::clock::Time;
use crate::base::id::{CallId, EntryId, SeatId, TurnId};
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::budget::{Ledger, LedgerItem, LedgerKind};
use crate::domain::call::Origin;
use crate::domain::entry::{Body, Entry};
use crate::domain::failure::Failure;
use crate::domain::history::LetGo;
use crate::domain::message::ToolCall;
use crate::domain::permission::{Action, Because, CommandClass, Layer, Scope, Verdict};
use crate::domain::review::{CommandPart, CommandReview, FileChange, FileOperation, Review, Runs};
use crate::domain::session::SessionMeta;
use crate::domain::summary::Summary;
use crate::domain::todo::{TodoItem, TodoList, TodoStatus};
use crate::domain::tool::CallStatus;
use crate::keys::{Key, Keymap};
use crate::protocol::{Answer, ApprovalRequest, AskingChild, Event, FolderItem, Live, OnDisk, Opened, TurnState};
use crate::theme::{Depth, Theme};
use crate::ui::{Cache, Frame, Worker, draw};

const BEFORE: &str = include_str!("money-before.txt");
const AFTER: &str = include_str!("money-after.txt");

pub(super) struct Rig {
    state: State,
    theme: Theme,
    cache: Cache,
    worker: Worker,
    now: Time,
    entry: u64,
    /// Whose requests are held; `None`: the session's own.
    child: Option<AskingChild>,
    on_disk: OnDisk,
}

impl Rig {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let now = Time(1_795_000_000_000);
        let mut rig = Self {
            state: State::new(Keymap::default(), width, height, now),
            theme: Theme::shipped("dark", Depth::Full),
            cache: Cache::default(),
            worker: Worker::default(),
            now,
            entry: 0,
            child: None,
            on_disk: OnDisk::AsShown,
        };
        rig.state.conversation.tools = crate::tools::Registry::builtin().facts();
        rig.send(Msg::Resize { width, height });
        rig
    }

    /// The same scene in no colours.
    pub(super) fn plain(&mut self) -> &mut Self {
        self.theme = Theme::shipped("plain", Depth::Plain);
        self
    }

    fn send(&mut self, msg: Msg) {
        app::update(&mut self.state, msg);
    }

    /// The configuration takes the keys of these actions away.
    pub(super) fn unbind(&mut self, actions: &[&str]) {
        let none = actions.iter().map(|id| ((*id).to_owned(), Vec::new()));
        self.state.keymap = Keymap::with(&none.collect::<Vec<_>>()).0;
    }

    pub(super) fn works_in(&mut self, folder: &str) {
        folder.clone_into(&mut self.state.session.workspace);
    }

    pub(super) fn close_dialog(&mut self) {
        self.state.dialog = None;
    }

    pub(super) fn event(&mut self, event: impl Into<Event>) {
        let (seat, event, at) = (self.state.seat, event.into(), self.now);
        self.send(Msg::Agent { seat, event, at });
    }

    pub(super) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.press(key.parse().unwrap());
        }
    }

    pub(super) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.press(Key::char(c));
        }
    }

    fn press(&mut self, key: Key) {
        // A person looks before they press: every key finds the screen arranged.
        app::arrange(&mut self.state);
        self.now.0 += 20;
        let at = self.now;
        self.send(Msg::Key { key, at });
    }

    pub(super) fn wait(&mut self, ms: i64) {
        app::arrange(&mut self.state);
        self.now.0 += ms;
        let at = self.now;
        self.send(Msg::Tick { at });
    }

    fn entry(&mut self, body: Body) {
        self.entry += 1;
        let entry = Entry {
            id: EntryId(self.entry),
            turn: TurnId(1),
            time: self.now,
            body,
        };
        self.event(Event::Fact(Arc::new(entry)));
    }

    pub(super) fn say(&mut self, text: &str) {
        self.entry(Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        });
    }

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

    /// A turn that read, searched and ran a check, as in the sketch.
    pub(super) fn work(&mut self) {
        let model = ModelRef {
            provider: "vllm".to_owned(),
            id: "qwen3-coder-30b".to_owned(),
        };
        let meta = SessionMeta {
            id: crate::base::id::SessionId("0190f0c0ffee".to_owned()),
            title: String::new(),
            workspace: "/home/ada/shop".to_owned(),
            created: self.now,
            updated: self.now,
            model: Some(model.clone()),
            agent: AgentName::default(),
            entries: 0,
            window: None,
            parent: None,
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
            tools: crate::tools::Registry::builtin().facts(),
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
            arguments: crate::domain::message::Arguments::Raw("{}".to_owned()),
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

    /// The model asks to change a file.
    pub(super) fn calls_edit(&mut self) {
        self.event(Live::State(TurnState::Generating));
        self.entry(Body::Assistant {
            text: String::new(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls: vec![ToolCall {
                id: CallId("e".to_owned()),
                name: "edit".to_owned(),
                arguments: crate::domain::message::Arguments::Raw("{}".to_owned()),
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

    pub(super) fn request(
        &mut self,
        tool: &str,
        title: &str,
        review: Review,
        class: Option<CommandClass>,
        scopes: Vec<Scope>,
        rule: &str,
    ) {
        let call = CallId("4".to_owned());
        let verdict = Verdict {
            action: Action::Ask,
            because: Because::Words(rule.to_owned()),
            layer: Layer::Default,
            class,
            scopes,
            only_once: None,
            needs_person: false,
        };
        self.event(Live::State(TurnState::AwaitingPermission));
        self.event(Live::ApprovalRequested(Arc::new(ApprovalRequest {
            edition: 0,
            on_disk: self.on_disk,
            call,
            origin: Origin::Model,
            tool: tool.to_owned(),
            title: title.to_owned(),
            review,
            verdict,
            child: self.child.clone(),
        })));
    }

    pub(super) fn hold_edit(&mut self) {
        self.hold_edit_with(vec![Scope {
            key: "edit".to_owned(),
            pattern: "src/money.rs".to_owned(),
            options: None,
            and: Vec::new(),
        }]);
    }

    /// Its file was saved elsewhere meanwhile, or not.
    pub(super) fn hold_edit_standing(&mut self, on_disk: OnDisk) {
        self.on_disk = on_disk;
        self.hold_edit();
    }

    /// As a child's, whose task has this title.
    pub(super) fn hold_edit_of_child(&mut self, task: &str) {
        self.child = Some(AskingChild {
            seat: SeatId(2),
            call: CallId("w".to_owned()),
            agent: AgentName("general".to_owned()),
            task: task.to_owned(),
        });
        self.hold_edit();
    }

    /// `scopes`: what "always" may cover.
    pub(super) fn hold_edit_with(&mut self, scopes: Vec<Scope>) {
        let change = FileChange {
            path: "src/money.rs".to_owned(),
            operation: FileOperation::Update,
            before: Some(BEFORE.as_bytes().into()),
            after: Some(AFTER.as_bytes().into()),
            mode_after: None,
            note: None,
        };
        self.request(
            "edit",
            "src/money.rs",
            Review::Files(vec![change]),
            None,
            scopes,
            "edit: ask",
        );
    }

    pub(super) fn hold_command(&mut self) {
        let part = |command: &str, class, because: &str| CommandPart {
            written: command.to_owned(),
            command: command.to_owned(),
            class,
            because: because.to_owned(),
        };
        let review = CommandReview {
            command: "cd build && find . -name '*.o' -exec rm {} +".to_owned(),
            class: CommandClass::Dangerous,
            parts: vec![
                part("cd build", CommandClass::Plain, "plain"),
                part(
                    "find . -name '*.o' -exec …",
                    CommandClass::Plain,
                    "runs 3 for each match",
                ),
                part("rm", CommandClass::Dangerous, "removes files"),
            ],
            writes: Vec::new(),
            removes: Vec::new(),
            workdir: "shop/build".to_owned(),
            reason: Some("clean stale objects".to_owned()),
            risky: false,
            runs: Runs::UntilDone { limit_ms: 120_000 },
        };
        self.request(
            "bash",
            "cd build && find",
            Review::Command(review),
            Some(CommandClass::Dangerous),
            Vec::new(),
            "dangerous",
        );
    }

    pub(super) fn fail(&mut self) {
        self.event(Live::Error(Failure::Told {
            code: "unreachable".to_owned(),
            text: "`http://127.0.0.1:8000/v1` did not answer: connection refused.".to_owned(),
        }));
    }

    /// The picture, with the colours of code as they are once worked out.
    pub(super) fn buffer(&mut self) -> Buffer {
        self.frame();
        for request in self.cache.take_requests() {
            let done = self.worker.serve(request);
            self.cache.finish(done);
        }
        self.frame().0
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.state.layout
    }

    pub(super) fn caret(&mut self) -> Option<(u16, u16)> {
        self.frame().1
    }

    fn frame(&mut self) -> (Buffer, Option<(u16, u16)>) {
        self.frame_over(Cell::EMPTY)
    }

    /// The picture and its caret, drawn into a buffer whose cells all are `before`.
    pub(super) fn frame_over(&mut self, before: Cell) -> (Buffer, Option<(u16, u16)>) {
        app::arrange(&mut self.state);
        let mut frame = Frame::of(Buffer::filled(
            Rect::new(0, 0, self.state.width, self.state.height),
            before,
        ));
        let caret = draw(&self.state, &self.theme, &mut self.cache, &mut frame);
        (frame.cells, caret.map(|at| (at.x, at.y)))
    }

    pub(super) fn screen(&mut self) -> String {
        let buffer = self.buffer();
        let caret = self.caret();
        let mut out = self.screen_of(&buffer);
        let _ = match caret {
            Some((x, y)) => write!(out, "caret {x},{y}"),
            None => write!(out, "no caret"),
        };
        out
    }

    /// Characters, with the second column of wide ones left out.
    pub(super) fn screen_of(&self, buffer: &Buffer) -> String {
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(crate::base::text::width(symbol).max(1)).unwrap();
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    /// One line a run of cells in one style.
    pub(super) fn styles(&mut self) -> String {
        let buffer = self.buffer();
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let _ = writeln!(out, "row {y}");
            let mut x = 0;
            while x < buffer.area.width {
                let cell = &buffer[(x, y)];
                let look = (cell.fg, cell.bg, cell.modifier);
                let mut text = String::new();
                while x < buffer.area.width && (buffer[(x, y)].fg, buffer[(x, y)].bg, buffer[(x, y)].modifier) == look {
                    text.push_str(buffer[(x, y)].symbol());
                    x += 1;
                }
                if !text.trim().is_empty() || look.1 != Color::Rgb(0x1a, 0x1c, 0x20) {
                    let _ = writeln!(
                        out,
                        "  {} on {}{} {:?}",
                        colour(look.0),
                        colour(look.1),
                        weight(look.2),
                        text
                    );
                }
            }
        }
        out
    }
}

fn colour(colour: Color) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        other => format!("{other:?}"),
    }
}

fn weight(modifier: Modifier) -> String {
    if modifier.is_empty() {
        String::new()
    } else {
        format!(" {modifier:?}")
    }
}
