//! The states of a turn and all transitions. docs/ARCHITECTURE.md draws this table.

use benchdog_protocol::TurnState;

use TurnState::{
    AwaitingPermission, Compacting, Done, Error, Generating, Idle, Interrupted, Limit, Planning, ToolRunning,
    Validating,
};

/// States with their successors. An ended turn only leads to the next turn.
pub(crate) const MOVES: &[(TurnState, &[TurnState])] = &[
    (Idle, &[Planning]),
    (
        Planning,
        &[
            Compacting,
            Generating,
            AwaitingPermission,
            ToolRunning,
            Validating,
            Done,
            Error,
            Interrupted,
            Limit,
        ],
    ),
    (Compacting, &[Planning, Error, Interrupted, Limit]),
    (
        Generating,
        &[
            Planning,
            AwaitingPermission,
            ToolRunning,
            Validating,
            Done,
            Error,
            Interrupted,
            Limit,
        ],
    ),
    (
        AwaitingPermission,
        &[Planning, ToolRunning, Validating, Done, Error, Interrupted, Limit],
    ),
    (
        ToolRunning,
        &[
            Planning,
            AwaitingPermission,
            Validating,
            Done,
            Error,
            Interrupted,
            Limit,
        ],
    ),
    (
        Validating,
        &[
            Planning,
            AwaitingPermission,
            ToolRunning,
            Done,
            Error,
            Interrupted,
            Limit,
        ],
    ),
    (Done, &[Planning]),
    (Error, &[Planning]),
    (Interrupted, &[Planning]),
    (Limit, &[Planning]),
];

pub(crate) fn may_move(from: TurnState, to: TurnState) -> bool {
    MOVES.iter().any(|(state, next)| *state == from && next.contains(&to))
}

pub(crate) fn is_rest(state: TurnState) -> bool {
    matches!(state, Idle | Done | Error | Interrupted | Limit)
}

#[cfg(test)]
mod tests {
    use super::{MOVES, is_rest, may_move};
    use benchdog_protocol::TurnState;

    fn name(state: TurnState) -> String {
        serde_json::to_value(state).unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn the_table_in_the_architecture_page_is_this_one() {
        let page = include_str!("../../../docs/ARCHITECTURE.md");
        for (from, to) in MOVES {
            let to: Vec<String> = to.iter().map(|state| name(*state)).collect();
            let row = format!("| {} | {} |", name(*from), to.join(", "));
            assert!(page.contains(&row), "the page has no row {row:?}");
        }
    }

    #[test]
    fn every_state_under_way_can_be_interrupted_and_none_at_rest_can() {
        for (state, _) in MOVES {
            assert_eq!(may_move(*state, TurnState::Interrupted), !is_rest(*state), "{state:?}");
        }
    }
}
