//! Checks in the background whether the server lists a model that the person named. Reports an unlisted name once.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;

use crate::engine::seats::Seats;
use crate::engine::{Engine, Report};
use benchdog_base::id::SeatId;
use benchdog_base::spelling::nearest;
use benchdog_config::resolve_model;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::notice::Notice;
use benchdog_domain::server_error::ServerError;
use benchdog_provider::{ListedModel, Provider};

const PATIENCE: Duration = Duration::from_secs(2);

const MOST_NAMES: usize = 3;

const FRONT: &str = "models/";

const NEWEST: [&str; 2] = [":latest", "-latest"];

/// Forms of date suffixes in model names. `0` stands for any digit.
const DAYS: [&str; 3] = ["-0000-00-00", "-00000000", "-0000"];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    Listed,
    Unlisted {
        names: Vec<String>,
        listed: u64,
    },
    /// The server's list is unknown. `why` is set if the list was requested and the request failed.
    Unknown {
        why: Option<ServerError>,
    },
}

pub(in crate::engine) struct Asking {
    model: ModelRef,
    task: AbortHandle,
}

impl Seats {
    pub(in crate::engine) async fn set_model(&mut self, engine: &mut Engine, seat: SeatId, id: &str) {
        let Some(open) = self.get(seat) else { return };
        let (settings, before) = (Arc::clone(open.settings()), open.model());
        let model = match resolve_model(id, &settings) {
            Ok(model) => model,
            Err(error) => {
                let why = error.to_string();
                return engine.notice(seat, Notice::Model { why }).await;
            }
        };
        // Call `is_sure` before `engine.model` is set below, because `is_sure` compares the new model with it.
        let is_sure = engine.is_sure(&settings, &model);
        open.choose_model(engine, model.clone()).await;
        engine.model.get_or_insert(model.clone());
        open.warm_up(engine);
        open.tell_context(engine).await;
        if before.as_ref() == Some(&model) {
            return;
        }
        if let Some(older) = self.asking.remove(&seat) {
            older.task.abort();
        }
        if !is_sure {
            let task = engine.ask_for(seat, &settings, model.clone());
            self.asking.insert(seat, Asking { model, task });
        }
    }

    pub(in crate::engine) async fn on_model_named(
        &mut self,
        engine: &Engine,
        seat: SeatId,
        model: ModelRef,
        checked: Checked,
    ) {
        if self.asking.get(&seat).is_none_or(|asking| asking.model != model) {
            return;
        }
        self.asking.remove(&seat);
        if self.model_of(seat).as_ref() != Some(&model) {
            return;
        }
        let notice = match checked {
            Checked::Listed => return,
            Checked::Unlisted { names, listed } => Notice::ModelUnlisted { model, names, listed },
            Checked::Unknown { why } => Notice::ModelUnchecked {
                model,
                why: why.as_ref().map(ServerError::to_string),
                server: why.map(Box::new),
            },
        };
        engine.notice(seat, notice).await;
    }
}

impl Engine {
    /// Whether the model name needs no check: the name was checked before, the configuration contains it, or a
    /// recording replaces the server.
    fn is_sure(&self, settings: &Settings, model: &ModelRef) -> bool {
        let of_agents = settings.agents.iter().filter_map(|agent| agent.model.as_ref());
        let named = settings.model.iter().chain(&settings.small_model);
        let named = named.chain(&settings.fallback).chain(of_agents);
        let mut named = named.filter_map(|text| resolve_model(text, settings).ok());
        self.setup.replay.is_some()
            || is_described(settings, model)
            || self.model.as_ref() == Some(model)
            || named.any(|known| known == *model)
    }

    fn ask_for(&mut self, seat: SeatId, settings: &Arc<Settings>, model: ModelRef) -> AbortHandle {
        let provider = self.provider(settings, &model.provider);
        let reports = self.reports.clone();
        let task = tokio::spawn(async move {
            let checked = check(provider, &model.id).await;
            let _ = reports.send(Report::ModelNamed { seat, model, checked }).await;
        });
        task.abort_handle()
    }
}

pub(super) fn is_described(settings: &Settings, model: &ModelRef) -> bool {
    let provider = settings.provider(&model.provider);
    provider.is_some_and(|provider| provider.models.iter().any(|(id, _)| *id == model.id))
}

async fn check(provider: Option<Arc<dyn Provider>>, id: &str) -> Checked {
    let Some(provider) = provider else {
        return Checked::Unknown { why: None };
    };
    match tokio::time::timeout(PATIENCE, provider.models()).await {
        Ok(Ok(listed)) => of_list(&listed, id),
        Ok(Err(error)) => Checked::Unknown {
            why: Some(error.server_error()),
        },
        Err(_) => Checked::Unknown { why: None },
    }
}

pub(super) fn of_list(listed: &[ListedModel], id: &str) -> Checked {
    if listed.is_empty() {
        return Checked::Unknown { why: None };
    }
    let is_meant = |model: &ListedModel| model.is(id) || is_spelt_otherwise(&model.id, id) || model.is_llama_cpp();
    if listed.iter().any(is_meant) {
        return Checked::Listed;
    }
    Checked::Unlisted {
        names: likest(listed, id),
        listed: listed.len() as u64,
    }
}

/// Whether two names mean the same model. They may differ in the prefix `models/` and in the format of the release
/// date, and one may lack the date.
fn is_spelt_otherwise(listed: &str, id: &str) -> bool {
    let ((theirs, their_day), (ours, our_day)) = (parts(listed), parts(id));
    theirs == ours && (their_day == our_day || their_day.is_none() || our_day.is_none())
}

fn parts(name: &str) -> (&str, Option<&str>) {
    let name = name.strip_prefix(FRONT).unwrap_or(name);
    if let Some(front) = NEWEST.iter().find_map(|newest| name.strip_suffix(newest)) {
        return (front, None);
    }
    match DAYS.iter().find_map(|form| ends_with_day(name, form)) {
        Some((front, day)) => (front, Some(day)),
        None => (name, None),
    }
}

fn ends_with_day<'a>(name: &'a str, form: &str) -> Option<(&'a str, &'a str)> {
    let (front, day) = name.split_at_checked(name.len().checked_sub(form.len())?)?;
    let fits = |(is, wanted): (u8, u8)| is == wanted || wanted == b'0' && is.is_ascii_digit();
    let is_day = !front.is_empty() && day.bytes().zip(form.bytes()).all(fits);
    is_day.then_some((front, day))
}

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

#[cfg(test)]
mod tests;
