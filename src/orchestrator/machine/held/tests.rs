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
