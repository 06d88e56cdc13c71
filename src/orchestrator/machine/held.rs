//! The note to the model about the sandbox of commands. It is sent with the first prompt after a change.

use super::standing;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::History;

/// The beginning of the note, used to find an earlier note in the log.
const BEGINS: &str = "From here on, commands ";

const FREE: &str = "that the user was asked about run as the user; any other runs in the sandbox.";

/// Returns the note if the sandbox differs from the last note, or else from the system prompt.
pub(super) fn news(level: Level, network: Network, history: &History) -> Option<String> {
    standing::news(BEGINS, text(level, network), &format!("{BEGINS}{FREE}"), history)
}

/// Returns the note, which is repeated after a summary. `None` if the sandbox is as the system prompt describes it.
pub(super) fn standing(level: Level, network: Network) -> Option<String> {
    let now = text(level, network);
    (now != format!("{BEGINS}{FREE}")).then_some(now)
}

fn text(level: Level, network: Network) -> String {
    let files = match level {
        Level::Off => None,
        Level::Workspace => Some(
            "write only in the working folder and in a `/tmp` of their own, secret files are closed to them, and what they add to \
             caches only other commands see",
        ),
        Level::ReadOnly => {
            Some("write only in a `/tmp` of their own, secret files are closed to them, and no tool changes a file")
        }
    };
    let network = match network {
        Network::Inherit => None,
        Network::None => Some("they have no network"),
    };
    let limits: Vec<&str> = [files, network].into_iter().flatten().collect();
    if limits.is_empty() {
        return format!("{BEGINS}{FREE}");
    }
    format!("{BEGINS}are confined by the kernel: {}.", limits.join("; "))
}

#[cfg(test)]
mod tests;
