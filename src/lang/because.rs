//! Why something is allowed, asked or denied, in words.

use super::confinement::not_confined;
use super::say;
use crate::domain::command::Reach;
use crate::domain::permission::{Because, CheckBecause};

pub(crate) fn because(because: &Because) -> String {
    match because {
        // As it stands in the configuration, where it can be looked up.
        Because::Rule(rule) => rule.to_string(),
        Because::NoRule => say("because-no-rule", &[]),
        Because::OnlyReads => say("because-only-reads", &[]),
        Because::Catastrophic { why } => say("because-catastrophic", &[("why", why)]),
        Because::External { why } => say("because-external", &[("why", why)]),
        Because::Dangerous { why } => say("because-dangerous", &[("why", why)]),
        Because::NotUnderstood { why } => say("because-unknown", &[("why", why)]),
        Because::NotPlain => say("because-not-plain", &[]),
        Because::Elsewhere { folder } => say("because-elsewhere", &[("folder", folder)]),
        Because::Reaches(reach) => reaches(reach),
        Because::StepLimit => say("because-step-limit", &[]),
        Because::NotConfined { level, parts } => not_confined(*level, parts),
        Because::Check(check) => self::check(check),
        Because::Words(words) => words.clone(),
    }
}

fn reaches(reach: &Reach) -> String {
    match reach {
        Reach::Process { path } => say("because-process", &[("path", path)]),
        Reach::Secret { path } => say("because-secret", &[("path", path)]),
        Reach::LeadsToSecret { path } => say("because-leads-to-secret", &[("path", path)]),
        Reach::Obeyed { path } => say("because-obeyed", &[("path", path)]),
        Reach::NamesSecret => say("because-names-secret", &[]),
        Reach::SecretBelow { path } => say("because-secret-below", &[("path", path)]),
        Reach::LinkBelow { path } => say("because-link-below", &[("path", path)]),
        Reach::Unseen => say("because-unseen", &[]),
        Reach::Outside { path } => say("because-outside", &[("path", path)]),
        Reach::Unfollowed { path, reason } => say("because-unfollowed", &[("path", path), ("reason", reason)]),
    }
}

fn check(check: &CheckBecause) -> String {
    match check {
        CheckBecause::Configured => say("because-check-configured", &[]),
        CheckBecause::Allowed => say("because-check-allowed", &[]),
        CheckBecause::NotAllowedYet { command } => say("because-check-not-allowed-yet", &[("command", command)]),
        CheckBecause::Changed { command, file } => {
            say("because-check-changed", &[("command", command), ("file", file)])
        }
    }
}
