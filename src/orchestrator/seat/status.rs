//! The session status, and the choice of sampling settings.

use super::Seat;
use crate::engine::Engine;
use crate::input::Happened;
use benchdog_config::public_address;
use benchdog_config::settings::ModelSettings;
use benchdog_domain::agent::{ModelRef, Sampling, Thinking};
use benchdog_domain::budget::{Ledger, Price};
use benchdog_domain::failure::Failure;
use benchdog_domain::history::{ModelTotals, Totals};
use benchdog_domain::status::{Asked, Privacy, Status, WebTools, WindowFrom};
use benchdog_protocol::{Answer, Live};
use benchdog_tools::Registry;

impl Seat {
    pub(crate) async fn set_temperature(&mut self, engine: &mut Engine, temperature: Option<f64>) {
        let sampling = self.log.history().sampling();
        let sampling = Sampling {
            temperature,
            ..sampling
        };
        self.feed(engine, Happened::SamplingChosen { sampling }).await;
    }

    pub(crate) async fn set_thinking(&mut self, engine: &mut Engine, thinking: Option<Thinking>) {
        let sampling = self.log.history().sampling();
        let sampling = Sampling { thinking, ..sampling };
        self.feed(engine, Happened::SamplingChosen { sampling }).await;
    }

    pub(crate) async fn give_back(&self, engine: &Engine, text: String) {
        engine.answer(self.id, Answer::Unqueued { text }).await;
        self.say_shut(engine).await;
    }

    pub(crate) async fn say_shut(&self, engine: &Engine) {
        engine.live(self.id, Live::Error(Failure::SessionNotOpen)).await;
    }

    pub(crate) async fn tell_context(&mut self, engine: &Engine) {
        let ledger = self.ledger(engine);
        self.say_context(engine, ledger).await;
    }

    pub(super) fn ledger(&mut self, engine: &Engine) -> Ledger {
        let window = self.window(engine);
        let history = self.log.history();
        let messages = self.assembly.extend(history, history.last_entry()).clone();
        self.estimator.follow(&self.assembly);
        self.estimator.now(&messages, window)
    }

    pub(crate) async fn show_status(&self, engine: &Engine) {
        let history = self.log.history();
        let totals = history.totals().clone();
        let configured = self.model().map(|model| self.settings.model_settings(&model));
        let status = Status {
            session: self.session.id.clone(),
            workspace: self.session.workspace.clone(),
            agent: self.session.agent.clone(),
            sampling: Sampling {
                temperature: (history.sampling().temperature)
                    .or_else(|| configured.as_ref().and_then(|configured| configured.temperature)),
                thinking: (history.sampling().thinking)
                    .or_else(|| configured.as_ref().and_then(|configured| configured.thinking)),
            },
            asked: self
                .model()
                .zip(configured)
                .map(|(model, of)| self.asked(engine, model, &of)),
            held: self.held(engine),
            web: self.web_tools(),
            prices: self.prices(&totals),
            totals,
            privacy: self.privacy(engine),
        };
        engine.answer(self.id, Answer::Status(Box::new(status))).await;
    }

    fn prices(&self, totals: &Totals) -> Vec<Option<Price>> {
        let price = |of: &ModelTotals| self.settings.model_settings(&of.model).price;
        totals.models.iter().map(price).collect()
    }

    /// Returns the cost of the session in US dollars. `None` if no model in use has a price.
    pub(super) fn cost(&self) -> Option<f64> {
        let totals = self.log.history().totals();
        totals.cost(&self.prices(totals))
    }

    fn privacy(&self, engine: &Engine) -> Privacy {
        let folders = &engine.setup.folders;
        let endpoints = self.settings.provider.iter();
        let servers = self.settings.servers.iter().filter(|server| server.enabled);
        Privacy {
            endpoints: endpoints
                .map(|(name, of)| (name.clone(), public_address(&of.base_url)))
                .collect(),
            servers: servers.map(|server| server.name.0.clone()).collect(),
            telemetry: self.settings.telemetry_endpoint.as_deref().map(public_address),
            is_offline: self.settings.network.offline,
            config: folders.config_file.display().to_string(),
            data: folders.data.display().to_string(),
            logs: folders.logs.display().to_string(),
            cache: folders.cache.display().to_string(),
            keys: folders.stored_keys().display().to_string(),
        }
    }

    fn web_tools(&self) -> Option<WebTools> {
        let configured = &self.settings.web;
        match self.settings.web() {
            Some(web) => Some(WebTools::On(Registry::web_names(web.fetch, web.searches()))),
            None => configured.is_on().then_some(WebTools::Offline),
        }
    }

    fn asked(&self, engine: &Engine, model: ModelRef, configured: &ModelSettings) -> Asked {
        let known = engine.window(&self.settings, &model);
        let window = self.window_of(engine, &model).tokens;
        Asked {
            endpoint: engine.endpoint_facts(&self.settings, &model),
            window,
            window_from: if window < known {
                WindowFrom::Refused
            } else {
                engine.window_from(&self.settings, &model)
            },
            output: configured.output,
            model,
        }
    }
}
