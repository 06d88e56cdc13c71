//! Tests of several subjects of one call, in every order.

use proptest::prelude::*;

use super::*;

fn verdicts() -> impl Strategy<Value = Verdict> {
    let action = prop::sample::select(vec![Allow, Ask, Deny]);
    let class = prop::sample::select(vec![None, Some(CommandClass::Plain), Some(CommandClass::Dangerous)]);
    let scopes = prop::sample::subsequence(vec!["bash", "edit", "write"], 0..=3);
    (action, class, scopes, any::<bool>()).prop_map(|(action, class, scopes, needs_person)| Verdict {
        action,
        because: Because::Words(format!("{action:?} {class:?} {needs_person}")),
        layer: Layer::Guard,
        class,
        // In real verdicts, only an "ask" that needs no person has scopes.
        scopes: if action == Ask && !needs_person {
            scopes.into_iter().map(scope).collect()
        } else {
            Vec::new()
        },
        only_once: None,
        network: false,
        needs_person,
        confinable: false,
    })
}

fn scope(key: &str) -> Scope {
    Scope {
        key: key.to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    }
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
                (one.action, one.class, &one.scopes, one.needs_person),
                (other.action, other.class, &other.scopes, other.needs_person)
            );
        }
        let strictest = all.iter().map(|verdict| strictness(verdict.action)).max();
        prop_assert_eq!(Some(strictness(one.action)), strictest);
        prop_assert_eq!(one.needs_person, all.iter().any(|verdict| verdict.needs_person));
        let asking = || all.iter().filter(|verdict| verdict.action != Allow);
        for scope in &one.scopes {
            prop_assert!(asking().all(|verdict| verdict.scopes.contains(scope)));
        }
    }
}
