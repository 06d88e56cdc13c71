//! Tests that the carried content is limited, and that dropped entries are freed.

use super::let_go::{completed, lean};
use super::*;

fn turn(number: usize, bytes: usize) -> Vec<Body> {
    let id = format!("call-{number}");
    let Body::ToolResult {
        call,
        tool,
        title,
        status,
        summary,
        truncated,
        notes,
        took_ms,
        ..
    } = result(&id)
    else {
        return Vec::new();
    };
    let large = Body::ToolResult {
        call,
        tool,
        title,
        status,
        summary,
        output: "x".repeat(bytes),
        truncated,
        notes,
        took_ms,
        places: Vec::new(),
        images: Vec::new(),
    };
    vec![user("ask"), assistant(&[&id]), large, ended()]
}

fn turns(count: usize, bytes: usize) -> Vec<Arc<Entry>> {
    log((0..count).flat_map(|number| turn(number, bytes)))
}

#[test]
fn the_oldest_turns_are_left_behind_when_more_is_carried_than_any_model_reads() {
    let fits = lean(turns(11, 1 << 20));
    assert_eq!((fits.carried().parts().len(), fits.gone().turns), (44, 0));

    let history = lean(turns(40, 1 << 20));
    let parts = history.carried().parts();
    let held: usize = history.entries().iter().map(|entry| entry.body.bytes()).sum();
    assert!((5..=12).contains(&(held >> 20)), "{held} bytes are held");
    assert!(matches!(parts.first(), Some(Part::Whole(entry)) if matches!(entry.body, Body::User { .. })));
    assert_eq!(
        Some(history.gone().upto.0 + 1),
        parts.first().map(|part| part.entry().id.0)
    );
    assert_eq!(history.gone().turns * 4 + parts.len(), 160);
}

#[test]
fn within_one_long_turn_no_result_is_carried_without_its_call() {
    let steps = (0..40).flat_map(|number| turn(number, 1 << 20).into_iter().skip(1).take(2));
    let history = lean(log([user("ask")].into_iter().chain(steps)));
    let first = history.carried().parts().first().map(|part| Arc::clone(part.entry()));
    assert!(matches!(
        first.as_deref().map(|entry| &entry.body),
        Some(Body::Assistant { .. })
    ));
    assert!(history.gone().upto > EntryId(1) && history.open_turn());
}

#[test]
fn a_summary_of_what_came_before_stays() {
    let begin = turn(0, 10).into_iter().chain([compaction(&[], &[], Some((4, &[1])))]);
    let history = lean(log(begin.chain((1..40).flat_map(|number| turn(number, 1 << 20)))));
    let parts = history.carried().parts();
    assert!(matches!(parts.first(), Some(Part::Replaced(_))));
    assert!(
        parts
            .get(1)
            .is_some_and(|part| part.entry().id == EntryId(history.gone().upto.0 + 1))
    );
    assert_eq!(history.carried().undoable(), None);
}

#[test]
fn a_log_that_is_folded_without_its_outputs_is_left_behind_at_the_same_places() {
    for log in [turns(11, 1 << 20), turns(40, 1 << 20), turns(97, 700_001)] {
        assert_eq!(completed(log.clone()), lean(log));
    }
}
