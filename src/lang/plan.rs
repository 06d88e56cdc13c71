//! Messages about plan files.

use super::say;
use benchdog_base::text::reveal;
use benchdog_domain::plan::NoPlanFile;

pub fn plan_exported(path: &str) -> String {
    say("plan-exported", &[("path", &reveal(path))])
}

pub fn plan_not_exported(why: &str) -> String {
    say("plan-not-exported", &[("why", &reveal(why))])
}

pub fn plans(names: &[String]) -> String {
    if names.is_empty() {
        return say("plans-none", &[]);
    }
    let mut lines = vec![say("plans", &[])];
    lines.extend(names.iter().map(|name| format!("  {}", reveal(name))));
    lines.join("\n")
}

pub fn plan_opened(path: &str) -> String {
    say("plan-opened", &[("path", &reveal(path))])
}

pub fn no_plan_file(why: &NoPlanFile) -> String {
    match why {
        NoPlanFile::NoSuch { named } if named.is_empty() => say("plans-none", &[]),
        NoPlanFile::NoSuch { named } => say("plan-no-such", &[("named", &reveal(named))]),
        NoPlanFile::Several { names } => {
            let names: Vec<String> = names.iter().map(|name| reveal(name).into_owned()).collect();
            say("plan-several", &[("names", &names.join(", "))])
        }
        NoPlanFile::Empty { path } => say("plan-empty", &[("path", &reveal(path))]),
        NoPlanFile::Unread { said } => say("plan-unread", &[("said", &reveal(said))]),
    }
}
