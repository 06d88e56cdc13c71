//! The beginning of every request, and its token cost.

use std::sync::Arc;

use super::calls;
use crate::engine::{Engine, Folder};
use benchdog_base::id::EntryId;
use benchdog_config::settings::Settings;
use benchdog_context::assembly::Assembly;
use benchdog_context::ledger::Estimator;
use benchdog_context::rules::CutRules;
use benchdog_context::skills::Skills;
use benchdog_context::{rules, system};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Window;
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::session::SessionMeta;
use benchdog_tools::Registry;

/// Calibrates the estimates with the server's last count in this session.
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
        // Estimates later messages with the calibration.
        let messages = assembly.extend(history, history.last_entry()).clone();
        estimator.follow(assembly);
        estimator.before(&messages, Window::default());
    }
}

pub(super) struct LaidOut {
    pub(super) assembly: Assembly,
    pub(super) estimator: Estimator,
    pub(super) untold: Untold,
}

/// Omitted rules and skills, reported with the first request.
#[derive(Default)]
pub(super) struct Untold {
    pub(super) rules: Vec<CutRules>,
    /// Number of included skills, and of all.
    pub(super) skills: (u64, u64),
}

/// Input for the beginning of requests.
pub(super) struct Parts<'s> {
    pub(super) folder: &'s Folder,
    pub(super) settings: &'s Arc<Settings>,
    pub(super) model: &'s ModelRef,
    pub(super) meta: &'s SessionMeta,
    pub(super) tools: &'s Registry,
    pub(super) skills: &'s Skills,
}

/// Limits rules to a quarter of the context window.
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
