//! Requests a title for the session from the model of `agent.title`, while no session is working.
//!
//! The request is not part of the conversation, so requests of the conversation do not change.

use std::time::Duration;

use tokio::task::AbortHandle;

use crate::engine::{Engine, Report};
use crate::seat::{Access, Seat};
use benchdog_config::resolve_model;
use benchdog_context::titling::{OUTPUT, messages, title};
use benchdog_domain::agent::{ModelRef, TITLE};
use benchdog_domain::entry::Body;
use benchdog_protocol::{Answer, Archived};
use benchdog_provider::ModelRequest;

/// Delay before the request, because the person may soon send the next prompt after reading the answer.
const IDLE: Duration = Duration::from_secs(2);

const FIRST: Duration = Duration::from_secs(60);
const WHOLE: Duration = Duration::from_secs(90);

/// Maximum number of requests for a title. A prompt may stop the first request. If the second request also fails, the
/// session keeps its default title.
const MOST: u64 = 2;

#[derive(Default)]
pub(in crate::seat) struct Titling {
    /// Number of requests so far. A report with another number belongs to an abandoned request.
    number: u64,
    task: Option<AbortHandle>,
}

impl Titling {
    fn stop(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }
}

impl Drop for Titling {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Seat {
    pub(crate) fn stop_title(&mut self) {
        self.titling.stop();
    }

    /// Requests a title if the session needs one. Returns whether a request for a title is running now.
    pub(crate) fn ask_title(&mut self, engine: &mut Engine) -> bool {
        if self.titling.task.is_some() {
            return true;
        }
        let is_due = self.has_asked && self.titling.number < MOST && self.has_default_title();
        if !is_due || self.access != Access::Writable || self.above.is_some() {
            return false;
        }
        let Some(model) = self.title_model() else { return false };
        let Some(side_model) = self.side_model(engine, &model) else {
            return false;
        };
        let prompt = self.redactor(engine).text(&self.first_prompt()).into_owned();
        let order = ModelRequest {
            messages: messages(&prompt),
            ..self.side_request(engine, &model, OUTPUT, None)
        };
        self.titling.number += 1;
        let (seat, number, reports) = (self.id, self.titling.number, engine.reports());
        let asking = tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            let asking = side_model.ask(order, OUTPUT, FIRST);
            let title = match tokio::time::timeout(WHOLE, asking).await {
                Ok(Ok(reply)) => title(&reply),
                Ok(Err(why)) => {
                    tracing::warn!(?why, "no title from the model");
                    None
                }
                Err(_) => None,
            };
            let _ = reports.send(Report::Titled { seat, number, title }).await;
        });
        self.titling.task = Some(asking.abort_handle());
        true
    }

    pub(crate) async fn on_titled(&mut self, engine: &mut Engine, number: u64, title: Option<String>) {
        if self.titling.number != number || self.titling.task.take().is_none() {
            return;
        }
        // The person may have renamed the session since.
        let Some(title) = title.filter(|_| self.has_default_title()) else {
            return;
        };
        self.rename(engine, title.clone()).await;
        engine.answer(self.id, Answer::Archive(Archived::Named { title })).await;
    }

    fn title_model(&self) -> Option<ModelRef> {
        let agent = self.settings.agents.iter().find(|agent| agent.name == TITLE)?;
        resolve_model(agent.model.as_deref()?, &self.settings).ok()
    }

    fn has_default_title(&self) -> bool {
        self.log.history().title() == Some(self.session.title.as_str())
    }

    fn first_prompt(&self) -> String {
        let mut entries = self.log.history().entries().iter();
        let text = entries.find_map(|entry| match &entry.body {
            Body::User { text, .. } => Some(text.clone()),
            _ => None,
        });
        text.unwrap_or_else(|| self.session.title.clone())
    }
}
