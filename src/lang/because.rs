//! Messages about the reason of an approval or denial.

use super::confinement::not_confined;
use super::reason::reason;
use super::{Word, message, word};
use benchdog_domain::command::{Instead, Interactive, Reach};
use benchdog_domain::permission::{BUILT_IN, Because, CheckBecause, Rule};

pub fn because(because: &Because) -> String {
    match because {
        // Show the rule as written in the configuration, so that a person can find it there.
        Because::Rule(rule) if rule.origin == BUILT_IN => {
            let written = Rule {
                origin: word(Word::RuleBuiltIn).to_owned(),
                ..rule.clone()
            };
            written.to_string()
        }
        Because::Rule(rule) => rule.to_string(),
        Because::NoRule => word(Word::BecauseNoRule).to_owned(),
        Because::Scratch => word(Word::BecauseScratch).to_owned(),
        Because::OnlyReads => word(Word::BecauseOnlyReads).to_owned(),
        Because::Confined => word(Word::BecauseConfined).to_owned(),
        Because::Unconfined => word(Word::BecauseUnconfined).to_owned(),
        Because::Typed => word(Word::BecauseTyped).to_owned(),
        Because::Catastrophic { why } => message::because_catastrophic(&reason(why)),
        Because::Interactive(interactive) => self::interactive(interactive),
        Because::CalledRisky => word(Word::BecauseCalledRisky).to_owned(),
        Because::HostNotNamed { host } => message::because_host_not_named(host),
        Because::External { why } => message::because_external(&reason(why)),
        Because::Dangerous { why } => message::because_dangerous(&reason(why)),
        Because::NotUnderstood { why } => message::because_unknown(&reason(why)),
        Because::NotPlain => word(Word::BecauseNotPlain).to_owned(),
        Because::Elsewhere { folder } => message::because_elsewhere(folder),
        Because::Reaches(reach) => reaches(reach),
        Because::StepLimit => word(Word::BecauseStepLimit).to_owned(),
        Because::Loop => word(Word::BecauseLoop).to_owned(),
        Because::Denials => word(Word::BecauseDenials).to_owned(),
        Because::NotConfined { level, parts } => not_confined(*level, parts),
        Because::ReadOnly => word(Word::BecauseReadOnly).to_owned(),
        Because::ReadOnlyAgent { agent } => message::because_read_only_agent(&agent.0),
        Because::Hook { hook, reason } => message::because_hook(hook, reason),
        Because::Check(check) => self::check(check),
        Because::Words(words) => words.clone(),
    }
}

fn interactive(interactive: &Interactive) -> String {
    let instead = match interactive.instead {
        Instead::Edit => Word::InsteadEdit,
        Instead::Debug => Word::InsteadDebug,
        Instead::Person => Word::InsteadPerson,
        Instead::Run => Word::InsteadRun,
        Instead::Script => Word::InsteadScript,
        Instead::Query => Word::InsteadQuery,
        Instead::Print => Word::InsteadPrint,
        Instead::Snapshot => Word::InsteadSnapshot,
    };
    message::because_interactive(word(instead), &interactive.program)
}

fn reaches(reach: &Reach) -> String {
    match reach {
        Reach::Process { path } => message::because_process(path),
        Reach::Secret { path } => message::because_secret(path),
        Reach::LeadsToSecret { path } => message::because_leads_to_secret(path),
        Reach::Obeyed { path } => message::because_obeyed(path),
        Reach::NamesSecret => word(Word::BecauseNamesSecret).to_owned(),
        Reach::SecretBelow { path } => message::because_secret_below(path),
        Reach::LinkBelow { path } => message::because_link_below(path),
        Reach::Unseen => word(Word::BecauseUnseen).to_owned(),
        Reach::Outside { path } => message::because_outside(path),
        Reach::Unfollowed { path, reason } => message::because_unfollowed(path, reason),
    }
}

fn check(check: &CheckBecause) -> String {
    match check {
        CheckBecause::Configured => word(Word::BecauseCheckConfigured).to_owned(),
        CheckBecause::Allowed => word(Word::BecauseCheckAllowed).to_owned(),
        CheckBecause::NotAllowedYet { command } => message::because_check_not_allowed_yet(command),
        CheckBecause::Changed { command, file } => message::because_check_changed(command, file),
    }
}
