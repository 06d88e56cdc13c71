//! The "Always allow" answers of a session and of its workspace. A new session starts without session answers. Stored
//! answers are read when a call would need approval.

use benchdog_domain::permission::{ANSWERED, Action, Layer, Rule, Scope};

/// Answers that act as allow rules. They never allow dangerous or unknown commands, secrets, or denied calls.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    session: Vec<Scope>,
    remembered: Vec<Scope>,
}

impl Grants {
    pub fn grant(&mut self, scope: Scope) {
        for part in scope.parts() {
            if !self.session.contains(&part) {
                self.session.push(part);
            }
        }
    }

    pub fn join(&mut self, other: &Self) {
        other.session.iter().for_each(|scope| self.grant(scope.clone()));
    }

    pub fn set_remembered(&mut self, scopes: Vec<Scope>) {
        self.remembered = scopes;
    }

    pub fn revoke(&mut self, rule: &Rule) {
        self.session.retain(|scope| !is_of(scope, rule));
    }

    pub fn of_session(&self, origin: &str) -> Vec<(Layer, Rule)> {
        let rules = self.session.iter().map(|scope| (Layer::Session, rule(scope, origin)));
        rules.collect()
    }

    /// Returns the layers, nearest first.
    pub(super) fn layers(&self) -> [(Layer, &'static str, &[Scope]); 2] {
        [
            (Layer::Session, ANSWERED, &self.session),
            (
                Layer::Remembered,
                "answered `always` for this workspace",
                &self.remembered,
            ),
        ]
    }
}

pub(super) fn rule(scope: &Scope, origin: &str) -> Rule {
    Rule {
        key: scope.key.clone(),
        pattern: scope.pattern.clone(),
        options: scope.options.clone(),
        action: Action::Allow,
        origin: origin.to_owned(),
    }
}

pub fn is_of(scope: &Scope, rule: &Rule) -> bool {
    scope.key == rule.key && scope.pattern == rule.pattern && scope.options == rule.options
}
