//! The sandbox for the commands of one session, and the permission verdict if the sandbox is unavailable.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hooks::hooked;
use super::{Approver, Seat};
use crate::engine::{Engine, Folder};
use crate::machine::Rules;
use benchdog_agent::Profile;
use benchdog_base::id::CallId;
use benchdog_config::settings::Settings;
use benchdog_domain::call::Origin;
use benchdog_domain::command::CommandLine;
use benchdog_domain::confinement::{AskedBy, Confinement, Level, Missing, Network};
use benchdog_domain::permission::{Action, Because, Layer, Subject, Verdict};
use benchdog_domain::server::server_of;
use benchdog_domain::tool::EffectClass;
use benchdog_protocol::{Event, Live};
use benchdog_security::sandbox::{self, Granted, Wanted};
use benchdog_tools::Prepared;
use benchdog_tools::confinement::Confines;

/// State for calls that run without asking the person.
#[derive(Debug, Default)]
pub(super) struct Unasked {
    pub(super) granted: BTreeMap<CallId, Granted>,
    told_missing: bool,
}

/// Rights of a command that the person chose to run in the sandbox: writing in the workspace, no network.
pub(super) const CHOSEN: Granted = Granted {
    writes: true,
    network: false,
    core: false,
};

fn wanted(settings: &Settings) -> Wanted {
    sandbox::wanted(&settings.sandbox)
}

/// Returns the sandbox rights of a call that was allowed without asking the person. A call that a rule allows may write
/// in the workspace. A command that only reads, or that is allowed by default, may write nothing.
pub(super) fn granted(verdict: &Verdict, prepared: &Prepared, origin: Origin) -> Granted {
    let reads_only = lines(prepared).all(|line| line.analysis.reads_only);
    let by_default = verdict.action == Action::Allow && verdict.layer == Layer::Default;
    let is_confined = verdict.because == Because::Confined;
    Granted {
        writes: origin == Origin::Check || !(reads_only || by_default || is_confined),
        network: verdict.network && !is_confined,
        core: by_default && lines(prepared).all(|line| line.is_core()),
    }
}

fn lines(prepared: &Prepared) -> impl Iterator<Item = &Arc<CommandLine>> {
    prepared.subjects.iter().filter_map(|subject| match subject {
        Subject::Command(line) => Some(line),
        _ => None,
    })
}

/// Returns the sandbox for a command that runs without asking the person. If the system has no sandbox, core commands
/// run without a sandbox, unless the configuration requires it.
pub(super) fn unasked(confines: Confines, granted: Granted) -> Confines {
    let sandboxed = confines.clone().unasked(granted);
    let cannot = sandboxed.known().is_some_and(|missing| !missing.is_empty());
    let is_core = granted.core && confines.wanted.asked_by == AskedBy::Default;
    if cannot && is_core { confines } else { sandboxed }
}

pub(super) fn rules(settings: &Settings, folder: &Folder, agent: &Profile) -> Rules {
    let Wanted { level, network, .. } = wanted(settings);
    Rules {
        agent: agent.briefed(),
        held: (level, network),
        hooks: hooked(&settings.hooks),
        warn: settings.compaction.warn.clone(),
        subagents: folder.agents.own_subagents(),
        ..folder.rules.clone()
    }
}

impl Seat {
    /// Returns the sandbox level and the network access for the session's commands.
    pub(super) fn held(&self, engine: &Engine) -> (Level, Network) {
        let Wanted { level, network, .. } = self.confines_of(engine, Origin::Model).wanted;
        (level, network)
    }

    fn confines(&self, engine: &Engine) -> Confines {
        let settings = &self.settings.sandbox;
        Confines {
            wanted: wanted(&self.settings),
            writable: settings.writable.clone().into(),
            passed: settings.pass_env.clone().into(),
            sandbox: engine.setup.sandbox.clone(),
            also: Arc::default(),
        }
    }

    /// Returns the sandbox for hooks of the project: they may write in the workspace, and have no network.
    pub(super) fn confines_of_hooks(&self, engine: &Engine) -> Confines {
        self.confines(engine).unasked(Granted {
            writes: true,
            ..Granted::default()
        })
    }

    pub(super) fn confines_of(&self, engine: &Engine, origin: Origin) -> Confines {
        let confines = self.confines(engine);
        match origin {
            Origin::Check => confines.of_check(self.settings.validation.network),
            Origin::Model | Origin::OwnCommand if self.reader().is_some() => confines.reading_only(),
            Origin::Model
            | Origin::OwnCommand
            | Origin::Person
            | Origin::Typed
            | Origin::Merge
            | Origin::Undo
            | Origin::Review
            | Origin::Limit => confines,
        }
    }

    /// Adjusts a verdict to the sandbox, as `judge_held` does. Also determines whether the request offers to run the
    /// command in the sandbox.
    pub(super) fn judge_confinement(
        &self,
        engine: &Engine,
        prepared: &Prepared,
        origin: Origin,
        judged: Verdict,
    ) -> Verdict {
        let judged = self.judge_held(engine, prepared, origin, judged);
        let sandboxed = self.confines_of(engine, origin).unasked(CHOSEN);
        let is_there = sandboxed.known().is_some_and(|missing| missing.is_empty());
        Verdict {
            confinable: prepared.runs_command() && is_there && !sandboxed.wanted.is_switched_off(),
            ..judged
        }
    }

