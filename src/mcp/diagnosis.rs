//! Determines the cause of a failed connection.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ErrorData;
use rmcp::service::{ClientInitializeError, ServiceError};

use super::http::HttpConnection;
use super::limits::{MOST_MESSAGE, MOST_REQUESTS};
use super::program::Process;
use super::stdio::{Faults, TOO_LONG, UNREADABLE};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::server::ServerTrouble;

const SHOWN: usize = 300;

#[derive(Clone)]
pub(super) enum Diagnosis {
    Program(Process),
    Address(Arc<HttpConnection>),
}

impl Diagnosis {
    pub(super) fn faults(&self) -> &Arc<Faults> {
        match self {
            Self::Program(process) => &process.faults,
            Self::Address(connection) => &connection.faults,
        }
    }

    pub(super) async fn wait_for_end(&self) -> ServerTrouble {
        let ended = async {
            match self {
                Self::Program(process) => process.wait_for_end().await,
                Self::Address(connection) => connection.wait_for_end().await,
            }
        };
        tokio::select! {
            biased;
            () = self.faults().flooded() => flood_error(),
            trouble = ended => trouble,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.faults().is_flooded()
            || match self {
                Self::Program(process) => process.is_over(),
                Self::Address(connection) => connection.is_over(),
            }
    }

    async fn closed_error(&self) -> ServerTrouble {
        if self.faults().is_flooded() {
            return flood_error();
        }
        match self {
            Self::Program(process) => process.closed_error().await,
            Self::Address(connection) => connection.closed_error(),
        }
    }

    pub(super) fn timeout_error(&self, waited: Duration) -> ServerTrouble {
        let said = match self {
            Self::Program(process) => process.last_stderr(),
            Self::Address(_) => String::new(),
        };
        match self.faults().garbage() {
            Some(line) => ServerTrouble::Garbage { line },
            None => ServerTrouble::NoAnswer {
                seconds: waited.as_secs().max(1),
                said,
            },
        }
    }

    pub(super) async fn error(&self, error: Option<ServiceError>) -> ServerTrouble {
        match error {
            Some(ServiceError::McpError(error)) => protocol_error(&error),
            Some(ServiceError::UnexpectedResponse) => ServerTrouble::Unexpected,
            Some(ServiceError::InputRequiredRoundsExceeded { .. }) => ServerTrouble::Asks {
                what: "input".to_owned(),
            },
            Some(ServiceError::TransportSend(error)) => match super::http::transport_error(&error) {
                Some(trouble) => trouble,
                None => self.closed_error().await,
            },
            _ => self.closed_error().await,
        }
    }

    pub(super) async fn handshake_error(&self, error: ClientInitializeError) -> ServerTrouble {
        match error {
            ClientInitializeError::JsonRpcError(error) => protocol_error(&error),
            ClientInitializeError::TransportError { error, .. } => match super::http::transport_error(&error) {
                Some(trouble) => trouble,
                None => self.closed_error().await,
            },
            ClientInitializeError::ConnectionClosed(_) => self.closed_error().await,
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                Box::pin(self.handshake_error(*fallback)).await
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => ServerTrouble::OtherRevision,
            _ => ServerTrouble::Unexpected,
        }
    }
}

fn protocol_error(error: &ErrorData) -> ServerTrouble {
    match error.message.as_ref() {
        UNREADABLE => ServerTrouble::Unreadable,
        TOO_LONG => too_long_error(),
        told => ServerTrouble::Refused { words: words(told) },
    }
}

pub(super) fn too_long_error() -> ServerTrouble {
    ServerTrouble::TooLong {
        most: MOST_MESSAGE as u64,
    }
}

fn flood_error() -> ServerTrouble {
    ServerTrouble::Floods { most: MOST_REQUESTS }
}

pub(super) fn words(text: &str) -> String {
    truncate(clean(text).replace(['\n', '\t'], " ").trim(), SHOWN).into_owned()
}
