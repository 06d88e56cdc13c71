//! Offers to start a local Ollama server. The server starts after confirmation and keeps running after exit.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::net::TcpStream;

use super::{Engine, FolderId, Report, Search};
use benchdog_base::id::SeatId;
use benchdog_children::{self as children, Service};
use benchdog_config::settings::Settings;
use benchdog_config::{is_loopback_name, key_variables, server};
use benchdog_domain::agent::{Api, ModelRef};
use benchdog_domain::notice::{NoService, Notice, ServiceNotice};
use benchdog_protocol::{Answer, Event, Live};
use benchdog_security::secrets::is_withheld;

const PROGRAM: &str = "ollama";
const SERVE: &str = "serve";
const PORT: u16 = 11_434;
const ADDRESS: &str = "OLLAMA_HOST";
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(100);
const KNOCK: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    service: Service,
    pub(super) place: String,
}

impl Offer {
    pub(super) fn command(&self) -> String {
        let address = format!("{ADDRESS}={}", self.place);
        [address.as_str(), PROGRAM, SERVE].join(" ")
    }

    pub(super) async fn is_answered(&self) -> bool {
        let asked = tokio::time::timeout(KNOCK, TcpStream::connect(&self.place)).await;
        asked.is_ok_and(|connected| connected.is_ok())
    }
}

impl Engine {
    pub(super) fn offer_configured_service(&self, seat: SeatId, model: Option<&ModelRef>) {
        let settings = &self.at(FolderId::HOME).settings;
        let name = model.map(|model| model.provider.as_str());
        let name = name.or_else(|| settings.provider.first().map(|(name, _)| name.as_str()));
        let Some(offer) = name.and_then(|name| self.offer(configured(settings, name)?)) else {
            return;
        };
        let line = self.line(seat);
        tokio::spawn(async move {
            if !offer.is_answered().await {
                line.tell(Event::Answer(offered(&offer))).await;
            }
        });
    }

    /// Returns the offer to start a server. `None` if no person is present, or if the program is not installed.
    pub(super) fn offer(&self, place: String) -> Option<Offer> {
        if self.setup.search == Search::Never || self.setup.replay.is_some() {
            return None;
        }
        let environment = &self.setup.environment;
        let program = children::find_program(PROGRAM, environment.get("PATH").unwrap_or_default())?;
        let keys = key_variables(&self.at(FolderId::HOME).settings, environment);
        let is_kept = |name: &str, value: &str| {
            name != ADDRESS && !is_withheld(name, value) && !keys.iter().any(|key| key == name)
        };
        let passed = environment.iter().filter(|(name, value)| is_kept(name, value));
        let mut variables: Vec<(String, String)> = passed
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        variables.push((ADDRESS.to_owned(), place.clone()));
        let service = Service {
            program,
            arguments: vec![SERVE.to_owned()],
            variables,
        };
        Some(Offer { service, place })
    }

    pub(super) fn start_service(&self, seat: SeatId, model: Option<&ModelRef>) {
        let settings = &self.at(FolderId::HOME).settings;
        let name = model.map(|model| model.provider.as_str());
        let name = name.or_else(|| settings.provider.first().map(|(name, _)| name.as_str()));
        let place = match name {
            Some(name) => configured(settings, name),
            None => Some(usual_place()),
        };
        let offer = place.and_then(|place| self.offer(place));
        let (line, launcher) = (self.line(seat), self.setup.launcher.clone());
        let reports = self.reports.clone();
        tokio::spawn(async move {
            let say = async |what| line.tell(Event::Live(Live::Notice(Notice::Service(what)))).await;
            let Some(offer) = offer else {
                return say(ServiceNotice::Nothing).await;
            };
            let (command, place) = (offer.command(), offer.place.clone());
            let seconds = PATIENCE.as_secs();
            say(ServiceNotice::Starting {
                command: command.clone(),
                seconds,
            })
            .await;
            match until_it_answers(&launcher, &offer).await {
                Ok(()) => {
                    say(ServiceNotice::Started { place }).await;
                    let _ = reports.send(Report::ServiceStarted { seat }).await;
                }
                Err(why) => say(ServiceNotice::NotStarted { command, why }).await,
            }
        });
    }
}

pub(super) fn offered(offer: &Offer) -> Answer {
    Answer::ServiceOffered {
        place: offer.place.clone(),
        command: offer.command(),
    }
}

pub(super) fn usual_place() -> String {
    format!("127.0.0.1:{PORT}")
}

fn configured(settings: &Settings, name: &str) -> Option<String> {
    let provider = settings.provider(name)?;
    let server = server(&provider.base_url).filter(|server| is_loopback_name(server.host()))?;
    let port = server.port()?;
    let is_ollama = provider.api == Api::Ollama || port == PORT;
    (is_ollama && !provider.base_url.starts_with("https")).then(|| format!("{}:{port}", server.host()))
}

async fn until_it_answers(launcher: &Path, offer: &Offer) -> Result<(), NoService> {
    if offer.is_answered().await {
        return Ok(());
    }
    let mut started = children::start_service(launcher, &offer.service).map_err(|error| NoService::Refused {
        error: error.to_string(),
    })?;
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if offer.is_answered().await {
            return Ok(());
        }
        if let Some(status) = started.ended() {
            return Err(NoService::Ended {
                status: status.to_string(),
            });
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(NoService::Silent {
        seconds: PATIENCE.as_secs(),
    })
}
