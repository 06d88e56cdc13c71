//! The rules a person or a project wrote for agents: `AGENTS.md`, `CLAUDE.md` where there is none, `instructions`.

use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest rules file that is read; more would crowd out the work.
const MAX_BYTES: u64 = 256 * 1024;

/// One rules file and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Whether the folder's own rules count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectRules {
    Counted,
    Ignored,
}

/// The global rules first, then the project's, then the `instructions` files of the configuration, in that order.
pub(crate) fn collect(
    config_folder: &Path,
    workspace: &Path,
    project: ProjectRules,
    instructions: &[String],
) -> Vec<RulesFile> {
    let mut found: Vec<RulesFile> = Vec::new();
    found.extend(read(&config_folder.join("AGENTS.md")));
    if project == ProjectRules::Counted {
        let own = read(&workspace.join("AGENTS.md")).or_else(|| read(&workspace.join("CLAUDE.md")));
        found.extend(own);
    }
    found.extend(instructions.iter().filter_map(|name| read(&workspace.join(name))));
    found
}

fn read(path: &Path) -> Option<RulesFile> {
    // Looked at before it is opened: a pipe without a writer would hold the start up for ever.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = std::fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes)
        .trim_start_matches('\u{feff}')
        .trim()
        .to_owned();
    if text.is_empty() {
        None
    } else {
        Some(RulesFile {
            path: path.to_path_buf(),
            text,
        })
    }
}

/// The rules as the system prompt shows them; empty when there are none.
pub(crate) fn text(files: &[RulesFile]) -> String {
    files
        .iter()
        .map(|file| format!("\n## Rules from {}\n\n{}\n", file.path.display(), file.text))
        .collect()
}
