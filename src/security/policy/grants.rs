//! The "always" answers of one session. A new session begins with none: they are no part of the policy.

use super::LayerRules;
use crate::domain::permission::{Action, Layer, Rule, Scope};

/// Each is an ordinary allow and covers neither the dangerous class nor what is not understood, nor secrets, and no deny.
#[derive(Debug, Clone)]
pub(crate) struct Grants {
    rules: LayerRules,
}

impl Default for Grants {
    fn default() -> Self {
        Self {
            rules: LayerRules {
                layer: Layer::Session,
                origin: "answered `always` in this session".to_owned(),
                rules: Vec::new(),
            },
        }
    }
}

impl Grants {
    pub(crate) fn remember(&mut self, scope: Scope) {
        let rule = (scope.key, vec![(scope.pattern, Action::Allow)]);
        if !self.rules.rules.contains(&rule) {
            self.rules.rules.push(rule);
        }
    }

    /// Takes an answer back: what it covered asks again.
    pub(crate) fn revoke(&mut self, rule: &Rule) {
        let held = |key: &String, patterns: &[(String, Action)]| {
            *key == rule.key && patterns.iter().any(|(pattern, _)| *pattern == rule.pattern)
        };
        self.rules.rules.retain(|(key, patterns)| !held(key, patterns));
    }

    pub(super) fn rules(&self) -> &LayerRules {
        &self.rules
    }
}
