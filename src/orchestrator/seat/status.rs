//! Session status, and the choice of answer settings.

use super::Seat;
use crate::engine::Engine;
use crate::input::Happened;
use benchdog_config::settings::ModelSettings;
use benchdog_domain::agent::{ModelRef, Sampling, Thinking};
use benchdog_domain::budget::Ledger;
use benchdog_domain::failure::Failure;
use benchdog_domain::status::{Asked, Status, WindowFrom};
use benchdog_protocol::{Answer, Live};

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
        engine.live(self.id, Live::Context(ledger)).await;
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
        let price = |model: &ModelRef| self.settings.model_settings(model).price;
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
            prices: totals.models.iter().map(|of| price(&of.model)).collect(),
            totals,
        };
        engine.answer(self.id, Answer::Status(Box::new(status))).await;
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
