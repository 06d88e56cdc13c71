//! Endpoints and models: made when first needed, asked for their windows, switched while running.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Driver, Report};
use crate::config::{api_key, resolve_model};
use crate::domain::agent::{ModelOffer, ModelRef};
use crate::orchestrator::input::Happened;
use crate::protocol::{Event, FoundServer};
use crate::provider::openai::{Endpoint, OpenAi};
use crate::provider::{Provider, discover};

/// The window of a model that nobody has stated.
const DEFAULT_WINDOW: u64 = 32_768;

impl Driver {
    pub(super) fn provider(&mut self, name: &str) -> Option<Arc<dyn Provider>> {
        if let Some(replay) = &self.setup.replay {
            return Some(Arc::clone(replay));
        }
        if let Some(known) = self.providers.get(name) {
            return Some(Arc::clone(known));
        }
        let (_, settings) = self.setup.settings.provider.iter().find(|(known, _)| known == name)?;
        let endpoint = Endpoint {
            provider_name: name.to_owned(),
            base_url: settings.base_url.clone(),
            api_key: api_key(settings, &self.setup.environment),
            headers: settings.headers.clone(),
            ca_file: settings.ca_file.as_ref().map(PathBuf::from),
            idle_timeout: std::time::Duration::from_secs(settings.idle_timeout_s),
        };
        let made: Arc<dyn Provider> = match &self.setup.record {
            Some(recorder) => Arc::new(OpenAi::new(endpoint).recorded(Arc::clone(recorder))),
            None => Arc::new(OpenAi::new(endpoint)),
        };
        self.providers.insert(name.to_owned(), Arc::clone(&made));
        Some(made)
    }

    /// The tokens a model can hold: configured, else what its server said, else a cautious default.
    pub(super) fn window(&self, model: &ModelRef) -> u64 {
        let configured = self.setup.settings.model_settings(model).context;
        configured
            .or_else(|| self.windows.get(model).copied())
            .unwrap_or(DEFAULT_WINDOW)
    }

    /// Builds the client and asks for the window before the first prompt needs either.
    pub(super) fn warm_up(&mut self) {
        if self.model_missing || self.setup.replay.is_some() {
            return;
        }
        let model = self.machine.model().clone();
        let known = self.setup.settings.model_settings(&model).context.is_some();
        let Some(provider) = self.provider(&model.provider) else {
            return;
        };
        let reports = self.reports.clone();
        tokio::spawn(async move {
            provider.warm();
            if known {
                return;
            }
            // A server that does not answer says so itself when it is asked for more.
            if let Ok(tokens) = provider.window(&model.id).await {
                let _ = reports.send(Report::Window { model, tokens }).await;
            }
        });
    }

    pub(super) async fn on_window(&mut self, model: ModelRef, tokens: Option<u64>) {
        match tokens {
            Some(tokens) => {
                self.windows.insert(model, tokens);
            }
            // What was said once holds.
            None if self.windows.contains_key(&model) => {}
            None => {
                let text = format!(
                    "A window of {DEFAULT_WINDOW} tokens is assumed: the server names none for `{}`.",
                    model.id
                );
                self.windows.insert(model, DEFAULT_WINDOW);
                self.advised("window_assumed", &text).await;
            }
        }
        self.emit_context().await;
    }

    /// The ledger as it stands, without a new request.
    pub(super) async fn emit_context(&mut self) {
        let window = self.window(&self.machine.model().clone());
        let upto = self.log.last().map_or(crate::base::id::EntryId(0), |entry| entry.id);
        let messages = self.assembly.extend(&self.log, upto);
        let ledger = self.estimator.now(messages, window);
        self.emit(Event::Context { ledger }).await;
    }

    pub(super) async fn set_model(&mut self, id: &str) {
        match resolve_model(id, &self.setup.settings) {
            Ok(model) => {
                self.model_missing = false;
                self.feed(Happened::ModelChosen { model: model.clone() }).await;
                self.session.model = Some(model);
                self.warm_up();
                self.emit_context().await;
            }
            Err(error) => self.notice("model", error.to_string()).await,
        }
    }

