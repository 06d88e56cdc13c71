//! Endpoints and models: made when first needed, asked for their windows, switched while running.

use std::path::PathBuf;
use std::sync::Arc;

use super::seats::Seats;
use super::{Engine, Report, Survey};
use crate::base::id::SeatId;
use crate::config::{api_key, resolve_model};
use crate::context::rules::ProjectRules;
use crate::domain::agent::{ModelOffer, ModelRef};
use crate::protocol::{Answer, Event, FoundServer, Live};
use crate::provider::openai::{Endpoint, OpenAi};
use crate::provider::{Provider, discover};

/// The window of a model that nobody has stated.
const DEFAULT_WINDOW: u64 = 32_768;

impl Engine {
    pub(in crate::orchestrator) fn provider(&mut self, name: &str) -> Option<Arc<dyn Provider>> {
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
    pub(in crate::orchestrator) fn window(&self, model: &ModelRef) -> u64 {
        let configured = self.setup.settings.model_settings(model).context;
        configured
            .or_else(|| self.windows.get(model).copied())
            .unwrap_or(DEFAULT_WINDOW)
    }

    /// Builds the client and asks for the window before the first prompt needs either.
    pub(in crate::orchestrator) fn warm_up(&mut self, model: &ModelRef) {
        if self.setup.replay.is_some() {
            return;
        }
        let known = self.setup.settings.model_settings(model).context.is_some();
        let Some(provider) = self.provider(&model.provider) else {
            return;
        };
        let (reports, model) = (self.reports.clone(), model.clone());
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

    /// Keeps what the server said of a window. Returns what is to be said where it named none.
    pub(super) fn learn_window(&mut self, model: &ModelRef, tokens: Option<u64>) -> Option<String> {
        match tokens {
            Some(tokens) => {
                self.windows.insert(model.clone(), tokens);
                None
            }
            // What was said once holds.
            None if self.windows.contains_key(model) => None,
            None => {
                self.windows.insert(model.clone(), DEFAULT_WINDOW);
                Some(format!(
                    "A window of {DEFAULT_WINDOW} tokens is assumed: the server names none for `{}`.",
                    model.id
                ))
            }
        }
    }

    /// Makes ready for the first prompt: the model that is known is warmed up, else one is looked for.
    pub(super) fn look_for_a_model(&mut self, seat: SeatId, known: Option<ModelRef>) {
        match known {
            Some(model) => self.warm_up(&model),
            None if !self.setup.settings.provider.is_empty() => self.find_any_model(seat),
            None if self.setup.may_discover => self.discover(seat),
            None => {}
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

    pub(super) fn list_models(&mut self, seat: SeatId, current: Option<ModelRef>) {
        let providers = self.every_provider();
        let line = self.line(seat);
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
            let answer = Answer::Models {
                offers,
                current,
                failed,
            };
            line.tell(Event::Answer(answer)).await;
        });
    }

    /// `auto`: the first model any configured server offers.
    fn find_any_model(&mut self, seat: SeatId) {
        let providers = self.every_provider();
        let reports = self.reports.clone();
        let line = self.line(seat);
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
            let code = "no_model".to_owned();
            line.tell(Event::Live(Live::Notice { code, text })).await;
        });
    }

    /// Looks for servers on this machine, once, when nothing is configured.
    fn discover(&self, seat: SeatId) {
        let line = self.line(seat);
        tokio::spawn(async move {
            let found = discover::search(&discover::PORTS).await;
            let found = found.into_iter().map(|server| FoundServer {
                base_url: server.base_url,
                models: server.models.into_iter().map(|listed| listed.id).collect(),
            });
            let found = found.collect();
            line.tell(Event::Answer(Answer::FirstStart { found })).await;
        });
    }
}

impl Seats {
    pub(super) async fn set_model(&mut self, engine: &mut Engine, seat: SeatId, id: &str) {
        match resolve_model(id, &engine.setup.settings) {
            Ok(model) => {
                let Some(open) = self.get(seat) else { return };
                open.choose_model(engine, model.clone()).await;
                engine.model.get_or_insert_with(|| model.clone());
                engine.warm_up(&model);
                open.tell_context(engine).await;
            }
            Err(error) => engine.notice(seat, "model", error.to_string()).await,
        }
    }

    /// Takes a server the first start found. The choice is kept in the user's file, which did not exist before.
    pub(super) async fn use_server(&mut self, engine: &mut Engine, seat: SeatId, base_url: String, model: String) {
        let file = engine.setup.folders.config_file.clone();
        if file.exists() {
            let text = format!("`{}` exists already; name the server there.", file.display());
            engine.notice(seat, "config", text).await;
            return;
        }
        let kept = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&file, first_configuration(&base_url, &model)));
        if let Err(error) = kept {
            let text = format!("The choice cannot be kept in `{}`: {error}", file.display());
            engine.notice(seat, "config", text).await;
            return;
        }
        let survey = (engine.setup.loader)();
        let subject = |survey: &Survey| survey.subject.clone();
        // What was trusted counts only as it was.
        let project = if engine.survey.as_ref().map(subject) == Some(subject(&survey)) {
            engine.project
        } else {
            ProjectRules::Ignored
        };
        match survey.of(project) {
            Ok(reload) => {
                engine.setup.settings = Arc::clone(&reload.settings);
                let text = format!("Kept in `{}`.", file.display());
                engine.notice(seat, "config", text).await;
                self.set_model(engine, seat, &format!("local/{model}")).await;
            }
            Err(text) => engine.notice(seat, "config", text).await,
        }
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
