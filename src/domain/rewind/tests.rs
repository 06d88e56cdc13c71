use super::*;
use benchdog_base::id::{CallId, TurnId};

#[test]
fn each_prompt_has_the_changes_up_to_the_next_one() {
    let user = |text: &str| Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    };
    let change = |path: &str| Body::Change {
        call: CallId("c".to_owned()),
        path: path.to_owned(),
        before: None,
        after: None,
        added: 2,
        removed: 1,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    };
    let bodies = [
        user("one"),
        change("a"),
        change("b"),
        change("a"),
        user("two"),
        change("a"),
    ];
    let log = (1..).zip(bodies).map(|(id, body)| {
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: Time(0),
            body,
        })
    });
    let points = points(&log.collect::<Vec<_>>());
    let seen: Vec<_> = points
        .iter()
        .map(|point| (point.prompt.0, &*point.text, point.files, point.added, point.removed))
        .collect();
    assert_eq!(seen, [(5, "two", 1, 2, 1), (1, "one", 2, 6, 3)]);
}
