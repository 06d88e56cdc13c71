//! The text of the `status_line` hooks. The hooks run again when the state of the session changes.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::Seat;
use crate::engine::{Engine, IfShut, Line};
use crate::hooks::{Asker, has};
use benchdog_domain::budget::Ledger;
use benchdog_domain::hook::HookEvent;
use benchdog_protocol::{Event, Live};
use benchdog_tools::{Stop, Stopper};

/// Minimum time between the end of a run of the hooks and the next run.
const PAUSE: Duration = Duration::from_millis(300);

#[derive(Default)]
pub(super) struct StatusLine {
    ledger: Option<Ledger>,
    hooks: Option<Hooks>,
}

/// The sender to the task that runs the hooks. The task ends when the sender is dropped.
struct Hooks {
    newest: watch::Sender<Map<String, Value>>,
    stopper: Stopper,
}

impl Drop for Hooks {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

impl StatusLine {
    /// Stops the hooks. The next change of the session's state starts the hooks that are configured at that time.
    pub(super) fn end_hooks(&mut self) {
        self.hooks = None;
    }
}

impl Seat {
    pub(super) async fn say_context(&mut self, engine: &Engine, ledger: Ledger) {
        self.status_line.ledger = Some(ledger.clone());
        engine.live(self.id, Live::Context(ledger)).await;
        self.renew_status_line(engine);
    }

    /// Runs the hooks if the session's state has changed since their last run.
    pub(super) fn renew_status_line(&mut self, engine: &Engine) {
        let nobody_reads = self.above.is_some() || engine.setup.if_shut == IfShut::End;
        if nobody_reads || !has(&self.settings.hooks, HookEvent::StatusLine, None) {
            return;
        }
        let state = self.state_for_hooks();
        if let Some(hooks) = &self.status_line.hooks {
            let is_new = |last: &mut Map<String, Value>| std::mem::replace(last, state.clone()) != state;
            hooks.newest.send_if_modified(is_new);
            return;
        }
        let Some(asker) = self.asker(engine) else { return };
        let (newest, states) = watch::channel(state);
        let (stopper, stop) = Stop::pair();
        tokio::spawn(follow(asker, states, stop, engine.line(self.id)));
        self.status_line.hooks = Some(Hooks { newest, stopper });
    }

    fn state_for_hooks(&self) -> Map<String, Value> {
        let root = self.workspace.root().display().to_string();
        let (cost, totals) = (self.cost(), self.log.history().totals());
        let mut state = Map::new();
        let mut tell = |name: &str, value: Value| drop(state.insert(name.to_owned(), value));
        tell("session_name", json!(self.session.title));
        tell("state", json!(self.live_snapshot.state()));
        tell("agent", json!({ "name": self.session.agent.0 }));
        if let Some(model) = self.model() {
            tell("model", json!({ "id": model.to_string(), "display_name": model.id }));
        }
        tell("workspace", json!({ "current_dir": root, "project_dir": root }));
        tell(
            "cost",
            json!({ "total_cost_usd": cost, "total_duration_ms": totals.worked_ms }),
        );
        let usage = totals.usage();
        let mut window = Map::new();
        window.insert("total_input_tokens".to_owned(), json!(usage.prompt));
        window.insert("total_output_tokens".to_owned(), json!(usage.completion));
        if let Some(ledger) = &self.status_line.ledger {
            let used = ledger.percent();
            window.insert("used_tokens".to_owned(), json!(ledger.used));
            window.insert("context_window_size".to_owned(), json!(ledger.limit));
            window.insert("used_percentage".to_owned(), json!(used));
            window.insert("remaining_percentage".to_owned(), json!(100_u64.saturating_sub(used)));
        }
        tell("context_window", Value::Object(window));
        state
    }
}

async fn follow(asker: Asker, mut states: watch::Receiver<Map<String, Value>>, stop: Stop, line: Line) {
    let (mut shown, mut told) = (String::new(), Vec::new());
    loop {
        let state = states.borrow_and_update().clone();
        let (text, failures) = asker.status_line(state, &stop).await;
        if stop.is_said() {
            break;
        }
        if failures != told {
            told.clone_from(&failures);
            for notice in failures {
                line.tell(Event::Live(Live::Notice(notice))).await;
            }
        }
        if text != shown {
            shown.clone_from(&text);
            line.tell(Event::Live(Live::StatusLine(text))).await;
        }
        let next = async {
            tokio::time::sleep(PAUSE).await;
            states.changed().await.is_ok()
        };
        let goes_on = tokio::select! {
            () = stop.stopped() => false,
            goes_on = next => goes_on,
        };
        if !goes_on {
            break;
        }
    }
    if !shown.is_empty() {
        line.tell(Event::Live(Live::StatusLine(String::new()))).await;
    }
}
