//! Loads the model of a local Ollama server into memory while the person types the first prompt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Engine;
use benchdog_config::settings::Settings;
use benchdog_config::{is_loopback_name, server};
use benchdog_domain::agent::{Api, ModelRef};

pub(super) struct Ahead {
    model: ModelRef,
    /// Whether the server has begun to load the model. The first request then waits until the model is loaded, because
    /// a cancelled load would have to start over.
    loads: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Engine {
    pub(crate) fn load_ahead(&mut self, settings: &Arc<Settings>, model: &ModelRef) {
        if self.setup.replay.is_some() || !is_to_be_loaded(settings, model) {
            return;
        }
        let Some(provider) = self.provider(settings, &model.provider) else {
            return;
        };
        let window = self.told_window(settings, model);
        let extra = settings.model_settings(model).extra_body;
        let (id, loads) = (model.id.clone(), Arc::new(AtomicBool::new(false)));
        let begun = Arc::clone(&loads);
        let task = tokio::spawn(async move {
            // Ignore an error here, because the first request reports it.
            let known = provider.about(&id).await;
            if known.is_ok_and(|known| known.loaded == Some(false))
                && let Some(loading) = provider.load(&id, window, &extra)
            {
                begun.store(true, Ordering::Relaxed);
                let _ = loading.await;
            }
        });
        let model = model.clone();
        self.ahead = Some(Ahead { model, loads, task });
    }

    /// Cancels the load, unless the server has begun to load this model.
    pub(crate) fn end_ahead_unless_for(&mut self, model: &ModelRef) {
        let helps = |ahead: &Ahead| ahead.model == *model && ahead.loads.load(Ordering::Relaxed);
        self.ahead = self.ahead.take().filter(helps);
    }
}

/// Whether to load the model in advance. This is done only on a local Ollama server, where loading costs no money.
fn is_to_be_loaded(settings: &Settings, model: &ModelRef) -> bool {
    let Some(configured) = settings.provider(&model.provider) else {
        return false;
    };
    let is_here = server(&configured.base_url).is_some_and(|server| is_loopback_name(server.host()));
    let price = settings.model_settings(model).price;
    let is_free = price.is_none_or(|price| price.input <= 0.0 && price.output <= 0.0);
    configured.warm_up && configured.api == Api::Ollama && is_here && is_free
}
