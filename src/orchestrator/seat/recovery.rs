//! Recovery from a crash: small files next to the session file, and the effects of interrupted calls.

pub(super) mod answer;
pub(super) mod interrupted_calls;
pub(super) mod output;
pub(super) mod unsent_prompts;
