//! The results of the health checks, as rows of a table.

use super::Fact;
use benchdog_domain::checkup::Check;

pub(super) fn facts(checks: &[Check]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for check in checks {
        let state = check.state.word();
        facts.push(Fact::Field(check.check, format!("{state}: {}", check.detail)));
        if !check.fix.is_empty() {
            facts.push(Fact::Field("", format!("→ {}", check.fix)));
        }
    }
    facts
}
