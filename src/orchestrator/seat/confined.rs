//! How the commands of one session are held in by the kernel, and what becomes of a verdict where they cannot be.

use std::sync::Arc;

use super::hooks::hooked;
use super::{Approver, Seat};
use crate::agent::Profile;
use crate::config::settings::Settings;
use crate::domain::call::Origin;
use crate::domain::confinement::{AskedBy, Level, Network};
use crate::domain::permission::{Action, Because, Layer, Verdict};
use crate::domain::server::server_of;
use crate::domain::tool::EffectClass;
use crate::orchestrator::engine::{Engine, Folder};
use crate::orchestrator::machine::Rules;
use crate::protocol::{Event, Live};
use crate::security::sandbox::{self, Wanted};
use crate::tools::Prepared;
use crate::tools::confinement::Confines;

impl Approver {
    /// The level where the configuration leaves it open: whoever lets commands run unseen has them held in.
    fn level(self) -> Level {
        match self {
            Self::Person | Self::Never => Level::Off,
            Self::Edits | Self::All => Level::Workspace,
        }
    }
}

/// What is wanted by these settings, in this program.
fn wanted(settings: &Settings, engine: &Engine) -> Wanted {
    sandbox::wanted(&settings.sandbox, engine.setup.approver.level())
}

/// What the machine is told, with what it says of commands.
pub(super) fn rules(settings: &Settings, folder: &Folder, engine: &Engine, agent: &Profile) -> Rules {
    let Wanted { level, network, .. } = wanted(settings, engine);
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
    /// What is wanted for its commands.
    pub(super) fn held(&self, engine: &Engine) -> (Level, Network) {
        let Wanted { level, network, .. } = self.confines_of(engine, Origin::Model).wanted;
        (level, network)
    }

    fn confines(&self, engine: &Engine) -> Confines {
        let settings = &self.settings.sandbox;
        Confines {
            wanted: wanted(&self.settings, engine),
            writable: settings.writable.clone().into(),
            passed: settings.pass_env.clone().into(),
            sandbox: engine.setup.sandbox.clone(),
        }
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

    /// Where nothing may be written, what writes is refused, and what may write for all we know: a tool of a server. A command that should
    /// be held in and cannot be asks the person. Where nobody asked for the level, what a rule allows runs without it, as it always did.
    pub(super) fn judge_confinement(
        &self,
        engine: &Engine,
        prepared: &Prepared,
        origin: Origin,
        judged: Verdict,
    ) -> Verdict {
        let confines = self.confines_of(engine, origin);
        // A program that is not held in may write whatever it likes.
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
        let missing = confines.known().unwrap_or_default();
        let by_rule = confines.wanted.asked_by == AskedBy::Default && judged.action == Action::Allow;
        if !prepared.runs_command() || missing.is_empty() || judged.action == Action::Deny || by_rule {
            return judged;
        }
        Verdict {
            action: Action::Ask,
            because: Because::NotConfined {
                level: confines.wanted.level,
                parts: missing.into_iter().map(|missing| missing.part).collect(),
            },
            layer: Layer::Guard,
            scopes: Vec::new(),
            needs_person: true,
            ..judged
        }
    }

    /// Tells what holds for commands, once it was tried; where nothing is held in, that is no news.
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
}

/// Whether a rule of the configuration that names tools of servers allows it: whoever wrote it knows what they do, which nobody
/// else does. An "always" was answered where more was allowed.
fn by_name(judged: &Verdict) -> bool {
    if matches!(judged.layer, Layer::Remembered | Layer::Session | Layer::Project) {
        return false;
    }
    let names = |because: &Because| matches!(because, Because::Rule(rule) if server_of(&rule.key).is_some());
    judged.action == Action::Allow && names(&judged.because)
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
