//! Facts about a model, from the list of models and from special endpoints of llama.cpp, vLLM and Ollama.

use std::time::Duration;

use serde_json::Value;

use super::list;
use crate::ListedModel;
use crate::ask::{Question, ask};
use crate::failure::ProviderError;
use crate::ollama::about as ollama;
use crate::transport::Transport;
use benchdog_domain::agent::{Knowledge, Program, Server};

pub(crate) async fn about(transport: &Transport, model: &str, patience: Duration) -> Result<Knowledge, ProviderError> {
    let models = list::models(transport, patience).await?;
    Ok(of_listed(transport, &models, model, patience).await)
}

pub(crate) async fn of_listed(
    transport: &Transport,
    models: &[ListedModel],
    model: &str,
    patience: Duration,
) -> Knowledge {
    // llama.cpp accepts any model name. If the name is not listed, use the only listed model.
    let listed = models
        .iter()
        .find(|listed| listed.is(model))
        .or_else(|| models.first().filter(|first| first.is_llama_cpp()));
    let Some(listed) = listed else {
        let others: Vec<String> = models.iter().map(|listed| listed.id.clone()).collect();
        return Knowledge {
            listed_others: (!others.is_empty()).then_some(others),
            ..Knowledge::default()
        };
    };
    let known = Knowledge {
        window: listed.context,
        most: listed.context,
        trained: listed.trained,
        weights: listed.weights,
        ..Knowledge::default()
    };
    match listed.owner.as_deref() {
        Some(LLAMA_CPP) => {
            let properties = Question::Get("/props");
            let told = ask(
                transport,
                properties,
                patience,
                "its answer holds no properties",
                object,
            )
            .await;
            told.map_or(known.clone(), |told| with_properties(known, &told))
        }
        Some(VLLM) => {
            let version = Question::Get("/version");
            let told = ask(transport, version, patience, "its answer holds no version", object).await;
            let version = told
                .ok()
                .and_then(|told| Some(told.get("version")?.as_str()?.to_owned()));
            Knowledge {
                server: Some(Server {
                    program: Program::Vllm,
                    version,
                }),
                counts: Some(true),
                // Without strict tools, 27 of 30 calls were malformed in a measurement with vLLM 0.32.
                strict: true,
                ..known
            }
        }
        Some(OLLAMA) => Knowledge {
            server: ollama::server(transport, patience).await,
            window: match known.window {
                None => ollama::runs_with(transport, &listed.id, patience).await,
                told => told,
            },
            ..known
        },
        _ => known,
    }
}

const LLAMA_CPP: &str = "llamacpp";
const VLLM: &str = "vllm";
const OLLAMA: &str = "library";

fn object(body: &[u8]) -> Option<Value> {
    serde_json::from_slice(body).ok().filter(Value::is_object)
}

fn with_properties(known: Knowledge, told: &Value) -> Knowledge {
    let at = |path: &[&str]| path.iter().try_fold(told, |value, key| value.get(key));
    let slot = at(&["default_generation_settings", "n_ctx"]).and_then(Value::as_u64);
    let build = at(&["build_info"]).and_then(Value::as_str);
    let flag = |path: &[&str]| at(path).and_then(Value::as_bool);
    Knowledge {
        server: Some(Server {
            program: Program::LlamaCpp,
            version: build.map(str::to_owned),
        }),
        // The list may report the window for which the model was trained. Prefer the window in use.
        window: slot.filter(|window| *window > 0).or(known.window),
        most: slot.filter(|window| *window > 0).or(known.most),
        tools: flag(&["chat_template_caps", "supports_tools"]),
        vision: flag(&["modalities", "vision"]),
        counts: Some(true),
        slots: at(&["total_slots"]).and_then(Value::as_u64).filter(|slots| *slots > 0),
        loaded: Some(true),
        ..known
    }
}
