//! Requests that are pending in tests: an edit, an edit of a subagent, a command.

use std::sync::Arc;

use super::Rig;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{Action, Because, CommandClass, Layer, Scope, Verdict};
use benchdog_domain::review::{CommandPart, CommandReview, FileChange, FileOperation, Review, Runs};
use benchdog_protocol::{ApprovalRequest, AskingChild, Live, OnDisk, TurnState};

const BEFORE: &str = include_str!("../money-before.txt");
const AFTER: &str = include_str!("../money-after.txt");

impl Rig {
    pub(in crate::tests) fn request(
        &mut self,
        tool: &str,
        title: &str,
        review: Review,
        class: Option<CommandClass>,
        scopes: Vec<Scope>,
        rule: &str,
    ) {
        let call = CallId(self.call.to_string());
        let verdict = Verdict {
            action: Action::Ask,
            because: Because::Words(rule.to_owned()),
            layer: Layer::Default,
            class,
            scopes,
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        };
        self.event(Live::State(TurnState::AwaitingPermission));
        self.event(Live::ApprovalRequested(Arc::new(ApprovalRequest {
            edition: self.edition,
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

    pub(in crate::tests) fn hold_edit(&mut self) {
        self.hold_edit_with(vec![Scope {
            key: "edit".to_owned(),
            pattern: "src/money.rs".to_owned(),
            options: None,
            and: Vec::new(),
        }]);
    }

    pub(in crate::tests) fn hold_edit_standing(&mut self, on_disk: OnDisk) {
        self.on_disk = on_disk;
        self.hold_edit();
    }

    pub(in crate::tests) fn hold_edit_of_child(&mut self, task: &str) {
        self.child = Some(AskingChild {
            seat: SeatId(2),
            call: CallId("w".to_owned()),
            agent: AgentName("general".to_owned()),
            task: task.to_owned(),
        });
        self.hold_edit();
    }

    /// Shows an edit. `scopes` are the offered scopes of "Always allow".
    pub(in crate::tests) fn hold_edit_with(&mut self, scopes: Vec<Scope>) {
        self.hold_change("src/money.rs", (BEFORE, AFTER), scopes);
    }

    fn hold_change(&mut self, path: &str, (before, after): (&str, &str), scopes: Vec<Scope>) {
        let change = FileChange {
            path: path.to_owned(),
            operation: FileOperation::Update,
            before: Some(before.as_bytes().into()),
            after: Some(after.as_bytes().into()),
            mode_after: None,
            note: None,
        };
        self.request("edit", path, Review::Files(vec![change]), None, scopes, "edit: ask");
    }

    pub(in crate::tests) fn proposes(&mut self, path: &str, sides: (&str, &str)) {
        let call = CallId(self.call.to_string());
        self.event(Live::ApprovalGone { call });
        (self.call, self.edition) = (self.call + 1, 0);
        self.hold_change(path, sides, Vec::new());
    }

    pub(in crate::tests) fn proposes_anew(&mut self, path: &str, sides: (&str, &str)) {
        self.edition += 1;
        self.hold_change(path, sides, Vec::new());
    }

    pub(in crate::tests) fn hold_command(&mut self) {
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
