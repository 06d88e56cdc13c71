//! Previews a new rule by finding the deny rules that the new rule would weaken.

use super::matching::{Specificity, overlap};
use super::{Grants, Policy};
use benchdog_domain::permission::{Action, CATASTROPHIC, DANGEROUS, Layer, Rule, ToolRules};
use benchdog_domain::server::server_of;

impl Policy {
    /// Returns a deny rule that the new rule, in the person's configuration, would override for some calls. Deny rules
    /// of nearer layers are never overridden.
    pub fn outdone(&self, tools: &[ToolRules], key: &str, pattern: &str, action: Action) -> Option<Rule> {
        let rules = self.rules(&Grants::default()).into_iter();
        let denies = rules.filter(|(layer, rule)| {
            action != Action::Deny && rule.action == Action::Deny && matches!(layer, Layer::User | Layer::Default)
        });
        let mut outdone = denies.filter(|(layer, rule)| {
            let is_first = match rule.key == key {
                true => {
                    let (new, old) = (Specificity::of(pattern), Specificity::of(&rule.pattern));
                    new > old || (new == old && *layer == Layer::Default)
                }
                false => is_asked_first(tools, key, &rule.key),
            };
            is_first && overlap(pattern, &rule.pattern)
        });
        outdone.next().map(|(_, rule)| rule)
    }
}

/// Whether rules under `key` take precedence over rules under `other` for some tool.
fn is_asked_first(tools: &[ToolRules], key: &str, other: &str) -> bool {
    let is_group = |tool: &ToolRules| tool.name == *key && tool.group.as_deref() == Some(other);
    let of_servers = server_of(key).is_some() && server_of(other).is_some();
    match other {
        "*" => ![CATASTROPHIC, DANGEROUS].contains(&key),
        _ if of_servers => overlap(key, other) && Specificity::of(key) >= Specificity::of(other),
        _ => tools.iter().any(is_group),
    }
}
