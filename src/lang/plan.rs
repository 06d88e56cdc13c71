//! Messages about plan files.

use super::{Word, message, word};
use benchdog_base::text::reveal;
use benchdog_domain::plan::NoPlanFile;

pub fn plan_exported(path: &str) -> String {
    message::plan_exported(&reveal(path))
}

pub fn plan_not_exported(why: &str) -> String {
    message::plan_not_exported(&reveal(why))
}

pub fn plans(names: &[String]) -> String {
    if names.is_empty() {
        return word(Word::PlansNone).to_owned();
    }
    let mut lines = vec![word(Word::Plans).to_owned()];
    lines.extend(names.iter().map(|name| format!("  {}", reveal(name))));
    lines.join("\n")
}

pub fn plan_opened(path: &str) -> String {
    message::plan_opened(&reveal(path))
}

pub fn no_plan_file(why: &NoPlanFile) -> String {
    match why {
        NoPlanFile::NoSuch { named } if named.is_empty() => word(Word::PlansNone).to_owned(),
        NoPlanFile::NoSuch { named } => message::plan_no_such(&reveal(named)),
        NoPlanFile::Several { names } => {
            let names: Vec<String> = names.iter().map(|name| reveal(name).into_owned()).collect();
            message::plan_several(&names.join(", "))
        }
        NoPlanFile::Empty { path } => message::plan_empty(&reveal(path)),
        NoPlanFile::Unread { said } => message::plan_unread(&reveal(said)),
    }
}
