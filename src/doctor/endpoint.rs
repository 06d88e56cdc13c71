//! Checks the model server: address, certificate, models, and a few short answers.

mod certificate;
mod generation;
mod reach;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::checkup::Patient;
use benchdog_config::settings::{NetworkSettings, ProviderSettings};
use benchdog_config::{Settings, public_address, server};
use benchdog_domain::agent::{Knowledge, ModelRef};
use benchdog_domain::checkup::{Check, CheckState};
use benchdog_lang::{Finding, advice, finding, server_error};
use benchdog_orchestrator::engine::open;
use benchdog_provider::discover;
use benchdog_provider::failure::{Doubt, Kind, ProviderError};
use benchdog_provider::transport::may_reach;
use benchdog_provider::{ListedModel, Provider};

/// Time limit of one check. `ALL` is the limit for all server checks, to keep a complete run below a minute.
const EACH: Duration = Duration::from_secs(10);
const ALL: Duration = Duration::from_secs(50);

pub(super) async fn checks(patient: &Patient, settings: &Arc<Settings>) -> Vec<Check> {
    let mut checks = Vec::new();
    let looked = tokio::time::timeout(ALL, look(patient, settings, &mut checks)).await;
    if looked.is_err() {
        let seconds = ALL.as_secs();
        let detail = finding(Finding::TookTooLong { seconds });
        checks.push(Check::fail("endpoint", detail, slow()));
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
    let place = endpoint(&settings.network, &name, &configured);
    let may_be_reached = place.state != CheckState::Fail;
    checks.push(place);
    if !may_be_reached || !reach::reach(patient, settings, &configured, checks).await {
        return;
    }
    let by = reach::proxy(patient, settings, &configured);
    let shown = certificate::check(settings, &configured, by.as_ref().map(|(address, _)| address.as_str())).await;
    if let Some(check) = shown {
        let is_refused = check.state == CheckState::Fail;
        checks.push(check);
        if is_refused {
            return;
        }
    }
    let Some(provider) = open(settings, &name, &patient.environment, None) else {
        return;
    };
    let Some(listed) = list(provider.as_ref(), &name, checks).await else {
        return;
    };
    let model = match (&patient.model, listed.first()) {
        (Some(model), _) => model.clone(),
        (None, Some(first)) => ModelRef {
            provider: name.clone(),
            id: first.id.clone(),
        },
        (None, None) => return,
    };
    checks.push(is_offered(&model, &listed));
    let known = tokio::time::timeout(EACH, provider.about(&model.id)).await;
    let known = known.ok().and_then(Result::ok).unwrap_or_default();
    checks.push(window(settings, &known, &model));
    generation::checks(settings, &configured, provider.as_ref(), &model, &known, checks).await;
}

fn endpoint(network: &NetworkSettings, name: &str, configured: &ProviderSettings) -> Check {
    let address = &public_address(&configured.base_url);
    let host = server(&configured.base_url).map(|server| server.host().to_owned());
    let host = host.as_deref().unwrap_or_default();
    if !may_reach(network, host) {
        let detail = finding(Finding::HeldOffline { host });
        return Check::fail("endpoint", detail, finding(Finding::FixOffline { host }));
    }
    Check::ok("endpoint", finding(Finding::Endpoint { name, address }))
}

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

async fn list(provider: &dyn Provider, name: &str, checks: &mut Vec<Check>) -> Option<Vec<ListedModel>> {
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
                match error.kind {
                    Kind::Tls | Kind::Certificate(_) => "tls",
                    _ => "models",
                },
                name,
                &error,
            ));
            return None;
        }
        Ok(Ok(listed)) => listed,
    };
    let count = listed.len();
    checks.push(if listed.is_empty() {
        Check::fail("models", finding(Finding::NoModels), finding(Finding::FixNoModels))
    } else {
        Check::ok("models", finding(Finding::Models { count }))
    });
    Some(listed)
}

/// Creates a failed check from an error. If a setting can fix the error, the advice names that setting.
fn failed(check: &'static str, name: &str, error: &ProviderError) -> Check {
    let fix = match error.kind {
        Kind::Certificate(Doubt::Issuer) => finding(Finding::FixTls { name }),
        Kind::Unauthorized => finding(Finding::FixKey { name }),
        _ => advice(error.code()),
    };
    Check::fail(check, server_error(&error.server_error()), fix)
}

fn is_offered(model: &ModelRef, listed: &[ListedModel]) -> Check {
    let id = model.id.as_str();
    if listed.iter().any(|listed| listed.is(id)) {
        return Check::ok("model", finding(Finding::Offered { id }));
    }
    // A llama.cpp server with a single model accepts any model name.
    if let Some(only) = listed.iter().find(|listed| listed.is_llama_cpp()) {
        let detail = finding(Finding::OtherName { id, own: &only.id });
        return Check::ok("model", detail);
    }
    let ids: Vec<&str> = listed.iter().map(|listed| listed.id.as_str()).collect();
    let near = benchdog_base::spelling::nearest(id, ids.iter().copied()).or_else(|| ids.first().copied());
    let fix = finding(Finding::FixModel {
        near: near.unwrap_or_default(),
    });
    Check::fail("model", finding(Finding::NotOffered { id }), fix)
}

fn window(settings: &Settings, known: &Knowledge, model: &ModelRef) -> Check {
    let configured = settings.model_settings(model).context;
    let id = model.id.as_str();
    match (configured, known.window) {
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

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
