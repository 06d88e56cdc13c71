//! Token counts and context windows that a server reports.

use std::sync::Arc;

use serde_json::Map;

use crate::engine::{Engine, Report};
use crate::seat::Seat;
use crate::seat::requests::call_protocol;
use benchdog_domain::agent::{Knowledge, ModelRef, Program, Protocol};
use benchdog_domain::budget::Usage;
use benchdog_domain::image::Images;
use benchdog_domain::message::{ChatMessage, Messages};
use benchdog_domain::notice::Notice;
use benchdog_provider::ModelRequest;

impl Seat {
    /// Adjusts the estimates with the server's tokenizer, if it has one. The tokenizer counts the beginning of
    /// requests. Does nothing after the first request.
    pub(crate) fn take_known(&mut self, engine: &mut Engine, known: &Knowledge) {
        if known.counts != Some(true) || self.has_asked || self.estimator.is_measured() {
            return;
        }
        let model = self.machine.model().clone();
        let Some(provider) = engine.provider(&self.settings, &model.provider) else {
            return;
        };
        let mut messages = self.assembly.begun();
        messages.push(ChatMessage::User("?".to_owned().into()));
        let configured = self.settings.model_settings(&model);
        let protocol = call_protocol::protocol(configured.tools, &model.id, known.tools, known.weights);
        self.estimator.count_tools(protocol != Protocol::Off);
        let order = ModelRequest {
            model: model.id,
            messages: messages.clone(),
            images: Images::new(),
            tools: self.tools.declarations(),
            protocol,
            calls_itself: false,
            short_ids: false,
            reasoning: configured.reasoning,
            strict: false,
            output: 1,
            tells_reading: false,
            window: None,
            temperature: None,
            top_p: None,
            thinking: None,
            extra_body: Map::new(),
        };
        let (seat, reports) = (self.id, engine.reports());
        tokio::spawn(async move {
            let Some(counting) = provider.count(order) else { return };
            if let Ok(tokens) = counting.await {
                let counted = Report::Tokenized { seat, messages, tokens };
                let _ = reports.send(counted).await;
            }
        });
    }

    pub(crate) async fn on_tokenized(&mut self, engine: &Engine, messages: &Messages, tokens: u64) {
        // If a reply has already provided a better measure, ignore this count.
        if !self.has_asked && !self.estimator.is_measured() {
            self.estimator.tokenized(messages, tokens);
            self.tell_context(engine).await;
        }
    }

    /// Reports a lost prompt cache: the request begins like the previous one, but the server read many tokens again.
    pub(in crate::seat) async fn tell_cache(&mut self, engine: &Engine, model: &ModelRef, usage: Usage) {
        let point = self.assembly.point();
        let before = self.read_before.replace((model.clone(), point, usage));
        let same = before.filter(|(of, since, _)| of == model && *since == point);
        let Some((_, _, before)) = same else { return };
        if let Some(again) = lost(before, usage) {
            let prompt = usage.prompt;
            engine.notice(self.id, Notice::CacheLost { again, prompt }).await;
        }
    }

    /// Asks Ollama for the real context window of a loaded model. The query is sent once per model.
    pub(in crate::seat) fn ask_what_it_runs_with(&mut self, engine: &mut Engine, model: &ModelRef) {
        let ollama = engine
            .known(&self.settings, model)
            .is_some_and(|known| known.is(Program::Ollama));
        if !ollama || self.asked_what_runs.replace(model.clone()).as_ref() == Some(model) {
            return;
        }
        let Some(provider) = engine.provider(&self.settings, &model.provider) else {
            return;
        };
        let (settings, model, reports) = (Arc::clone(&self.settings), model.clone(), engine.reports());
        tokio::spawn(async move {
            if let Some(tokens) = provider.runs_with(&model.id).await {
                let runs = Report::RunsWith {
                    settings,
                    model,
                    tokens,
                };
                let _ = reports.send(runs).await;
            }
        });
    }
}

/// Minimum number of tokens read again for which a lost prompt cache is reported. Fewer take little time.
const WORTH_A_WORD: u64 = 4_096;

/// Returns the number of tokens that the server read again, because it did not find them in its prompt cache.
///
/// `None` if the server never caches, or if these tokens are few or at most half of the request.
fn lost(before: Usage, usage: Usage) -> Option<u64> {
    let keeps = before.cached? > 0;
    let again = before.prompt.saturating_sub(usage.cached?);
    (keeps && again >= WORTH_A_WORD && again > before.prompt / 2).then_some(again)
}

#[cfg(test)]
mod tests;