    /// Adjusts a verdict to the sandbox level.
    ///
    /// A read-only session denies writes. It also denies tools of MCP servers, because such tools may write. A command
    /// needs approval if its sandbox is unavailable. Allowed core commands need no approval, unless the configuration
    /// requires the sandbox.
    fn judge_held(&self, engine: &Engine, prepared: &Prepared, origin: Origin, judged: Verdict) -> Verdict {
        let confines = self.confines_of(engine, origin);
        // A program that runs without a sandbox may write anywhere.
        let is_unheld = prepared.effect == EffectClass::Executes && !prepared.runs_command() && !prepared.is_served();
        let writes = prepared.effect == EffectClass::Writes || is_unheld;
        if let Some(agent) = self.reader()
            && origin == Origin::Model
            && writes
        {
            let agent = agent.clone();
            return refused(judged, Because::ReadOnlyAgent { agent });
        }
        let is_unnamed = prepared.is_served() && !by_name(&judged);
        if let Some(agent) = self.reader()
            && is_unnamed
        {
            let agent = agent.clone();
            return refused(judged, Because::ReadOnlyAgent { agent });
        }
        if confines.wanted.level == Level::ReadOnly && (writes || is_unnamed) {
            return refused(judged, Because::ReadOnly);
        }
        if !prepared.runs_command() || judged.action == Action::Deny {
            return judged;
        }
        let is_unasked = judged.action == Action::Allow || engine.setup.approver != Approver::Person;
        if !is_unasked || origin == Origin::Typed {
            return not_confined(judged, &confines);
        }
        let granted = granted(&judged, prepared, origin);
        let unasked = confines.clone().unasked(granted);
        let is_core = granted.core && confines.wanted.asked_by == AskedBy::Default;
        // Without a sandbox, a command needs approval unless it is a core command or a rule allows it.
        let by_default = judged.action == Action::Allow && judged.layer == Layer::Default;
        if unasked.wanted.is_switched_off() {
            if let Some(reach) = lines(prepared).find_map(|line| line.below.first()) {
                return asks(judged, Because::Reaches(reach.clone()));
            }
            if by_default && !granted.core {
                // `--approve` may allow the command, like any other plain command.
                return Verdict {
                    needs_person: judged.needs_person,
                    ..needs_person(judged, Level::Off, &[])
                };
            }
        }
        if is_core {
            judged
        } else {
            not_confined(judged, &unasked)
        }
    }

    pub(super) fn origin_of(&self, prepared: &Prepared) -> Origin {
        self.origins.get(&prepared.call).copied().unwrap_or(Origin::Model)
    }

    /// Tests the sandbox and sends the result to front ends. Sends nothing if commands run without a sandbox.
    pub(super) fn tell_confinement(&self, engine: &Engine) {
        let confines = self.confines(engine);
        if !confines.wanted.holds_in() {
            return;
        }
        let (line, workspace) = (engine.line(self.id), Arc::clone(&engine.at(self.folder()).workspace));
        tokio::spawn(async move {
            let tried = tokio::task::spawn_blocking(move || confines.standing(&workspace));
            if let Ok(standing) = tried.await {
                line.tell(Event::Live(Live::Confinement(standing))).await;
            }
        });
    }

    /// Tells the person once that this system cannot run unapproved commands in a sandbox. Called when the first such
    /// command is prepared, because the sandbox has been tested by then.
    pub(super) async fn tell_missing_sandbox(&mut self, engine: &Engine) {
        let confines = self.confines(engine);
        let Wanted { level, network, .. } = confines.wanted;
        let missing = confines.unasked(Granted::default()).known().unwrap_or_default();
        if missing.is_empty() || level != Level::Off || std::mem::replace(&mut self.unasked.told_missing, true) {
            return;
        }
        let standing = Confinement {
            level,
            network,
            missing,
        };
        engine.tell(self.id, Event::Live(Live::Confinement(standing))).await;
    }
}

/// Whether a rule in the configuration allows the call by the name of an MCP tool. The author of such a rule knows the
/// tool. An "Always allow" is not such a rule, because the person gave it under other conditions.
fn by_name(judged: &Verdict) -> bool {
    if matches!(judged.layer, Layer::Remembered | Layer::Session | Layer::Project) {
        return false;
    }
    let names = |because: &Because| matches!(because, Because::Rule(rule) if server_of(&rule.key).is_some());
    judged.action == Action::Allow && names(&judged.because)
}

fn not_confined(judged: Verdict, confines: &Confines) -> Verdict {
    match confines.known().unwrap_or_default().as_slice() {
        [] => judged,
        missing => needs_person(judged, confines.wanted.level, missing),
    }
}

fn needs_person(judged: Verdict, level: Level, missing: &[Missing]) -> Verdict {
    let parts = missing.iter().map(|missing| missing.part).collect();
    asks(judged, Because::NotConfined { level, parts })
}

fn asks(judged: Verdict, because: Because) -> Verdict {
    Verdict {
        action: Action::Ask,
        because,
        layer: Layer::Guard,
        scopes: Vec::new(),
        needs_person: true,
        ..judged
    }
}

fn refused(judged: Verdict, because: Because) -> Verdict {
    Verdict {
        action: Action::Deny,
        because,
        layer: Layer::Guard,
        scopes: Vec::new(),
        ..judged
    }
}
