//! A workbench for tests.

use std::sync::{Arc, LazyLock};

use crate::msg::{Msg, TerminalFacts};
use crate::op::Op;
use crate::state::State;
use crate::{arrange, update};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::{Action, Because, CommandClass, DecidedBy, Decision, Layer, Scope, Verdict};
use benchdog_domain::review::{Asked, CommandReview, FileChange, FileOperation, Question, Review, Runs};
use benchdog_domain::server::{Sent, ServerName, ServerStage, ServerStatus, ServerTool, ServerTrouble};
use benchdog_domain::tool::ToolFacts;
use benchdog_keys::{Key, Keymap};
use benchdog_protocol::{Ahead, AheadRow, ApprovalRequest, Command, Event, FoundModel, Live};

/// The facts about the built-in tools. Computed once, because the tests create many `Bench` values.
pub static TOOLS: LazyLock<Arc<[ToolFacts]>> = LazyLock::new(|| benchdog_tools::Registry::builtin().facts());

/// A workbench for tests, with a clock that the test advances. Records all operations and log entries.
pub struct Bench {
    pub state: State,
    pub now: Time,
    pub ops: Vec<Op>,
    pub log: Vec<Arc<Entry>>,
    /// Whether a layout follows every message. Otherwise the screen is laid out only when the test views it.
    pub is_in_view: bool,
}

impl Bench {
    pub fn new(width: u16, height: u16) -> Self {
        let mut bench = Self {
            state: State::new(Keymap::default(), width, height, Time(1_000_000)),
            now: Time(1_000_000),
            ops: Vec::new(),
            log: Vec::new(),
            is_in_view: true,
        };
        bench.state.screen.conversation.tools = Arc::clone(&TOOLS);
        arrange(&mut bench.state);
        bench
    }

    pub fn send(&mut self, msg: Msg) {
        self.ops.extend(update(&mut self.state, msg));
        if self.is_in_view {
            arrange(&mut self.state);
        }
    }

    /// Presses keys, given in the notation of key bindings and separated by spaces. Other words are typed as text.
    pub fn keys(&mut self, keys: &str) {
        for word in keys.split(' ') {
            match word.parse::<Key>() {
                Ok(key) => self.key(key),
                Err(_) => self.types(word),
            }
        }
    }

    pub fn types(&mut self, text: &str) {
        for c in text.chars() {
            self.key(match c {
                '\n' => Key::plain(benchdog_keys::KeyCode::Enter),
                c => Key::char(c),
            });
        }
    }

    pub fn key(&mut self, key: Key) {
        self.now.0 += 20;
        self.send(Msg::Key { key, at: self.now });
    }

    /// Advances the clock, and delivers the ticks that were requested for this time.
    pub fn wait(&mut self, ms: i64) {
        self.now.0 += ms;
        self.send(Msg::Tick { at: self.now });
    }

    pub fn event(&mut self, event: impl Into<Event>) {
        self.send(Msg::Agent {
            seat: self.state.screen.seat,
            event: event.into(),
            at: self.now,
        });
    }

    pub fn decided(&mut self, call: CallId, by: DecidedBy) {
        self.entry(Body::Approval {
            call,
            tool: "edit".to_owned(),
            decision: Decision::Deny { reason: None },
            by,
            because: Because::Words("edit: ask".to_owned()),
        });
    }

    pub fn entry(&mut self, body: Body) {
        self.entry_of(1, body);
    }

    pub fn entry_of(&mut self, turn: u32, body: Body) -> EntryId {
        let id = EntryId(1 + self.log.len() as u64);
        let entry = Arc::new(Entry {
            id,
            turn: TurnId(turn),
            time: self.now,
            body,
        });
        self.log.push(Arc::clone(&entry));
        self.event(Event::Fact(entry));
        id
    }

    pub fn kitty(&mut self) {
        self.send(Msg::Terminal(TerminalFacts {
            kitty: true,
            ..self.state.terminal
        }));
    }

    pub fn asks(&mut self, request: ApprovalRequest) {
        self.event(Live::ApprovalRequested(Arc::new(request)));
    }

    /// Sends previews of the calls after the pending call `of`. `decided` calls of the reply are already decided.
    pub fn ahead(&mut self, decided: usize, of: &str, asks: Vec<ApprovalRequest>) {
        let rows = asks.iter().map(|request| AheadRow {
            call: request.call.clone(),
            tool: request.tool.clone(),
            title: request.title.clone(),
        });
        let ahead = Ahead {
            of: CallId(of.to_owned()),
            decided,
            rows: rows.collect(),
            asks: asks.into_iter().map(Arc::new).collect(),
            is_unsure: false,
        };
        self.event(Live::Ahead(Arc::new(ahead)));
    }

