//! The "always" answers: those of one session, and those that are remembered for the workspace. They are no part of the
//! policy: a new session begins without the first, and the others are read when a call would ask.

use benchdog_domain::permission::{ANSWERED, Action, Layer, Rule, Scope};

/// Each is an ordinary allow and covers neither the dangerous class nor what is not understood, nor secrets, and no deny.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    session: Vec<Scope>,
    remembered: Vec<Scope>,
}

impl Grants {
    /// For the rest of the session.
    pub fn grant(&mut self, scope: Scope) {
        for part in scope.parts() {
            if !self.session.contains(&part) {
                self.session.push(part);
            }
        }
    }

    /// Adds the grants of another session.
    pub fn join(&mut self, other: &Self) {
        other.session.iter().for_each(|scope| self.grant(scope.clone()));
    }

    /// Replaces the scopes remembered for the workspace.
    pub fn set_remembered(&mut self, scopes: Vec<Scope>) {
        self.remembered = scopes;
    }

    /// Takes an answer of this session back: what it covered asks again.
    pub fn revoke(&mut self, rule: &Rule) {
        self.session.retain(|scope| !is_of(scope, rule));
    }

    /// Returns the grants of this session as rules with their source.
    pub fn of_session(&self, origin: &str) -> Vec<(Layer, Rule)> {
        let rules = self.session.iter().map(|scope| (Layer::Session, rule(scope, origin)));
        rules.collect()
    }

    /// Nearest first.
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

/// An answer as a rule.
pub(super) fn rule(scope: &Scope, origin: &str) -> Rule {
    Rule {
        key: scope.key.clone(),
        pattern: scope.pattern.clone(),
        options: scope.options.clone(),
        action: Action::Allow,
        origin: origin.to_owned(),
    }
}

/// Whether a listed rule is this answer.
pub fn is_of(scope: &Scope, rule: &Rule) -> bool {
    scope.key == rule.key && scope.pattern == rule.pattern && scope.options == rule.options
}
