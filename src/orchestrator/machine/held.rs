//! The note about command confinement for the model, sent with the next prompt after a change.

use super::standing;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::History;

/// The beginning identifies an earlier note.
const BEGINS: &str = "From here on, commands ";

const FREE: &str = "that the user was asked about run as the user; any other runs in the sandbox.";

/// Returns the due note. Without an earlier note, commands are unconfined, as the system prompt says.
pub(super) fn news(level: Level, network: Network, history: &History) -> Option<String> {
    standing::news(BEGINS, text(level, network), &format!("{BEGINS}{FREE}"), history)
}

/// Returns the note to repeat after a summary.
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
mod tests {
    use std::sync::Arc;

    use super::*;
    use benchdog_base::clock::Time;
    use benchdog_base::id::{EntryId, TurnId};
    use benchdog_domain::entry::{Body, Entry};

    fn session(told: &[&str]) -> History {
        let entries = told.iter().zip(1..).map(|(note, number)| {
            Arc::new(Entry {
                id: EntryId(number),
                turn: TurnId(1),
                time: Time(0),
                body: Body::User {
                    text: "go".to_owned(),
                    mentions: Vec::new(),
                    notes: vec![(*note).to_owned().into()],
                },
            })
        });
        History::of(entries.collect::<Vec<_>>())
    }

    #[test]
    fn it_is_said_when_it_is_not_what_was_said_last() {
        let off = |history: &History| news(Level::Off, Network::Inherit, history);
        let confined = |history: &History| news(Level::Workspace, Network::None, history);
        assert_eq!(off(&session(&[])), None);
        let first = confined(&session(&[])).unwrap();
        assert!(
            first.contains("confined by the kernel") && first.contains("no network"),
            "{first}"
        );
        assert_eq!(confined(&session(&[&first, "Another note."])), None);
        let freed = off(&session(&[&first])).unwrap();
        assert!(freed.contains("run as the user"), "{freed}");
        assert_eq!(off(&session(&[&first, &freed])), None);
        assert_eq!(confined(&session(&[&first, &freed])), Some(first));
    }
}
