//! The "Always allow" answers: those of one session, and those stored for the workspace. They are not part of the
//! policy. A new session starts without session answers, and stored answers are read when a call would ask.

use benchdog_domain::permission::{ANSWERED, Action, Layer, Rule, Scope};

/// "Always allow" answers. Each acts as an allow rule. It never covers dangerous or unknown commands or secrets, and
/// never overrides a deny.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    session: Vec<Scope>,
    remembered: Vec<Scope>,
}

impl Grants {
    /// Grants a scope for the rest of the session.
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

    /// Removes an answer of this session, so that its calls ask again.
    pub fn revoke(&mut self, rule: &Rule) {
        self.session.retain(|scope| !is_of(scope, rule));
    }

    /// Returns the grants of this session as rules with their source.
    pub fn of_session(&self, origin: &str) -> Vec<(Layer, Rule)> {
        let rules = self.session.iter().map(|scope| (Layer::Session, rule(scope, origin)));
        rules.collect()
    }

    /// Returns the answers as layers of rules, the nearest layer first.
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

/// Converts an answer to a rule.
pub(super) fn rule(scope: &Scope, origin: &str) -> Rule {
    Rule {
        key: scope.key.clone(),
        pattern: scope.pattern.clone(),
        options: scope.options.clone(),
        action: Action::Allow,
        origin: origin.to_owned(),
    }
}

/// Whether a listed rule comes from this answer.
pub fn is_of(scope: &Scope, rule: &Rule) -> bool {
    scope.key == rule.key && scope.pattern == rule.pattern && scope.options == rule.options
}
