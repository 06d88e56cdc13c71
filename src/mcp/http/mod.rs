//! A server that is reached by HTTP ("streamable HTTP"). The SDK knows when what is sent, and keeps the session; what goes over the wire
//! goes by the client of the model endpoints, under the same rules, and everything that comes back is bounded here.

mod courier;
mod events;
mod way;

use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};

use super::definition::{Address, Definition};
use crate::domain::server::ServerTrouble;
use courier::Courier;
pub(super) use way::Way;

/// How often a stream that broke off is taken up again in a row.
const MOST_RESUMED: usize = 3;

/// What went wrong on the way, in the SDK's errors.
#[derive(Debug, thiserror::Error)]
#[error("{0:?}")]
pub(super) struct Failed(ServerTrouble);

/// Nothing is asked yet.
pub(super) fn open(definition: &Definition, address: &Address) -> (StreamableHttpClientTransport<Courier>, Arc<Way>) {
    let way = Arc::new(Way::new(definition, address));
    let mut how = StreamableHttpClientTransportConfig::with_uri(address.url.as_str());
    how.retry_config = Arc::new(Resumed);
    (StreamableHttpClientTransport::with_client(Courier::new(&way), how), way)
}

/// The trouble that an error of the SDK was made of.
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

/// After a second, and not for ever.
#[derive(Debug)]
struct Resumed;

impl rmcp::transport::common::client_side_sse::SseRetryPolicy for Resumed {
    fn retry(&self, times: usize) -> Option<Duration> {
        (times < MOST_RESUMED).then_some(Duration::from_secs(1))
    }
}
