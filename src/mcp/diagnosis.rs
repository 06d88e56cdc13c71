//! Diagnoses a connection after a failure.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ErrorData;
use rmcp::service::{ClientInitializeError, ServiceError};

use super::http::Way;
use super::limits::{MOST_MESSAGE, MOST_REQUESTS};
use super::program::Process;
use super::stdio::{Faults, TOO_LONG, UNREADABLE};
use benchdog_base::text::{clean, truncate};
use benchdog_domain::server::ServerTrouble;

const SHOWN: usize = 300;

#[derive(Clone)]
pub(super) enum Facts {
    Program(Process),
    Address(Arc<Way>),
}

impl Facts {
    pub(super) fn faults(&self) -> &Arc<Faults> {
        match self {
            Self::Program(process) => &process.faults,
            Self::Address(way) => &way.faults,
        }
    }

    pub(super) async fn over(&self) -> ServerTrouble {
        let over = async {
            match self {
                Self::Program(process) => process.over().await,
                Self::Address(way) => way.over().await,
            }
        };
        tokio::select! {
            biased;
            () = self.faults().flooded() => floods(),
            trouble = over => trouble,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.faults().is_flooded()
            || match self {
                Self::Program(process) => process.is_over(),
                Self::Address(way) => way.is_over(),
            }
    }

    async fn gone(&self) -> ServerTrouble {
        if self.faults().is_flooded() {
            return floods();
        }
        match self {
            Self::Program(process) => process.gone().await,
            Self::Address(way) => way.gone(),
        }
    }

    pub(super) fn silent(&self, waited: Duration) -> ServerTrouble {
        let said = match self {
            Self::Program(process) => process.last(),
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

    pub(super) async fn trouble(&self, error: Option<ServiceError>) -> ServerTrouble {
        match error {
            Some(ServiceError::McpError(error)) => told(&error),
            Some(ServiceError::UnexpectedResponse) => ServerTrouble::Unexpected,
            Some(ServiceError::InputRequiredRoundsExceeded { .. }) => ServerTrouble::Asks {
                what: "input".to_owned(),
            },
            Some(ServiceError::TransportSend(error)) => match super::http::trouble_of(&error) {
                Some(trouble) => trouble,
                None => self.gone().await,
            },
            _ => self.gone().await,
        }
    }

    pub(super) async fn not_greeted(&self, error: ClientInitializeError) -> ServerTrouble {
        match error {
            ClientInitializeError::JsonRpcError(error) => told(&error),
            ClientInitializeError::TransportError { error, .. } => match super::http::trouble_of(&error) {
                Some(trouble) => trouble,
                None => self.gone().await,
            },
            ClientInitializeError::ConnectionClosed(_) => self.gone().await,
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => Box::pin(self.not_greeted(*fallback)).await,
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => ServerTrouble::OtherRevision,
            _ => ServerTrouble::Unexpected,
        }
    }
}

fn told(error: &ErrorData) -> ServerTrouble {
    match error.message.as_ref() {
        UNREADABLE => ServerTrouble::Unreadable,
        TOO_LONG => too_much(),
        told => ServerTrouble::Refused { words: words(told) },
    }
}

pub(super) fn too_much() -> ServerTrouble {
    ServerTrouble::TooLong {
        most: MOST_MESSAGE as u64,
    }
}

fn floods() -> ServerTrouble {
    ServerTrouble::Floods { most: MOST_REQUESTS }
}

pub(super) fn words(text: &str) -> String {
    truncate(clean(text).replace(['\n', '\t'], " ").trim(), SHOWN).into_owned()
}
