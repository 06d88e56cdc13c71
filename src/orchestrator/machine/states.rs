//! The states of a turn and all transitions. docs/ARCHITECTURE.md draws this table.

use benchdog_protocol::TurnState;

use TurnState::{
    AwaitingPermission, Compacting, Done, Error, Generating, Idle, Interrupted, Limit, Planning, ToolRunning,
    Validating,
};

/// Each state with the states that may follow it. After a turn has ended, only a new turn may follow.
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

#[cfg(test)]
mod tests;
