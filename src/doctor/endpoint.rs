//! The model server: found, reached, asked what it offers, and asked for one short answer and one call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{TcpStream, lookup_host};
use tokio::sync::mpsc;

use super::checkup::Patient;
use crate::config::settings::ProviderSettings;
use crate::config::{Settings, public_address, server};
use crate::context::probe;
use crate::domain::agent::{ModelRef, Protocol};
use crate::domain::checkup::Check;
use crate::domain::image::Images;
use crate::domain::message::{ChatMessage, Messages, Reply, ToolDeclaration};
use crate::lang::{Finding, advice, finding};
use crate::orchestrator::engine::open;
use crate::provider::discover;
use crate::provider::failure::{Kind, ProviderError};
use crate::provider::{ListedModel, ModelRequest, Progress, Provider};

/// The longest wait for one thing, and for all that needs the server.
const EACH: Duration = Duration::from_secs(10);
const ALL: Duration = Duration::from_secs(45);
/// Tokens of the answer that is asked for to see whether one comes.
const FEW: u64 = 16;
/// A call needs a few more.
const FOR_A_CALL: u64 = 96;

pub(super) async fn checks(patient: &Patient, settings: &Arc<Settings>) -> Vec<Check> {
    let mut checks = Vec::new();
    let looked = tokio::time::timeout(ALL, look(patient, settings, &mut checks)).await;
    if looked.is_err() {
        let seconds = ALL.as_secs();
        checks.push(Check::fail(
            "endpoint",
            finding(Finding::TookTooLong { seconds }),
            slow(),
        ));
    }
    checks
}

fn slow() -> String {
    advice("timeout")
}

async fn look(patient: &Patient, settings: &Arc<Settings>, checks: &mut Vec<Check>) {
    let name = match &patient.model {
        Some(model) => Some(model.provider.clone()),
        None => settings.provider.first().map(|(name, _)| name.clone()),
    };
    let found = name.and_then(|name| Some((settings.provider(&name)?.clone(), name)));
    let Some((configured, name)) = found else {
        return checks.push(nothing_configured().await);
    };
    let address = public_address(&configured.base_url);
    let (shown, of) = (address.as_str(), name.as_str());
    checks.push(Check::ok(
        "endpoint",
        finding(Finding::Endpoint {
            name: of,
            address: shown,
        }),
    ));
    if !reach(patient, settings, &configured, checks).await {
        return;
    }
    let Some(provider) = open(settings, &name, &patient.environment, None) else {
        return;
    };
    let Some(listed) = list(provider.as_ref(), &name, &configured, checks).await else {
        return;
    };
    let model = match &patient.model {
        Some(model) => model.clone(),
        None => match listed.first() {
            Some(first) => ModelRef {
                provider: name.clone(),
                id: first.id.clone(),
            },
            None => return,
        },
    };
    checks.push(is_offered(&model, &listed));
    checks.push(window(settings, provider.as_ref(), &model).await);
    checks.push(answers(settings, provider.as_ref(), &model).await);
    checks.push(calls(settings, provider.as_ref(), &model).await);
}

/// What could be configured, by what answers on this machine.
async fn nothing_configured() -> Check {
    let found = discover::search(&discover::PORTS).await;
    let servers: Vec<String> = found.into_iter().map(|server| server.base_url).collect();
    let fix = match servers.first() {
        Some(address) => finding(Finding::FixFound { address }),
        None => advice("no_model"),
    };
    let detail = if servers.is_empty() {
        finding(Finding::NoEndpoint)
    } else {
        let servers = &servers.join("`, `");
        finding(Finding::NoEndpointButFound { servers })
    };
    Check::warn("endpoint", detail, fix)
}

