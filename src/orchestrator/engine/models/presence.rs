//! Checks the endpoint of a new session's model in the background: whether it is reachable, whether it has the model,
//! and how large the model's context window is.
//!
//! A single query is enough, and the first request reuses its result. If the model is missing, a second query gets the
//! names of similar models.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use super::named::{Checked, of_list};
use crate::engine::seats::Seats;
use crate::engine::{Engine, Line, Report, Search};
use benchdog_base::id::SeatId;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{EndpointTrouble, Knowledge, ModelRef};
use benchdog_domain::budget::percent;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Answer, Event, Live, PullState};
use benchdog_provider::failure::{Kind, Missing, ProviderError};
use benchdog_provider::{ListedModel, Provider, Pulled};

const TRIES: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_secs(1);
const STEPS: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Presence {
    Fine,
    Trouble(EndpointTrouble),
    Missing { names: Vec<String>, listed: u64 },
}

impl Seats {
    pub(in crate::engine) async fn on_presence(
        &mut self,
        engine: &mut Engine,
        seat: SeatId,
        model: ModelRef,
        presence: Presence,
    ) {
        let Some(open) = self.get(seat).filter(|open| open.model().as_ref() == Some(&model)) else {
            return;
        };
        let settings = Arc::clone(open.settings());
        let trouble = match &presence {
            Presence::Fine => None,
            Presence::Trouble(trouble) => Some(*trouble),
            Presence::Missing { .. } => Some(EndpointTrouble::ModelMissing),
        };
        engine.live(seat, Live::Endpoint(trouble)).await;
        if let Presence::Missing { names, listed } = presence {
            let can_pull = !settings.network.offline
                && engine
                    .provider(&settings, &model.provider)
                    .is_some_and(|provider| provider.can_pull());
            if can_pull {
                engine.answer(seat, Answer::PullOffered { model, names }).await;
            } else {
                engine
                    .notice(seat, Notice::ModelUnlisted { model, names, listed })
                    .await;
            }
        }
    }

    pub(in crate::engine) fn pull_model(&mut self, engine: &mut Engine, seat: SeatId) {
        let Some((model, settings)) = self
            .get(seat)
            .and_then(|open| Some((open.model()?, Arc::clone(open.settings()))))
        else {
            return;
        };
        let provider = engine.provider(&settings, &model.provider);
        let is_offline = settings.network.offline;
        let reports = engine.reports.clone();
        let download = Download {
            line: engine.line(seat),
            model,
        };
        tokio::spawn(async move {
            let Some(provider) = provider else { return };
            if is_offline {
                return download.say(PullState::Offline).await;
            }
            if !download.run(provider.as_ref()).await {
                return;
            }
            let (model, presence) = (download.model, Presence::Fine);
            let known = provider.about(&model.id).await;
            let is_there = Report::Presence {
                seat,
                model: model.clone(),
                presence,
            };
            let _ = reports.send(is_there).await;
            if let Ok(known) = known {
                let _ = reports.send(Report::Known { settings, model, known }).await;
            }
        });
    }
}

struct Download {
    line: Line,
    model: ModelRef,
}

impl Download {
    /// Downloads the model. Returns whether the server has the model now.
    async fn run(&self, provider: &dyn Provider) -> bool {
        let (progress, arriving) = mpsc::channel(STEPS);
        let Some(pulling) = provider.pull(&self.model.id, progress) else {
            self.say(PullState::Unsupported).await;
            return false;
        };
        self.say(PullState::Running { done: 0, total: 0 }).await;
        let (pulled, ()) = tokio::join!(pulling, self.show(arriving));
        if let Err(error) = pulled {
            let why = error.server_error();
            self.say(PullState::Failed { why }).await;
            return false;
        }
        self.say(PullState::Done).await;
        true
    }

    async fn show(&self, mut arriving: mpsc::Receiver<Pulled>) {
        let mut last = 0;
        while let Some(pulled) = arriving.recv().await {
            let (Some(done), Some(total)) = (pulled.completed, pulled.total) else {
                continue;
            };
            let now = percent(done, total);
            if now != last {
                last = now;
                self.say(PullState::Running { done, total }).await;
            }
        }
    }

