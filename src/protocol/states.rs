//! The states of a turn, for front ends and scripts.

use serde::Serialize;

/// The states of a turn. The transitions are in `orchestrator::machine::states::MOVES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    Idle,
    Planning,
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
