use super::{Ended, Exit, TABLE, When, of, strongest};
use benchdog_domain::entry::TurnOutcome;

fn code(outcome: TurnOutcome, error: Option<&str>, denied: bool) -> u8 {
    let found = false;
    of(&Ended {
        outcome,
        error,
        denied,
        found,
    })
    .code()
}

#[test]
fn what_was_found_fails_only_a_turn_that_ended_well() {
    let code = |outcome| {
        let (error, denied, found) = (None, false, true);
        of(&Ended {
            outcome,
            error,
            denied,
            found,
        })
        .code()
    };
    let outcomes = [TurnOutcome::Done, TurnOutcome::Limit, TurnOutcome::Interrupted];
    assert_eq!(outcomes.map(code), [8, 4, 130]);
}

#[test]
fn every_outcome_has_the_number_the_contract_gives_it() {
    assert_eq!(code(TurnOutcome::Done, None, false), 0);
    assert_eq!(code(TurnOutcome::Denied, None, false), 3);
    assert_eq!(code(TurnOutcome::Limit, None, false), 4);
    assert_eq!(code(TurnOutcome::Error, Some("unauthorized"), false), 5);
    assert_eq!(code(TurnOutcome::Error, None, false), 5);
    assert_eq!(code(TurnOutcome::ValidationFailed, None, false), 6);
    assert_eq!(code(TurnOutcome::Loop, None, false), 7);
    assert_eq!(code(TurnOutcome::Interrupted, None, false), 130);
}

#[test]
fn an_error_of_our_own_is_1_and_a_word_that_only_begins_alike_is_not() {
    assert_eq!(code(TurnOutcome::Error, Some("storage_full"), false), 1);
    assert_eq!(code(TurnOutcome::Error, Some("internal"), false), 1);
    assert_eq!(code(TurnOutcome::Error, Some("internally_confused_server"), false), 5);
}

#[test]
fn a_denial_matters_only_when_the_turn_ended_by_itself() {
    assert_eq!(code(TurnOutcome::Done, None, true), 3);
    assert_eq!(code(TurnOutcome::Limit, None, true), 4);
    assert_eq!(code(TurnOutcome::Error, Some("connect"), true), 5);
    assert_eq!(code(TurnOutcome::Interrupted, None, true), 130);
}

const CONTRACT: [(When, u8); 9] = [
    (When::Outcome(TurnOutcome::Interrupted), 130),
    (When::EndpointError, 5),
    (When::Outcome(TurnOutcome::Limit), 4),
    (When::Outcome(TurnOutcome::Loop), 7),
    (When::Outcome(TurnOutcome::ValidationFailed), 6),
    (When::Outcome(TurnOutcome::Denied), 3),
    (When::DenialStands, 3),
    (When::Found, 8),
    (When::Outcome(TurnOutcome::Done), 0),
];

#[test]
fn of_any_facts_that_apply_together_the_first_of_the_contract_wins() {
    for chosen in 1..1_u32 << CONTRACT.len() {
        let picked: Vec<(When, u8)> = CONTRACT
            .into_iter()
            .enumerate()
            .filter(|(bit, _)| chosen & (1 << bit) != 0)
            .map(|(_, fact)| fact)
            .collect();
        let mut facts: Vec<When> = picked.iter().map(|(when, _)| *when).collect();
        assert_eq!(strongest(&facts).code(), picked[0].1, "{facts:?}");
        facts.reverse();
        assert_eq!(strongest(&facts).code(), picked[0].1, "in any order: {facts:?}");
    }
}

#[test]
fn every_exit_has_one_row_one_code_and_words() {
    for row in &TABLE {
        assert_eq!(row.exit.code(), row.code);
        assert!(!row.meaning.is_empty());
        assert_eq!(TABLE.iter().filter(|other| other.exit == row.exit).count(), 1);
        assert_eq!(
            TABLE.iter().filter(|other| other.code == row.code).count(),
            1,
            "{} is given twice",
            row.code
        );
    }
    assert_eq!(strongest(&[]), Exit::Internal, "what nobody foresaw is no success");
}
