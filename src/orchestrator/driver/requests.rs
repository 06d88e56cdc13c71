//! Requests to the model: assembled from the log, counted, streamed in a task of their own.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Driver, Report};
use crate::base::clock::Time;
use crate::base::id::EntryId;
use crate::domain::message::Delta;
use crate::orchestrator::input::{Failure, Happened};
use crate::protocol::Event;
use crate::provider::{ModelRequest, Progress, Provider};

/// Pieces of an answer that may wait between the connection and the engine.
const PROGRESS: usize = 256;

/// What a report said of the tokens in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    Told,
    NotTold,
    NothingNew,
}

impl Driver {
    /// Sends the log up to `upto`, unless it is known not to fit.
    pub(super) async fn call_model(&mut self, request: u64, upto: EntryId) -> Option<Happened> {
        let model = self.machine.model().clone();
        if self.model_missing {
            return Some(Happened::Failed {
                request,
                failure: no_model(),
            });
        }
        let Some(provider) = self.provider(&model.provider) else {
            let text = format!(
                "No provider `{}` is configured for the model `{model}`.",
                model.provider
            );
            return Some(Happened::Failed {
                request,
                failure: Failure {
                    code: "no_provider".to_owned(),
                    text,
                    hint: String::new(),
                },
            });
        };
        let window = self.window(&model);
        let messages = self.assembly.extend(&self.log, upto).to_vec();
        let ledger = self.estimator.before(&messages, window);
        if ledger.used >= window {
            return Some(Happened::OverWindow {
                request,
                used: ledger.used,
                limit: window,
            });
        }
        let configured = self.setup.settings.model_settings(&model);
        let output = room_for_answer(configured.output, ledger.used, window);
        self.emit(Event::Context { ledger }).await;
        let order = ModelRequest {
            model: model.id.clone(),
            messages,
            tools: Arc::clone(&self.setup_tools()),
            output,
            temperature: configured.temperature,
            extra_body: configured.extra_body,
        };
        let task = tokio::spawn(stream(
            provider,
            order,
            request,
            self.reports.clone(),
            self.events.clone(),
            self.setup.explain,
        ));
        self.stream = Some(task.abort_handle());
        None
    }

    fn setup_tools(&self) -> Arc<[crate::domain::message::ToolDeclaration]> {
        crate::tools::declarations()
    }

    /// The server's count replaces the estimate. Without one, or with that of a part, the reply has yet to be guessed.
    pub(super) async fn note_usage(&mut self, happened: &Happened) -> Counted {
        let Happened::Replied { reply, .. } = happened else {
            return Counted::NothingNew;
        };
        let Some(usage) = reply.usage else {
            return Counted::NotTold;
        };
        let model = self.machine.model().clone();
        if let Some(sent) = self.estimator.cut(usage) {
            if self.told_of_cut.as_ref() != Some(&model) {
                let read = usage.prompt;
                self.advised(
                    "prompt_cut",
                    &format!("The server read {read} of about {sent} tokens: it cuts long prompts in silence."),
                )
                .await;
                self.told_of_cut = Some(model);
            }
            return Counted::NotTold;
        }
        let ledger = self.estimator.after(usage, self.window(&model));
        self.emit(Event::Context { ledger }).await;
        Counted::Told
    }
}

/// The longest answer to ask for. Servers refuse a request whose prompt and answer together exceed the window, so near its
/// end less is asked for; a tenth of what is free is left for the error of the estimate.
fn room_for_answer(configured: u64, used: u64, window: u64) -> u64 {
    let free = window.saturating_sub(used);
    configured.min(free - free / 10).max(1)
}

/// Streams one answer and reports it. Text that arrives while the engine is busy is gathered, never dropped.
async fn stream(
    provider: Arc<dyn Provider>,
    order: ModelRequest,
    request: u64,
    reports: mpsc::Sender<Report>,
    events: mpsc::Sender<Event>,
    explain: fn(&crate::provider::failure::ProviderError) -> Failure,
) {
    let (progress, mut arriving) = mpsc::channel(PROGRESS);
    let forward = async {
        while let Some(piece) = arriving.recv().await {
            match piece {
                Progress::Delta(delta) => {
                    let delta = gather(delta, &mut arriving);
                    for delta in delta {
                        let _ = reports.send(Report::Input(Happened::Delta { request, delta })).await;
                    }
                }
                Progress::Retrying {
                    attempt,
                    wait_ms,
                    reason,
                } => {
                    let _ = events
                        .send(Event::Retrying {
                            attempt,
                            wait_ms,
                            reason,
                            at: Time::now(),
                        })
                        .await;
                }
            }
        }
    };
    let (answer, ()) = tokio::join!(provider.stream(order, progress), forward);
    let happened = match answer {
        Ok(reply) => Happened::Replied { request, reply },
        Err(error) => Happened::Failed {
            request,
            failure: explain(&error),
        },
    };
    let _ = reports.send(Report::Input(happened)).await;
}

/// The piece with those that already wait behind it and are of its kind.
fn gather(first: Delta, arriving: &mut mpsc::Receiver<Progress>) -> Vec<Delta> {
    let mut gathered = vec![first];
    while let Ok(Progress::Delta(next)) = arriving.try_recv() {
        match (gathered.last_mut(), next) {
            (Some(Delta::Text(text)), Delta::Text(more)) => text.push_str(&more),
            (Some(Delta::Reasoning(text)), Delta::Reasoning(more)) => text.push_str(&more),
            (_, next) => gathered.push(next),
        }
    }
    gathered
}

fn no_model() -> Failure {
    Failure {
        code: "no_model".to_owned(),
        text: "No model is configured, so the prompt was not sent.".to_owned(),
        hint: String::new(),
    }
}
