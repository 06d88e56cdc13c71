//! Settings for semantic search in files: the embedding model, and the files that must not be read.

use std::path::Path;
use std::sync::Arc;

use crate::engine::{Setup, open};
use benchdog_config::settings::RetrievalIndex;
use benchdog_config::{Settings, resolve_model};
use benchdog_domain::permission::{Action, Because, Layer, Place, Rule, Subject, ToolRules};
use benchdog_security::policy::{Grants, Policy};
use benchdog_tools::search_semantic::{EMBEDDING_PATIENCE, Embedder, IsDenied, Retrieval, reading_rules};

pub(super) fn of(settings: &Settings, policy: &Policy, setup: &Setup) -> Retrieval {
    match settings.retrieval.index {
        RetrievalIndex::Off => Retrieval::default(),
        RetrievalIndex::Lexical => Retrieval {
            is_denied: is_denied(policy),
            embedder: embedder(settings, setup),
        },
    }
}

/// Returns the embedding model. `None` during a replay, which makes no connection.
fn embedder(settings: &Settings, setup: &Setup) -> Option<Embedder> {
    let named = settings.retrieval.embedding_model.as_deref();
    let model = resolve_model(named.filter(|_| setup.replay.is_none())?, settings).ok()?;
    let provider = open(settings, &model.provider, &setup.environment, None)?;
    Some(Embedder {
        provider,
        full_name: format!("{}/{}", model.provider, model.id),
        model: model.id,
        patience: EMBEDDING_PATIENCE,
    })
}

/// Returns a function that detects files that the search must not read. `None` if no rule restricts reading.
///
/// A `deny` rule restricts every reading tool. An `ask` rule restricts only the tool that shows files, because a search
/// asks for approval itself. A rule for all tools and all subjects is ignored.
fn is_denied(policy: &Policy) -> Option<IsDenied> {
    let tools = reading_rules();
    let of_files = tools.first()?.name.clone();
    let restricts = move |tool: &ToolRules, layer: Layer, rule: &Rule| {
        let is_for = rule.key == tool.name || (rule.key == "*" && rule.pattern != "*");
        let is_restriction = match rule.action {
            Action::Allow => false,
            Action::Ask => layer != Layer::Default && tool.name == of_files,
            Action::Deny => true,
        };
        is_for && is_restriction
    };
    if !policy.rules(&Grants::default()).iter().any(|(layer, rule)| {
        let mut tools = tools.iter();
        tools.any(|tool| restricts(tool, *layer, rule))
    }) {
        return None;
    }
    let policy = policy.clone();
    Some(Arc::new(move |path: &Path| {
        let subject = Subject::Path {
            path: path.display().to_string(),
            place: Place::Inside,
            reach: None,
        };
        tools.iter().any(|tool| {
            let verdict = policy.judge(&Grants::default(), tool, std::slice::from_ref(&subject));
            matches!(&verdict.because, Because::Rule(rule) if restricts(tool, verdict.layer, rule))
        })
    }))
}

#[cfg(test)]
mod tests;
