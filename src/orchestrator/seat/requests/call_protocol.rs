//! The format in which calls are sent to a model. It is fixed at the first request, and again when the messages are rebuilt.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use benchdog_base::id::EntryId;
use benchdog_config::settings::{StrictTools, ToolStyle};
use benchdog_domain::agent::{Knowledge, ModelRef, Protocol, SendReasoning, Terms};
use benchdog_domain::history::History;
use benchdog_domain::notice::WrittenCalls;
use benchdog_provider::Provider;
use benchdog_provider::failure::Kind;

/// Maximum wait of a first request for whether the model supports tools.
///
/// If the window is not configured, the question was sent when the session opened, so only an immediate prompt waits.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Fixed terms for one model and one starting point. Clones share them.
#[derive(Debug, Clone, Default)]
pub(in crate::seat) struct Holding {
    of: Option<(ModelRef, EntryId)>,
    fixed: Arc<Mutex<Option<Terms>>>,
    /// Whether the person knows that this model's calls are written as text.
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
}

impl Holding {
    /// Returns the terms for requests that begin at `point`: the current ones, the logged ones, or new ones.
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

    /// Returns the fixed terms, or fixes them by the server's facts.
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
                let told = tokio::time::timeout(PATIENCE, provider.about(model)).await;
                told.ok().and_then(Result::ok)
            }
            _ => None,
        };
        let known = wanted.known.or_else(|| told.clone()).unwrap_or_default();
        let terms = Terms {
            protocol: match wanted.style {
                ToolStyle::Native => Protocol::Native,
                ToolStyle::Text => Protocol::Text,
                ToolStyle::Auto if known.tools == Some(false) => Protocol::Text,
                ToolStyle::Auto => Protocol::Native,
            },
            strict: match wanted.strict {
                StrictTools::On => true,
                StrictTools::Off => false,
                StrictTools::Auto => known.strict,
            },
            short_ids: false,
            reasoning: None,
        };
        *self.lock() = Some(terms);
        let learned = wanted.style == ToolStyle::Auto && terms.protocol == Protocol::Text;
        let learned = learned && !self.said.swap(true, Ordering::Relaxed);
        Settled {
            terms,
            new: true,
            written: learned.then_some(WrittenCalls::NotInTemplate),
            told,
        }
    }

    /// Returns terms without the refused feature, or `None` if they must not change.
    pub(in crate::seat) fn refused(&self, terms: Terms, kind: Kind, style: ToolStyle) -> Option<Terms> {
        let other = match kind {
            Kind::NoTools if terms.protocol == Protocol::Native && style == ToolStyle::Auto => Terms {
                protocol: Protocol::Text,
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Terms>> {
        self.fixed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
