//! The seat of a subagent: its permissions, which the parent's permissions restrict, and its changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::Seat;
use super::calls::bodies::{body, change};
use super::recovery::interrupted_calls;
use super::servers::Switches;
use crate::engine::{Engine, FolderId};
use crate::input::{ChildLeft, LeftBehind};
use crate::machine::{AtPause, Rules};
use benchdog_agent::Profile;
use benchdog_base::id::{BlobId, SessionId};
use benchdog_config::settings::Settings;
use benchdog_domain::agent::AgentName;
use benchdog_domain::child::{ChildEnd, ChildEnded, ChildEntry, Spent};
use benchdog_domain::entry::Body;
use benchdog_domain::finding::Reviewed;
use benchdog_domain::history::History;
use benchdog_domain::permission::Verdict;
use benchdog_domain::tool::AppliedChange;
use benchdog_security::policy::{Grants, Policy, stricter};
use benchdog_security::workspace::Workspace;
use benchdog_tools::scratch::Scratch;
use benchdog_tools::task::Delegates;
use benchdog_tools::{Prepared, Registry, findings};

#[derive(Clone)]
pub(crate) struct Authority {
    pub(super) policy: Policy,
    grants: Grants,
    agent: Arc<Profile>,
}

pub(crate) struct Given {
    pub agent: Arc<Profile>,
    pub steps: u32,
    pub authority: Authority,
    pub files: Option<Reviewed>,
    pub(super) settings: Arc<Settings>,
    pub(super) scratch: Option<Arc<Scratch>>,
    pub(super) workspace: Arc<Workspace>,
    pub(super) switches: Switches,
}

const LAST_CALLS: usize = 3;

const GIVEN: &str = "Another agent gave you this work and waits for it: your last answer is all that it gets, so make that complete and short. Ask nothing that \
    you can find out yourself.";

impl Given {
    /// Returns the limits of a subagent. A subagent ends where another session would pause, because it cannot ask the
    /// person. Only the parent checks the limits of the whole run.
    pub(super) fn rules(&self, rules: Rules) -> Rules {
        let mut agent = rules.agent;
        agent.briefing = format!("{} {GIVEN}", agent.briefing);
        Rules {
            agent,
            insisted_steps: Some(self.steps),
            at_pause: AtPause::End,
            max_tokens: None,
            max_cost: None,
            validate: false,
            subagents: Vec::new(),
            ..rules
        }
    }

    /// Returns the tools of a subagent, without the tool for starting subagents. A review gets the tool for findings.
    pub(super) fn tools(&self, tools: &Registry) -> Registry {
        let tools = tools.without_delegation();
        match &self.files {
            Some(files) => tools.with([findings::row(files.clone())]).0,
            None => tools,
        }
    }

    pub(super) fn policy(&self) -> Policy {
        self.authority.policy.with(self.agent.layers())
    }
}

impl Seat {
    pub(crate) fn gives(&self, agent: &Arc<Profile>, steps: u32, files: Option<Reviewed>) -> Given {
        Given {
            agent: Arc::clone(agent),
            steps,
            authority: self.authority(),
            files,
            settings: Arc::clone(&self.settings),
            scratch: self.scratch.clone(),
            workspace: Arc::clone(&self.workspace),
            switches: self.served.switches(),
        }
    }

    /// Returns the permissions of the session, which also restrict its subagents.
    pub(crate) fn authority(&self) -> Authority {
        Authority {
            policy: self.policy.clone(),
            grants: self.grants.clone(),
            agent: Arc::clone(&self.agent),
        }
    }

    pub(crate) fn obey(&mut self, authority: Authority) {
        self.policy = authority.policy.with(self.agent.layers());
        self.above = Some(authority);
    }

    /// Returns the read-only agent: the session's own or the parent's. `None` if the session may write.
    pub(super) fn reader(&self) -> Option<&AgentName> {
        self.agents().find(|agent| agent.reads_only).map(|agent| &agent.name)
    }

    /// Returns the session's agent and the parent's agent. A tool must be allowed by both.
    pub(super) fn agents(&self) -> impl Iterator<Item = &Profile> {
        let above = self.above.as_ref().map(|above| &*above.agent);
        std::iter::once(&*self.agent).chain(above)
    }

    pub(super) fn all_grants(&self) -> Grants {
        let mut grants = self.grants.clone();
        if let Some(above) = &self.above {
            grants.join(&above.grants);
        }
        grants
    }

