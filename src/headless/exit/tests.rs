//! Every outcome to its code, and what wins when two apply.

use super::{Ended, Exit, PRECEDENCE, TABLE, of};
use crate::domain::entry::TurnOutcome;

fn code(outcome: TurnOutcome, error: Option<&str>, denied: bool) -> u8 {
    of(&Ended { outcome, error, denied }).code()
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

#[test]
fn both_tables_name_every_exit_once() {
    for (exit, code, meaning) in TABLE {
        assert_eq!(exit.code(), code);
        assert!(!meaning.is_empty());
        assert_eq!(PRECEDENCE.iter().filter(|other| **other == exit).count(), 1, "{exit:?}");
        assert_eq!(
            TABLE.iter().filter(|row| row.1 == code).count(),
            1,
            "{code} is given twice"
        );
    }
    assert_eq!(PRECEDENCE.first(), Some(&Exit::Interrupted));
}
