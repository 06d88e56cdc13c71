//! The streamable HTTP transport, over the client of model endpoints with the same rules. The SDK manages requests and sessions.

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
use client::Courier;
pub(super) use connection::Way;

/// Maximum consecutive attempts to resume a stream.
const MOST_RESUMED: usize = 3;

#[derive(Debug, thiserror::Error)]
#[error("{0:?}")]
pub(super) struct Failed(ServerTrouble);

pub(super) fn open(definition: &Definition, address: &Address) -> (StreamableHttpClientTransport<Courier>, Arc<Way>) {
    let way = Arc::new(Way::new(definition, address));
    let mut how = StreamableHttpClientTransportConfig::with_uri(address.url.as_str());
    how.retry_config = Arc::new(Resumed);
    (StreamableHttpClientTransport::with_client(Courier::new(&way), how), way)
}

pub(super) fn trouble_of(error: &DynamicTransportError) -> Option<ServerTrouble> {
    match error.error.downcast_ref::<StreamableHttpError<Failed>>()? {
        StreamableHttpError::Client(Failed(trouble)) => Some(trouble.clone()),
        StreamableHttpError::SessionExpired => Some(ServerTrouble::Status {
            status: 404,
            words: String::new(),
        }),
        _ => None,
    }
}

/// Retry policy: after one second, with a limit.
#[derive(Debug)]
struct Resumed;

impl rmcp::transport::common::client_side_sse::SseRetryPolicy for Resumed {
    fn retry(&self, times: usize) -> Option<Duration> {
        (times < MOST_RESUMED).then_some(Duration::from_secs(1))
    }
}
