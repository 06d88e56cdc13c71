//! A model that the person names while a session is open. One that is configured is taken at once; of any other its server is asked
//! first whether it offers it, and what is sent meanwhile waits for the answer. It refuses only what a server's own list does not have.

use std::sync::Arc;
use std::time::Duration;

use crate::base::id::SeatId;
use crate::base::spelling::nearest;
use crate::config::resolve_model;
use crate::config::settings::Settings;
use crate::domain::agent::ModelRef;
use crate::domain::notice::Notice;
use crate::orchestrator::engine::seats::Seats;
use crate::orchestrator::engine::{Engine, Report};
use crate::protocol::{Command, Everyday, Order};
use crate::provider::{ListedModel, Provider};

/// How long a server may take to tell what it offers.
const PATIENCE: Duration = Duration::from_secs(2);

/// So many orders wait at most; more go on their way at once, but for a model's name.
const MOST_WAITING: usize = 16;

/// So many names are told in place of one that is not offered.
const MOST_NAMES: usize = 3;

/// What the server's list says of a model.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::orchestrator) enum Checked {
    Offered,
    /// The names that are most like it, and how many there are.
    NotOffered {
        names: Vec<String>,
        offered: u64,
    },
    /// There is no list; `why` where the server was asked in vain.
    Unknown {
        why: Option<String>,
    },
}

impl Seats {
    pub(in crate::orchestrator::engine) async fn set_model(&mut self, engine: &mut Engine, seat: SeatId, id: &str) {
        let Some(open) = self.get(seat) else { return };
        let (settings, own) = (Arc::clone(open.settings()), open.model());
        match resolve_model(id, &settings) {
            Ok(model) if own.as_ref() == Some(&model) || engine.is_sure(&settings, &model) => {
                self.take_model(engine, seat, model).await;
            }
            Ok(model) => {
                self.naming.entry(seat).or_default();
                engine.ask_for(seat, &settings, model);
            }
            Err(error) => {
                let why = error.to_string();
                engine.notice(seat, Notice::Model { why }).await;
            }
        }
    }

    async fn take_model(&mut self, engine: &mut Engine, seat: SeatId, model: ModelRef) {
        let Some(open) = self.get(seat) else { return };
        open.choose_model(engine, model.clone()).await;
        engine.model.get_or_insert(model);
        open.warm_up(engine);
        open.tell_context(engine).await;
    }

    /// Keeps what goes to a model until it is known which one works. Returns what does not wait.
    pub(in crate::orchestrator::engine) fn held_back(&mut self, seat: SeatId, order: Order) -> Option<Order> {
        match self.naming.get_mut(&seat) {
            Some(waiting) if waiting.len() < MOST_WAITING && goes_to_model(&order.command) => {
                waiting.push(order);
                None
            }
            // One answer is waited for at a time. The name that was given last counts: it takes the place of another one behind the others.
            Some(waiting) if matches!(order.command, Command::SetModel { .. }) => {
                waiting.truncate(MOST_WAITING);
                waiting.push(order);
                None
            }
            Some(_) | None => Some(order),
        }
    }

    /// The server's list is there, or it is known that there is none.
    pub(in crate::orchestrator::engine) async fn on_model_named(
        &mut self,
        engine: &mut Engine,
        seat: SeatId,
        model: ModelRef,
        checked: Checked,
    ) {
        let waiting = self.naming.remove(&seat).unwrap_or_default();
        // Another session may have taken its place meanwhile.
        let seat = self.meant(seat);
        let notice = match checked {
            Checked::NotOffered { names, offered } => Some(Notice::ModelNotOffered { model, names, offered }),
            Checked::Offered => {
                self.take_model(engine, seat, model).await;
                None
            }
            Checked::Unknown { why } => {
                self.take_model(engine, seat, model.clone()).await;
                Some(Notice::ModelUnchecked { model, why })
            }
        };
        if let Some(notice) = notice {
            engine.notice(seat, notice).await;
        }
        for order in waiting {
            Box::pin(self.take_order(engine, order)).await;
        }
    }
}

impl Engine {
    /// Whether a model is taken whatever its server lists: the configuration names it, or a recording answers.
    fn is_sure(&self, settings: &Settings, model: &ModelRef) -> bool {
        let provider = settings.provider(&model.provider);
        let is_configured = provider.is_some_and(|provider| provider.models.iter().any(|(id, _)| *id == model.id));
        let of_agents = settings.agents.iter().filter_map(|agent| agent.model.as_ref());
        let named = settings.model.iter().chain(&settings.small_model);
        let named = named.chain(&settings.fallback).chain(of_agents);
        let mut named = named.filter_map(|text| resolve_model(text, settings).ok());
        self.setup.replay.is_some()
            || is_configured
            || self.model.as_ref() == Some(model)
            || named.any(|known| known == *model)
    }

    /// Asks the server of a model for its list; nobody waits longer than they would for a slow answer.
    fn ask_for(&mut self, seat: SeatId, settings: &Arc<Settings>, model: ModelRef) {
        let provider = self.provider(settings, &model.provider);
        let reports = self.reports.clone();
        tokio::spawn(async move {
            let checked = check(provider, &model.id).await;
            let _ = reports.send(Report::ModelNamed { seat, model, checked }).await;
        });
    }
}

async fn check(provider: Option<Arc<dyn Provider>>, id: &str) -> Checked {
    let Some(provider) = provider else {
        return Checked::Unknown { why: None };
    };
    match tokio::time::timeout(PATIENCE, provider.models()).await {
        Ok(Ok(listed)) => of_list(&listed, id),
        Ok(Err(error)) => Checked::Unknown {
            why: Some(error.to_string()),
        },
        Err(_) => Checked::Unknown { why: None },
    }
}

fn of_list(listed: &[ListedModel], id: &str) -> Checked {
    if listed.is_empty() {
        return Checked::Unknown { why: None };
    }
    if listed.iter().any(|model| model.is(id) || model.is_llama_cpp()) {
        return Checked::Offered;
    }
    Checked::NotOffered {
        names: likest(listed, id),
        offered: listed.len() as u64,
    }
}

/// The names that are most like this one, else the first ones.
fn likest(listed: &[ListedModel], id: &str) -> Vec<String> {
    let mut left: Vec<&str> = listed.iter().map(|model| model.id.as_str()).collect();
    let mut names = Vec::new();
    while names.len() < MOST_NAMES
        && let Some(next) = nearest(id, left.iter().copied())
    {
        left.retain(|other| *other != next);
        names.push(next.to_owned());
    }
    if names.is_empty() {
        names.extend(left.iter().take(MOST_NAMES).map(|name| (*name).to_owned()));
    }
    names
}

/// Whether it begins something that a model answers, or chooses the one that does.
fn goes_to_model(command: &Command) -> bool {
    matches!(
        command,
        Command::Prompt { .. }
            | Command::Retry
            | Command::Compact { .. }
            | Command::SetModel { .. }
            | Command::Everyday(Everyday::Review { .. })
    )
}

#[cfg(test)]
mod tests;
