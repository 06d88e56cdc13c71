//! Messages about the reasons of verdicts.

use super::confinement::not_confined;
use super::reason::reason;
use super::say;
use benchdog_domain::command::{Instead, Interactive, Reach};
use benchdog_domain::permission::{BUILT_IN, Because, CheckBecause, Rule};

pub fn because(because: &Because) -> String {
    match because {
        // As written in the configuration, so that a person can find it.
        Because::Rule(rule) if rule.origin == BUILT_IN => {
            let written = Rule {
                origin: say("rule-built-in", &[]),
                ..rule.clone()
            };
            written.to_string()
        }
        Because::Rule(rule) => rule.to_string(),
        Because::NoRule => say("because-no-rule", &[]),
        Because::Scratch => say("because-scratch", &[]),
        Because::OnlyReads => say("because-only-reads", &[]),
        Because::Confined => say("because-confined", &[]),
        Because::Unconfined => say("because-unconfined", &[]),
        Because::Typed => say("because-typed", &[]),
        Because::Catastrophic { why } => say("because-catastrophic", &[("why", &reason(why))]),
        Because::Interactive(interactive) => self::interactive(interactive),
        Because::CalledRisky => say("because-called-risky", &[]),
        Because::External { why } => say("because-external", &[("why", &reason(why))]),
        Because::Dangerous { why } => say("because-dangerous", &[("why", &reason(why))]),
        Because::NotUnderstood { why } => say("because-unknown", &[("why", &reason(why))]),
        Because::NotPlain => say("because-not-plain", &[]),
        Because::Elsewhere { folder } => say("because-elsewhere", &[("folder", folder)]),
        Because::Reaches(reach) => reaches(reach),
        Because::StepLimit => say("because-step-limit", &[]),
        Because::Loop => say("because-loop", &[]),
        Because::Denials => say("because-denials", &[]),
        Because::NotConfined { level, parts } => not_confined(*level, parts),
        Because::ReadOnly => say("because-read-only", &[]),
        Because::ReadOnlyAgent { agent } => say("because-read-only-agent", &[("agent", &agent.0)]),
        Because::Check(check) => self::check(check),
        Because::Words(words) => words.clone(),
    }
}

fn interactive(interactive: &Interactive) -> String {
    let instead = match interactive.instead {
        Instead::Edit => "instead-edit",
        Instead::Debug => "instead-debug",
        Instead::Person => "instead-person",
        Instead::Run => "instead-run",
        Instead::Script => "instead-script",
        Instead::Query => "instead-query",
        Instead::Print => "instead-print",
        Instead::Snapshot => "instead-snapshot",
    };
    let values = [("program", &*interactive.program), ("instead", &say(instead, &[]))];
    say("because-interactive", &values)
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