    async fn say(&self, state: PullState) {
        let model = self.model.clone();
        self.line.tell(Event::Answer(Answer::Pull { model, state })).await;
    }
}

impl Engine {
    pub(in crate::engine) fn ask_endpoint(&mut self, seat: SeatId, settings: &Arc<Settings>, model: &ModelRef) {
        if self.setup.replay.is_some() {
            return;
        }
        let Some(provider) = self.provider(settings, &model.provider) else {
            return;
        };
        let configured = settings.model_settings(model);
        let all_is_known = configured.context.is_some() && configured.vision.is_some();
        let is_shown = self.setup.search != Search::Never;
        let is_described = super::named::is_described(settings, model);
        if !is_shown && all_is_known {
            tokio::spawn(async move { provider.warm() });
            return;
        }
        let (answered, answer) = watch::channel(None);
        self.endpoints(settings).asked.insert(model.clone(), answer);
        let (reports, settings, model) = (self.reports.clone(), Arc::clone(settings), model.clone());
        tokio::spawn(async move {
            provider.warm();
            let mut answered = Some(answered);
            let mut last = None;
            for attempt in 1..=TRIES {
                let (presence, known) = ask(provider.as_ref(), &model.id).await;
                if let Some(known) = known.clone() {
                    let (settings, model) = (Arc::clone(&settings), model.clone());
                    let _ = reports.send(Report::Known { settings, model, known }).await;
                }
                // The first prompt may wait for this result. If there is none, `answered` is dropped, and the prompt is
                // sent. The facts must be reported first, because the request of the prompt needs them.
                if let (Some(answered), Some(known)) = (answered.take(), known) {
                    let _ = answered.send(Some(known));
                }
                // A server's list may omit models that the configuration describes. Only the list of a server with
                // downloads is complete.
                let presence = match presence {
                    Presence::Missing { .. } if is_described && !provider.can_pull() => Presence::Fine,
                    presence => presence,
                };
                let again = presence == Presence::Trouble(EndpointTrouble::Unreachable) && attempt < TRIES;
                if is_shown && last.as_ref() != Some(&presence) {
                    last = Some(presence.clone());
                    let model = model.clone();
                    let _ = reports.send(Report::Presence { seat, model, presence }).await;
                }
                if !again {
                    return;
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
}

async fn ask(provider: &dyn Provider, id: &str) -> (Presence, Option<Knowledge>) {
    let asked = async {
        match provider.about(id).await {
            Ok(known) => (of_names(known.listed_others.as_deref(), id), Some(known)),
            Err(error) => (failed(provider, &error, id).await, None),
        }
    };
    let late = || (Presence::Trouble(EndpointTrouble::Unreachable), None);
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| late())
}

fn presence(checked: Checked) -> Presence {
    match checked {
        Checked::Listed | Checked::Unknown { .. } => Presence::Fine,
        Checked::Unlisted { names, listed } => Presence::Missing { names, listed },
    }
}

fn of_names(others: Option<&[String]>, id: &str) -> Presence {
    let named = |name: &String| ListedModel {
        id: name.clone(),
        context: None,
        trained: None,
        weights: None,
        owner: None,
    };
    let listed: Option<Vec<ListedModel>> = others.map(|others| others.iter().map(named).collect());
    listed.map_or(Presence::Fine, |listed| presence(of_list(&listed, id)))
}

/// Interprets an error of the query. An unexpected error means that the server is reachable. The first prompt reports
/// the error.
async fn failed(provider: &dyn Provider, error: &ProviderError, id: &str) -> Presence {
    match error.kind {
        Kind::Unauthorized => Presence::Trouble(EndpointTrouble::KeyRejected),
        Kind::NotFound(Missing::Model) => match provider.models().await {
            Ok(listed) if !listed.is_empty() => presence(of_list(&listed, id)),
            _ => Presence::Missing {
                names: Vec::new(),
                listed: 0,
            },
        },
        _ if error.status.is_none() => Presence::Trouble(EndpointTrouble::Unreachable),
        _ => Presence::Fine,
    }
}
