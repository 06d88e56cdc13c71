//! The beginning of every request: system prompt, tools and rules, with their size in tokens.

use std::sync::Arc;

use crate::engine::{Engine, Folder};
use crate::seat::calls;
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

/// Adjusts the token estimates to the last token count of the server in this session.
pub(in crate::seat) fn recall(history: &History, model: &ModelRef, assembly: &mut Assembly, estimator: &mut Estimator) {
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
        // Later messages are estimated with the adjusted factor.
        let messages = assembly.extend(history, history.last_entry()).clone();
        estimator.follow(assembly);
        estimator.before(&messages, Window::default());
    }
}

pub(in crate::seat) struct LaidOut {
    pub(in crate::seat) assembly: Assembly,
    pub(in crate::seat) estimator: Estimator,
    pub(in crate::seat) untold: Untold,
    /// The tools that fit into the context window.
    pub(in crate::seat) tools: Registry,
}

/// Rules and skills that the prompt omits. Kept until a notice reports them at the first request.
#[derive(Default)]
pub(in crate::seat) struct Untold {
    pub(in crate::seat) rules: Vec<CutRules>,
    /// Number of skills in the prompt, and total number of skills.
    pub(in crate::seat) skills: (u64, u64),
}

pub(in crate::seat) struct Parts<'s> {
    pub(in crate::seat) folder: &'s Folder,
    pub(in crate::seat) settings: &'s Arc<Settings>,
    pub(in crate::seat) model: &'s ModelRef,
    pub(in crate::seat) meta: &'s SessionMeta,
    pub(in crate::seat) tools: &'s Registry,
    pub(in crate::seat) skills: &'s Skills,
}

/// Builds the beginning of requests. The rules may take up at most a quarter of the context window.
pub(in crate::seat) fn lay_out(engine: &Engine, parts: &Parts<'_>) -> LaidOut {
    let window = engine.window(parts.settings, parts.model);
    let tools = parts.tools.in_window(window);
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
    let estimator = Estimator::new(&rules, &tools.declarations(), tools.facts())
        .with_skills(&index)
        .with_prompt(named);
    LaidOut {
        assembly: Assembly::new(system::prompt(&facts)).tagged(facts.tag.as_deref()),
        estimator,
        untold: Untold {
            rules: rules.cut,
            skills: parts.skills.told(window),
        },
        tools,
    }
}
