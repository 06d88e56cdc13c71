//! Selects the rule and layer that decide about a text.

use super::matching::{Specificity, has_only, matches};
use super::{Grants, LayerRules, strictness};
use benchdog_domain::permission::{Action, Because, Layer, Rule, Scope, Verdict};
use benchdog_domain::server::server_of;

#[derive(Clone, Copy)]
pub(super) struct Rules<'p> {
    layers: &'p [LayerRules],
    grants: &'p Grants,
}

#[derive(Clone, Copy)]
struct Fit<'p> {
    layer: Layer,
    origin: &'p str,
    key: &'p str,
    pattern: &'p str,
    options: Option<&'p [String]>,
    action: Action,
    network: bool,
}

impl<'p> Rules<'p> {
    pub(super) fn new(layers: &'p [LayerRules], grants: &'p Grants) -> Self {
        Self { layers, grants }
    }

    pub(super) fn grants(self) -> &'p Grants {
        self.grants
    }

    pub(super) fn answered_by<'q>(self, grants: &'q Grants) -> Rules<'q>
    where
        'p: 'q,
    {
        Rules {
            layers: self.layers,
            grants,
        }
    }

    /// Applies the rules with these keys to a text, and returns the verdict. A deny rule is final, unless it belongs to
    /// the default layer.
    pub(super) fn say(self, keys: &[&str], text: &str) -> Verdict {
        for rules in self.layers.iter().filter(|rules| rules.layer != Layer::Default) {
            let own = decide(keys, text, configured(rules));
            if let Some(fit) = own.filter(|fit| fit.action == Action::Deny) {
                return verdict(&fit);
            }
        }
        let granted = self.grants.layers().into_iter().flat_map(answered);
        match decide(keys, text, self.layers.iter().flat_map(configured).chain(granted)) {
            Some(fit) => verdict(&fit),
            // The built-in layer has a rule for every text. Asking is the safe action if none matches.
            None => Verdict {
                action: Action::Ask,
                because: Because::NoRule,
                layer: Layer::Guard,
                class: None,
                scopes: Vec::new(),
                only_once: None,
                network: false,
                needs_person: false,
                confinable: false,
            },
        }
    }
}

impl<'p> Rules<'p> {
    /// Returns the keys with wildcards that match the name of a server's tool, the most specific first.
    pub(super) fn patterns_of(self, name: &str) -> Vec<&'p str> {
        let configured = self
            .layers
            .iter()
            .flat_map(|layer| layer.rules.iter().map(|(key, _)| key.as_str()));
        let answered = self.grants.layers().into_iter();
        let answered = answered.flat_map(|(_, _, scopes)| scopes.iter().map(|scope| scope.key.as_str()));
        let fits = |key: &&str| server_of(key).is_some() && *key != name && matches(key, name);
        let mut keys: Vec<&str> = configured.chain(answered).filter(fits).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(Specificity::of(key)));
        keys.dedup();
        keys
    }
}

fn configured(rules: &LayerRules) -> impl Iterator<Item = Fit<'_>> + Clone {
    rules.rules.iter().flat_map(|(key, patterns)| {
        patterns.iter().map(|(pattern, action)| Fit {
            layer: rules.layer,
            origin: &rules.origin,
            key,
            pattern,
            options: None,
            action: *action,
            network: rules.grants_network(key, pattern),
        })
    })
}

fn answered<'p>((layer, origin, scopes): (Layer, &'static str, &'p [Scope])) -> impl Iterator<Item = Fit<'p>> + Clone {
    scopes.iter().map(move |scope| Fit {
        layer,
        origin,
        key: &scope.key,
        pattern: &scope.pattern,
        options: scope.options.as_deref(),
        action: Action::Allow,
        network: false,
    })
}

/// Selects the first key with a match, then the most specific pattern, the nearest layer, and the strictest action.
fn decide<'p>(keys: &[&str], text: &str, rules: impl Iterator<Item = Fit<'p>> + Clone) -> Option<Fit<'p>> {
    keys.iter().find_map(|key| {
        let fits = rules.clone().filter(|rule| rule.key == *key && rule.covers(text));
        fits.max_by_key(|fit| {
            (
                Specificity::of(fit.pattern),
                nearness(fit.layer),
                strictness(fit.action),
            )
        })
    })
}

impl Fit<'_> {
    fn covers(&self, text: &str) -> bool {
        matches(self.pattern, text) && self.options.is_none_or(|options| has_only(options, text))
    }
}

pub(super) fn nearness(layer: Layer) -> u8 {
    match layer {
        Layer::Default => 0,
        Layer::User => 1,
        Layer::Project => 2,
        Layer::File => 3,
        Layer::Environment => 4,
        Layer::Flag => 5,
        Layer::Agent => 6,
        Layer::Remembered => 7,
        Layer::Session => 8,
        Layer::Guard => 9,
    }
}

fn verdict(fit: &Fit<'_>) -> Verdict {
    Verdict {
        action: fit.action,
        because: Because::Rule(Rule {
            key: fit.key.to_owned(),
            pattern: fit.pattern.to_owned(),
            options: fit.options.map(<[String]>::to_vec),
            action: fit.action,
            origin: fit.origin.to_owned(),
        }),
        layer: fit.layer,
        class: None,
        scopes: Vec::new(),
        only_once: None,
        network: fit.network,
        needs_person: false,
        confinable: false,
    }
}
