//! "Always allow" rules of the session and of the workspace.

use std::time::Duration;

use crate::engine::Engine;
use crate::seat::Seat;
use crate::seat::confined::granted;
use benchdog_domain::permission::{Action, Lasts, Layer, Rule, Scope, Verdict};
use benchdog_protocol::Answer;
use benchdog_security::policy::is_of;
use benchdog_storage::Storage;
use benchdog_tools::Prepared;

/// Maximum time to wait for an index that another process uses. After this time, the person is asked for approval.
const PATIENCE: Duration = Duration::from_millis(250);

/// Returns the "Always allow" rules of the workspace. `None` if there are none, or after a timeout.
pub(in crate::seat) async fn in_time(storage: &Storage, folder: &str) -> Option<Vec<Scope>> {
    let remembered = tokio::time::timeout(PATIENCE, storage.grants(folder)).await;
    remembered.ok()?.ok().filter(|scopes| !scopes.is_empty())
}

impl Seat {
    /// Returns the permission verdict for a call. Reads the workspace's rules only for a call that needs approval, and
    /// each time anew, because another window may change them.
    pub(in crate::seat) async fn verdict(&mut self, engine: &Engine, prepared: &Prepared) -> Verdict {
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

    /// Stores the rule of an "Always allow" decision. If the rule cannot be stored, it applies only to this session,
    /// and a notice tells the person.
    pub(in crate::seat) async fn remember(&mut self, engine: &Engine, scope: Scope, lasts: Lasts) {
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

    pub(crate) async fn revoke(&mut self, engine: &Engine, layer: Layer, rule: &Rule) {
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

    /// Returns the rules that were given in this session, with its agent's name. The parent session lists them.
    pub(crate) fn own_answers(&self) -> Vec<(Layer, Rule)> {
        self.grants.of_session(&self.agent.name.0)
    }

    /// Sends the list of permissions. `answers` are the rules from approval requests of subagents.
    pub(crate) async fn list_permissions(&mut self, engine: &Engine, answers: Vec<(Layer, Rule)>) {
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

    /// Returns the workspace's rules. Reports a read error, because the list may then lack a rule that applies.
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
