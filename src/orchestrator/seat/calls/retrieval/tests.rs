use std::path::Path;

use super::{is_denied, reading_rules};
use benchdog_domain::permission::{Action, Layer};
use benchdog_security::policy::{LayerRules, Policy};

fn left_out(rules: &[(&str, &str, Action)]) -> Option<Vec<&'static str>> {
    let rules = rules.iter();
    let layer = LayerRules {
        layer: Layer::User,
        origin: "config.jsonc:1".to_owned(),
        rules: rules
            .map(|(key, pattern, action)| ((*key).to_owned(), vec![((*pattern).to_owned(), *action)]))
            .collect(),
        network: Vec::new(),
    };
    let is_denied = is_denied(&Policy::new(&reading_rules(), vec![layer]))?;
    let files = ["private/a.txt", "src/b.rs"].into_iter();
    Some(files.filter(|file| is_denied(Path::new(file))).collect())
}

#[test]
fn what_read_denies_or_asks_for_is_left_out() {
    for (key, action) in [
        ("*", Action::Deny),
        ("read", Action::Deny),
        ("search_semantic", Action::Deny),
        ("read", Action::Ask),
    ] {
        let found = left_out(&[(key, "private/**", action)]);
        assert_eq!(found, Some(vec!["private/a.txt"]), "{key}: {action:?}");
    }
    let both = [("*", "private/**", Action::Deny), ("read", "private/**", Action::Allow)];
    assert_eq!(
        left_out(&both),
        Some(vec!["private/a.txt"]),
        "the search may not show it"
    );
}

#[test]
fn rules_that_restrict_no_file_do_not_count() {
    for (key, pattern, action) in [
        ("*", "*", Action::Ask),
        ("*", "*", Action::Deny),
        ("bash", "private/**", Action::Deny),
        ("search_semantic", "*", Action::Ask),
        ("read", "private/**", Action::Allow),
    ] {
        assert_eq!(
            left_out(&[(key, pattern, action)]),
            None,
            "{key}: {pattern}: {action:?}"
        );
    }
}
