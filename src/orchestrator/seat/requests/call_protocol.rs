//! The format of tool calls in requests to a model. The format is chosen at the first request, and again when the
//! messages are rebuilt.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::PendingKnowledge;
use benchdog_base::id::EntryId;
use benchdog_config::settings::{StrictTools, ToolStyle};
use benchdog_domain::agent::{Knowledge, ModelRef, Protocol, SendReasoning, Terms};
use benchdog_domain::history::History;
use benchdog_domain::notice::WrittenCalls;
use benchdog_provider::failure::Kind;
use benchdog_provider::{Provider, family};

/// Maximum time that a first request waits for the server to report whether the model supports tools.
///
/// If the context window is not configured, the query was already sent when the session was opened. Then only a prompt
/// that follows immediately has to wait.
pub(in crate::seat) const PATIENCE: Duration = Duration::from_millis(1_500);

/// The `Terms` that were chosen for one model, for requests that begin at one log entry. Clones share the data.
#[derive(Debug, Clone, Default)]
pub(in crate::seat) struct Holding {
    of: Option<(ModelRef, EntryId)>,
    fixed: Arc<Mutex<Option<Terms>>>,
    /// Whether the person was told that calls of this model are written as text.
    said: Arc<AtomicBool>,
}

#[derive(Debug)]
pub(in crate::seat) struct Settled {
    pub(in crate::seat) terms: Terms,
    pub(in crate::seat) new: bool,
    pub(in crate::seat) written: Option<WrittenCalls>,
    pub(in crate::seat) told: Option<Knowledge>,
}

#[derive(Debug, Clone)]
pub(in crate::seat) struct Wanted {
    pub(in crate::seat) style: ToolStyle,
    pub(in crate::seat) strict: StrictTools,
    pub(in crate::seat) known: Option<Knowledge>,
    /// A query for facts about the model. Set if the query was already sent.
    pub(in crate::seat) pending: Option<PendingKnowledge>,
}

impl Holding {
    /// Returns the `Terms` for requests whose messages begin at entry `point`. Reuses the current `Terms`, or else
    /// takes those in the log. If the log has none, `settle` chooses them later.
    pub(in crate::seat) fn hold(&mut self, model: &ModelRef, point: EntryId, history: &History) -> Self {
        if self
            .of
            .as_ref()
            .is_none_or(|(of, since)| of != model || *since != point)
        {
            let same_model = self.of.as_ref().is_some_and(|(of, _)| of == model);
            *self = Self {
                of: Some((model.clone(), point)),
                fixed: Arc::new(Mutex::new(history.terms(model, point))),
                said: if same_model {
                    Arc::clone(&self.said)
                } else {
                    Arc::default()
                },
            };
        }
        self.clone()
    }

    /// Returns the chosen `Terms`. If nothing is chosen yet, chooses them based on the facts about the model.
    pub(in crate::seat) async fn settle(&self, provider: &dyn Provider, model: &str, wanted: Wanted) -> Settled {
        if let Some(terms) = *self.lock() {
            return Settled {
                terms,
                new: false,
                written: None,
                told: None,
            };
        }
        let asked = wanted.style == ToolStyle::Auto || wanted.strict == StrictTools::Auto;
        let told = match wanted.known {
            None if asked => {
                let told = async {
                    match awaited(wanted.pending).await {
                        Some(known) => Some(known),
                        None => provider.about(model).await.ok(),
                    }
                };
                tokio::time::timeout(PATIENCE, told).await.ok().flatten()
            }
            _ => None,
        };
        let known = wanted.known.or_else(|| told.clone()).unwrap_or_default();
        let terms = Terms {
            protocol: protocol(wanted.style, model, known.tools, known.weights),
            strict: match wanted.strict {
                StrictTools::On => true,
                StrictTools::Off => false,
                StrictTools::Auto => known.strict,
            },
            short_ids: false,
            reasoning: None,
        };
        *self.lock() = Some(terms);
        let learned = match terms.protocol {
            Protocol::Text => Some(WrittenCalls::NotInTemplate),
            Protocol::Off => Some(WrittenCalls::TooSmall),
            Protocol::Native => None,
        };
        let learned = learned.filter(|_| wanted.style == ToolStyle::Auto);
        let learned = learned.filter(|_| !self.said.swap(true, Ordering::Relaxed));
        Settled {
            terms,
            new: true,
            written: learned,
            told,
        }
    }

    /// Changes the `Terms` of requests after a server rejected a feature. Returns `None` if the `Terms` must not
    /// change. `without_fields` is the format of calls for a server that rejects tools.
    pub(in crate::seat) fn refused(
        &self,
        terms: Terms,
        kind: Kind,
        style: ToolStyle,
        without_fields: Protocol,
    ) -> Option<Terms> {
        let other = match kind {
            Kind::NoTools if terms.protocol == Protocol::Native && style == ToolStyle::Auto => Terms {
                protocol: without_fields,
                ..terms
            },
            Kind::CallIds if !terms.short_ids => Terms {
                short_ids: true,
                ..terms
            },
            Kind::ReasoningMissing if terms.reasoning.is_none() => Terms {
                reasoning: Some(SendReasoning::Required),
                ..terms
            },
            Kind::ReasoningRefused if terms.reasoning.is_none() => Terms {
                reasoning: Some(SendReasoning::Never),
                ..terms
            },
            _ => return None,
        };
        *self.lock() = Some(other);
        Some(other)
    }

    /// Whether requests contain tools. Returns `true` until the first request chooses its `Terms`.
    pub(in crate::seat) fn have_tools(&self) -> bool {
        self.lock().is_none_or(|terms| terms.protocol != Protocol::Off)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Terms>> {
        self.fixed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the format of tool calls. `tools` tells whether the model supports tools. `weights` is the number of its
/// weights.
pub(in crate::seat) fn protocol(style: ToolStyle, model: &str, tools: Option<bool>, weights: Option<u64>) -> Protocol {
    match (style, tools) {
        (ToolStyle::Text, _) => Protocol::Text,
        (ToolStyle::Auto, Some(false)) if family::is_tiny(model, weights) => Protocol::Off,
        (ToolStyle::Auto, Some(false)) => Protocol::Text,
        (ToolStyle::Auto | ToolStyle::Native, _) => Protocol::Native,
    }
}

pub(in crate::seat) async fn awaited(pending: Option<PendingKnowledge>) -> Option<Knowledge> {
    let mut pending = pending?;
    let told = pending.wait_for(Option::is_some).await;
    told.ok()?.clone()
}
