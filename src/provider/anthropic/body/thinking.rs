//! Request fields for the reasoning effort, in the older form (token budget) and the newer form (adaptive).

use serde_json::{Map, Value, json};

use crate::ModelRequest;
use crate::anthropic::about::version;
use benchdog_domain::agent::Thinking;

/// First Claude version with adaptive thinking. Later versions reject a token budget.
const ADAPTIVE: (u32, u32) = (4, 6);

/// Adds the fields that depend on the reasoning effort. `max_tokens` includes the reasoning. The API rejects
/// `temperature` and `top_p` together with reasoning, so they are sent only without it.
pub(super) fn add(request: &ModelRequest, fields: &mut Map<String, Value>) {
    let budget = request.thinking.map_or(0, budget);
    fields.insert("max_tokens".to_owned(), (request.output + budget).into());
    let Some(thinking) = request.thinking.filter(|_| budget > 0) else {
        if let Some(temperature) = request.temperature {
            fields.insert("temperature".to_owned(), temperature.into());
        }
        if let Some(top_p) = request.top_p {
            fields.insert("top_p".to_owned(), top_p.into());
        }
        return;
    };
    if version(&request.model).is_some_and(|version| version >= ADAPTIVE) {
        // These versions omit the reasoning text unless `display` requests it.
        let adaptive = json!({ "type": "adaptive", "display": "summarized" });
        fields.insert("thinking".to_owned(), adaptive);
        fields.insert("output_config".to_owned(), json!({ "effort": effort(thinking) }));
    } else {
        let enabled = json!({ "type": "enabled", "budget_tokens": budget });
        fields.insert("thinking".to_owned(), enabled);
    }
}

fn budget(thinking: Thinking) -> u64 {
    match thinking {
        Thinking::Off => 0,
        Thinking::Low => 2_048,
        Thinking::Medium => 8_192,
        Thinking::High => 16_384,
    }
}

fn effort(thinking: Thinking) -> &'static str {
    match thinking {
        Thinking::Off | Thinking::Low => "low",
        Thinking::Medium => "medium",
        Thinking::High => "high",
    }
}
