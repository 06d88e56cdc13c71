//! Endpoints and models. Endpoints are created on first use, together with their context windows and model lists.

mod named;
mod presence;

pub(super) use named::{Asking, Checked};
pub(super) use presence::Presence;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::auto::{self, Picked};
use super::onboarding::Chosen;
use super::seats::Seats;
use super::service;
use super::{Engine, FolderId, Line, Report, Search};
use benchdog_agent::Profile;
use benchdog_base::environment::Environment;
use benchdog_base::id::SeatId;
use benchdog_config::settings::{ModelSettings, ProviderSettings, Settings};
use benchdog_config::{api_key, complete_address, public_address};
use benchdog_domain::agent::{Knowledge, ModelOffer, ModelRef, Readiness};
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::notice::Notice;
use benchdog_domain::status::{EndpointFacts, WindowFrom};
use benchdog_protocol::{Answer, Event, FoundModel, FoundServer, Live, NotListed};
use benchdog_provider::failure::Kind;
use benchdog_provider::replay::record::Recorder;
use benchdog_provider::transport::{Endpoint, Owner};
use benchdog_provider::{self as provider, ListedModel, Provider, discover, family};

/// Assumed context window in tokens, for a model without a configured or reported window.
const DEFAULT_WINDOW: u64 = 32_768;
/// Pause between searches while a server loads its model.
const SEARCH_PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of searches while a server loads its model. A large model on a slow disk needs minutes.
const SEARCHES: u32 = 600;

/// The endpoints of one configuration, with the facts about models that their servers reported. A session keeps its
/// endpoints when the configuration changes.
pub(super) struct Endpoints {
    settings: Arc<Settings>,
    providers: BTreeMap<String, Arc<dyn Provider>>,
    known: BTreeMap<ModelRef, Knowledge>,
    recalled: BTreeMap<ModelRef, u64>,
    /// Queries for facts about models. Each query was sent when a session opened.
    asked: BTreeMap<ModelRef, PendingKnowledge>,
}

/// The result of a query for facts about a model. If the query has no result, the channel closes without a value.
pub(crate) type PendingKnowledge = watch::Receiver<Option<Knowledge>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtOnce {
    OneModel,
    Never,
}

impl Seats {
    /// Queries the endpoint of the session's model in advance. Without a model, searches for one.
    pub(super) fn look_for_a_model(&mut self, engine: &mut Engine, seat: SeatId) {
        let (search, known) = (engine.setup.search.clone(), self.model_of(seat));
        engine.offer_configured_service(seat, known.as_ref());
        if let Search::Asked { also } = &search {
            engine.discover(seat, also.clone(), AtOnce::Never);
        }
        let settings = Arc::clone(&engine.at(FolderId::HOME).settings);
        match known {
            Some(model) => {
                engine.ask_endpoint(seat, &settings, &model);
            }
            None if !settings.provider.is_empty() => engine.find_any_model(seat),
            None if search == Search::WhereNothingIsConfigured => engine.discover(seat, Vec::new(), AtOnce::OneModel),
            None => {}
        }
    }
}

impl Engine {
    fn endpoints(&mut self, settings: &Arc<Settings>) -> &mut Endpoints {
        let known = self.endpoints.iter().position(|of| Arc::ptr_eq(&of.settings, settings));
        let at = known.unwrap_or_else(|| {
            self.endpoints.push(Endpoints {
                settings: Arc::clone(settings),
                providers: BTreeMap::new(),
                known: BTreeMap::new(),
                recalled: BTreeMap::new(),
                asked: BTreeMap::new(),
            });
            self.endpoints.len() - 1
        });
        &mut self.endpoints[at]
    }

    pub(crate) fn provider(&mut self, settings: &Arc<Settings>, name: &str) -> Option<Arc<dyn Provider>> {
        if let Some(replay) = &self.setup.replay {
            return Some(Arc::clone(replay));
        }
        let of = self.endpoints(settings);
        if let Some(provider) = of.providers.get(name) {
            return Some(Arc::clone(provider));
        }
        let provider = open(settings, name, &self.setup.environment, self.setup.record.clone())?;
        let providers = &mut self.endpoints(settings).providers;
        providers.insert(name.to_owned(), Arc::clone(&provider));
        Some(provider)
    }

