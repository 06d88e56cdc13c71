//! Downloads a model with `/api/pull`. Dropping the future stops the download, and a later download continues it.

use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use crate::Pulled;
use crate::cause;
use crate::failure::{Curable, Kind, ProviderError};
use crate::sse::Lines;
use crate::transport::{Transport, redirect_error};

const REFUSAL_LIMIT: usize = 64 << 10;

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    status: String,
    #[serde(default)]
    total: Option<u64>,
    #[serde(default)]
    completed: Option<u64>,
    #[serde(default)]
    error: Option<String>,
}

pub(super) async fn pull(
    transport: &Transport,
    model: &str,
    progress: mpsc::Sender<Pulled>,
) -> Result<(), ProviderError> {
    const PATH: &str = "/api/pull";
    let url = transport.url(PATH);
    let failed = |error: ProviderError| transport.redact_secrets(error.with_endpoint(&url));
    let order = json!({ "model": model, "stream": true }).to_string().into_bytes();
    let mut incoming = transport.post(PATH, order).await?;
    if let Some(error) = redirect_error(&incoming) {
        return Err(failed(error));
    }
    if !(200..300).contains(&incoming.status) {
        let mut body = Vec::new();
        while let Some(bytes) = incoming.next().await? {
            body.extend_from_slice(&bytes);
            if body.len() > REFUSAL_LIMIT {
                break;
            }
        }
        return Err(failed(cause::from_response(
            incoming.status,
            &body,
            incoming.retry_after,
        )));
    }
    let mut lines = Lines::default();
    let mut last = None;
    let mut is_over = false;
    while !is_over {
        let mut reports = Vec::new();
        match incoming.next().await? {
            Some(bytes) => lines.push(&bytes, |line| {
                reports.extend(serde_json::from_slice::<Report>(line).ok())
            }),
            None => {
                is_over = true;
                // Servers that imitate Ollama omit the line break after the last line.
                let rest = lines.finish();
                reports.extend(rest.and_then(|line| serde_json::from_slice(&line).ok()));
            }
        }
        for report in reports {
            if let Some(error) = report.error {
                return Err(failed(ProviderError::new(Kind::Server(Curable::No), error)));
            }
            let pulled = Pulled {
                step: report.status,
                total: report.total,
                completed: report.completed,
            };
            last = Some(pulled.step.clone());
            // The download continues even if the receiver is gone.
            let _ = progress.send(pulled).await;
        }
    }
    match last.as_deref() {
        Some("success") => Ok(()),
        last => Err(failed(ProviderError::new(
            Kind::StreamEndedEarly,
            format!("the last it said was `{}`", last.unwrap_or("nothing")),
        ))),
    }
}
