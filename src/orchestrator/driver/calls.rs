//! Tool calls and the check: prepared, judged, run, cancelled.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Driver, Report};
use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::domain::message::ToolCall;
use crate::domain::permission::{Decision, Kept};
use crate::domain::tool::{CallStatus, OutputChunk};
use crate::orchestrator::input::Happened;
use crate::orchestrator::validation::{self, Allowed};
use crate::tools::{self, Limits, Prepared, Refusal, ToolContext};

impl Driver {
    fn tool_context(&self) -> ToolContext {
        ToolContext {
            workspace: Arc::clone(&self.setup.workspace),
            seen: Arc::clone(&self.seen),
            todo: self.machine.todo().clone(),
            limits: Limits {
                result_bytes: self.result_bytes(),
            },
            overflow: self.setup.folders.cache.join("outputs").join(&self.session.id.0),
            launcher: self.setup.launcher.clone(),
            hidden_variables: self.hidden_variables(),
        }
    }

    /// A quarter of the window, at three bytes a token, so that no result can crowd out the work.
    fn result_bytes(&self) -> usize {
        let window = self.window(self.machine.model());
        usize::try_from(window.saturating_mul(3) / 4)
            .unwrap_or(usize::MAX)
            .max(4096)
    }

    /// The variables that hold keys of configured endpoints.
    fn hidden_variables(&self) -> Arc<[String]> {
        let configured = self
            .setup
            .settings
            .provider
            .iter()
            .flat_map(|(_, provider)| provider.api_key_env.iter().cloned());
        configured.collect()
    }

    pub(super) fn prepare(&mut self, call: ToolCall) {
        let cx = self.tool_context();
        let reports = self.reports.clone();
        let id = call.id.clone();
        let task = tokio::spawn(async move {
            let result = tools::prepare(&call, &cx).await;
            let _ = reports.send(Report::Prepared { call: call.id, result }).await;
        });
        self.running.insert(id, task.abort_handle());
    }

    pub(super) async fn on_prepared(&mut self, call: CallId, result: Result<Prepared, Refusal>) {
        self.running.remove(&call);
        let happened = match result {
            Err(refusal) => Happened::Refused {
                call,
                outcome: *refusal.outcome,
            },
            Ok(prepared) => {
                let verdict = self
                    .policy
                    .judge(prepared.tool, &prepared.subjects, &self.setup.workspace);
                let happened = Happened::Prepared {
                    call: call.clone(),
                    tool: prepared.tool.to_owned(),
                    title: prepared.title.clone(),
                    effect: prepared.effect,
                    review: Arc::clone(&prepared.review),
                    verdict,
                };
                self.prepared.insert(call, prepared);
                happened
            }
        };
        self.feed(happened).await;
    }

    pub(super) fn run(&mut self, call: CallId, decision: Decision) -> Option<Happened> {
        let prepared = self.prepared.remove(&call)?;
        let task = self.spawn_run(prepared, decision, |call, outcome, took_ms| Happened::Finished {
            call,
            outcome,
            took_ms,
        });
        self.running.insert(call, task);
        None
    }

    fn spawn_run(
        &self,
        prepared: Prepared,
        decision: Decision,
        report: impl FnOnce(CallId, crate::domain::tool::Outcome, u64) -> Happened + Send + 'static,
    ) -> tokio::task::AbortHandle {
        let cx = self.tool_context();
        let reports = self.reports.clone();
        let task = tokio::spawn(async move {
            let call = prepared.call.clone();
            let (output, mut lines) = mpsc::channel::<OutputChunk>(64);
            let started = Time::now();
            let forward = async {
                while let Some(chunk) = lines.recv().await {
                    let happened = Happened::Output {
                        call: chunk.call,
                        text: chunk.text,
                    };
                    let _ = reports.send(Report::Input(happened)).await;
                }
            };
            let (outcome, ()) = tokio::join!(tools::run(prepared, &decision, &cx, output), forward);
            let took_ms = Time::now().since(started);
            let _ = reports.send(Report::Input(report(call, outcome, took_ms))).await;
        });
        task.abort_handle()
    }

    pub(super) fn cancel(&mut self, call: &CallId) {
        self.prepared.remove(call);
        if let Some(task) = self.running.remove(call) {
            task.abort();
        }
    }

    // --- the check ---

    pub(super) fn plan_validation(&mut self) -> Option<Happened> {
        let root = self.setup.workspace.root();
        let Some(plan) = validation::plan(&self.setup.settings.validation, root) else {
            let text =
                "Not validated: no check is configured (`validation.command`) and none was recognised.".to_owned();
            return Some(Happened::ValidationSkipped {
                code: "not_validated",
                text,
            });
        };
        let allowed = if self.validation_allowed.as_ref() == Some(&plan.command) {
            Allowed::BySession
        } else {
            plan.allowed
        };
        let cx = self.tool_context();
        let reports = self.reports.clone();
        let id = CallId(format!("check_{}", self.session.entries));
        tokio::spawn(async move {
            let result = tools::prepare_command(id, &plan.command, &cx).await;
            let _ = reports
                .send(Report::ValidationPrepared {
                    command: plan.command,
                    allowed,
                    result,
                })
                .await;
        });
        None
    }

    pub(super) async fn on_validation_prepared(
        &mut self,
        command: String,
        allowed: Allowed,
        result: Result<Prepared, Refusal>,
    ) {
        let happened = match result {
            Err(refusal) => Happened::ValidationSkipped {
                code: "not_validated",
                text: format!("Not validated: `{command}` cannot be run: {}", refusal.outcome.output),
            },
            Ok(prepared) => {
                let judged = self
                    .policy
                    .judge(prepared.tool, &prepared.subjects, &self.setup.workspace);
                let verdict = validation::verdict(judged, allowed, &command);
                let call = prepared.call.clone();
                let review = Arc::clone(&prepared.review);
                self.prepared.insert(call.clone(), prepared);
                Happened::ValidationPrepared {
                    call,
                    command,
                    review,
                    verdict,
                }
            }
        };
        self.feed(happened).await;
    }

    pub(super) fn run_validation(&mut self, call: CallId) -> Option<Happened> {
        let prepared = self.prepared.remove(&call)?;
        self.validation_allowed = validation::command_of(&prepared.review);
        let decision = Decision::Once { kept: Kept::All };
        let task = self.spawn_run(prepared, decision, |call, outcome, _| Happened::Validated {
            call,
            passed: outcome.status == CallStatus::Ok,
            output: validation::tail(&outcome.output),
            summary: outcome.summary,
        });
        self.running.insert(call, task);
        None
    }
}
