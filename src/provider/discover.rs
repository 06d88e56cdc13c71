//! Finds model servers on this machine at the first start, and tests a server that the user entered. Sends no prompt.
//! Sends an API key only to the address for which the user entered it.

use std::time::Duration;

use futures::future::join_all;

use super::ListedModel;
use super::failure::{Kind, ProviderError};
use super::ollama::about;
use super::openai::list;
use super::transport::{Endpoint, Owner, Transport};
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::agent::Readiness;
use benchdog_domain::api_key::ApiKey;

/// Default ports of vLLM, Ollama, llama.cpp, LM Studio and SGLang, in the order in which they are offered.
pub const PORTS: [u16; 5] = [8000, 11434, 8080, 1234, 30000];
/// Maximum time in which a local server must list its models.
const PATIENCE: Duration = Duration::from_millis(800);
const TEST_PATIENCE: Duration = Duration::from_secs(8);
pub const NAME: &str = "local";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    pub base_url: String,
    pub readiness: Readiness,
    pub models: Vec<ListedModel>,
}

pub async fn search(ports: &[u16]) -> Vec<FoundServer> {
    let addresses: Vec<String> = ports.iter().map(|port| format!("http://127.0.0.1:{port}/v1")).collect();
    search_at(&addresses).await
}

pub async fn search_at(addresses: &[String]) -> Vec<FoundServer> {
    let mut found: Vec<FoundServer> = Vec::new();
    for server in join_all(addresses.iter().map(|address| ask(address.clone()))).await {
        found.extend(server.filter(|server| !found.iter().any(|other| other.base_url == server.base_url)));
    }
    found
}

/// Whether the server is Ollama. If so, Benchdog uses Ollama's native API, because its requests can set the context
/// window.
pub async fn is_ollama(base_url: &str, network: NetworkSettings) -> bool {
    let transport = transport(base_url, &ApiKey::default(), network, PATIENCE);
    let asked = tokio::time::timeout(PATIENCE, about::server(&transport, PATIENCE)).await;
    asked.is_ok_and(|version| version.is_some())
}

pub async fn models_at(
    base_url: &str,
    key: &ApiKey,
    network: NetworkSettings,
) -> Result<Vec<ListedModel>, ProviderError> {
    list::models(&transport(base_url, key, network, TEST_PATIENCE), TEST_PATIENCE).await
}

async fn ask(base_url: String) -> Option<FoundServer> {
    let transport = transport(&base_url, &ApiKey::default(), NetworkSettings::default(), PATIENCE);
    let asked = tokio::time::timeout(PATIENCE, list::models(&transport, PATIENCE)).await;
    let (readiness, models) = match asked.ok()? {
        Ok(models) => (Readiness::Ready, models),
        Err(error) if error.kind == Kind::Unauthorized => (Readiness::NeedsKey, Vec::new()),
        Err(error) if error.kind == Kind::Loading => (Readiness::Loading, Vec::new()),
        Err(_) => return None,
    };
    Some(FoundServer {
        base_url,
        readiness,
        models,
    })
}

fn transport(base_url: &str, key: &ApiKey, network: NetworkSettings, idle_timeout: Duration) -> Transport {
    Transport::new(Endpoint {
        owner: Owner::Provider(NAME.to_owned()),
        base_url: base_url.to_owned(),
        api_key: key.get().map(str::to_owned),
        headers: Vec::new(),
        ca_file: None,
        network,
        idle_timeout,
    })
}

#[cfg(test)]
mod tests;
