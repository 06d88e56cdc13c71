//! The states of a turn, for front ends and scripts.

use serde::Serialize;

/// The states of a turn. The transitions are in `orchestrator::machine::states::MOVES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnState {
    Idle,
    Planning,
    /// Making room in the context window for the next request.
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
