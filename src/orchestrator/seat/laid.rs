//! What every request of a seat begins with, and what it costs.

use std::sync::Arc;

use super::calls;
use crate::base::id::EntryId;
use crate::config::settings::Settings;
use crate::context::assembly::Assembly;
use crate::context::ledger::Estimator;
use crate::context::rules::CutRules;
use crate::context::skills::Skills;
use crate::context::{rules, system};
use crate::domain::agent::ModelRef;
use crate::domain::budget::Window;
use crate::domain::entry::Body;
use crate::domain::history::History;
use crate::domain::session::SessionMeta;
use crate::orchestrator::engine::{Engine, Folder};
use crate::tools::Registry;

/// The server's last count of this session corrects the estimates from the beginning.
pub(super) fn recall(history: &History, model: &ModelRef, assembly: &mut Assembly, estimator: &mut Estimator) {
    let carried = history.carried();
    let counted = carried.parts().iter().rev().find_map(|part| match &part.entry().body {
        Body::Assistant {
            usage: Some(usage),
            model: by,
            ..
        } if by == model && part.entry().id > carried.point() => Some((part.entry().id, *usage)),
        _ => None,
    });
    let Some((answer, usage)) = counted else { return };
    let messages = assembly.extend(history, EntryId(answer.0 - 1)).clone();
    estimator.follow(assembly);
    estimator.before(&messages, Window::default());
    if estimator.cut(usage).is_none() {
        estimator.after(usage, Window::default());
        // What was said since is guessed with the measure of the count.
        let messages = assembly.extend(history, history.last_entry()).clone();
        estimator.follow(assembly);
        estimator.before(&messages, Window::default());
    }
}

/// The beginning of every request.
pub(super) struct LaidOut {
    pub(super) assembly: Assembly,
    pub(super) estimator: Estimator,
    pub(super) untold: Untold,
}

/// What does not stand in it, to be said with the first request, which is what it is left out of.
#[derive(Default)]
pub(super) struct Untold {
    pub(super) rules: Vec<CutRules>,
    /// How many skills do, and of how many.
    pub(super) skills: (u64, u64),
}

/// What of a seat the beginning is made from.
pub(super) struct Parts<'s> {
    pub(super) folder: &'s Folder,
    pub(super) settings: &'s Arc<Settings>,
    pub(super) model: &'s ModelRef,
    pub(super) meta: &'s SessionMeta,
    pub(super) tools: &'s Registry,
    pub(super) skills: &'s Skills,
}

/// The system prompt, and what it costs. Rules take a quarter of the window at most.
pub(super) fn lay_out(engine: &Engine, parts: &Parts<'_>) -> LaidOut {
    let window = engine.window(parts.settings, parts.model);
    let rules = rules::told(&parts.folder.texts, calls::result_bytes(window));
    let index = parts.skills.index(window);
    let facts = system::Facts {
        workspace: parts.meta.workspace.clone(),
        added: engine
            .setup
            .added
            .iter()
            .map(|root| root.display().to_string())
            .collect(),
        day: parts.meta.created.rfc3339().chars().take(10).collect(),
        rules: format!("{}{index}", rules.text),
        own: parts.settings.system_prompt.as_ref().map(|own| own.text.clone()),
        tag: parts.meta.tag.clone(),
    };
    let named = parts.settings.system_prompt.as_ref().map_or("", |own| &own.name);
    let estimator = Estimator::new(&rules, &parts.tools.declarations(), parts.tools.facts())
        .with_skills(&index)
        .with_prompt(named);
    LaidOut {
        assembly: Assembly::new(system::prompt(&facts)).tagged(facts.tag.as_deref()),
        estimator,
        untold: Untold {
            rules: rules.cut,
            skills: parts.skills.told(window),
        },
    }
}
