//! Tests of commands that the person types: they run without a question, unless they cause lasting damage.

use super::*;

#[test]
fn a_typed_command_runs_and_what_could_be_regretted_is_asked_or_denied() {
    let bench = bench();
    let policy = policy(Vec::new());
    for (line, action) in [
        ("cargo build", Action::Allow),
        ("for i in 1 2; do echo $i; done", Action::Allow),
        ("git push", Action::Allow),
        ("cat /etc/hostname", Action::Allow),
        ("rm -r target", Action::Ask),
        ("frobnicate --all", Action::Ask),
        ("cat .env", Action::Ask),
        ("git commit -am done && cat .env", Action::Ask),
        ("rm -rf /", Action::Deny),
    ] {
        let subjects = bench.command(line);
        let judged = judge(&policy, "bash", &subjects);
        let verdict = of_person(judged.clone(), &subjects);
        assert_eq!(verdict.action, action, "{line}: {verdict:?}");
        let because = (action == Action::Allow && judged.action == Action::Ask).then_some(Because::Typed);
        assert_eq!(verdict.because, because.unwrap_or(judged.because), "{line}");
    }
}

#[test]
fn a_typed_search_asks_where_it_would_meet_a_secret_that_no_sandbox_hides() {
    let bench = bench();
    let subjects = bench.command("grep -r key .");
    let judged = judge(&policy(Vec::new()), "bash", &subjects);
    assert_eq!(judged.action, Action::Allow, "of a model it is confined");
    let verdict = of_person(judged, &subjects);
    assert_eq!((verdict.action, verdict.needs_person), (Action::Ask, true));
}

#[test]
fn what_a_rule_denies_or_calls_dangerous_stays_so_for_who_types() {
    let bench = bench();
    let rules = layer(
        Layer::User,
        &[
            ("bash", &[("cargo *", Action::Deny)]),
            ("dangerous", &[("make *", Action::Ask)]),
        ],
    );
    let policy = policy(vec![rules]);
    for (line, action) in [("cargo build", Action::Deny), ("make install", Action::Ask)] {
        let subjects = bench.command(line);
        let verdict = of_person(judge(&policy, "bash", &subjects), &subjects);
        assert_eq!(verdict.action, action, "{line}");
    }
}
