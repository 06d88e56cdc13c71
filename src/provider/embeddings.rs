//! Requests embeddings of texts from the OpenAI-compatible API or from Ollama's native API.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Question, ask};
use super::exchange::Exchange;
use super::failure::{Kind, ProviderError};
use super::retry::{Failures, Output};

/// Time limit of a request. A server may have to load the model first. Most callers set a shorter limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maximum dimension of vectors. Current models have at most 4,096 dimensions.
const MOST_DIMENSION: usize = 8_192;

type Vectors = Vec<Vec<f32>>;

pub(crate) struct Format {
    path: &'static str,
    read: fn(&[u8]) -> Option<Vectors>,
}

pub(crate) const OPENAI: Format = Format {
    path: "embeddings",
    read: openai,
};

pub(crate) const OLLAMA: Format = Format {
    path: "/api/embed",
    read: ollama,
};

/// Requests the embeddings of `texts`. Retries failed requests like other model requests.
pub(crate) fn embed<'e>(
    exchange: &'e Exchange,
    format: &'static Format,
    model: &str,
    texts: &[String],
) -> BoxFuture<'e, Result<Vectors, ProviderError>> {
    let (model, count) = (model.to_owned(), texts.len());
    let body = json!({"model": model, "input": texts});
    async move {
        let answer = attempts(exchange, format, &body, count).await;
        answer.map_err(|error| {
            tracing::warn!(
                code = error.code(),
                status = error.status,
                texts = count,
                "no embeddings"
            );
            error.about_model(&model)
        })
    }
    .boxed()
}

async fn attempts(exchange: &Exchange, format: &Format, body: &Value, count: usize) -> Result<Vectors, ProviderError> {
    let mut failures = Failures::default();
    loop {
        let error = match attempt(exchange, format, body, count).await {
            Ok(vectors) => return Ok(vectors),
            Err(error) => error,
        };
        match failures.wait_after(&error, Output::Nothing, (exchange.chance)()) {
            Some(wait) => tokio::time::sleep(wait).await,
            None => return Err(error),
        }
    }
}

async fn attempt(exchange: &Exchange, format: &Format, body: &Value, count: usize) -> Result<Vectors, ProviderError> {
    let (transport, question) = (&exchange.transport, Question::Post(format.path, body));
    let vectors = ask(
        transport,
        question,
        PATIENCE,
        "its answer has no embeddings",
        format.read,
    )
    .await?;
    match flaw(&vectors, count) {
        None => Ok(vectors),
        Some(flaw) => Err(ProviderError::new(Kind::NotAnApi, flaw).with_endpoint(&transport.url(format.path))),
    }
}

/// Returns an error text if the vectors cannot be the embeddings of `count` texts.
fn flaw(vectors: &[Vec<f32>], count: usize) -> Option<String> {
    if vectors.len() != count {
        return Some(format!("its answer has {} embeddings for {count} texts", vectors.len()));
    }
    let dimension = vectors.first().map_or(0, Vec::len);
    if !(1..=MOST_DIMENSION).contains(&dimension) {
        return Some(format!(
            "its embeddings have {dimension} dimensions, not 1 to {MOST_DIMENSION}"
        ));
    }
    if let Some(other) = vectors.iter().find(|vector| vector.len() != dimension) {
        let other = other.len();
        return Some(format!(
            "its embeddings have different dimensions: {dimension} and {other}"
        ));
    }
    let is_finite = vectors.iter().flatten().all(|value| value.is_finite());
    (!is_finite).then(|| "its embeddings have values that are no numbers".to_owned())
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    /// Index of the embedded text in the request. Some servers omit it.
    index: Option<usize>,
    embedding: Vec<f32>,
}

fn openai(body: &[u8]) -> Option<Vectors> {
    let answer: OpenAiAnswer = serde_json::from_slice(body).ok()?;
    let mut data: Vec<(usize, Vec<f32>)> = Vec::with_capacity(answer.data.len());
    for (place, embedding) in answer.data.into_iter().enumerate() {
        data.push((embedding.index.unwrap_or(place), embedding.embedding));
    }
    data.sort_by_key(|(index, _)| *index);
    // Two vectors with the same index mean that the vector of another text is missing.
    let is_complete = data.iter().enumerate().all(|(place, (index, _))| place == *index);
    is_complete.then(|| data.into_iter().map(|(_, vector)| vector).collect())
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vectors,
}

fn ollama(body: &[u8]) -> Option<Vectors> {
    let answer: OllamaAnswer = serde_json::from_slice(body).ok()?;
    Some(answer.embeddings)
}

#[cfg(test)]
mod tests;