/// The name and the port, or those of the proxy that is asked in their place. `false`: nothing more can be found out.
async fn reach(patient: &Patient, settings: &Settings, configured: &ProviderSettings, checks: &mut Vec<Check>) -> bool {
    let proxy = proxy(patient, settings, configured);
    checks.push(Check::ok(
        "proxy",
        match &proxy {
            None => finding(Finding::NoProxy),
            Some((address, by)) => {
                let address = &public_address(address);
                finding(Finding::Proxy { address, by })
            }
        },
    ));
    let asked = proxy.map_or_else(|| configured.base_url.clone(), |(address, _)| address);
    let Some((host, port)) = server(&asked).and_then(|server| Some((server.host().to_owned(), server.port()?))) else {
        let address = &public_address(&asked);
        checks.push(Check::fail(
            "dns",
            finding(Finding::NoServerIn { address }),
            finding(Finding::FixAddress),
        ));
        return false;
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let found = tokio::time::timeout(EACH, lookup_host((bare.as_str(), port))).await;
    let addresses: Vec<_> = match found {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(error)) => {
            let error = &error.to_string();
            let detail = finding(Finding::NameUnknown { host: &host, error });
            checks.push(Check::fail("dns", detail, finding(Finding::FixName)));
            return false;
        }
        Err(_) => {
            let detail = finding(Finding::NameSilent {
                host: &host,
                seconds: EACH.as_secs(),
            });
            checks.push(Check::fail("dns", detail, finding(Finding::FixName)));
            return false;
        }
    };
    let Some(first) = addresses.first() else { return false };
    let shown = &first.ip().to_string();
    checks.push(Check::ok(
        "dns",
        finding(Finding::Name {
            host: &host,
            address: shown,
        }),
    ));
    let began = Instant::now();
    let connected = tokio::time::timeout(EACH, TcpStream::connect(addresses.as_slice())).await;
    let place = &format!("{host}:{port}");
    let why = match connected {
        Ok(Ok(_)) => {
            let ms = millis(began);
            checks.push(Check::ok("tcp", finding(Finding::Connected { place, ms })));
            return true;
        }
        Ok(Err(error)) => error.to_string(),
        Err(_) => finding(Finding::Silent {
            seconds: EACH.as_secs(),
        }),
    };
    let detail = finding(Finding::NotConnected { place, why: &why });
    checks.push(Check::fail("tcp", detail, advice("unreachable")));
    false
}

/// The proxy requests go through, and what says so.
fn proxy(patient: &Patient, settings: &Settings, configured: &ProviderSettings) -> Option<(String, String)> {
    let asked = server(&configured.base_url)?;
    if crate::config::is_loopback_name(asked.host()) {
        return None;
    }
    match settings.network.proxy.as_deref() {
        Some("none") => return None,
        Some(address) => return Some((address.to_owned(), "network.proxy".to_owned())),
        None => {}
    }
    let own = if configured.base_url.starts_with("https") {
        ["HTTPS_PROXY", "https_proxy"]
    } else {
        ["http_proxy", "HTTP_PROXY"]
    };
    let names = own.into_iter().chain(["ALL_PROXY", "all_proxy"]);
    let excluded = ["NO_PROXY", "no_proxy"]
        .into_iter()
        .find_map(|name| patient.environment.get(name));
    let is_excluded = excluded.is_some_and(|list| {
        list.split(',')
            .map(|part| part.trim().trim_start_matches('.'))
            .any(|part| {
                part == "*"
                    || (!part.is_empty() && (asked.host() == part || asked.host().ends_with(&format!(".{part}"))))
            })
    });
    if is_excluded {
        return None;
    }
    let mut named = names.filter_map(|name| Some((patient.environment.get(name)?.to_owned(), name.to_owned())));
    named.next()
}

async fn list(
    provider: &dyn Provider,
    name: &str,
    configured: &ProviderSettings,
    checks: &mut Vec<Check>,
) -> Option<Vec<ListedModel>> {
    let secure = configured.base_url.trim_start().starts_with("https");
    let listed = match tokio::time::timeout(EACH, provider.models()).await {
        Err(_) => {
            let detail = finding(Finding::Silent {
                seconds: EACH.as_secs(),
            });
            checks.push(Check::fail("models", detail, slow()));
            return None;
        }
        Ok(Err(error)) => {
            checks.push(failed(
                if error.kind == Kind::Tls { "tls" } else { "models" },
                name,
                &error,
            ));
            return None;
        }
        Ok(Ok(listed)) => listed,
    };
    if secure {
        checks.push(Check::ok("tls", finding(Finding::Trusted)));
    }
    let count = listed.len();
    checks.push(if listed.is_empty() {
        Check::fail("models", finding(Finding::NoModels), finding(Finding::FixNoModels))
    } else {
        Check::ok("models", finding(Finding::Models { count }))
    });
    Some(listed)
}

/// The error in its own words, with the exact setting where there is one.
fn failed(check: &'static str, name: &str, error: &ProviderError) -> Check {
    let fix = match error.kind {
        Kind::Tls => finding(Finding::FixTls { name }),
        Kind::Unauthorized => finding(Finding::FixKey { name }),
        _ => advice(error.code()),
    };
    Check::fail(check, error.to_string(), fix)
}

fn is_offered(model: &ModelRef, listed: &[ListedModel]) -> Check {
    let id = model.id.as_str();
    if listed.iter().any(|listed| listed.id == id) {
        return Check::ok("model", finding(Finding::Offered { id }));
    }
    // A llama.cpp server answers to any name with the one model it has.
    if let Some(only) = listed.iter().find(|listed| listed.is_llama_cpp()) {
        let detail = finding(Finding::OtherName { id, own: &only.id });
        return Check::ok("model", detail);
    }
    let ids: Vec<&str> = listed.iter().map(|listed| listed.id.as_str()).collect();
    let near = crate::base::spelling::nearest(id, ids.iter().copied()).or_else(|| ids.first().copied());
    let fix = finding(Finding::FixModel {
        near: near.unwrap_or_default(),
    });
    Check::fail("model", finding(Finding::NotOffered { id }), fix)
}

