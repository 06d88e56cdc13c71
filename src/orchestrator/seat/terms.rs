//! How calls travel between a session and a model: fixed with the first request, and anew where the messages begin anew.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::base::id::EntryId;
use crate::config::settings::{StrictTools, ToolStyle};
use crate::domain::agent::{Knowledge, ModelRef, Protocol, SendReasoning, Terms};
use crate::domain::history::History;
use crate::domain::notice::WrittenCalls;
use crate::provider::Provider;
use crate::provider::failure::Kind;

/// How long a first request waits for the server's word on whether its model knows tools. Where the window is not configured that was
/// asked when the session opened, and only a prompt that is sent at once waits.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// What was fixed for one model since one point of the log. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Holding {
    /// `None`: nothing was asked yet.
    of: Option<(ModelRef, EntryId)>,
    fixed: Arc<Mutex<Option<Terms>>>,
    /// It was said of this model that its calls are written.
    said: Arc<AtomicBool>,
}

/// What holds for a request.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) terms: Terms,
    /// They were fixed just now.
    pub(super) new: bool,
    /// Why calls are written although nobody configured it.
    pub(super) written: Option<WrittenCalls>,
    /// What the server told when it was asked for this.
    pub(super) told: Option<Knowledge>,
}

/// What the configuration says of it, and what the server told so far.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) style: ToolStyle,
    pub(super) strict: StrictTools,
    pub(super) known: Option<Knowledge>,
}

impl Holding {
    /// Those for requests to `model` whose messages were begun at `point`: these, those of the log, or new ones.
    pub(super) fn hold(&mut self, model: &ModelRef, point: EntryId, history: &History) -> Self {
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

    /// What is fixed, or is fixed now, with what was learned for it.
    pub(super) async fn settle(&self, provider: &dyn Provider, model: &str, wanted: Wanted) -> Settled {
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

    /// The server refused a request as it was: nothing of it was kept, so what it does not take is left from here on. `None`: it
    /// is not for us to change.
    pub(super) fn refused(&self, terms: Terms, kind: Kind, style: ToolStyle) -> Option<Terms> {
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