    pub fn commands(&self) -> Vec<&Command> {
        self.ops
            .iter()
            .filter_map(|op| {
                if let Op::Send(command) = op {
                    Some(command)
                } else {
                    None
                }
            })
            .collect()
    }

    pub fn decisions(&self) -> Vec<&Command> {
        self.commands()
            .into_iter()
            .filter(|command| matches!(command, Command::Decide { .. }))
            .collect()
    }

    pub fn earlier_prompts(&self) -> Vec<String> {
        let commands = self.commands().into_iter().filter_map(|command| match command {
            Command::RememberPrompt { text } => Some(text.clone()),
            _ => None,
        });
        commands.collect()
    }

    pub fn prompt(&self) -> String {
        self.state.screen.prompt.buffer.expanded()
    }

    pub fn screen(&self) -> Vec<String> {
        self.state
            .screen
            .conversation
            .rows()
            .iter()
            .map(|row| row.line.text().trim_end().to_owned())
            .collect()
    }
}

pub fn found_model(id: &str) -> FoundModel {
    FoundModel {
        id: id.to_owned(),
        window: Some(65_536),
    }
}

pub fn edits(pattern: &str) -> Scope {
    Scope {
        key: "edit".to_owned(),
        pattern: pattern.to_owned(),
        options: None,
        and: Vec::new(),
    }
}

pub fn request(call: &str, review: Review) -> ApprovalRequest {
    ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        call: CallId(call.to_owned()),
        origin: Origin::Model,
        tool: "edit".to_owned(),
        title: "src/money.rs".to_owned(),
        review,
        child: None,
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words("edit: ask".to_owned()),
            layer: Layer::Default,
            class: None,
            scopes: ["src/money.rs", "src/*", "*"].map(edits).to_vec(),
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        },
    }
}

pub fn inside() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench
}

pub fn edit(call: &str) -> ApprovalRequest {
    let before: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let after = before
        .replace("line 3\n", "line three\n")
        .replace("line 30\n", "line thirty\nmore\n");
    request(
        call,
        Review::Files(vec![FileChange {
            path: "src/money.rs".to_owned(),
            operation: FileOperation::Update,
            before: Some(before.as_bytes().into()),
            after: Some(after.as_bytes().into()),
            mode_after: None,
            note: None,
        }]),
    )
}

pub fn dangerous(call: &str) -> ApprovalRequest {
    let mut request = request(
        call,
        Review::Command(CommandReview {
            command: "rm -rf build".to_owned(),
            class: CommandClass::Dangerous,
            parts: Vec::new(),
            writes: Vec::new(),
            removes: Vec::new(),
            workdir: ".".to_owned(),
            reason: None,
            risky: false,
            runs: Runs::UntilDone { limit_ms: 1_000 },
        }),
    );
    request.verdict.class = Some(CommandClass::Dangerous);
    request.verdict.scopes = Vec::new();
    request
}

pub fn question(call: &str) -> ApprovalRequest {
    request(
        call,
        Review::Question(Question::one(Asked::of("Which one?", &["red", "blue"]))),
    )
}

pub fn questions(call: &str) -> ApprovalRequest {
    let asked = vec![
        Asked::of("Which one?", &["red", "blue"]),
        Asked::of("How large?", &["small", "large"]),
    ];
    request(call, Review::Question(Question::Model { asked, note: None }))
}

pub fn with_tools(count: usize, off: &str) -> ServerStatus {
    let tool = |at: usize| {
        let name = format!("files__tool_{at}");
        ServerTool {
            switched: if name == off { Switched::Off } else { Switched::On },
            about: format!("does what number {at} does"),
            name,
        }
    };
    ServerStatus {
        stage: ServerStage::Ready,
        trouble: None,
        tools: (0..count).map(tool).collect(),
        ..dead("files")
    }
}

pub fn dead(name: &str) -> ServerStatus {
    ServerStatus {
        prompts: Vec::new(),
        resources: 0,
        templates: 0,
        name: ServerName(name.to_owned()),
        stage: ServerStage::Dead,
        tools: Vec::new(),
        tokens: 0,
        sent: Sent::NotYet,
        trouble: Some(ServerTrouble::NotFound {
            program: "no-such-program-of-this-name-anywhere-on-this-machine-or-beside-it".to_owned(),
        }),
        restarts: 0,
        asked: Vec::new(),
        left_out: Vec::new(),
        missing: Vec::new(),
        sign_in: None,
    }
}
