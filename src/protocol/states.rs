//! Where a turn stands, as front ends and scripts hear it.

use serde::Serialize;

/// The states a turn goes through; the moves between them are `orchestrator::machine::states::MOVES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnState {
    Idle,
    Planning,
    /// Room is made in the window for the next request.
    Compacting,
    Generating,
    AwaitingPermission,
    ToolRunning,
    Validating,
    Done,
    Error,
    Interrupted,
    Limit,
}
