//! How much of an answer may be thought, in the two forms this API has for it.

use serde_json::{Map, Value, json};

use crate::domain::agent::Thinking;
use crate::provider::ModelRequest;
use crate::provider::anthropic::about::version;

/// The first version that measures its thoughts by itself, by the effort it is asked for; the ones after it refuse a budget.
const ADAPTIVE: (u32, u32) = (4, 6);

/// The length of the answer, how it is chosen, and what may be thought before it. Thoughts count in that length, so there is room
/// for them beside the answer; and whoever thinks takes no temperature.
pub(super) fn add(request: &ModelRequest, fields: &mut Map<String, Value>) {
    let budget = request.thinking.map_or(0, budget);
    fields.insert("max_tokens".to_owned(), (request.output + budget).into());
    let Some(thinking) = request.thinking.filter(|_| budget > 0) else {
        if let Some(temperature) = request.temperature {
            fields.insert("temperature".to_owned(), temperature.into());
        }
        return;
    };
    if version(&request.model).is_some_and(|version| version >= ADAPTIVE) {
        // Later versions leave the words out unless they are asked for.
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