async fn window(settings: &Settings, provider: &dyn Provider, model: &ModelRef) -> Check {
    let configured = settings.model_settings(model).context;
    let told = tokio::time::timeout(EACH, provider.about(&model.id)).await;
    let told = told.ok().and_then(Result::ok).and_then(|known| known.window);
    let id = model.id.as_str();
    match (configured, told) {
        (Some(configured), Some(told)) if configured > told => {
            let detail = finding(Finding::WindowTooLarge { configured, told });
            Check::fail("window", detail, finding(Finding::FixWindow { id, told }))
        }
        (Some(configured), Some(told)) => Check::ok("window", finding(Finding::WindowOfBoth { configured, told })),
        (Some(configured), None) => Check::ok("window", finding(Finding::WindowConfigured { configured })),
        (None, Some(told)) => Check::ok("window", finding(Finding::WindowTold { told })),
        (None, None) => Check::warn("window", finding(Finding::WindowUnknown), advice("window_assumed")),
    }
}

/// A few words, to see them come.
async fn answers(settings: &Settings, provider: &dyn Provider, model: &ModelRef) -> Check {
    let began = Instant::now();
    let (progress, mut arriving) = mpsc::channel(64);
    let request = request(settings, model, probe::ANSWER, Arc::new([]), FEW);
    let first = async {
        let mut first = None;
        while let Some(piece) = arriving.recv().await {
            if let (None, Progress::Delta(_)) = (first, piece) {
                first = Some(millis(began));
            }
        }
        first
    };
    let asked = async { tokio::join!(provider.stream(request, progress), first) };
    match tokio::time::timeout(EACH, asked).await {
        Err(_) => {
            let detail = finding(Finding::Silent {
                seconds: EACH.as_secs(),
            });
            Check::fail("streaming", detail, finding(Finding::FixSlow))
        }
        Ok((Err(error), _)) => failed("streaming", &model.provider, &error),
        Ok((Ok(_), None)) => Check::warn("streaming", finding(Finding::AnsweredNothing), advice("empty_reply")),
        Ok((Ok(reply), Some(first))) => {
            let whole = millis(began);
            let tokens = reply.usage.map(|usage| usage.completion);
            let after = whole.saturating_sub(first).max(1);
            let rate = tokens
                .filter(|tokens| *tokens > 1)
                .map(|tokens| (tokens - 1) * 1_000 / after);
            Check::ok("streaming", finding(Finding::Answered { first, rate }))
        }
    }
}

/// A harmless tool that the model is asked to call.
async fn calls(settings: &Settings, provider: &dyn Provider, model: &ModelRef) -> Check {
    let tool = probe::tool();
    let (progress, mut arriving) = mpsc::channel(64);
    let request = request(settings, model, probe::CALL, Arc::new([tool]), FOR_A_CALL);
    let drained = async { while arriving.recv().await.is_some() {} };
    let asked = async { tokio::join!(provider.stream(request, progress), drained).0 };
    match tokio::time::timeout(EACH, asked).await {
        Err(_) => {
            let detail = finding(Finding::Silent {
                seconds: EACH.as_secs(),
            });
            Check::warn("call", detail, finding(Finding::FixSlow))
        }
        Ok(Err(error)) => Check::fail("call", error.to_string(), finding(Finding::FixCall)),
        Ok(Ok(reply)) if called(&reply) => Check::ok("call", finding(Finding::Called)),
        Ok(Ok(_)) => Check::warn("call", finding(Finding::NotCalled), finding(Finding::FixCall)),
    }
}

fn called(reply: &Reply) -> bool {
    reply.calls.iter().any(|call| call.name == probe::TOOL)
}

fn request(
    settings: &Settings,
    model: &ModelRef,
    prompt: &str,
    tools: Arc<[ToolDeclaration]>,
    output: u64,
) -> ModelRequest {
    let configured = settings.model_settings(model);
    let mut messages = Messages::default();
    messages.push(ChatMessage::User(prompt.to_owned().into()));
    ModelRequest {
        model: model.id.clone(),
        messages,
        images: Images::new(),
        tools,
        protocol: Protocol::Native,
        calls_itself: false,
        short_ids: false,
        strict: false,
        output,
        tells_reading: false,
        window: configured.context,
        temperature: configured.temperature,
        thinking: None,
        extra_body: configured.extra_body,
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
