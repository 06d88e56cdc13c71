//! `auto`: chooses the most suitable model of the first server that lists any models.

use std::sync::Arc;

use super::models::open;
use benchdog_base::environment::Environment;
use benchdog_children::memory;
use benchdog_config::settings::Settings;
use benchdog_config::{is_loopback_name, server};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::notice::{NoModel, Notice};
use benchdog_provider::{Provider, choice};

pub struct Picked {
    pub model: ModelRef,
    pub notice: Option<Notice>,
}

/// Finds a model for a front end that cannot start without one.
pub async fn find_model(settings: &Settings, environment: &Environment) -> Result<Picked, NoModel> {
    let names = settings.asked().map(str::to_owned);
    let providers = names.filter_map(|name| {
        let provider = open(settings, &name, environment, None)?;
        Some((name, provider))
    });
    let path = environment.get("PATH").unwrap_or_default();
    pick(providers.collect(), settings, path).await
}

/// Chooses a model from the reachable servers. `path` is the search path for programs.
pub(super) async fn pick(
    providers: Vec<(String, Arc<dyn Provider>)>,
    settings: &Settings,
    path: &str,
) -> Result<Picked, NoModel> {
    let mut last = NoModel::NoServer;
    for (name, provider) in providers {
        let models = match provider.models().await {
            Ok(models) => models,
            Err(error) => {
                let server = error.server_error();
                last = NoModel::Failed {
                    error: server.to_string(),
                    server: Some(Box::new(server)),
                };
                continue;
            }
        };
        let is_choice = models.len() > 1;
        let memory = if is_choice && is_here(settings, &name) {
            memory::for_models(path).await
        } else {
            None
        };
        let Some(listed) = choice::choose(&models, memory) else {
            last = NoModel::NoneOffered { provider: name };
            continue;
        };
        let model = ModelRef {
            provider: name,
            id: listed.id.clone(),
        };
        let notice = is_choice.then(|| Notice::ModelTaken {
            model: model.to_string(),
            offered: models.len() as u64,
            memory,
        });
        return Ok(Picked { model, notice });
    }
    Err(last)
}

fn is_here(settings: &Settings, name: &str) -> bool {
    let provider = settings.provider(name);
    let server = provider.and_then(|provider| server(&provider.base_url));
    server.is_some_and(|server| is_loopback_name(server.host()))
}
