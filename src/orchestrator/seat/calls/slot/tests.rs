use super::*;

#[test]
fn lists_calls_in_the_order_of_their_start_and_keeps_no_empty_slot() {
    let mut calls = CallSlots::default();
    let (first, second) = (CallId("z".to_owned()), CallId("a".to_owned()));
    calls.start(&first, "read", "one");
    calls.start(&second, "grep", "two");
    let titles = |calls: &CallSlots| {
        let lives = calls.lives().into_iter();
        let titles = lives.map(|live| match live {
            Live::ToolStarted { title, .. } => title,
            other => panic!("{other:?}"),
        });
        titles.collect::<Vec<_>>()
    };
    assert_eq!(titles(&calls), ["one", "two"]);
    calls.end(&first);
    assert_eq!(titles(&calls), ["two"]);
    assert!(calls.get(&first).is_none());
    calls.end_turn();
    assert!(calls.slots.is_empty());
}
