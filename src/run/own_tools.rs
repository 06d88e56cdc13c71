//! Tools of the person's own: which of them stand behind the built-in ones, and what is said of those that cannot.

use crate::base::environment::Folders;
use crate::base::problem::Problem;
use crate::domain::notice::{NamedBy, Unread};
use crate::tools::{Registry, own};

/// The built-in tools, and behind them those of the person's own.
pub(super) fn of_person(folders: &Folders) -> (Registry, Vec<Unread>) {
    let built_in = Registry::builtin();
    let folder = folders.config_file.with_file_name("tools");
    let (own, broken) = own::of_folder(&folder, |name| is_taken(&built_in, name));
    let unread = broken.iter().map(not_a_tool).collect();
    if own.is_empty() {
        return (built_in, unread);
    }
    (built_in.with(own.into_iter().map(own::row)).0, unread)
}

/// Whether a tool is called so, or has it as another name: what a model means by it stays what it was.
pub(super) fn is_taken(tools: &Registry, name: &str) -> bool {
    let mut rules = tools.all_rules().into_iter();
    rules.any(|rules| rules.name == name || rules.aliases.contains(&name) || rules.group.as_deref() == Some(name))
}

pub(super) fn not_a_tool(problem: &Problem) -> Unread {
    let more = problem.suggestion.iter().map(|more| format!("; {more}"));
    Unread {
        file: problem.place.short(),
        by: NamedBy::Tools,
        why: format!("{}{}", problem.text, more.collect::<String>()),
    }
}
