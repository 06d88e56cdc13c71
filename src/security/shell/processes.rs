//! Finds paths of other processes below `/proc`: memory, environment, open files. An unapproved command sees no other
//! process. For other commands, the approval request reports such paths.

use super::state::{Field, show};
use super::walk::Walker;

/// Files with the memory of the whole machine.
const OF_EVERYONE: &[&str] = &["kcore", "vmcore"];

impl Walker<'_> {
    pub(super) fn look_for_processes(&mut self, fields: &[Field]) {
        if self.process_file.is_none() {
            let found = fields.iter().find(|field| names_process(&field.text));
            self.process_file = found.map(|field| show(std::slice::from_ref(field)));
        }
    }
}

/// Whether an absolute path is a file of a process, or a folder directly above one.
pub(crate) fn is_process_file(path: &str) -> bool {
    path.starts_with('/') && names_process(&super::writers::clean(path))
}

/// Whether the path leads to a process in `/proc`. An entry whose name has only letters, such as `/proc/meminfo`,
/// describes the machine and is harmless. A path such as `../../proc` also counts, because it may lead to `/proc`.
fn names_process(text: &str) -> bool {
    text.match_indices("proc").any(|(at, name)| {
        let (before, rest) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
        let above = before.trim_end_matches(['/', '.']);
        let is_root = before.ends_with('/')
            && (text.starts_with('-') || !above.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')));
        let entry = rest.trim_start_matches('/');
        let name = entry.split(['/', ' ', '\'', '"', ')', ';', '|']).next().unwrap_or("");
        let of_machine = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'));
        let harmless = of_machine && !name.ends_with("self") && !OF_EVERYONE.contains(&name) && !entry.contains("..");
        is_root && (rest.is_empty() || rest.starts_with('/')) && !harmless
    })
}
