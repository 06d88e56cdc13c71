//! The streamable HTTP transport, with the HTTP client of the model endpoints. The SDK manages requests and sessions.

mod client;
mod connection;
mod events;

use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};

use super::definition::{Address, Definition};
use benchdog_domain::server::ServerTrouble;
use client::HttpClient;
pub(super) use connection::HttpConnection;

const MOST_RESUMED: usize = 3;

#[derive(Debug, thiserror::Error)]
#[error("{0:?}")]
pub(super) struct Failed(ServerTrouble);

pub(super) fn open(
    definition: &Definition,
    address: &Address,
) -> (StreamableHttpClientTransport<HttpClient>, Arc<HttpConnection>) {
    let connection = Arc::new(HttpConnection::new(definition, address));
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.url.as_str());
    config.retry_config = Arc::new(ResumePolicy);
    (
        StreamableHttpClientTransport::with_client(HttpClient::new(&connection), config),
        connection,
    )
}

pub(super) fn transport_error(error: &DynamicTransportError) -> Option<ServerTrouble> {
    match error.error.downcast_ref::<StreamableHttpError<Failed>>()? {
        StreamableHttpError::Client(Failed(trouble)) => Some(trouble.clone()),
        StreamableHttpError::SessionExpired => Some(ServerTrouble::Status {
            status: 404,
            words: String::new(),
        }),
        _ => None,
    }
}

#[derive(Debug)]
struct ResumePolicy;

impl rmcp::transport::common::client_side_sse::SseRetryPolicy for ResumePolicy {
    fn retry(&self, times: usize) -> Option<Duration> {
        (times < MOST_RESUMED).then_some(Duration::from_secs(1))
    }
}
