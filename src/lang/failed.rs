//! Messages about failed calls. A tool's own text is for the model. The person reads these messages in
//! their language instead.

use super::say;

pub(super) const FAILED: &[&str] = &[
    "ambiguous",
    "bad_arguments",
    "bad_decision",
    "bad_path",
    "binary",
    "both_changed",
    "budget_over",
    "cancelled",
    "conflict",
    "denied",
    "encoding",
    "exists",
    "failed",
    "hunk_failed",
    "image",
    "internal",
    "invalid_patch",
    "io",
    "loop",
    "no_access",
    "no_change",
    "no_children",
    "no_match",
    "no_room",
    "not_a_file",
    "not_a_folder",
    "not_answered",
    "not_confined",
    "not_found",
    "not_read",
    "not_started",
    "outside_workspace",
    "past_the_end",
    "read_only",
    "redacted_text",
    "steps_over",
    "symlink_changed",
    "symlink_escape",
    "symlink_loop",
    "time_over",
    "too_large",
    "too_long",
    "too_many_jobs",
    "unknown_item",
    "unknown_job",
    "unknown_tool",
    "unproven",
    "unreadable_call",
    "window_over",
];

/// Error codes whose message is complete without details.
pub(super) const TOLD: &[&str] = &[
    "ambiguous",
    "bad_arguments",
    "budget_over",
    "conflict",
    "denied",
    "exists",
    "hunk_failed",
    "invalid_patch",
    "loop",
    "no_change",
    "no_match",
    "outside_workspace",
    "steps_over",
    "time_over",
    "unknown_item",
    "unknown_tool",
    "unproven",
    "unreadable_call",
    "window_over",
];

/// Returns the label beside a failed call. An unknown code of a later version or a server is shown as it is.
pub(crate) fn failed(code: &str) -> String {
    match FAILED.contains(&code) {
        true => say(&format!("failed-{}", code.replace('_', "-")), &[]),
        false => code.replace('_', " "),
    }
}

/// Returns the message that replaces the tool's own text below the call.
pub fn told(code: &str) -> Option<String> {
    TOLD.contains(&code)
        .then(|| say(&format!("told-{}", code.replace('_', "-")), &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_like_its_notation_in_english_and_an_unknown_one_is_shown_as_it_is() {
        for code in FAILED {
            assert_eq!(failed(code), code.replace('_', " "));
        }
        assert_eq!(failed("of_later"), "of later");
        assert!(TOLD.iter().all(|code| FAILED.contains(code)));
        assert_eq!(told("of_later"), None);
    }
}