    fn every_provider(&mut self) -> Vec<(String, Arc<dyn Provider>)> {
        let names: Vec<String> = self
            .setup
            .settings
            .provider
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        names
            .into_iter()
            .filter_map(|name| Some((name.clone(), self.provider(&name)?)))
            .collect()
    }

    pub(super) fn list_models(&mut self) {
        let providers = self.every_provider();
        let current = Some(self.machine.model().clone()).filter(|_| !self.model_missing);
        let events = self.events.clone();
        tokio::spawn(async move {
            let mut offers = Vec::new();
            let mut failed = Vec::new();
            for (name, provider) in providers {
                match provider.models().await {
                    Ok(models) => offers.extend(models.into_iter().map(|listed| ModelOffer {
                        model: ModelRef {
                            provider: name.clone(),
                            id: listed.id,
                        },
                        context: listed.context,
                    })),
                    Err(error) => failed.push(error.to_string()),
                }
            }
            let _ = events
                .send(Event::Models {
                    offers,
                    current,
                    failed,
                })
                .await;
        });
    }

    /// `auto`: the first model any configured server offers.
    pub(super) fn find_any_model(&mut self) {
        let providers = self.every_provider();
        let reports = self.reports.clone();
        let events = self.events.clone();
        tokio::spawn(async move {
            let mut last = "No server is configured.".to_owned();
            for (name, provider) in providers {
                match provider.models().await {
                    Ok(models) => {
                        if let Some(listed) = models.into_iter().next() {
                            let model = ModelRef {
                                provider: name,
                                id: listed.id,
                            };
                            let _ = reports.send(Report::ModelFound(model)).await;
                            return;
                        }
                        last = format!("The server of `{name}` offers no model.");
                    }
                    Err(error) => last = error.to_string(),
                }
            }
            let text = format!("No model could be chosen by itself. {last}");
            let _ = events
                .send(Event::Notice {
                    code: "no_model".to_owned(),
                    text,
                })
                .await;
        });
    }

    pub(super) async fn on_model_found(&mut self, model: ModelRef) {
        if self.model_missing {
            self.model_missing = false;
            self.feed(Happened::ModelChosen { model: model.clone() }).await;
            self.session.model = Some(model);
            self.warm_up();
        }
    }

    /// Takes a server the first start found. The choice is kept in the user's file, which did not exist before.
    pub(super) async fn use_server(&mut self, base_url: String, model: String) {
        let file = self.setup.folders.config_file.clone();
        if file.exists() {
            let text = format!("`{}` exists already; name the server there.", file.display());
            self.notice("config", text).await;
            return;
        }
        let kept = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&file, first_configuration(&base_url, &model)));
        if let Err(error) = kept {
            let text = format!("The choice cannot be kept in `{}`: {error}", file.display());
            self.notice("config", text).await;
            return;
        }
        match (self.setup.loader)(self.project) {
            Ok(reload) => {
                self.setup.settings = reload.settings;
                self.notice("config", format!("Kept in `{}`.", file.display())).await;
                self.set_model(&format!("local/{model}")).await;
            }
            Err(text) => self.notice("config", text).await,
        }
    }

    /// Looks for servers on this machine, once, when nothing is configured.
    pub(super) fn discover(&self) {
        let events = self.events.clone();
        tokio::spawn(async move {
            let found = discover::search(&discover::PORTS).await;
            let found = found.into_iter().map(|server| FoundServer {
                base_url: server.base_url,
                models: server.models.into_iter().map(|listed| listed.id).collect(),
            });
            let _ = events.send(Event::FirstStart { found: found.collect() }).await;
        });
    }
}

/// What a person's first choice of a server becomes: a whole configuration, in words they can edit.
fn first_configuration(base_url: &str, model: &str) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "{{\n  \"model\": {},\n  \"provider\": {{\n    \"local\": {{ \"base_url\": {} }}\n  }}\n}}\n",
        quoted(&format!("local/{model}")),
        quoted(base_url)
    )
}
