//! Advice about errors, by error code.

use super::say;

/// Every error code with advice: failures of model requests, and errors of storage.
pub const CODES: &[&str] = &[
    "no_model",
    "no_provider",
    "empty_reply",
    "not_handed_over",
    "context_full",
    "mention_unread",
    "mentions_too_many",
    "skill_unread",
    "prompt_unread",
    "resource_unread",
    "hook_denied",
    "window_too_small",
    "window_assumed",
    "prompt_cut",
    "window_smaller",
    "unreachable",
    "unknown_host",
    "nothing_arrived",
    "timeout",
    "certificate_issuer",
    "certificate_dates",
    "certificate_name",
    "tls",
    "no_tls",
    "needs_tls",
    "not_http",
    "proxy",
    "unauthorized",
    "forbidden",
    "not_found",
    "rate_limited",
    "quota",
    "context_overflow",
    "answer_too_long",
    "bad_request",
    "no_tools",
    "call_ids",
    "server",
    "unavailable",
    "stream_ended_early",
    "not_an_api",
    "garbage",
    "answer_oversized",
    "call_cut",
    "endpoint_setting",
    "recording",
    "no_session",
    "session_not_found",
    "session_ambiguous",
    "session_held",
    "session_not_open",
    "session_state",
    "session_damaged",
    "storage_busy",
    "storage_damaged",
    "storage_version",
    "storage_full",
    "storage_failed",
    "storage_stopped",
];

/// Returns the advice for a code. Empty if there is none.
pub fn advice(code: &str) -> String {
    if CODES.contains(&code) {
        say(&format!("advice-{}", code.replace('_', "-")), &[])
    } else {
        String::new()
    }
}
