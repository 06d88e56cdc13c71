//! The states of a turn, for front ends and scripts.

use schemars::JsonSchema;
use serde::Serialize;

/// The states of a turn. The transitions are in `orchestrator::machine::states::MOVES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
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

impl TurnState {
    /// Whether no turn is running in this state.
    pub fn is_rest(self) -> bool {
        match self {
            Self::Idle | Self::Done | Self::Error | Self::Interrupted | Self::Limit => true,
            Self::Planning
            | Self::Compacting
            | Self::Generating
            | Self::AwaitingPermission
            | Self::ToolRunning
            | Self::Validating => false,
        }
    }
}
