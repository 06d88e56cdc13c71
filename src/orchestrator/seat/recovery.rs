//! Recovery from a crash: writers of files beside the session file, and the remains of interrupted calls.

pub(super) mod answer;
pub(super) mod interrupted_calls;
pub(super) mod output;
pub(super) mod unsent_prompts;
