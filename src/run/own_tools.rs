//! Custom tools: loads the valid ones, and collects the errors of the others.

use std::path::{Path, PathBuf};

use benchdog_base::problem::Problem;
use benchdog_config::{PATHS, tool_folders};
use benchdog_domain::notice::{NamedBy, Unread};
use benchdog_tools::Registry;
use benchdog_tools::own::{self, OwnTool};

/// Returns the folders with the user's tools: the folders in `tools.paths`, then the one next to the configuration.
pub(super) fn folders_of_person(user: &Path, file: Option<&Path>, home: Option<&str>) -> Vec<PathBuf> {
    let files: Vec<&Path> = file.into_iter().chain([user]).collect();
    let named = tool_folders(&files).into_iter();
    let further = named.filter_map(|name| match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Some(Path::new(home).join(rest)),
        (Some(_), None) => None,
        (None, _) => name.starts_with('/').then(|| PathBuf::from(&name)),
    });
    further.chain([user.with_file_name("tools")]).collect()
}

/// Loads the tools in these folders. If several tools have the same name, the first one is used.
pub(super) fn of_folders(folders: &[PathBuf]) -> (Vec<OwnTool>, Vec<Problem>) {
    let built_in = Registry::builtin();
    let (mut tools, mut broken): (Vec<OwnTool>, Vec<Problem>) = (Vec::new(), Vec::new());
    for folder in folders {
        let (own, wrong) = own::of_folder(folder, |name| is_taken(&built_in, name));
        for tool in own {
            if !tools.iter().any(|known| known.name == tool.name) {
                tools.push(tool);
            }
        }
        broken.extend(wrong);
    }
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    (tools, broken)
}

pub(super) fn of_person(folders: &[PathBuf]) -> (Registry, Vec<Unread>) {
    let built_in = Registry::builtin();
    let (own, broken) = of_folders(folders);
    let unread = broken.iter().map(not_a_tool).collect();
    if own.is_empty() {
        return (built_in, unread);
    }
    (built_in.with(own.into_iter().map(own::row)).0, unread)
}

/// Whether a tool already has this name, alias or group. Such a name cannot be reused, because models expect the usual
/// tool of this name.
pub(super) fn is_taken(tools: &Registry, name: &str) -> bool {
    let mut rules = tools.all_rules().into_iter();
    name == PATHS
        || rules
            .any(|rules| rules.name == name || rules.aliases.contains(&name) || rules.group.as_deref() == Some(name))
}

pub(super) fn not_a_tool(problem: &Problem) -> Unread {
    let more = problem.suggestion.iter().map(|more| format!("; {more}"));
    Unread {
        file: problem.place.short(),
        by: NamedBy::Tools,
        why: format!("{}{}", problem.text, more.collect::<String>()),
    }
}