    pub(crate) fn window(&self, settings: &Arc<Settings>, model: &ModelRef) -> u64 {
        self.window_by(settings, model)
            .map_or(DEFAULT_WINDOW, |(tokens, _)| tokens)
    }

    pub(crate) fn window_from(&self, settings: &Arc<Settings>, model: &ModelRef) -> WindowFrom {
        self.window_by(settings, model)
            .map_or(WindowFrom::Assumed, |(_, from)| from)
    }

    /// Returns the configured or reported context window. If the server reports a window smaller than the configured
    /// one, returns the reported window.
    pub(crate) fn told_window(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<u64> {
        let told = self.window_by(settings, model);
        told.filter(|(_, from)| matches!(from, WindowFrom::Configured | WindowFrom::Server))
            .map(|(tokens, _)| tokens)
    }

    /// Whether the model reads images, by the configuration or else the server. `None` if this is unknown.
    pub(crate) fn vision(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<bool> {
        let configured = settings.model_settings(model).vision;
        configured.or_else(|| self.known(settings, model)?.vision)
    }

    fn window_by(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<(u64, WindowFrom)> {
        let known = self.known(settings, model);
        if let Some(configured) = settings.model_settings(model).context {
            return Some(match known.and_then(|known| known.most) {
                Some(most) if most < configured => (most, WindowFrom::Server),
                _ => (configured, WindowFrom::Configured),
            });
        }
        let told = match known {
            Some(known) => known.window.map(|tokens| (tokens, WindowFrom::Server)),
            None => {
                let recalled = self.endpoints_of(settings).and_then(|of| of.recalled.get(model));
                recalled.map(|tokens| (*tokens, WindowFrom::Recalled))
            }
        };
        told.or_else(|| Some((family::window(&model.id)?, WindowFrom::Family)))
    }

    pub(crate) fn known(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<&Knowledge> {
        self.endpoints_of(settings)?.known.get(model)
    }

    pub(crate) fn pending_knowledge(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<PendingKnowledge> {
        self.endpoints_of(settings)?.asked.get(model).cloned()
    }

    fn endpoints_of(&self, settings: &Arc<Settings>) -> Option<&Endpoints> {
        self.endpoints.iter().find(|of| Arc::ptr_eq(&of.settings, settings))
    }

    pub(crate) fn endpoint_facts(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<EndpointFacts> {
        let configured = settings.provider(&model.provider)?;
        self.setup.replay.is_none().then(|| EndpointFacts {
            address: public_address(&configured.base_url),
            api: configured.api.word(),
        })
    }

    pub(super) fn recall_window(&mut self, settings: &Arc<Settings>, model: ModelRef, tokens: u64) {
        self.endpoints(settings).recalled.insert(model, tokens);
    }

    pub(crate) fn warm_up(&mut self, settings: &Arc<Settings>, model: &ModelRef) {
        if self.setup.replay.is_some() {
            return;
        }
        let Some(provider) = self.provider(settings, &model.provider) else {
            return;
        };
        let (reports, settings, model) = (self.reports.clone(), Arc::clone(settings), model.clone());
        let window_is_known = settings.model_settings(&model).context.is_some();
        tokio::spawn(async move {
            provider.warm();
            if window_is_known {
                return;
            }
            // Errors are ignored, because the first request reports them.
            if let Ok(known) = provider.about(&model.id).await {
                let _ = reports.send(Report::Known { settings, model, known }).await;
            }
        });
    }

    /// Stores facts about a model. Returns a notice if the context window is unknown or smaller than configured.
    pub(super) fn learn(&mut self, settings: &Arc<Settings>, model: &ModelRef, known: Knowledge) -> Option<Notice> {
        let configured = settings.model_settings(model).context;
        let (window, most) = (known.window, known.most);
        let assumed = family::window(&model.id).unwrap_or(DEFAULT_WINDOW);
        let before = self.endpoints(settings).known.insert(model.clone(), known);
        let said = match (configured, window, most) {
            (Some(wanted), _, Some(runs)) if runs < wanted => Some(Notice::WindowSmaller {
                model: model.id.clone(),
                wanted,
                runs,
            }),
            // A recording has no context window.
            (None, None, _) if self.setup.replay.is_some() => None,
            (None, None, _) => Some(Notice::WindowAssumed {
                model: model.id.clone(),
                tokens: assumed,
            }),
            _ => None,
        };
        // Report this only when the first facts about the model arrive.
        said.filter(|_| before.is_none())
    }

    /// Stores a context window if it is smaller than assumed, and returns a notice about it.
    pub(super) fn learn_smaller(&mut self, settings: &Arc<Settings>, model: &ModelRef, runs: u64) -> Option<Notice> {
        let wanted = self.window(settings, model);
        if runs >= wanted {
            return None;
        }
        let known = self.endpoints(settings).known.entry(model.clone()).or_default();
        (known.window, known.most) = (Some(runs), Some(runs));
        Some(Notice::WindowSmaller {
            model: model.id.clone(),
            wanted,
            runs,
        })
    }

    fn every_provider(&mut self, settings: &Arc<Settings>) -> Vec<(String, Arc<dyn Provider>)> {
        let names = settings.provider.iter().map(|(name, _)| name.clone());
        names
            .filter_map(|name| {
                let provider = self.provider(settings, &name)?;
                Some((name, provider))
            })
            .collect()
    }

    /// Returns the model for a new session. The agent's model takes precedence over the session's own model, unless the
    /// person set a model for this run.
    pub(crate) fn first_model(&self, agent: &Profile, own: Option<ModelRef>) -> Option<ModelRef> {
        let insisted = self.setup.model_insisted || self.setup.replay.is_some();
        agent.model.clone().filter(|_| !insisted).or(own)
    }

    pub(super) fn list_models(&mut self, seat: SeatId, settings: &Arc<Settings>, current: Option<ModelRef>) {
        let providers = self.every_provider(settings);
        let line = self.line(seat);
        // A recording accepts any model name.
        let configured = if self.setup.replay.is_some() {
            Vec::new()
        } else {
            configured(settings)
        };
        tokio::spawn(async move {
            let mut offers: Vec<ModelOffer> = Vec::new();
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
                    Err(error) => failed.push(error.server_error()),
                }
            }
            for offer in configured {
                if !offers.iter().any(|listed| is_meant(&listed.model, &offer.model)) {
                    offers.push(offer);
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

    fn find_any_model(&mut self, seat: SeatId) {
        let settings = Arc::clone(&self.at(FolderId::HOME).settings);
        let providers = self.every_provider(&settings);
        let path = self.setup.environment.get("PATH").unwrap_or_default().to_owned();
        let reports = self.reports.clone();
        let line = self.line(seat);
        tokio::spawn(async move {
            match auto::pick(providers, &settings, &path).await {
                Ok(Picked { model, notice }) => {
                    if let Some(notice) = notice {
                        line.tell(Event::Live(Live::Notice(notice))).await;
                    }
                    let _ = reports.send(Report::ModelFound(model)).await;
                }
                Err(why) => line.tell(Event::Live(Live::Notice(Notice::NoModel(why)))).await,
            }
        });
    }

    pub(super) fn discover(&self, seat: SeatId, also: Vec<String>, at_once: AtOnce) {
        let line = self.line(seat);
        let is_free = self.at(FolderId::HOME).settings.provider.is_empty();
        let offer = is_free.then(|| self.offer(service::usual_place())).flatten();
        tokio::spawn(async move {
            let mut found = search(&also).await;
            if found.iter().any(|server| server.readiness == Readiness::Loading) {
                tell_found(&line, found.clone()).await;
                found = search_until_loaded(&also).await;
            }
            if let Some(chosen) = Chosen::only_one(&found).filter(|_| at_once == AtOnce::OneModel) {
                let _ = line.reports.send(Report::ServerFound { seat, chosen }).await;
                return;
            }
            if let Some(offer) = offer.filter(|_| found.is_empty()) {
                line.tell(Event::Answer(service::offered(&offer))).await;
            }
            tell_found(&line, found).await;
        });
    }

    /// Sends the address of the model's server, or else of the first configured server.
    pub(super) async fn show_configured(&self, seat: SeatId, settings: &Settings, model: Option<ModelRef>) {
        let of_model = model.and_then(|model| settings.provider(&model.provider));
        let first = || settings.provider.first().map(|(_, provider)| provider);
        if let Some(provider) = of_model.or_else(first) {
            let base_url = provider.base_url.clone();
            let answer = Answer::ConfiguredServer { base_url };
            self.line(seat).tell(Event::Answer(answer)).await;
        }
    }

    pub(super) fn test_server(&self, seat: SeatId, settings: &Arc<Settings>, base_url: &str, key: &ApiKey) {
        let (line, network) = (self.line(seat), settings.network.clone());
        let (base_url, key) = (complete_address(base_url), key.clone());
        tokio::spawn(async move {
            let models = discover::models_at(&base_url, &key, network).await;
            let models = models.map(|models| models.into_iter().map(found_model).collect());
            let models = models.map_err(|error| NotListed {
                wants_key: matches!(error.kind, Kind::Unauthorized | Kind::Forbidden),
                why: error.server_error(),
            });
            line.tell(Event::Answer(Answer::ServerTested { base_url, models }))
                .await;
        });
    }
}

pub fn open(
    settings: &Settings,
    name: &str,
    environment: &Environment,
    record: Option<Arc<Recorder>>,
) -> Option<Arc<dyn Provider>> {
    let configured = settings.provider(name)?;
    let endpoint = Endpoint {
        owner: Owner::Provider(name.to_owned()),
        base_url: configured.base_url.clone(),
        api_key: api_key(configured, environment),
        headers: configured.headers.clone(),
        ca_file: configured.ca_file.as_ref().map(PathBuf::from),
        network: settings.network.clone(),
        idle_timeout: std::time::Duration::from_secs(configured.idle_timeout_s),
    };
    Some(provider::new_provider(configured.api, endpoint, record))
}

fn configured(settings: &Settings) -> Vec<ModelOffer> {
    let of_provider = |(name, provider): &(String, ProviderSettings)| -> Vec<ModelOffer> {
        let offer = |(id, of_model): &(String, ModelSettings)| ModelOffer {
            model: ModelRef {
                provider: name.clone(),
                id: id.clone(),
            },
            context: of_model.context,
        };
        provider.models.iter().map(offer).collect()
    };
    settings.provider.iter().flat_map(of_provider).collect()
}

fn is_meant(listed: &ModelRef, model: &ModelRef) -> bool {
    listed.provider == model.provider && provider::is_same_model(&listed.id, &model.id)
}

async fn search(also: &[String]) -> Vec<discover::FoundServer> {
    let (mut found, named) = tokio::join!(discover::search(&discover::PORTS), discover::search_at(also));
    let is_new = |server: &discover::FoundServer| !found.iter().any(|other| other.base_url == server.base_url);
    let named: Vec<_> = named.into_iter().filter(is_new).collect();
    found.extend(named);
    found
}

async fn search_until_loaded(also: &[String]) -> Vec<discover::FoundServer> {
    let mut found = Vec::new();
    for _ in 0..SEARCHES {
        tokio::time::sleep(SEARCH_PAUSE).await;
        found = search(also).await;
        if !found.iter().any(|server| server.readiness == Readiness::Loading) {
            break;
        }
    }
    found
}

async fn tell_found(line: &Line, found: Vec<discover::FoundServer>) {
    let found = found.into_iter().map(|server| FoundServer {
        base_url: server.base_url,
        readiness: server.readiness,
        models: server.models.into_iter().map(found_model).collect(),
    });
    let found = found.collect();
    line.tell(Event::Answer(Answer::FirstStart { found })).await;
}

fn found_model(listed: ListedModel) -> FoundModel {
    FoundModel {
        id: listed.id,
        window: listed.context,
    }
}
