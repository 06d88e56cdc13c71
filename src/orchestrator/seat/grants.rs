//! "Always" answers: those of this session, and those that the workspace remembers.

use std::time::Duration;

use super::Seat;
use super::confined::granted;
use crate::domain::permission::{Action, Lasts, Layer, Rule, Scope, Verdict};
use crate::orchestrator::engine::Engine;
use crate::protocol::Answer;
use crate::security::policy::is_of;
use crate::storage::Storage;
use crate::tools::Prepared;

/// How long an index that another process holds is waited for before the person is asked as if nothing were remembered.
const PATIENCE: Duration = Duration::from_millis(250);

/// What the workspace remembers, where it remembers anything and tells in time.
pub(super) async fn in_time(storage: &Storage, folder: &str) -> Option<Vec<Scope>> {
    let remembered = tokio::time::timeout(PATIENCE, storage.grants(folder)).await;
    remembered.ok()?.ok().filter(|scopes| !scopes.is_empty())
}

impl Seat {
    /// The verdict on a call. What is remembered is read only for a call that would ask and that an answer can cover, and
    /// each time, because another window may have answered or taken back meanwhile.
    pub(super) async fn verdict(&mut self, engine: &Engine, prepared: &Prepared) -> Verdict {
        let verdict = self.with_what_is_remembered(engine, prepared).await;
        let granted = granted(&verdict, prepared, self.origin_of(prepared));
        self.unasked.granted.insert(prepared.call.clone(), granted);
        verdict
    }

    async fn with_what_is_remembered(&mut self, engine: &Engine, prepared: &Prepared) -> Verdict {
        let mut grants = self.all_grants();
        let verdict = self.judge(engine, prepared, &grants);
        if verdict.action != Action::Ask || verdict.scopes.is_empty() {
            return verdict;
        }
        match in_time(&engine.setup.storage, &engine.at(self.folder()).name()).await {
            Some(remembered) => {
                grants.set_remembered(remembered);
                self.judge(engine, prepared, &grants)
            }
            None => verdict,
        }
    }

    /// Keeps an "always" answer. One that cannot be stored holds for this session at least, and that is said.
    pub(super) async fn remember(&mut self, engine: &Engine, scope: Scope, lasts: Lasts) {
        for part in scope.parts() {
            if lasts == Lasts::Project {
                let folder = engine.at(self.folder()).name();
                match engine.setup.storage.grant(&folder, part.clone()).await {
                    Ok(()) => continue,
                    Err(error) => engine.storage_failed(self.id, &error).await,
                }
            }
            self.grants.grant(part);
        }
    }

    /// Takes an "always" answer back.
    pub(in crate::orchestrator) async fn revoke(&mut self, engine: &Engine, layer: Layer, rule: &Rule) {
        if layer == Layer::Remembered {
            let storage = &engine.setup.storage;
            for scope in self.remembered(engine).await.iter().filter(|scope| is_of(scope, rule)) {
                if let Err(error) = storage.revoke(&engine.at(self.folder()).name(), scope.clone()).await {
                    engine.storage_failed(self.id, &error).await;
                }
            }
        } else {
            self.grants.revoke(rule);
        }
    }

    /// The answers of this session, as the session that it works for lists them: by who got them.
    pub(in crate::orchestrator) fn own_answers(&self) -> Vec<(Layer, Rule)> {
        self.grants.of_session(&self.agent.name.0)
    }

    /// What is allowed, with the answers to those who work for it.
    pub(in crate::orchestrator) async fn list_permissions(&mut self, engine: &Engine, answers: Vec<(Layer, Rule)>) {
        let mut grants = self.grants.clone();
        grants.set_remembered(self.remembered(engine).await);
        let mut rules = answers;
        rules.extend(self.policy.rules(&grants));
        let kept_out = self.tools.rules();
        let kept_out = kept_out.iter().filter_map(|tool| self.kept_out(engine, tool));
        rules.extend(kept_out.map(|rule| (Layer::Agent, rule)));
        rules.extend(self.scratch_rule());
        engine.answer(self.id, Answer::Permissions(rules)).await;
    }

    /// What the workspace remembers now. Where that cannot be read, it is said, because what is missing in a list may hold.
    async fn remembered(&self, engine: &Engine) -> Vec<Scope> {
        match engine.setup.storage.grants(&engine.at(self.folder()).name()).await {
            Ok(scopes) => scopes,
            Err(error) => {
                engine.storage_failed(self.id, &error).await;
                Vec::new()
            }
        }
    }
}
