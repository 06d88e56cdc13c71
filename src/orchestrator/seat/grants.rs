//! "Always" answers: those of this session, and those that the workspace remembers.

use std::time::Duration;

use super::Seat;
use crate::domain::permission::{Action, Lasts, Layer, Rule, Scope, Verdict};
use crate::orchestrator::engine::Engine;
use crate::protocol::Answer;
use crate::security::policy::is_of;
use crate::tools::Prepared;

/// How long an index that another process holds is waited for before the person is asked as if nothing were remembered.
const PATIENCE: Duration = Duration::from_millis(250);

impl Seat {
    /// The verdict on a call. What is remembered is read only for a call that would ask and that an answer can cover, and
    /// each time: another window may have answered or taken back meanwhile.
    pub(super) async fn verdict(&mut self, engine: &Engine, prepared: &Prepared) -> Verdict {
        let verdict = self.judge(engine, prepared);
        if verdict.action != Action::Ask || verdict.scopes.is_empty() {
            return verdict;
        }
        if self.read_remembered(engine).await {
            self.judge(engine, prepared)
        } else {
            verdict
        }
    }

    /// Keeps an "always" answer. One that cannot be stored holds for this session at least, and that is said.
    pub(super) async fn remember(&mut self, engine: &Engine, scope: Scope, lasts: Lasts) {
        if lasts == Lasts::Project {
            match engine.setup.storage.grant(&engine.folder(), scope.clone()).await {
                Ok(()) => return,
                Err(error) => engine.storage_failed(self.id, &error).await,
            }
        }
        self.grants.grant(scope);
    }

    /// Takes an "always" answer back, and tells what is left.
    pub(in crate::orchestrator) async fn revoke(&mut self, engine: &Engine, layer: Layer, rule: &Rule) {
        if layer == Layer::Remembered {
            let storage = &engine.setup.storage;
            let held = storage.grants(&engine.folder()).await.unwrap_or_default();
            for scope in held.into_iter().filter(|scope| is_of(scope, rule)) {
                if let Err(error) = storage.revoke(&engine.folder(), scope).await {
                    engine.storage_failed(self.id, &error).await;
                }
            }
        } else {
            self.grants.revoke(rule);
        }
        self.list_permissions(engine).await;
    }

    pub(in crate::orchestrator) async fn list_permissions(&mut self, engine: &Engine) {
        self.read_remembered(engine).await;
        let rules = self.policy.rules(&self.grants);
        engine.answer(self.id, Answer::Permissions(rules)).await;
    }

    /// Whether what the workspace remembers is known now. What cannot be read is as if it had not been answered.
    async fn read_remembered(&mut self, engine: &Engine) -> bool {
        let folder = engine.folder();
        let read = tokio::time::timeout(PATIENCE, engine.setup.storage.grants(&folder)).await;
        let known = matches!(read, Ok(Ok(_)));
        self.grants
            .set_remembered(read.ok().and_then(Result::ok).unwrap_or_default());
        known
    }
}
