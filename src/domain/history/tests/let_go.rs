//! Tests that a history without its freed entries behaves like the complete one.

use super::*;

pub(super) fn lean(log: Vec<Arc<Entry>>) -> History {
    let mut history = History::default();
    log.into_iter().for_each(|entry| history.push_lean(entry));
    history
}

/// Builds the same history from outlines, as when a log is read.
pub(super) fn completed(log: Vec<Arc<Entry>>) -> History {
    let mut history = History::default();
    for entry in &log {
        let mut outline = (**entry).clone();
        let left_out = match &mut outline.body {
            Body::ToolResult { output, .. } => std::mem::take(output).len(),
            _ => 0,
        };
        history.push_outline(Arc::new(outline), left_out);
    }
    let wanted = history.outlines();
    assert!(
        wanted.iter().all(|id| history.entry(*id).is_some()),
        "{wanted:?} are read in vain"
    );
    let whole = log.into_iter().map(|entry| (entry.id, entry));
    history.complete(&whole.filter(|(id, _)| wanted.contains(id)).collect());
    history
}

#[test]
fn what_stands_above_two_compactions_is_let_go_of_and_the_newest_can_be_taken_back() {
    let turn = || [user(&"ask".repeat(1_000)), started("a"), ended()];
    let bodies = turn().into_iter().chain([compaction(&[], &[], Some((3, &[1])))]);
    let bodies = bodies.chain(turn()).chain([compaction(&[], &[], Some((7, &[])))]);
    let short = lean(log(bodies.clone()));
    let ids = |history: &History| history.entries().iter().map(|entry| entry.id.0).collect::<Vec<_>>();
    assert_eq!((short.gone().upto, short.gone().turns), (EntryId(3), 1));
    assert_eq!(ids(&short), [1, 4, 5, 6, 7, 8]);
    let short = lean(log(bodies.chain([undone(8)])));
    assert_eq!(
        (ids(&short), carried(&short)),
        (vec![1, 4, 5, 6, 7, 8, 9], "4(1) 5 7".to_owned())
    );
}

/// Rewrites compactions to preserve only carried entries, and all pinned ones, as in real sessions.
fn sensible(log: Vec<Arc<Entry>>) -> Vec<Arc<Entry>> {
    let mut history = History::default();
    let written = log.into_iter().map(|entry| {
        let mut entry = (*entry).clone();
        let carried = history.carried().entries();
        match &mut entry.body {
            Body::Compaction(compaction) => {
                if let Some(replaced) = &mut compaction.replaced {
                    let begins = history.carried().begins().0;
                    let (upto, third) = (begins + (entry.id.0 - begins) / 2, replaced.upto.0 % 3);
                    let kept = carried.iter().filter(|id| id.0 <= upto && id.0 % 3 != third);
                    replaced.kept = kept.copied().collect();
                    replaced.upto = EntryId(upto);
                }
            }
            Body::Pinned { entry: pin, pinned } => *pinned &= carried.contains(pin),
            _ => {}
        }
        let entry = Arc::new(entry);
        history.push(Arc::clone(&entry));
        entry
    });
    written.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]
    #[test]
    fn a_history_that_lets_go_carries_the_same_and_knows_the_same(bodies in proptest::collection::vec(bodies(), 0..150)) {
        let whole = sensible(log(bodies));
        let (full, short) = (History::of(whole.clone()), lean(whole.clone()));
        assert_eq!(short.carried(), full.carried());
        assert_eq!(completed(whole.clone()), short);
        assert_eq!(open(&short), open(&full));
        assert_eq!((short.todo(), short.model(), short.agent()), (full.todo(), full.model(), full.agent()));
        assert_eq!((&short.lasting, &short.current.own_calls), (&full.lasting, &full.current.own_calls));
        let later = |entry: &&Arc<Entry>| entry.id > short.gone().upto;
        let asked_for = |entry: &&Arc<Entry>| !later(entry) && matches!(entry.body, Body::Change { .. });
        for kept in [&later as &dyn Fn(&&Arc<Entry>) -> bool, &asked_for] {
            let of = |history: &History| history.entries().iter().filter(kept).cloned().collect::<Vec<_>>();
            assert_eq!(of(&short), of(&full));
        }
    }
}
