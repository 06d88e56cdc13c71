//! Queries facts about models from Anthropic's list of models, or from the OpenAI-compatible list of another server.

use std::time::Duration;

use crate::ListedModel;
use crate::ask::{Question, ask};
use crate::failure::{Kind, Missing, ProviderError};
use crate::openai::about::of_listed;
use crate::openai::list::parse_list;
use crate::transport::Transport;
use benchdog_domain::agent::Knowledge;

/// Path of the list of models. Without `limit`, a response has at most twenty models.
const LIST: &str = "/v1/models?limit=1000";
/// Context window of Claude models if the list does not contain it.
const WINDOW: u64 = 200_000;

pub(super) async fn models(transport: &Transport, patience: Duration) -> Result<Vec<ListedModel>, ProviderError> {
    let question = Question::Get(LIST);
    let mut models = ask(
        transport,
        question,
        patience,
        "its answer holds no list of models",
        parse_list,
    )
    .await?;
    for model in models.iter_mut().filter(|model| version(&model.id).is_some()) {
        model.context.get_or_insert(WINDOW);
    }
    Ok(models)
}

pub(super) async fn about(transport: &Transport, model: &str, patience: Duration) -> Result<Knowledge, ProviderError> {
    let known = match models(transport, patience).await {
        Ok(models) => of_listed(transport, &models, model, patience).await,
        // Gateways that only forward messages offer no list of models.
        Err(error) if error.kind == Kind::NotFound(Missing::Path) && version(model).is_some() => Knowledge::default(),
        Err(error) => return Err(error),
    };
    Ok(match version(model) {
        Some(_) => Knowledge {
            window: known.window.or(Some(WINDOW)),
            tools: Some(true),
            vision: Some(true),
            ..known
        },
        None => known,
    })
}

/// Returns the version in a name such as `claude-opus-4-6` or `anthropic/claude-3.5-haiku-20241022`. Returns 0.0 for a
/// Claude model without a version, and `None` for other models.
pub(super) fn version(model: &str) -> Option<(u32, u32)> {
    let (before, rest) = model.split_once("claude-")?;
    if before.ends_with(|c: char| c.is_alphanumeric() || c == '-') {
        return None;
    }
    // A number of 100 or more belongs to a date, not to a version.
    let mut numbers = rest
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|part| part.parse().ok())
        .filter(|number: &u32| *number < 100);
    Some((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