    /// Returns the stricter verdict of two: by the rules of the session, and by the rules of its parent.
    pub(super) fn by_rules(&self, grants: &Grants, prepared: &Prepared) -> Verdict {
        let judge = |policy: &Policy| policy.judge(grants, &prepared.rules(), &prepared.subjects);
        let own = judge(&self.policy);
        match &self.above {
            Some(above) => stricter(judge(&above.policy), own),
            None => own,
        }
    }

    pub(super) fn delegates(&self, engine: &Engine) -> Option<Delegates> {
        let names = engine
            .at(self.folder())
            .agents
            .subagents()
            .map(|agent| agent.name.clone());
        self.above.is_none().then(|| Delegates {
            seat: self.id,
            agents: names.collect(),
            door: engine.door.clone(),
        })
    }

    pub(crate) fn history(&self) -> &History {
        self.log.history()
    }

    pub(crate) fn used(&self) -> (u64, f64) {
        self.machine.used()
    }

    pub(crate) fn spent(&self) -> Vec<Spent> {
        spent(self.log.history())
    }

    pub(crate) async fn changes_made(&self, engine: &Engine) -> Vec<AppliedChange> {
        changes_of(engine, &self.session.id, self.log.history()).await
    }
}

async fn changes_of(engine: &Engine, session: &SessionId, history: &History) -> Vec<AppliedChange> {
    let mut changes = Vec::new();
    for (path, ends) in changed(history) {
        let storage = &engine.setup.storage;
        let before = body(storage, session, ends.before.as_ref()).await;
        let after = body(storage, session, ends.after.as_ref()).await;
        let (Ok(before), Ok(after)) = (before, after) else {
            continue;
        };
        changes.push(AppliedChange {
            mode_before: ends.mode_before,
            ..change(path, before, after)
        });
    }
    changes
}

pub(super) fn cut_short<'a>(
    at: (&'a Engine, FolderId),
    child: &'a ChildEntry,
    left: &'a mut LeftBehind,
) -> BoxFuture<'a, ()> {
    Box::pin(look_at(at, child, left))
}

async fn look_at((engine, of): (&Engine, FolderId), child: &ChildEntry, left: &mut LeftBehind) {
    let read = engine.setup.storage.read_session(&child.session).await;
    let history = History::of(read.map(|(_, log)| log).unwrap_or_default());
    left.changed.extend(changes_of(engine, &child.session, &history).await);
    // Include the files of a call that was interrupted in the subagent itself.
    for own in interrupted_calls::look((engine, of), &child.session, &history).await {
        left.changed.extend(own.changed);
        left.unreadable.extend(own.unreadable);
    }
    let bodies = || history.entries().iter().map(|entry| &entry.body);
    let calls = bodies().filter_map(|body| match body {
        Body::ToolResult { tool, title, .. } => Some(format!("{tool} {title}")),
        _ => None,
    });
    let mut last: Vec<String> = calls.collect();
    last.drain(..last.len().saturating_sub(LAST_CALLS));
    let answers = bodies().filter(|body| matches!(body, Body::Assistant { .. })).count();
    left.child = Some(ChildLeft {
        entry: ChildEntry {
            ended: Some(ChildEnded {
                how: ChildEnd::Cut,
                steps: u32::try_from(answers).unwrap_or(u32::MAX),
                spent: spent(&history),
            }),
            ..child.clone()
        },
        last,
    });
}

fn spent(history: &History) -> Vec<Spent> {
    let models = history.totals().models.iter();
    models
        .map(|of| Spent {
            model: of.model.clone(),
            answers: of.answers,
            usage: of.usage,
        })
        .collect()
}

struct Ends {
    before: Option<BlobId>,
    after: Option<BlobId>,
    mode_before: Option<u32>,
}

fn changed(history: &History) -> Vec<(String, Ends)> {
    let mut paths = Vec::new();
    let mut ends: BTreeMap<&str, Ends> = BTreeMap::new();
    for entry in history.entries() {
        if let Body::Change {
            path,
            before,
            after,
            mode_before,
            ..
        } = &entry.body
        {
            let known = ends.entry(path).or_insert_with(|| {
                paths.push(path.clone());
                Ends {
                    before: before.clone(),
                    after: None,
                    mode_before: None,
                }
            });
            known.after.clone_from(after);
            known.mode_before = known.mode_before.or(*mode_before);
        }
    }
    let of = |path: String| ends.remove(path.as_str()).map(|ends| (path, ends));
    let mut all: Vec<_> = paths.into_iter().filter_map(of).collect();
    all.retain(|(_, ends)| ends.before != ends.after);
    all
}
