//! Several subjects of one call, in every order.

use proptest::prelude::*;

use super::*;

fn verdicts() -> impl Strategy<Value = Verdict> {
    let action = prop::sample::select(vec![Allow, Ask, Deny]);
    let class = prop::sample::select(vec![None, Some(CommandClass::Plain), Some(CommandClass::Dangerous)]);
    let scope = prop::sample::select(vec![None, Some("edit"), Some("bash")]);
    (action, class, scope, any::<bool>()).prop_map(|(action, class, scope, needs_person)| Verdict {
        action,
        because: Because::Words(format!("{action:?} {class:?} {needs_person}")),
        layer: Layer::Guard,
        class,
        // As they are made: only what asks and needs nobody in particular can be remembered.
        scope: scope.filter(|_| action == Ask && !needs_person).map(|key| Scope {
            key: key.to_owned(),
            pattern: "*".to_owned(),
        }),
        needs_person,
    })
}

fn joined(all: impl IntoIterator<Item = Verdict>) -> Verdict {
    all.into_iter().reduce(both).unwrap()
}

proptest! {
    #[test]
    fn the_strictest_of_several_subjects_counts_in_any_order(
        all in prop::collection::vec(verdicts(), 1..5),
        turn in 0..5_usize,
    ) {
        let one = joined(all.clone());
        let mut turned = all.clone();
        turned.rotate_left(turn % all.len());
        for other in [joined(turned), joined(all.iter().rev().cloned())] {
            prop_assert_eq!(
                (one.action, one.class, &one.scope, one.needs_person),
                (other.action, other.class, &other.scope, other.needs_person)
            );
        }
        let strictest = all.iter().map(|verdict| strictness(verdict.action)).max();
        prop_assert_eq!(Some(strictness(one.action)), strictest);
        prop_assert_eq!(one.needs_person, all.iter().any(|verdict| verdict.needs_person));
        if let Some(scope) = &one.scope {
            let asking = || all.iter().filter(|verdict| verdict.action != Allow);
            prop_assert!(asking().all(|verdict| verdict.scope.as_ref() == Some(scope)));
        }
    }
}
