//! What waits for the person: an edit, one of a child, a command.

use std::sync::Arc;

use super::Rig;
use crate::base::id::{CallId, SeatId};
use crate::domain::agent::AgentName;
use crate::domain::call::Origin;
use crate::domain::permission::{Action, Because, CommandClass, Layer, Scope, Verdict};
use crate::domain::review::{CommandPart, CommandReview, FileChange, FileOperation, Review, Runs};
use crate::protocol::{ApprovalRequest, AskingChild, Live, OnDisk, TurnState};

const BEFORE: &str = include_str!("../money-before.txt");
const AFTER: &str = include_str!("../money-after.txt");

impl Rig {
    pub(in crate::ui::tests) fn request(
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

    pub(in crate::ui::tests) fn hold_edit(&mut self) {
        self.hold_edit_with(vec![Scope {
            key: "edit".to_owned(),
            pattern: "src/money.rs".to_owned(),
            options: None,
            and: Vec::new(),
        }]);
    }

    /// Its file was saved elsewhere meanwhile, or not.
    pub(in crate::ui::tests) fn hold_edit_standing(&mut self, on_disk: OnDisk) {
        self.on_disk = on_disk;
        self.hold_edit();
    }

    /// As a child's, whose task has this title.
    pub(in crate::ui::tests) fn hold_edit_of_child(&mut self, task: &str) {
        self.child = Some(AskingChild {
            seat: SeatId(2),
            call: CallId("w".to_owned()),
            agent: AgentName("general".to_owned()),
            task: task.to_owned(),
        });
        self.hold_edit();
    }

    /// `scopes`: what "always" may cover.
    pub(in crate::ui::tests) fn hold_edit_with(&mut self, scopes: Vec<Scope>) {
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

    pub(in crate::ui::tests) fn hold_command(&mut self) {
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
}
