//! A `Desk` that records its output, and sample requests.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::From;
use crate::desk::{Act, Desk};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SeatId, SessionId, TurnId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::budget::Usage;
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history::LetGo;
use benchdog_domain::permission::{Action, Because, Decision, Kept, Layer, Scope, Verdict};
use benchdog_domain::review::{FileChange, FileOperation, Review};
use benchdog_domain::session::SessionMeta;
use benchdog_domain::todo::TodoList;
use benchdog_headless::exit::Exit;
use benchdog_protocol::{Answer, ApprovalRequest, Command, Event, Live, Opened, TurnState};

pub(super) const SEAT: SeatId = SeatId(7);

pub(super) struct Scene {
    pub(super) desk: Desk,
    pub(super) now: Instant,
    pub(super) printed: String,
    pub(super) sent: Vec<Command>,
    pub(super) left: Option<Exit>,
}

pub(super) fn scene(from: From) -> Scene {
    let mut scene = Scene {
        desk: Desk::new(SEAT, from),
        now: Instant::now(),
        printed: String::new(),
        sent: Vec::new(),
        left: None,
    };
    scene.tell(Answer::Opened(Arc::new(Opened {
        meta: SessionMeta {
            id: SessionId("s1".to_owned()),
            workspace: "/work".to_owned(),
            title: String::new(),
            created: Time(0),
            updated: Time(0),
            model: None,
            agent: AgentName::default(),
            entries: 0,
            window: None,
            parent: None,
            tag: None,
            forked_from: None,
        },
        model: None,
        worktree: None,
        gone: LetGo::default(),
        entries: Vec::new(),
        todo: TodoList::default(),
        plan: None,
        tools: Arc::default(),
        skills: Vec::new(),
    })));
    scene
}

impl Scene {
    pub(super) fn tell(&mut self, event: impl Into<Event>) {
        self.desk.event(SEAT, event.into());
        self.act();
    }

    pub(super) fn fact(&mut self, body: Body) {
        self.tell(Event::Fact(Arc::new(Entry {
            id: EntryId(1),
            turn: TurnId(1),
            time: Time(0),
            body,
        })));
    }

    pub(super) fn ends(&mut self, outcome: TurnOutcome) {
        self.tell(Live::State(TurnState::Done));
        self.fact(Body::TurnEnded {
            outcome,
            steps: 1,
            usage: Usage::default(),
        });
    }

    pub(super) fn asks(&mut self, call: &str, review: Review) {
        self.tell(request(call, review));
    }

    pub(super) fn settles(&mut self) {
        while self.desk.asks() {
            self.desk.question_is_read(false, self.now);
            self.act();
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        assert!(self.desk.hears(), "nobody listens");
        self.desk.line(line);
        self.act();
        self.settles();
    }

    pub(super) fn stop(&mut self, after: u64) {
        self.desk.stop(self.now + Duration::from_millis(after));
        self.act();
    }

    pub(super) fn act(&mut self) {
        for act in self.desk.take_acts() {
            match act {
                Act::Print(text) => self.printed.push_str(&text),
                Act::Send(command) => self.sent.push(command),
                Act::Leave(exit) => self.left = Some(exit),
            }
        }
    }

    pub(super) fn decided(&self) -> Vec<(&str, &Decision)> {
        let decided = self.sent.iter().filter_map(|command| match command {
            Command::Decide { call, decision, .. } => Some((call.0.as_str(), decision)),
            _ => None,
        });
        decided.collect()
    }
}

pub(super) fn request(call: &str, review: Review) -> Live {
    let scope = |pattern: &str| Scope {
        key: "edit".to_owned(),
        pattern: pattern.to_owned(),
        options: None,
        and: Vec::new(),
    };
    Live::ApprovalRequested(Arc::new(ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        call: CallId(call.to_owned()),
        origin: Origin::Model,
        tool: "edit".to_owned(),
        title: "a.txt".to_owned(),
        review,
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words("edit: ask".to_owned()),
            layer: Layer::Default,
            class: None,
            scopes: vec![scope("a.txt"), scope("*")],
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        },
    }))
}

pub(super) fn change(before: &str, after: &str) -> Review {
    Review::Files(vec![FileChange {
        path: "a.txt".to_owned(),
        operation: FileOperation::Update,
        before: Some(before.as_bytes().into()),
        after: Some(after.as_bytes().into()),
        mode_after: None,
        note: None,
    }])
}

pub(super) fn once() -> Decision {
    Decision::Once { kept: Kept::All }
}

pub(super) fn deny(reason: &str) -> Decision {
    Decision::Deny {
        reason: Some(reason.to_owned()),
    }
}
