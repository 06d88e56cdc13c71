//! Which rule of which layer decides about a text.

use super::matching::{Specificity, matches};
use super::{Grants, LayerRules, strictness};
use crate::domain::permission::{Action, Because, Layer, Rule, Verdict};

/// All layers that count for one session.
#[derive(Clone, Copy)]
pub(super) struct Rules<'p> {
    layers: &'p [LayerRules],
    grants: &'p LayerRules,
}

/// One rule that fits, with what decides between it and others.
struct Fit<'p> {
    layer: &'p LayerRules,
    key: &'p str,
    pattern: &'p str,
    action: Action,
}

impl<'p> Rules<'p> {
    pub(super) fn new(layers: &'p [LayerRules], grants: &'p Grants) -> Self {
        Self {
            layers,
            grants: grants.rules(),
        }
    }

    fn all(self) -> impl Iterator<Item = &'p LayerRules> + Clone {
        self.layers.iter().chain([self.grants])
    }

    /// What the rules of these keys say about a text. A deny of any layer but the default is final.
    pub(super) fn say(self, keys: &[&str], text: &str) -> Verdict {
        for rules in self.all().filter(|rules| rules.layer != Layer::Default) {
            let own = decide(keys, text, std::iter::once(rules));
            if let Some(fit) = own.filter(|fit| fit.action == Action::Deny) {
                return verdict(&fit);
            }
        }
        match decide(keys, text, self.all()) {
            Some(fit) => verdict(&fit),
            // The default has a rule for everything; without one, asking is safe.
            None => Verdict {
                action: Action::Ask,
                because: Because::NoRule,
                layer: Layer::Guard,
                class: None,
                scope: None,
                needs_person: false,
            },
        }
    }
}

/// The first key that has a rule that fits; inside it the most specific pattern, then the nearer layer, then the
/// stricter action.
fn decide<'p>(keys: &[&str], text: &str, layers: impl Iterator<Item = &'p LayerRules> + Clone) -> Option<Fit<'p>> {
    keys.iter().find_map(|key| {
        let fits = layers.clone().flat_map(|layer| {
            let of_key = layer.rules.iter().filter(move |(name, _)| name == key);
            of_key.flat_map(move |(name, rules)| {
                let fitting = rules.iter().filter(|(pattern, _)| matches(pattern, text));
                fitting.map(move |(pattern, action)| Fit {
                    layer,
                    key: name,
                    pattern,
                    action: *action,
                })
            })
        });
        fits.max_by_key(|fit| {
            (
                Specificity::of(fit.pattern),
                nearness(fit.layer.layer),
                strictness(fit.action),
            )
        })
    })
}

pub(super) fn nearness(layer: Layer) -> u8 {
    match layer {
        Layer::Default => 0,
        Layer::User => 1,
        Layer::Project => 2,
        Layer::File => 3,
        Layer::Environment => 4,
        Layer::Flag => 5,
        Layer::Session => 6,
        Layer::Guard => 7,
    }
}

fn verdict(fit: &Fit<'_>) -> Verdict {
    Verdict {
        action: fit.action,
        because: Because::Rule(Rule {
            key: fit.key.to_owned(),
            pattern: fit.pattern.to_owned(),
            action: fit.action,
            origin: fit.layer.origin.clone(),
        }),
        layer: fit.layer.layer,
        class: None,
        scope: None,
        needs_person: false,
    }
}
