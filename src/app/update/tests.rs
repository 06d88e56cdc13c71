//! The workbench as one uses it: keys and events in, what is on screen and what is asked for out.

mod ahead;
mod always;
mod anew;
mod answers;
mod approval;
mod background;
mod children;
mod clicks;
mod context;
mod decided;
mod deciding;
mod desk;
mod earlier;
mod entries;
mod fullwidth;
mod handed;
mod lists;
mod marking;
mod mouse;
mod outside;
mod own_commands;
mod panes;
mod prompt;
mod questions;
mod reading;
mod review;
mod rows;
mod said;
mod seats;
mod select;
mod servers;
mod session;
mod settings;
mod setup;
mod shell;
mod space;
mod stage;
mod stroke;
mod themes;
mod todo;
mod transcript;
mod tree;
mod unread;
mod vi;

use std::sync::{Arc, LazyLock};

use crate::app::msg::{Msg, TerminalFacts};
use crate::app::op::Op;
use crate::app::state::State;
use crate::app::{arrange, update};
use crate::base::clock::Time;
use crate::base::id::{CallId, EntryId, TurnId};
use crate::domain::call::Origin;
use crate::domain::entry::{Body, Entry};
use crate::domain::permission::{
    Action, Because, CommandClass, DecidedBy, Decision, Lasts, Layer, Rule, Scope, Verdict,
};
use crate::domain::review::{Asked, CommandReview, FileChange, FileOperation, Question, Review, Runs};
use crate::domain::tool::ToolFacts;
use crate::keys::{Key, Keymap};
use crate::protocol::{Ahead, AheadRow, Answer, ApprovalRequest, Command, Event, FoundModel, Live, TurnState};

/// Made once: there are many workbenches.
static TOOLS: LazyLock<Arc<[ToolFacts]>> = LazyLock::new(|| crate::tools::Registry::builtin().facts());

/// A workbench, its clock, and everything it asked for.
struct Bench {
    state: State,
    now: Time,
    ops: Vec<Op>,
    log: Vec<Arc<Entry>>,
    /// Else it is arranged when it comes into view: any number of messages can come before that.
    is_in_view: bool,
}

impl Bench {
    fn new(width: u16, height: u16) -> Self {
        let mut bench = Self {
            state: State::new(Keymap::default(), width, height, Time(1_000_000)),
            now: Time(1_000_000),
            ops: Vec::new(),
            log: Vec::new(),
            is_in_view: true,
        };
        bench.state.conversation.tools = Arc::clone(&TOOLS);
        arrange(&mut bench.state);
        bench
    }

    fn send(&mut self, msg: Msg) {
        self.ops.extend(update(&mut self.state, msg));
        if self.is_in_view {
            arrange(&mut self.state);
        }
    }

    /// Keys as people write them, a space between; a word of letters is typed.
    fn keys(&mut self, keys: &str) {
        for word in keys.split(' ') {
            match word.parse::<Key>() {
                Ok(key) => self.key(key),
                Err(_) => self.types(word),
            }
        }
    }

    fn types(&mut self, text: &str) {
        for c in text.chars() {
            self.key(match c {
                '\n' => Key::plain(crate::keys::KeyCode::Enter),
                c => Key::char(c),
            });
        }
    }

    fn key(&mut self, key: Key) {
        self.now.0 += 20;
        self.send(Msg::Key { key, at: self.now });
    }

    /// Time passes, and the wakes that were asked for come.
    fn wait(&mut self, ms: i64) {
        self.now.0 += ms;
        self.send(Msg::Tick { at: self.now });
    }

    fn event(&mut self, event: impl Into<Event>) {
        self.send(Msg::Agent {
            seat: self.state.seat,
            event: event.into(),
            at: self.now,
        });
    }

    fn decided(&mut self, call: CallId, by: DecidedBy) {
        self.entry(Body::Approval {
            call,
            tool: "edit".to_owned(),
            decision: Decision::Deny { reason: None },
            by,
            because: crate::domain::permission::Because::Words("edit: ask".to_owned()),
        });
    }

    fn entry(&mut self, body: Body) {
        self.entry_of(1, body);
    }

    fn entry_of(&mut self, turn: u32, body: Body) -> EntryId {
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

    fn kitty(&mut self) {
        self.send(Msg::Terminal(TerminalFacts { kitty: true }));
    }

    fn asks(&mut self, request: ApprovalRequest) {
        self.event(Live::ApprovalRequested(Arc::new(request)));
    }

    /// What comes behind a request, of whose reply so many were decided.
    fn ahead(&mut self, decided: usize, of: &str, asks: Vec<ApprovalRequest>) {
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

    fn commands(&self) -> Vec<&Command> {
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

    fn decisions(&self) -> Vec<&Command> {
        self.commands()
            .into_iter()
            .filter(|command| matches!(command, Command::Decide { .. }))
            .collect()
    }

    /// The texts that were kept as earlier prompts.
    fn earlier_prompts(&self) -> Vec<String> {
        let commands = self.commands().into_iter().filter_map(|command| match command {
            Command::RememberPrompt { text } => Some(text.clone()),
            _ => None,
        });
        commands.collect()
    }

    fn prompt(&self) -> String {
        self.state.prompt.buffer.expanded()
    }

    /// The rows of the conversation.
    fn screen(&self) -> Vec<String> {
        self.state
            .conversation
            .rows()
            .iter()
            .map(|row| row.line.text().trim_end().to_owned())
            .collect()
    }
}

fn found_model(id: &str) -> FoundModel {
    FoundModel {
        id: id.to_owned(),
        window: Some(65_536),
    }
}

/// What "always" covers for a pattern of paths.
fn edits(pattern: &str) -> Scope {
    Scope {
        key: "edit".to_owned(),
        pattern: pattern.to_owned(),
        options: None,
        and: Vec::new(),
    }
}

fn request(call: &str, review: Review) -> ApprovalRequest {
    ApprovalRequest {
        edition: 0,
        on_disk: crate::protocol::OnDisk::AsShown,
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
        },
    }
}

/// The keyboard is in a request about an edit, and letters count.
fn inside() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench
}

fn edit(call: &str) -> ApprovalRequest {
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

fn dangerous(call: &str) -> ApprovalRequest {
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

fn question(call: &str) -> ApprovalRequest {
    request(
        call,
        Review::Question(Question::one(Asked::of("Which one?", &["red", "blue"]))),
    )
}

fn questions(call: &str) -> ApprovalRequest {
    let asked = vec![
        Asked::of("Which one?", &["red", "blue"]),
        Asked::of("How large?", &["small", "large"]),
    ];
    request(call, Review::Question(Question::Model { asked, note: None }))
}
